import fs from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { mountsIn, useSite, viewOf } from "../../../../test/contracts/sandbox-view.ts";
import { Containment, SCRATCH } from "./command-containment.ts";
import { coversOf } from "./guard-mounts.ts";
import type { Mount } from "./mounts.ts";
import { narrowTo } from "./narrow.ts";
import type { SessionSpace } from "./session-space.ts";

const BWRAP = { program: "/bin/bwrap", isolation: ["--isolated"] };
type Inner = Partial<Parameters<Containment["contain"]>[1]>;
type Settings = Partial<ConstructorParameters<typeof Containment>[2]>;

function stage(settings: Settings = {}) {
  const site = useSite();
  site.put({
    "root/a.ts": "a",
    "root/b.ts": "b",
    "root/.env": "k",
    "root/src/c.ts": "c",
    "root/Cargo.toml": "",
    "root/toolgate.yaml": "",
    "more/x": "",
  });
  vi.stubEnv("HOME", site.home);
  vi.spyOn(process, "getuid").mockReturnValue(1000);
  const containment = new Containment([site.root], site.state, { network: true, ...settings }, "narrow");
  onTestFinished(() => containment.close());
  const contain = (inner: Inner = {}) => {
    const contained = containment.contain(BWRAP, { argv: ["x"], env: {}, cwd: site.root, ...inner });
    onTestFinished(contained.release);
    const views = (...names: string[]) =>
      names.map((name) => viewOf(contained.args.slice(contained.args.indexOf("--isolated")), site.at(name)));
    return { ...contained, views };
  };
  return { site, containment, contain };
}

describe("a command that is known to write only some files", () => {
  test("finds the rest read-only, and no network", () => {
    const { site, contain } = stage();
    const narrow = narrowTo({ targets: [site.at("root/a.ts")], inPlace: true }, [site.root]);
    const { views, args } = contain({ narrow });
    expect(views("root/a.ts", "root/b.ts", "root/src/c.ts", "root/toolgate.yaml")).toEqual([
      ...["write", "read", "read", "read"],
    ]);
    expect(args).not.toContain("--share-net");
    expect(contain().args).toContain("--share-net");
    expect(contain().views("root/b.ts", "root/toolgate.yaml")).toEqual(["write", "read"]);
  });

  test("cannot be led to write what is kept, though it names it", () => {
    const { site, contain } = stage();
    const targets = [site.at("root/toolgate.yaml"), site.at("root/a.ts")];
    const { views } = contain({ narrow: narrowTo({ targets, inPlace: true }, [site.root]) });
    expect(views("root/toolgate.yaml", "root/a.ts")).toEqual(["read", "write"]);
  });
});

describe("what others have locked", () => {
  test.each(["read-write", "build"] as const)("can be read, and not written, by a command that may %s", (access) => {
    const { site, contain } = stage();
    expect(contain({ access, locked: [site.at("root/src")] }).views("root/src/c.ts")).toEqual(["read"]);
    if (access === "build") {
      expect(contain({ access }).views("root/target", "root/a.ts")).toEqual(["write", "read"]);
      expect(contain({ access, locked: [site.root] }).views("root/target/x", "root/a.ts")[1]).toBe("read");
    } else expect(contain({ access }).views("root/src/c.ts")).toEqual(["write"]);
  });

  test("comes beside what is guarded anyway", () => {
    const fixed = [coversOf(["b.ts"])];
    const { site, contain } = stage({ guarded: { hidden: [coversOf([".env"])], fixed, outside: [] } });
    const views = (inner: Inner) => contain(inner).views("root/.env", "root/a.ts", "root/b.ts", "root/src/c.ts");
    expect(views({})).toEqual(["blank", "write", "read", "write"]);
    expect(views({ locked: [] })).toEqual(["blank", "write", "read", "write"]);
    expect(views({ locked: [site.at("root/a.ts")] })).toEqual(["blank", "read", "read", "write"]);
    expect(views({ access: "read-only" })).toEqual(["blank", "read", "read", "read"]);
  });

  test("files come and go: each command is guarded by what is there when it starts", () => {
    const { site, contain } = stage({ guarded: { hidden: [coversOf(["*.key"])], fixed: [], outside: [] } });
    expect(contain().views("root/new.key")).toEqual(["write"]);
    site.put({ "root/new.key": "k" });
    expect(contain().views("root/new.key")).toEqual(["blank"]);
  });
});

test("a folder that is to be shown is there to read", () => {
  const site = useSite();
  site.put({ "shown/x": "" });
  const { contain } = stage({ shown: [site.at("shown")] });
  for (const access of ["read-write", "read-only"] as const) {
    const { args } = contain({ access });
    expect(viewOf(args.slice(args.indexOf("--isolated")), site.at("shown/x"))).toBe("read");
  }
});

describe("what the commands of a session share", () => {
  const space = (shares: boolean, network: boolean) => {
    const asked: unknown[] = [];
    const made = {
      shareTmp(mounts: readonly Mount[], readOnly: boolean) {
        asked.push(readOnly);
        return shares ? [...mounts] : undefined;
      },
      entry(withNetwork: boolean) {
        asked.push(withNetwork);
        return { file: "/bin/nsenter", args: ["--user=7", "--"], network: withNetwork && network };
      },
    } as unknown as SessionSpace;
    return { made, asked };
  };

  test("is entered before bubblewrap starts, with the network for who may have one", () => {
    const { contain } = stage({ network: false });
    const { made, asked } = space(true, true);
    const { file, args } = contain({ space: made });
    expect([file, ...args.slice(0, 4)]).toEqual(["/bin/nsenter", "--user=7", "--", "/bin/bwrap", "--isolated"]);
    expect(args).toContain("--share-net");
    expect(asked).toEqual([false, true]);
  });

  test("is entered without the network by who only looks, or writes what it names", () => {
    const { site, contain } = stage({ network: false });
    for (const inner of [
      { access: "read-only" as const },
      { narrow: narrowTo({ targets: [site.at("root/a.ts")], inPlace: true }, [site.root]) },
    ]) {
      const { made, asked } = space(true, true);
      expect(contain({ ...inner, space: made }).args).not.toContain("--share-net");
      expect(asked).toEqual(["access" in inner, false]);
    }
  });

  test("is not entered where /tmp cannot be shared", () => {
    const { contain } = stage({ network: false });
    const { made, asked } = space(false, true);
    const { file, args } = contain({ space: made });
    expect([file, args[0], args.includes("--share-net")]).toEqual(["/bin/bwrap", "--isolated", false]);
    expect(asked).toEqual([false]);
  });

  test("has its /tmp over what is hidden there, and folders for what is shown there", () => {
    const { site, containment, contain } = stage();
    const name = site.base.split("/")[2];
    expect(containment.namesInTmp()).toEqual([name]);
    expect(containment.hasScratch()).toBe(true);
    const scratch = mountsIn(contain({ access: "read-only" }).args).filter(({ target }) => target === SCRATCH);
    expect(scratch).toEqual([{ name: "--tmpfs", target: SCRATCH }]);
  });
});

test("what was put up for a command is taken away when it ended", () => {
  const { site, contain } = stage();
  const names = () => fs.readdirSync(site.root).sort();
  const before = names();
  const { release } = contain();
  expect(names()).toContain(".mcp.json");
  release();
  expect(names().filter((name) => !before.includes(name) && name !== ".toolgate")).toEqual([]);
});
