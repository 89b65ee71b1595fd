import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { systemError } from "../../../../test/contracts/disk.ts";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import type { Mount } from "./mounts.ts";
import { Protector } from "./protector.ts";

const stage = (
  files: Record<string, string> = {},
  options: { personal?: string[]; state?: string; roots?: string[] } = {},
) => {
  const site = useSite();
  site.put(files);
  const roots = (options.roots ?? ["root"]).map((name) => site.at(name));
  const personal = (options.personal ?? []).map((name) => site.at(name));
  const protector = new Protector(roots, site.at(options.state ?? "root/.toolgate"), "v", personal);
  onTestFinished(() => protector.close());
  const told = (mounts: readonly Mount[]) =>
    Object.fromEntries(
      mounts.map(({ path: file, args }) => [
        file.replace(`${site.base}/`, ""),
        args.slice(0, args.indexOf(file)).join(" ").replace(site.base, ""),
      ]),
    );
  return { ...site, protector, told };
};
const BARE = "--perms 0555 --tmpfs";

describe("what a command that can change nothing sees", () => {
  test("nothing of the state but what people put there for it to read", () => {
    const files = {
      "root/.toolgate/store.db": "",
      "root/.toolgate/agents/a.md": "",
      "root/.toolgate/skills": "a file",
    };
    const { protector, told } = stage(files);
    expect(told(protector.view())).toEqual({
      "root/.toolgate": BARE,
      "root/.toolgate/agents": "--ro-bind",
    });
  });

  test("nothing of a state that lies in a root under another name, or behind a link", () => {
    const elsewhere = stage({ "root/own-state/x": "" }, { state: "root/own-state" });
    expect(elsewhere.told(elsewhere.protector.view())).toEqual({ "root/own-state": BARE });
    const linked = stage({ "root/real/x": "", "root/.toolgate": "-> real" });
    expect(linked.told(linked.protector.view())).toEqual({ "root/real": BARE });
    const outside = stage({ "state/x": "", "root/.toolgate": "-> ../away", "away/x": "" }, { state: "state" });
    expect(outside.told(outside.protector.view())).toEqual({});
    const file = stage({ "root/.toolgate": "a file" });
    expect(file.told(file.protector.view())).toEqual({});
  });

  test("nothing of what a person keeps in a root, and of every root the state", () => {
    const files = { "root/me/key": "", "root/file": "", "away/key": "", "more/.toolgate/x": "" };
    const personal = ["root/me", "root/file", "root/missing", "away", "root"];
    const { protector, told } = stage(files, { personal, roots: ["root", "more"] });
    expect(told(protector.view())).toEqual({ "root/me": "--tmpfs", "more/.toolgate": BARE });
  });

  test("the repository of a worktree, where both say that they belong together", () => {
    const worktree = (roots: string[]) => {
      const made = stage({}, { roots });
      made.put({
        "main/.git/HEAD": "ref",
        "main/.git/worktrees/w/commondir": "../..",
        "main/.git/worktrees/w/gitdir": made.at("root/.git"),
        "root/.git": `gitdir: ${made.at("main/.git/worktrees/w")}`,
      });
      return made.told(made.protector.view());
    };
    expect(worktree(["root"])["main/.git"]).toMatch(/^--ro-bind/);
    expect(worktree(["root", "main"])["main/.git"]).toBeUndefined();
  });
});

describe("what a command that may write meets", () => {
  const protectedBy = (made: ReturnType<typeof stage>, more: Mount[] = []) => {
    const { mounts, release } = made.protector.protect(more);
    onTestFinished(release);
    return made.told(mounts);
  };

  test("the state is bare, but for agents and skills", () => {
    const told = protectedBy(
      stage({ "root/.toolgate/agents/a": "", "root/.toolgate/skills/s": "", "root/.toolgate/other/x": "" }),
    );
    expect(
      Object.keys(told)
        .filter((name) => name.startsWith("root/.toolgate"))
        .sort(),
    ).toEqual([...["root/.toolgate", "root/.toolgate/agents", "root/.toolgate/skills"]]);
    expect(told["root/.toolgate"]).toBe(BARE);
  });

  test("a state that is a link is kept as one, and what it leads to is bare; a file stays a file", () => {
    const linked = stage({ "root/real/x": "", "root/.toolgate": "-> real" }, { state: "state" });
    const { mounts, release } = linked.protector.protect();
    expect(linked.told(mounts)["root/real"]).toBe(BARE);
    fs.rmSync(linked.at("root/.toolgate"));
    fs.writeFileSync(linked.at("root/.toolgate"), "evil");
    release();
    expect(fs.readlinkSync(linked.at("root/.toolgate"))).toBe("real");
    const file = stage({ "root/.toolgate": "a file" }, { state: "state" });
    expect(protectedBy(file)["root/.toolgate"]).toMatch(/^--ro-bind/);
  });

  test("a repository is a mount of its own, with what git obeys kept in it", () => {
    const told = protectedBy(
      stage({ "root/.git/HEAD": "", "root/.git/config": "", "root/.git/hooks/x": "", "root/.git/modules/m": "" }),
    );
    expect(told["root/.git"]).toMatch(/^--bind/);
    for (const name of ["config", "hooks", "modules"]) expect(told[`root/.git/${name}`]).toMatch(/^--ro-bind/);
  });

  test("a command that fails to be protected leaves nothing behind, and says why", () => {
    const made = stage({ "root/.git/HEAD": "", "root/.git/config": "" });
    const before = fs.readdirSync(made.root).sort();
    const read = fs.readlinkSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "readlinkSync").mockImplementation(((file: string, ...more: unknown[]) => {
      if (file === made.at("root/toolgate.yml")) throw systemError("EIO");
      return read(file, ...more);
    }) as never);
    fs.symlinkSync("x", made.at("root/toolgate.yml"));
    expect(() => made.protector.protect()).toThrow("EIO");
    vi.restoreAllMocks();
    fs.rmSync(made.at("root/toolgate.yml"));
    expect(fs.readdirSync(made.root).filter((name) => !before.includes(name))).toEqual([".toolgate"]);
  });

  test.each([
    ["EACCES", false],
    ["EROFS", false],
    ["ENOSPC", true],
  ])("a person's folder that cannot be made (%s): told is %s", (code, isTold) => {
    const made = stage({}, { personal: ["root/me/own"] });
    const make = fs.mkdirSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "mkdirSync").mockImplementation(((file: string, ...more: unknown[]) => {
      if (file === made.at("root/me/own")) throw systemError(code);
      return make(file, ...more);
    }) as never);
    if (isTold) expect(() => made.protector.protect()).toThrow(code);
    else expect(Object.keys(protectedBy(made))).not.toContain("root/me/own");
  });
});

describe("what a command put in the place of a link", () => {
  const replaced = (put: (file: string) => void) => {
    const made = stage({ "root/toolgate.yaml": "-> elsewhere.yaml", "root/elsewhere.yaml": "" });
    const { release } = made.protector.protect();
    const file = made.at("root/toolgate.yaml");
    fs.rmSync(file);
    put(file);
    return { ...made, release, file };
  };
  const aside = (state: string) => {
    const names = fs.readdirSync(path.join(state, "sandbox")).filter((name) => name.startsWith("set-aside"));
    return names.map((name) => path.join(state, "sandbox", name));
  };

  test("on another disk is copied aside, links and all, and gone from there", () => {
    const { release, file, state } = replaced((name) => {
      fs.mkdirSync(name);
      fs.symlinkSync("target", `${name}/link`);
    });
    const rename = fs.renameSync;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (from === file) throw systemError("EXDEV");
      rename(from, to);
    });
    release();
    expect(fs.readlinkSync(file)).toBe("elsewhere.yaml");
    expect(fs.readlinkSync(path.join(aside(state)[0] as string, "link"))).toBe("target");
  });

  test("a folder that it forbade to move is moved all the same; what fails otherwise is told", () => {
    const folder = replaced((name) => fs.mkdirSync(name, { mode: 0o500 }));
    const rename = fs.renameSync;
    let refused = 0;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (from === folder.file && refused++ === 0) throw systemError("EACCES");
      rename(from, to);
    });
    folder.release();
    expect(fs.readlinkSync(folder.file)).toBe("elsewhere.yaml");
    expect(fs.statSync(aside(folder.state)[0] as string).mode & 0o777).toBe(0o700);
    vi.restoreAllMocks();
    const file = replaced((name) => fs.writeFileSync(name, "evil"));
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (from === file.file) throw systemError("EACCES");
      rename(from, to);
    });
    expect(() => file.release()).toThrow("EACCES");
  });
});
