import fs from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import { Protector } from "./protector.ts";

describe("when the command ended", () => {
  const site = () => {
    const made = useSite();
    const open = (id = "p", personal: string[] = []) => new Protector([made.root], made.state, id, personal);
    return { ...made, open, names: () => fs.readdirSync(made.root).sort() };
  };
  const aside = (state: string): string[] =>
    fs
      .readdirSync(path.join(state, "sandbox"))
      .filter((name) => name.startsWith("set-aside"))
      .sort();

  test("what stood for missing names is gone", () => {
    const { open, names } = site();
    const protector = open();
    const { release } = protector.protect();
    expect(names()).toEqual([".git", ".mcp.json", ".toolgate", "toolgate.yaml"]);
    release();
    protector.close();
    expect(names()).toEqual([".toolgate"]);
  });

  test("a link is put back, and what took its place is set aside", () => {
    const { open, at, put, state } = site();
    put({ "root/toolgate.yaml": "-> nowhere/gate.yaml", "root/.git/HEAD": "x" });
    const protector = open();
    const { release } = protector.protect();
    fs.rmSync(at("root/toolgate.yaml"));
    put({
      "root/toolgate.yaml": "evil",
      "root/nowhere/gate.yaml": "evil",
      "root/.git/commondir": "evil",
      "root/.git/config.worktree/x": "evil",
    });
    release();
    expect(fs.readlinkSync(at("root/toolgate.yaml"))).toBe("nowhere/gate.yaml");
    for (const name of ["nowhere/gate.yaml", ".git/commondir", ".git/config.worktree"])
      expect(fs.existsSync(at(`root/${name}`)), name).toBe(false);
    expect(aside(state)).toEqual(["set-aside-p-0", "set-aside-p-1", "set-aside-p-2", "set-aside-p-3"]);
    protector.close();
  });

  test("a link that leads elsewhere now, or is gone, is put back as well; one that is as it was stays the same", () => {
    const { at, put } = site();
    put({ "root/toolgate.yaml": "-> a", "root/.mcp.json": "-> b", "root/.toolgate": "-> c" });
    put({ "state/": "" });
    const protector = new Protector([at("root")], at("state"), "p");
    const { release } = protector.protect();
    const before = fs.lstatSync(at("root/.toolgate"), { bigint: true }).ino;
    fs.rmSync(at("root/toolgate.yaml"));
    fs.symlinkSync("/evil", at("root/toolgate.yaml"));
    fs.rmSync(at("root/.mcp.json"));
    release();
    expect(["toolgate.yaml", ".mcp.json", ".toolgate"].map((name) => fs.readlinkSync(at(`root/${name}`)))).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(fs.lstatSync(at("root/.toolgate"), { bigint: true }).ino).toBe(before);
    expect(aside(at("state"))).toHaveLength(1);
    protector.close();
  });

  test("a new repository arrives disarmed, the next command meets it as one that exists", () => {
    const { open, at, put, state } = site();
    const protector = open();
    const { release } = protector.protect();
    const born = "root/.toolgate/sandbox/p-git-0";
    put({
      [`${born}/HEAD`]: "ref: refs/heads/main\n",
      [`${born}/config`]: "[core]\n\tbare = false\n\tfsmonitor = evil\n",
      [`${born}/hooks/pre-commit`]: "evil",
      [`${born}/hooks/pre-commit.sample`]: "good",
      [`${born}/hooks/link.sample`]: "-> /evil",
      [`${born}/commondir`]: "evil",
      [`${born}/gitdir`]: "evil",
      [`${born}/config.worktree`]: "evil",
      [`${born}/objects/x`]: "good",
    });
    release();
    expect(fs.readdirSync(at("root/.git")).sort()).toEqual(["HEAD", "config", "hooks", "objects"]);
    expect(fs.readdirSync(at("root/.git/hooks"))).toEqual(["pre-commit.sample"]);
    expect(fs.readFileSync(at("root/.git/config"), "utf8")).toBe("[core]\n\tbare = false\n");
    const next = protector.protect();
    expect(next.mounts.find((mount) => mount.path === at("root/.git/hooks"))?.args[0]).toBe("--ro-bind");
    next.release();
    protector.close();
    expect(fs.readdirSync(path.join(state, "sandbox"))).toEqual([]);
  });

  test("a place for a repository that nobody used is there for the next command", () => {
    const { open, at } = site();
    const protector = open();
    const sources = [0, 1].map(() => {
      const { mounts, release } = protector.protect();
      release();
      return mounts.find((mount) => mount.path === at("root/.git"))?.args[1];
    });
    expect(sources).toEqual([at("root/.toolgate/sandbox/p-git-0"), at("root/.toolgate/sandbox/p-git-0")]);
    protector.close();
  });

  test("what is no repository does not arrive", () => {
    const { open, names, put, state } = site();
    const protector = open();
    const { release } = protector.protect();
    put({ "root/.toolgate/sandbox/p-git-0/hooks/pre-commit": "evil" });
    release();
    protector.close();
    expect(names()).toEqual([".toolgate"]);
    expect(fs.readdirSync(path.join(state, "sandbox"))).toEqual([]);
  });

  test("commands at the same time share the repository they make; it arrives after the last of them", () => {
    const { open, at, put, names } = site();
    const protector = open();
    const [one, two] = [protector.protect(), protector.protect()];
    const sourceIn = ({ mounts }: typeof one) => mounts.find((mount) => mount.path === at("root/.git"))?.args[1];
    expect(sourceIn(one)).toBe(sourceIn(two));
    put({
      "root/.toolgate/sandbox/p-git-0/HEAD": "x",
      "root/.toolgate/sandbox/p-git-0/hooks/evil": "",
      "root/.toolgate/sandbox/p-git-0/config": "",
    });
    const third = protector.protect();
    const kept = third.mounts.filter((mount) => mount.path.startsWith(at("root/.git/")));
    expect(kept.map((mount) => [mount.path, ...mount.args.slice(0, 2)])).toEqual(
      ["hooks", "config"].map((name) => [
        at(`root/.git/${name}`),
        "--ro-bind",
        at(`root/.toolgate/sandbox/p-git-0/${name}`),
      ]),
    );
    one.release();
    two.release();
    expect(fs.readdirSync(at("root/.git"))).toEqual([]);
    third.release();
    expect(fs.readdirSync(at("root/.git")).sort()).toEqual(["HEAD", "config", "hooks"]);
    expect(fs.readdirSync(at("root/.git/hooks"))).toEqual([]);
    protector.close();
    expect(names()).toEqual([".git", ".toolgate"]);
  });

  test("a repository that a person made meanwhile stays, and the other one is kept beside", () => {
    const { open, at, put, state } = site();
    const protector = open();
    const { release } = protector.protect();
    put({ "root/.toolgate/sandbox/p-git-0/HEAD": "theirs", "root/.git/HEAD": "mine" });
    release();
    expect(fs.readFileSync(at("root/.git/HEAD"), "utf8")).toBe("mine");
    expect(fs.readFileSync(path.join(state, "sandbox/p-git-0/HEAD"), "utf8")).toBe("theirs");
    protector.close();
  });

  test("all is taken back, whatever one of them says", () => {
    const { open, at, put, names } = site();
    put({ "root/toolgate.yaml": "-> nowhere" });
    const protector = open();
    const { release } = protector.protect();
    fs.rmSync(at("root/toolgate.yaml"));
    put({ "root/toolgate.yaml": "evil" });
    vi.spyOn(fs, "renameSync").mockImplementationOnce(() => {
      throw new Error("disk full");
    });
    expect(release).toThrow("disk full");
    protector.close();
    expect(names()).toEqual([".toolgate", "toolgate.yaml"]);
  });
});
