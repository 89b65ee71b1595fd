import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { workspaceContract } from "../../test/contracts/workspace.ts";
import type { Workspace } from "../core/contracts/workspace.ts";
import type { Place } from "../core/words/touch.ts";
import { localWorkspace } from "./local.ts";

// a system that does not tell what a descriptor is
vi.mock("./lib/platform.ts", () => ({ descriptors: undefined, justLooking: 0, processSpace: "0" }));

workspaceContract("local without descriptors", async () => {
  const root = await fs.promises.mkdtemp(path.join(os.tmpdir(), "toolgate-fallback-"));
  return {
    workspace: localWorkspace({ root }),
    root,
    async peek(file) {
      const real = path.join(root, file);
      if (!fs.existsSync(real)) return undefined;
      return { bytes: fs.readFileSync(real), mode: fs.statSync(real).mode & 0o7777 };
    },
    done: () => fs.promises.rm(root, { recursive: true }),
  };
});

describe("swapped between look and use", () => {
  let top: string;
  let workspace: Workspace;
  let place: Place;
  let fresh: Place;
  beforeEach(() => {
    top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-fallback-")));
    for (const folder of ["ws/a", "outside"]) fs.mkdirSync(path.join(top, folder), { recursive: true });
    fs.writeFileSync(path.join(top, "ws/a/f"), "inside");
    fs.writeFileSync(path.join(top, "outside/f"), "secret");
    workspace = localWorkspace({ root: path.join(top, "ws") });
    place = workspace.locate("a/f") as Place;
    fresh = workspace.locate("a/n") as Place;
  });
  afterEach(() => {
    vi.restoreAllMocks();
    fs.rmSync(top, { recursive: true });
  });

  const denied = expect.objectContaining({ code: "PERMISSION_DENIED" });

  test.each(["a", "a/f"])("%s by a link", async (swapped) => {
    fs.renameSync(path.join(top, "ws", swapped), path.join(top, "ws/moved"));
    fs.symlinkSync(path.join(top, swapped === "a" ? "outside" : "outside/f"), path.join(top, "ws", swapped));
    const write = (at: Place, before: Buffer | null) =>
      workspace.files.commit([{ place: at, before, after: Buffer.from("x") }], async () => {});
    await expect((async () => workspace.files.stat(place))()).rejects.toEqual(denied);
    await expect(workspace.files.read(place)).rejects.toEqual(denied);
    await expect(write(place, Buffer.from("secret"))).rejects.toEqual(denied);
    if (swapped === "a") await expect(write(fresh, null)).rejects.toEqual(denied);
    expect(fs.readdirSync(path.join(top, "outside"))).toEqual(["f"]);
    expect(fs.readFileSync(path.join(top, "outside/f"), "utf8")).toBe("secret");
  });

  test("a file of the same number on another device is not the one", async () => {
    const stat = fs.fstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "fstatSync").mockImplementation(((...given: unknown[]) =>
      Object.assign(stat(...given), { dev: 987_654_321 })) as never);
    await expect(workspace.files.read(place)).rejects.toEqual(denied);
  });

  test("a file that is being replaced all the time is read in the end", async () => {
    const open = fs.openSync;
    let times = 0;
    vi.spyOn(fs, "openSync").mockImplementation((...given) => {
      const fd = open(...given);
      times += 1;
      if (times <= 3) {
        fs.writeFileSync(path.join(top, "next"), `newer ${times}`);
        fs.renameSync(path.join(top, "next"), place.real);
      }
      return fd;
    });
    expect(Buffer.from((await workspace.files.read(place)).bytes).toString()).toMatch(/^newer /);
  });
});
