// A process of its own that runs tests in a copy of the project: `node job.mjs reach|mutants`, told by messages.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createVitest } from "vitest/node";

/** Test files are run in the order in which they are given. */
class AsGiven {
  sort(files) {
    return files;
  }
  shard(files) {
    return files;
  }
}

const collects = process.argv[2] === "reach";
const shared = { watch: false, run: true, reporters: [{}], maxWorkers: 1, pool: "forks", cache: false };
const vitest = await createVitest("test", {
  ...shared,
  ...(collects
    ? // a module tells that it was reached when it is first imported
      { config: "scripts/mutate/reach.config.mjs", maxWorkers: 2, isolate: true }
    : { bail: 1 }),
  sequence: { sequencer: AsGiven },
});

const projectOf = (file) => vitest.projects.find((project) => project.matchesTestGlob(file));
const stateOf = (module) => ({
  file: path.relative(process.cwd(), module.moduleId),
  failed: module.state() === "failed",
  milliseconds: Math.round(module.diagnostic().duration),
  tests: [...module.children.allTests()].map((test) => ({
    id: test.id,
    name: test.fullName,
    state: test.result().state,
    milliseconds: Math.ceil(test.diagnostic()?.duration ?? 0),
  })),
});

/** `tests`: [{ file, ids? }]; `mutant`: the file's text is replaced while they run. */
async function run({ tests, mutant }) {
  const specifications = tests.map(({ file, ids }) => {
    const found = path.resolve(file);
    return projectOf(found).createSpecification(found, ids ? { testIds: ids } : undefined);
  });
  const target = mutant && path.resolve(mutant.file);
  const original = mutant && readFileSync(target, "utf8");
  try {
    if (mutant) {
      writeFileSync(target, original.slice(0, mutant.start) + mutant.text + original.slice(mutant.end));
      vitest.invalidateFile(target);
    }
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
    return { modules: testModules.map(stateOf), accidents: unhandledErrors.length };
  } finally {
    if (mutant) {
      writeFileSync(target, original);
      vitest.invalidateFile(target);
    }
    vitest.state.errorsSet.clear();
    process.exitCode = 0;
  }
}

process.on("message", async (task) => {
  try {
    process.send({ id: task.id, ...(await run(task)) });
  } catch (error) {
    process.send({ id: task.id, error: String(error?.stack ?? error) });
  }
});
process.on("disconnect", () => process.exit());
process.send({ ready: true });
