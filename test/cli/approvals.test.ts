import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ApprovalRow, Grant } from "../../src/index.ts";
import { machineClock } from "../../src/workspaces/machine.ts";
import { bench, folder } from "../journeys/harness.ts";

const BIN = path.resolve("dist/cli/toolgate.js");
type Ended = { code: number; out: string; err: string };

/** The command line as another process, of the same person. */
const toolgate = (dir: string, ...words: string[]): Promise<Ended> =>
  new Promise((done) => {
    const child = execFile(process.execPath, [BIN, ...words], { cwd: dir }, (_, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end();
  });

const write = (file: string) => ({ name: "write_file", args: { path: file, content: "new\n" } });
const queued = (files: Record<string, string> = {}) => bench(files, { mode: "confirm-all", approve: "queue" });
type Queued = Awaited<ReturnType<typeof queued>>;

/** The questions that wait, once there are so many. */
async function waiting({ gate }: Queued, count: number): Promise<ApprovalRow[]> {
  return vi.waitFor(
    async () => {
      const rows = await gate.approvals.pending();
      expect(rows).toHaveLength(count);
      return rows;
    },
    { timeout: 20_000 },
  );
}
const fileOf = ({ input }: ApprovalRow): string => (input as { path: string }).path;

test("questions in the queue are listed, shown and answered from the command line", async () => {
  const it = await queued();
  const calls = ["once", "deny", "edit", "abort"].map((file) => it.gate.call(write(file)));
  await waiting(it, 4);
  const rows: ApprovalRow[] = JSON.parse((await toolgate(it.dir, "approvals", "--json")).out);
  const id = (file: string) => rows.find((row) => fileOf(row) === file)?.id ?? "";
  const shown = JSON.parse((await toolgate(it.dir, "approvals", id("once"), "--json")).out);
  expect(shown).toMatchObject({
    tool: "write_file",
    agent: "main",
    grantable: true,
    diff: expect.stringMatching(/^\+new$/m),
  });

  expect(await toolgate(it.dir, "approvals", id("once"), "once")).toMatchObject({
    code: 3,
    err: expect.stringContaining("--yes"),
  });
  const answered = await Promise.all([
    toolgate(it.dir, "approvals", id("once"), "once", "--yes"),
    toolgate(it.dir, "approvals", id("deny"), "deny", "not", "today", "--yes"),
    toolgate(it.dir, "approvals", id("abort"), "abort", "--yes"),
  ]);
  expect(answered.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await toolgate(it.dir, "approvals", id("once"), "deny", "--yes")).err).toContain("is waiting for approval");
  const args = JSON.stringify({ path: "edited", content: "other\n" });
  await toolgate(it.dir, "approvals", id("edit"), "edit", args, "--yes");
  // what was edited is another call, and asked about again
  const [again] = await vi.waitFor(async () => {
    const found = (await it.gate.approvals.pending()).filter((row) => fileOf(row) === "edited");
    expect(found).toHaveLength(1);
    return found;
  });
  expect(await it.gate.approvals.answer(again?.id ?? "", "once")).toBe(true);

  const [yes, no, edited, stopped] = await Promise.all(calls);
  expect([yes?.status, no?.error?.message, edited?.status, stopped?.status]).toEqual([
    "done",
    "A person said no: not today",
    "done",
    "cancelled",
  ]);
  expect(["once", "deny", "edit", "edited", "abort"].map((file) => it.text(file))).toEqual([
    ...["new\n", undefined, undefined, "other\n", undefined],
  ]);
  expect(await it.gate.approvals.pending()).toEqual([]);
});

test("a standing yes is listed, revoked, and then the same call is asked about again", async () => {
  const it = await queued();
  const first = it.gate.call(write("a"));
  const [row] = await waiting(it, 1);
  expect(await it.gate.approvals.answer(row?.id ?? "", { decision: "always" })).toBe(true);
  expect((await first).status).toBe("done");
  expect((await it.gate.call(write("a"))).status, "nobody is asked").toBe("done");

  const grants: Grant[] = JSON.parse((await toolgate(it.dir, "grants", "--json")).out);
  expect(grants).toMatchObject([{ tool: "*", session: null, shown: row?.wouldGrant }]);
  const [grant] = grants;
  expect((await toolgate(it.dir, "grants", "revoke", grant?.id ?? "")).code).toBe(0);
  expect((await toolgate(it.dir, "grants", "revoke", grant?.id ?? "")).err).toContain("There is no grant");
  const again = it.gate.call(write("a"));
  const [asked] = await waiting(it, 1);
  expect(await it.gate.approvals.answer(asked?.id ?? "", "deny")).toBe(true);
  expect((await again).status).toBe("refused");
});

describe("nobody else answers", () => {
  test("a command that the gate runs cannot, however it comes to the command line", async () => {
    const script = `
      import { spawnSync } from "node:child_process";
      const [bin, id] = process.argv.slice(2);
      const { status, stderr } = spawnSync(process.execPath, [bin, "approvals", id, "once", "--yes"]);
      console.log(status, String(stderr));`;
    const it = await queued({ "answer.mjs": script });
    const call = it.gate.call(write("a"));
    const [row] = await waiting(it, 1);
    const runner = await bench({}, { dir: it.dir, sandbox: "off" });
    const ran = await runner.call("run_command", { command: `node answer.mjs ${BIN} ${row?.id}` });
    expect(ran.output).toContain("A command that an agent runs cannot answer a question");
    const plainly = await runner.gate.explain({
      name: "run_command",
      args: { command: `node ${BIN} approvals ${row?.id} once --yes` },
    });
    expect(plainly).toMatchObject({ verdict: "deny", reason: expect.stringContaining("only a person") });
    expect(await waiting(it, 1)).toHaveLength(1);
    await it.gate.approvals.answer(row?.id ?? "", "deny");
    expect((await call).status).toBe("refused");
    expect(it.text("a")).toBeUndefined();
  });

  test("a question that nobody answers within its time is over, and says so", async () => {
    const it = await queued();
    const call = it.gate.call(write("a"));
    const [row] = await waiting(it, 1);
    const [now, { ticks }] = [Date.now, machineClock];
    vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_001);
    vi.spyOn(machineClock, "ticks").mockImplementation(() => ticks() + 3_600_001);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await it.gate.approvals.answer(row?.id ?? "", "once")).toBe(false);
    expect(await call).toMatchObject({
      status: "refused",
      error: { message: expect.stringContaining("nobody answered within 1 hour") },
    });
    expect(it.text("a")).toBeUndefined();
  });

  test("a dead process's question is over", async () => {
    const dir = folder();
    const library = pathToFileURL(path.resolve("dist/lib/index.js")).href;
    const script = `
      import { open } from ${JSON.stringify(library)};
      const gate = await open({ workspace: ".", mode: "confirm-all", approve: "queue", config: {} });
      gate.call({ name: "write_file", args: { path: "a", content: "x" } });
      while ((await gate.approvals.pending()).length === 0) await new Promise((later) => setTimeout(later, 10));
      console.log("asked");`;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: dir });
    await once(owner.stdout, "data");
    const it = await bench({}, { dir });
    const [row] = await waiting(it, 1);
    owner.kill("SIGKILL");
    await once(owner, "close");
    expect(await it.gate.approvals.pending()).toEqual([]);
    expect(await it.gate.approvals.answer(row?.id ?? "", "once")).toBe(false);
    expect((await toolgate(dir, "approvals", row?.id ?? "", "once", "--yes")).err).toContain("its process has ended");
    expect(it.text("a")).toBeUndefined();
  });
});
