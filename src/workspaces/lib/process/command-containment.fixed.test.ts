import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { useSite, viewOf } from "../../../../test/contracts/sandbox-view.ts";
import type { Access } from "../../../core/contracts/process.ts";
import { Containment } from "./command-containment.ts";

type Given = { access?: Access; hidden?: readonly string[]; cwd?: string; roots?: readonly string[] };

function stage() {
  const site = useSite();
  // what is private of the system is another test's, and takes a long look
  vi.spyOn(process, "getuid").mockReturnValue(1000);
  vi.stubEnv("HOME", site.home);
  const contain = ({ access = "read-only", hidden, cwd = site.root, roots = [site.root] }: Given = {}) => {
    const containment = new Containment(roots, site.state, { network: false }, "fixed");
    onTestFinished(() => containment.close());
    const contained = containment.contain(
      { program: "/bin/bwrap", isolation: [] },
      { argv: ["x"], env: {}, cwd, access, ...(hidden && { hidden }) },
    );
    onTestFinished(() => contained.release());
    return { ...contained, containment };
  };
  return { ...site, contain };
}

/** What stands in place of a file. */
const sourceOf = (args: readonly string[], target: string): string | undefined =>
  args.find((_, at) => args[at - 1] === "--ro-bind" && args[at + 1] === target);

describe("files that a command must not read", () => {
  test("are empty to it, and it is told which, from the root that they are in", () => {
    const { contain, put, root, at } = stage();
    put({ "root/a.key": "secret", "root/d/b.key": "secret", "root/c.txt": "c", "more/e.key": "secret" });
    const { args, left, containment } = contain({ hidden: ["**/*.key"], roots: [root, at("more")] });
    expect([...(left ?? [])].sort()).toEqual(["a.key", "d/b.key", "e.key"]);
    const empty = sourceOf(args, path.join(root, "a.key")) as string;
    expect([fs.readFileSync(empty, "utf8"), fs.statSync(empty).mode & 0o777]).toEqual(["", 0o444]);
    expect(sourceOf(args, path.join(root, "d/b.key"))).toBe(empty);
    expect(viewOf(args, path.join(root, "c.txt"))).toMatch(/^read/);
    containment.close();
    expect(fs.existsSync(path.dirname(empty))).toBe(false);
    containment.close();
  });

  test("are empty under their other names as well", () => {
    const { contain, put, root } = stage();
    put({ "root/a.key": "secret" });
    fs.linkSync(path.join(root, "a.key"), path.join(root, "same.txt"));
    const { left, args } = contain({ hidden: ["**/*.key"] });
    expect([...(left ?? [])].sort()).toEqual(["a.key", "same.txt"]);
    expect(sourceOf(args, path.join(root, "same.txt"))).toBe(sourceOf(args, path.join(root, "a.key")));
  });

  test("are none where no pattern is given, or none fits", () => {
    const { contain, put } = stage();
    put({ "root/a.txt": "a" });
    expect(contain()).not.toHaveProperty("left");
    expect(contain({ hidden: ["**/*.key"] })).not.toHaveProperty("left");
  });
});

describe("what a command may write", () => {
  test.each<[access: Access, view: RegExp]>([
    ["build", /^write/],
    ["read-only", /^read/],
  ])("as %s its build folder: %s", (access, view) => {
    const { contain, put, root } = stage();
    put({ "root/Cargo.toml": "", "root/a.txt": "" });
    const { args } = contain({ access });
    expect(viewOf(args, path.join(root, "target/x"))).toMatch(view);
    expect(viewOf(args, path.join(root, "a.txt"))).toMatch(/^read/);
    expect(fs.existsSync(path.join(root, "target"))).toBe(access === "build");
  });

  test.each<[root: string, isOwn: boolean]>([
    ["<root>", true],
    ["/var/tmp", false],
    ["/var", false],
  ])("with %s as a root, a folder of its own besides /tmp: %j", (given, isOwn) => {
    const { state, root } = stage();
    const containment = new Containment([given.replace("<root>", root)], state, { network: false }, "scratch");
    onTestFinished(() => containment.close());
    expect(containment.hasScratch()).toBe(isOwn);
  });
});

test("what a killed process left is gone, and so is what this one needed when it is closed", () => {
  const { put, root, state } = stage();
  const lease = JSON.stringify({ pid: 1, since: "never", paths: [path.join(root, "toolgate.yaml")] });
  put({ "root/.toolgate/sandbox/gone.lease": lease, "root/toolgate.yaml/": "" });
  const containment = new Containment([root], state, { network: false }, "next");
  expect(fs.existsSync(path.join(root, "toolgate.yaml"))).toBe(false);
  const sandbox = { program: "/bin/bwrap", isolation: [] };
  const { release } = containment.contain(sandbox, { argv: ["x"], env: {}, cwd: root });
  const leases = () => fs.readdirSync(path.join(state, "sandbox")).filter((name) => name.endsWith(".lease"));
  expect(leases()).not.toEqual([]);
  release();
  containment.close();
  expect(leases()).toEqual([]);
  expect(fs.readdirSync(root)).toEqual([".toolgate"]);
});
