import { expect, test, vi } from "vitest";
import { workspace } from "./cli.ts";

const EVERY = ["--every", "1s", "--mode", "yolo"];

test("cron: add, list, run once, history and remove, as text and as JSON", async () => {
  const { run, read, has } = await workspace();
  const toolgate = (...args: string[]) => run(["cron", ...args]);
  expect(await toolgate()).toMatchObject({ status: 0, out: "There are no jobs. cron_add plans one.\n" });
  expect(has(".toolgate")).toBe(false);
  expect((await toolgate("add", "mark", "echo x >> ran.txt")).status).toBe(3);
  expect((await toolgate("add", "mark", "echo x >> ran.txt", "--every", "soon")).status).toBe(3);
  expect((await toolgate("add", "mark", "echo x >> ran.txt", "--every", "1s")).status, "nobody said yes").toBe(2);
  expect((await toolgate("add", "mark", "echo x >> ran.txt", ...EVERY)).out).toContain(
    "Job job_1 (mark): every second",
  );
  await vi.waitFor(
    async () => {
      const runs = JSON.parse((await toolgate("run", "--once", "--json", "--mode", "yolo")).out);
      expect(runs).toMatchObject([{ job: "job_1", status: "done" }]);
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(await read("ran.txt")).toBe("x\n");
  expect(JSON.parse((await toolgate("--json")).out)).toMatchObject([{ id: "job_1", task: "echo x >> ran.txt" }]);
  expect(JSON.parse((await toolgate("history", "job_1", "--json")).out)).toMatchObject([{ status: "done" }]);
  expect((await toolgate("remove", "job_1", "--yes")).out).toContain("is removed");
});

test("cron: a service that is killed leaves its run interrupted, and nobody begins it again", async () => {
  const { run, has, read } = await workspace();
  const toolgate = (...args: string[]) => run(["cron", ...args]);
  await toolgate("add", "slow", "echo x >> begun.txt; sleep 60", "--every", "2s", "--missed", "skip", "--mode", "yolo");
  const killed = await run(["cron", "run", "--mode", "yolo"], {
    during: (child) => {
      const look = setInterval(() => {
        if (!has("begun.txt")) return;
        clearInterval(look);
        child.kill("SIGKILL");
      }, 50);
    },
  });
  expect(killed.status).toBe(null);
  const next = await run(["cron", "history", "job_1", "--json"]);
  expect(JSON.parse(next.out)).toMatchObject([{ status: "running" }]);
  const swept = await run(["cron", "run", "--once", "--json", "--mode", "confirm-all"]);
  expect(JSON.parse(swept.out).map(({ status }: { status: string }) => status)).not.toContain("done");
  const runs = JSON.parse((await toolgate("history", "job_1", "--json")).out);
  expect(runs.at(-1)).toMatchObject({ status: "interrupted", message: /was killed/ });
  expect(await read("begun.txt")).toBe("x\n");
});
