import { expect, test, vi } from "vitest";
import type { Workspace } from "../core/contracts/workspace.ts";
import { guardOf, surroundingsOf } from "./surroundings.ts";

const at = (roots: string[], ...present: string[]) =>
  ({ roots, trace: async (path: string) => ({ exists: present.includes(path) }) }) as unknown as Workspace;

test.each<[string, Workspace, boolean]>([
  ["nothing", at(["/a"]), false],
  ["the first file", at(["/a"], "/a/toolgate.yaml"), true],
  ["another one", at(["/a"], "/a/.mcp.json"), true],
  ["one in another root", at(["/a", "/b"], "/b/.mcp.json"), true],
  ["one in the root of the machine", at(["/"], "/toolgate.yml"), true],
  ["one elsewhere", at(["/a"], "/b/toolgate.yaml"), false],
])("a workspace with %s", async (_, workspace, governed) => {
  expect((await guardOf(workspace)).governed).toBe(governed);
});

test("the person's folder is protected by its name, also while it does not exist", async () => {
  vi.stubEnv("XDG_CONFIG_HOME", "/nowhere/at/all");
  try {
    expect((await guardOf(at([]))).userFolders).toEqual(["/nowhere/at/all/toolgate"]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each<[outsideText: "off" | "ask", network: string | undefined, offline: boolean]>([
  ["ask", "none", true],
  ["ask", "full", false],
  ["ask", undefined, false],
  ["off", "none", false],
])("where outside text is %s and the network %s, commands are offline: %s", async (outsideText, network, offline) => {
  let looks = 0;
  const enforcement = async () => {
    looks += 1;
    return { network };
  };
  const workspace = { ...at([]), ...(network && { processes: { enforcement } }) } as unknown as Workspace;
  const found = await surroundingsOf(workspace, { trust: { outsideText } });
  expect(found).toMatchObject({ commandsOffline: offline, governed: false });
  expect(looks, "the first look takes a while").toBe(outsideText === "off" || !network ? 0 : 1);
});
