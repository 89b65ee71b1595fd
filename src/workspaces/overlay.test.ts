import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lateWorkspace } from "../../test/contracts/late.ts";
import { workspaceContract } from "../../test/contracts/workspace.ts";
import type { Workspace } from "../core/contracts/workspace.ts";
import type { Place } from "../core/words/touch.ts";
import { localWorkspace } from "./local.ts";
import { overlay } from "./overlay.ts";

const above = (wrap: (base: Workspace) => Workspace) => async () => {
  const root = await fs.promises.mkdtemp(path.join(os.tmpdir(), "toolgate-overlay-"));
  const workspace = overlay(wrap(localWorkspace({ root })));
  return {
    workspace,
    root,
    async peek(file: string) {
      const place = await workspace.locate(file);
      return place.exists ? workspace.files.read(place) : undefined;
    },
    async done() {
      expect(fs.existsSync(path.join(root, ".toolgate"))).toBe(false);
      await workspace.close();
      fs.rmSync(root, { recursive: true });
    },
  };
};

workspaceContract(
  "overlay of local",
  above((base) => base),
);
workspaceContract("overlay of late", above(lateWorkspace));
workspaceContract("overlay of overlay", above(overlay));

describe("what stays above", () => {
  let root: string;
  let workspace: ReturnType<typeof overlay>;
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-overlay-")));
    fs.mkdirSync(path.join(root, "d"));
    for (const file of ["a", "d/b", "d/c"]) fs.writeFileSync(path.join(root, file), file, { mode: 0o640 });
    workspace = overlay(localWorkspace({ root }));
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  const at = (file: string) => workspace.locate(file) as Place;
  const commit = async (file: string, after: string | null, mode?: number) => {
    const place = at(file);
    const before = place.exists ? (await workspace.files.read(place)).bytes : null;
    const change = {
      place,
      before,
      after: after === null ? null : Buffer.from(after),
      ...(mode !== undefined && { mode }),
    };
    await workspace.files.commit([change], async () => {});
  };
  const summary = () =>
    workspace.changes().map(({ place, before, after, modeBefore, mode }) => ({
      path: place.shown,
      before: before && Buffer.from(before).toString(),
      after: after && Buffer.from(after).toString(),
      modes: [modeBefore, mode],
    }));

  test("what the base can tell of git it tells above, too, and what it cannot, nobody can", () => {
    const base = localWorkspace({ root });
    expect(base.namedByGit).toBeTypeOf("function");
    expect(overlay(base)).toMatchObject({ tracked: base.tracked, namedByGit: base.namedByGit, behind: base.behind });
    const { tracked: _, namedByGit: __, behind: ___, ...less } = base;
    expect(overlay(less as Workspace)).not.toHaveProperty("namedByGit");
    expect(overlay(less as Workspace)).not.toHaveProperty("tracked");
    expect(overlay(less as Workspace)).not.toHaveProperty("behind");
  });

  test("nothing reaches the base", async () => {
    await commit("a", "changed");
    await commit("d/b", null);
    await commit("n/m", "new");
    expect(fs.readdirSync(root, { recursive: true }).sort()).toEqual(["a", "d", "d/b", "d/c"]);
    expect(fs.readFileSync(path.join(root, "a"), "utf8")).toBe("a");
  });

  test("changes are from the base to now, each file once, without what came back", async () => {
    await commit("a", "one");
    await commit("a", "two");
    await commit("d/b", null);
    await commit("d/c", "other");
    await commit("d/c", "d/c");
    await commit("n", "new");
    await commit("gone", "new");
    await commit("gone", null);
    await commit("run", "new", 0o755);
    await commit("run", "newer");
    expect(summary()).toEqual([
      { path: "a", before: "a", after: "two", modes: [0o640, undefined] },
      { path: "d/b", before: "d/b", after: null, modes: [0o640, undefined] },
      { path: "n", before: null, after: "new", modes: [undefined, undefined] },
      { path: "run", before: null, after: "newer", modes: [undefined, 0o755] },
    ]);
  });

  test("a change of mode alone is a change", async () => {
    await commit("a", "a", 0o600);
    expect(summary()).toEqual([{ path: "a", before: "a", after: "a", modes: [0o640, 0o600] }]);
  });

  test("changes can be committed to the base as they are", async () => {
    await commit("a", "two", 0o700);
    await commit("d/b", null);
    await commit("n/m", "new");
    const base = localWorkspace({ root });
    await base.files.commit(workspace.changes(), async () => {});
    expect(fs.readFileSync(path.join(root, "a"), "utf8")).toBe("two");
    expect(fs.statSync(path.join(root, "a")).mode & 0o777).toBe(0o700);
    expect([fs.existsSync(path.join(root, "d/b")), fs.readFileSync(path.join(root, "n/m"), "utf8")]).toEqual([
      false,
      "new",
    ]);
  });

  test("what the base became below is a conflict while it shows through, and hidden once it is covered", async () => {
    const place = at("a");
    const before = (await workspace.files.read(place)).bytes;
    fs.writeFileSync(path.join(root, "a"), "b");
    await expect(workspace.files.commit([{ place, before, after: null }], async () => {})).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await commit("a", "mine");
    fs.writeFileSync(path.join(root, "a"), "later");
    expect(Buffer.from((await workspace.files.read(place)).bytes).toString()).toBe("mine");
  });

  test("near knows what was made and forgets what was removed", async () => {
    await commit("d/bb", "new");
    await commit("d/b", null);
    const near = await workspace.files.near(at("d/bbb"));
    expect(near).toContain("d/bb");
    expect(near).not.toContain("d/b");
  });

  test("a folder of removed files is an empty folder; a made one is listed", async () => {
    await commit("d/b", null);
    await commit("d/c", null);
    expect(await workspace.files.list(at("d"))).toEqual([]);
    await commit("n/m/o", "new");
    expect(await workspace.files.list(at("n"))).toEqual([{ name: "m", kind: "folder" }]);
    expect(at("n/m").exists).toBe(true);
    expect(await workspace.files.list(at("n/m"))).toEqual([{ name: "o", kind: "file" }]);
  });

  test("a link put below afterwards leads nowhere outside", () => {
    fs.symlinkSync(os.tmpdir(), path.join(root, "out"));
    expect(() => workspace.locate("out/x")).toThrow(expect.objectContaining({ code: "PERMISSION_DENIED" }));
  });
});
