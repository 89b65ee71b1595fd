import { lstatSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Approver } from "../../src/core/contracts/approval.ts";
import { bench, folder } from "../journeys/harness.ts";

const ALLOWED = { config: { workspace: { allow_delete: true } } };

/** Every kind of link, and what the same call would do to a plain file. */
const LINKS: [string, (outside: string) => string][] = [
  ["to a file beside it", () => "target.txt"],
  ["to a file of another folder", () => "deep/other.txt"],
  ["to a folder", () => "deep"],
  ["that leads nowhere", () => "missing.txt"],
  ["that leads nowhere outside", (outside) => `${outside}/missing`],
  ["to a file outside", (outside) => `${outside}/kept.txt`],
  ["to a folder outside", (outside) => outside],
  ["to itself", () => "link"],
  ["to the folder that it lies in", () => "."],
  ["to another link", () => "second"],
];

async function linked(to: (outside: string) => string, at = "link") {
  const outside = folder({ "kept.txt": "outside\n" });
  const one = await bench({ "target.txt": "target\n", "deep/other.txt": "other\n" }, ALLOWED);
  symlinkSync("target.txt", path.join(one.dir, "second"));
  symlinkSync(to(outside), path.join(one.dir, at));
  const at_ = (file: string) => lstatSync(path.join(one.dir, file), { throwIfNoEntry: false });
  const leads = (file: string) => (at_(file)?.isSymbolicLink() ? readlinkSync(path.join(one.dir, file)) : undefined);
  const untouched = () =>
    expect([one.text("target.txt"), one.text("deep/other.txt"), readFileSync(`${outside}/kept.txt`, "utf8")]).toEqual([
      "target\n",
      "other\n",
      "outside\n",
    ]);
  return { ...one, outside, is: at_, leads, untouched };
}

/** Where that lies which a command is judged to delete. */
async function deletedBy({ gate }: Awaited<ReturnType<typeof linked>>, command: string): Promise<string[]> {
  const { touches } = await gate.explain({ name: "run_command", args: { command } });
  const inner = touches.flatMap((touch) => (touch.action === "run" ? touch.inner : []));
  return inner.flatMap((touch) => (touch.action === "delete" ? [touch.place.real] : []));
}

describe.each(LINKS)("a link %s", (_, to) => {
  test("is deleted itself, and given back by undo and taken again by redo", async () => {
    const one = await linked(to);
    const target = to(one.outside);
    const result = await one.call("delete_file", { path: "link" });
    expect(result).toMatchObject({ success: true });
    expect(result.output).toContain(target);
    expect(one.is("link")).toBeUndefined();
    one.untouched();
    expect(await one.call("undo_file", { path: "link" })).toMatchObject({ success: true });
    expect(one.leads("link")).toBe(target);
    expect(await one.call("undo_file", { path: "link", redo: true })).toMatchObject({ success: true });
    expect(one.is("link")).toBeUndefined();
    one.untouched();
  });

  test.each([
    ["git", "diff --git a/link b/link\ndeleted file mode 120000\n"],
    ["begin", "*** Begin Patch\n*** Delete File: link\n*** End Patch\n"],
  ])("is deleted itself by a %s patch", async (_style, patch) => {
    const one = await linked(to);
    expect(await one.call("apply_patch", { patch })).toMatchObject({ success: true });
    expect(one.is("link")).toBeUndefined();
    one.untouched();
    expect(await one.call("undo_turn", { turn: "last" })).toMatchObject({ success: true });
    expect(one.leads("link")).toBe(to(one.outside));
  });

  test.each(["rm link", "rm -rf ./link", "unlink link"])("is deleted itself by the command %s", async (command) => {
    const one = await linked(to);
    expect(new Set(await deletedBy(one, command))).toEqual(new Set([path.join(one.dir, "link")]));
    expect(await one.call("run_command", { command })).toMatchObject({ success: true });
    expect(one.is("link")).toBeUndefined();
    one.untouched();
  });

  test("is moved itself, and moved back by undo", async () => {
    const one = await linked(to);
    const patch = "diff --git a/link b/moved\nsimilarity index 100%\nrename from link\nrename to moved\n";
    expect(await one.call("apply_patch", { patch })).toMatchObject({ success: true });
    expect([one.is("link"), one.leads("moved")]).toEqual([undefined, to(one.outside)]);
    one.untouched();
    expect(await one.call("undo_turn", { turn: "last" })).toMatchObject({ success: true });
    expect([one.leads("link"), one.is("moved")]).toEqual([to(one.outside), undefined]);
    one.untouched();
  });

  test("is named by the touches as it lies, and only looked at in a dry run", async () => {
    const one = await linked(to);
    const told = await one.gate.explain({ name: "delete_file", args: { path: "link" } });
    expect(told.touches).toMatchObject([{ action: "delete", place: { real: path.join(one.dir, "link"), link: true } }]);
    expect(one.leads("link")).toBe(to(one.outside));
  });
});

describe("beside links", () => {
  test("a file is deleted and moved as before", async () => {
    const one = await linked(() => "target.txt");
    expect(await one.call("delete_file", { path: "target.txt" })).toMatchObject({ success: true });
    expect(one.text("target.txt")).toBeUndefined();
    expect(one.leads("link")).toBe("target.txt");
    expect(await one.call("undo_file", { path: "target.txt" })).toMatchObject({ success: true });
    one.untouched();
  });

  test("a change through a link changes what it leads to, and is undone through it", async () => {
    const one = await linked(() => "target.txt");
    expect(await one.call("edit_file", { path: "link", old_text: "target", new_text: "changed" })).toMatchObject({
      success: true,
    });
    expect([one.text("target.txt"), one.leads("link")]).toEqual(["changed\n", "target.txt"]);
    expect(await one.call("undo_file", { path: "link" })).toMatchObject({ success: true });
    one.untouched();
  });

  test("a file below a linked folder is the file there", async () => {
    const one = await linked(() => "deep");
    expect(await one.call("delete_file", { path: "link/other.txt" })).toMatchObject({ success: true });
    expect([one.text("deep/other.txt"), one.leads("link")]).toEqual([undefined, "deep"]);
  });

  test.each(["link/", "link/.", "link/../link/"])(
    "%s is the folder behind the link, which is not deleted",
    async (name) => {
      const one = await linked(() => "deep");
      expect(await one.call("delete_file", { path: name })).toMatchObject({ success: false });
      one.untouched();
      expect(one.leads("link")).toBe("deep");
    },
  );

  test("a link below a folder that leads out cannot be deleted", async () => {
    const one = await linked((outside) => outside);
    symlinkSync("kept.txt", path.join(one.outside, "inner"));
    expect(await one.call("delete_file", { path: "link/inner" })).toMatchObject({
      error: { code: "PERMISSION_DENIED" },
    });
    expect(lstatSync(path.join(one.outside, "inner")).isSymbolicLink()).toBe(true);
  });

  test("nothing is moved onto a link, not even onto one that leads nowhere", async () => {
    const one = await linked((outside) => `${outside}/missing`);
    const patch = "diff --git a/target.txt b/link\nsimilarity index 100%\nrename from target.txt\nrename to link\n";
    expect(await one.call("apply_patch", { patch })).toMatchObject({ error: { code: "CONFLICT" } });
    one.untouched();
  });

  test("a patch with lines of the target's text deletes or moves no link", async () => {
    for (const patch of [
      "--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-target\n",
      "diff --git a/link b/moved\nrename from link\nrename to moved\n--- a/link\n+++ b/moved\n@@ -1 +1 @@\n-target\n+more\n",
    ]) {
      const one = await linked(() => "target.txt");
      expect(await one.call("apply_patch", { patch })).toMatchObject({ success: false });
      expect(one.leads("link")).toBe("target.txt");
      one.untouched();
    }
  });

  test("a link that was changed since is not overwritten by undo", async () => {
    const one = await linked(() => "target.txt");
    await one.call("delete_file", { path: "link" });
    writeFileSync(path.join(one.dir, "link"), "mine\n");
    expect(await one.call("undo_turn", { turn: "last" })).toMatchObject({ error: { code: "CONFLICT" } });
    expect(one.text("link")).toBe("mine\n");
  });

  test("in a plan a deleted link is gone and its target is not", async () => {
    const one = await linked(() => "target.txt");
    const plan = await bench({}, { ...ALLOWED, dir: one.dir, plan: true });
    expect(await plan.call("delete_file", { path: "link" })).toMatchObject({ success: true });
    expect(await plan.call("file_info", { path: "link" })).toMatchObject({ success: false });
    expect(await plan.call("read_file", { path: "target.txt" })).toMatchObject({ success: true });
    expect(one.leads("link")).toBe("target.txt");
  });
});

describe("a command that deletes behind a link to a folder outside", () => {
  test.each([
    "rm -rf link/",
    "rm -rf link/.",
    "rm -rf link/*",
    "rm -rf link/kept.txt",
    "rm -rf deep/../link/kept.txt",
    "cd link && rm -rf kept.txt",
    "find link/ -delete",
    "find -L link -delete",
    "find link -name kept.txt -delete",
    "shred -u link/kept.txt",
    "git worktree remove link",
    "zip -rm all.zip link",
    "unlink link/kept.txt",
  ])("is not judged by the link: %s", async (command) => {
    const one = await linked((outside) => outside);
    expect(await deletedBy(one, command)).toContainEqual(expect.stringContaining(one.outside));
    await one.call("run_command", { command });
    one.untouched();
  });

  test("is not done to a link to a file: shred overwrites what it leads to", async () => {
    const one = await linked((outside) => `${outside}/kept.txt`);
    expect(await deletedBy(one, "shred -u link")).toEqual([`${one.outside}/kept.txt`]);
    await one.call("run_command", { command: "shred -u link" });
    one.untouched();
  });
});

describe("a pattern that fits a link", () => {
  const touched = async ({ gate, outside, dir }: Awaited<ReturnType<typeof linked>>, command: string) => {
    const { touches } = await gate.explain({ name: "run_command", args: { command } });
    const inner = touches.flatMap((touch) => (touch.action === "run" ? touch.inner : []));
    return inner.flatMap((touch) =>
      "place" in touch && touch.place.real !== dir
        ? [`${touch.action} ${touch.place.real.replace(outside, "OUT").replace(dir, "IN")} ${touch.scope ?? ""}`.trim()]
        : [],
    );
  };

  test.each<[command: string, touches: string]>([
    ["rm -r li*/kept.txt", "delete OUT kept.txt"],
    ["rm -r li*/", "delete OUT"],
    ["rm -rf l?nk/*", "delete OUT *"],
    ["rm -rf */*.txt", "delete OUT *.txt"],
    ["rm -rf [l]ink/deep/*", "delete OUT deep/*"],
    ["touch li*/x", "write OUT x"],
    ["tee li*/x", "write OUT x"],
    ["echo x > li*/x", "write OUT x"],
    ["chmod 600 li*", "write OUT"],
    ["cp second li*", "write OUT"],
    ["cat li*/kept.txt", "read OUT kept.txt"],
    ["grep -r outside li*", "read OUT"],
    ["for f in li*; do cat $f/kept.txt; done", "read OUT kept.txt"],
    ["cat dee*/../li*/kept.txt", "read OUT kept.txt"],
  ])("reaches what it leads to: %s", async (command, expected) => {
    expect(await touched(await linked((outside) => outside), command)).toContain(expected);
  });

  test.each(["rm li*", "rm -rf li*", "rm -rf *", "unlink li*", "ls li*", "echo li*"])(
    "is about the link itself: %s",
    async (command) => {
      const reached = await touched(await linked((outside) => outside), command);
      expect(reached.filter((touch) => touch.includes("OUT"))).toEqual([]);
    },
  );

  test("a link within the workspace counts as what it leads to", async () => {
    const one = await linked(() => "deep");
    expect(await touched(one, "tee li*/other.txt")).toContain("write IN/deep other.txt");
    expect(await touched(one, "cat sec*")).toContain("read IN/target.txt");
  });
});

/** Lines that read what a link leads to by other words than its name. */
const READ_THROUGH_LINKS = [
  ...["cat *", "head li*", "grep o *", "for f in l*; do cat $f; done", "diff . deep", "diff d* ."],
  ...["find . -name 'li*' | xargs cat", "find . -name 'l*k' -exec cat {} +", "find . -name link | sort | xargs head"],
  ...["ls | xargs cat", "ls -d * | xargs head", "find . -print0 | xargs -0 cat", "find . -type l | xargs cat"],
  ...["grep -rl o . | xargs cat", "find . | sort | xargs -n1 cat", "ls deep | xargs -I{} cat {}"],
  ...["find . -exec cat {} +", "find -exec cat {} \\;", "find . -type l -exec head -1 {} \\;"],
  ...[
    "find . -name '*' -exec cat {} +",
    "find . \\( -name '*' -o -name b \\) -exec cat {} +",
    "find . -execdir cat {} \\;",
  ],
  ...["find . -maxdepth 1 -exec grep o {} +", "find . -exec grep -r o {} +", "find . deep -exec tar tf {} \\;"],
  ...["find . ! -type f -exec cat {} +", "find . -type d -o -exec cat {} +", "find . -type f,l -exec cat {} +"],
  ...[
    "find . -exec cat {} + -type f",
    "find . -type f -o -exec cat {} +",
    "find . \\( -type f -o -true \\) -exec cat {} +",
  ],
  ...["find . -not \\( -type f \\) -exec cat {} +", "find . -type f -exec wc {} + , -exec cat {} +"],
];
/** Lines that do not, or show names alone. */
const LEAVE_LINKS = [
  ...["ls *", "ls -l l*", "cat t*", "grep -r o .", "find . -name 'l*'", "cat deep/*", "stat *"],
  ...["find . -type f -exec cat {} +", "find . -type f ! -name '*.md' -exec wc -l {} +", "find deep -exec cat {} +"],
  ...["find . -exec ls -l {} +", "find . -maxdepth 2 -type f -exec grep -l o {} +"],
];

test("a file outside is asked about where a pattern fits the link to it, as where it is named", async () => {
  const outside = folder({ "kept.txt": "outside\n" });
  const reasons: string[] = [];
  const approve: Approver = (_, { reason }) => {
    reasons.push(reason);
    return "deny";
  };
  const one = await bench(
    { "target.txt": "target\n", "deep/other.txt": "other\n", "deep/link": "other\n" },
    { mode: "confirm-sensitive", sandbox: "off", store: "memory", approve },
  );
  symlinkSync(`${outside}/kept.txt`, path.join(one.dir, "link"));
  for (const command of READ_THROUGH_LINKS) {
    expect((await one.call("run_command", { command })).status, command).toBe("refused");
    expect(reasons.pop(), command).toContain("outside the workspace");
  }
  for (const command of LEAVE_LINKS)
    expect((await one.call("run_command", { command })).status, command).not.toBe("refused");
  expect(reasons).toEqual([]);
});

test("links of a language's environment to programs of the system are in nobody's way", async () => {
  const approve: Approver = () => "deny";
  const one = await bench({ "a.txt": "a\n", ".venv/kept": "" }, { mode: "confirm-sensitive", sandbox: "off", approve });
  symlinkSync("/usr/bin/env", path.join(one.dir, ".venv/python"));
  for (const command of ["ls | xargs cat", "find . -name '*.txt' | xargs wc -l", "git ls-files | xargs wc -l"])
    expect((await one.call("run_command", { command })).status, command).not.toBe("refused");
  expect((await one.call("run_command", { command: "cat .venv/python" })).status).toBe("refused");
});
