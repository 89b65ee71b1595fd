// Runs the named test files, in that order: `node job.mjs FILE…`
import path from "node:path";
import { createVitest } from "vitest/node";

// the process that started it is gone: nobody waits for these tests, and nobody would stop them
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));

class AsGiven {
  sort(files) {
    return files;
  }
  shard(files) {
    return files;
  }
}

const vitest = await createVitest("test", {
  ...{ watch: false, run: true, reporters: [{}], maxWorkers: 1, pool: "forks", cache: false, update: false, retry: 0 },
  config: "scripts/mutate/tests.config.mjs",
  sequence: { sequencer: AsGiven },
});
const specifications = process.argv.slice(2).map((file) => {
  const found = path.resolve(file);
  return vitest.projects.find((project) => project.matchesTestGlob(found)).createSpecification(found);
});
await vitest.runTestSpecifications(specifications, false);
await vitest.close();
process.exit();
