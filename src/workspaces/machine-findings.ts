import type { Workspace } from "../core/contracts/workspace.ts";
import type { Finding } from "../core/words/finding.ts";
import type { Means } from "./lib/pages/launch.ts";

/** Which engine searches here, found out by a search. */
export async function searchFinding({ search, roots, locate }: Workspace): Promise<Finding> {
  const findings = search.files(await locate(roots[0] ?? "."), {});
  for await (const _ of findings) break;
  const { engine } = findings.report;
  if (engine.includes("ripgrep") || engine.startsWith("rg")) return { what: "search", state: "holds", says: engine };
  return {
    what: "search",
    state: "partly",
    says: `${engine}, which is slower`,
    get: "install ripgrep, so that rg is on the PATH",
  };
}

/** How commands are contained here, and what that means under the configuration. */
export async function sandboxFinding(
  { processes }: Workspace,
  { sandbox: wanted, maxMemory }: { sandbox: "required" | "auto" | "off"; maxMemory?: number | undefined },
): Promise<Finding> {
  const what = "commands";
  const get = "install bubblewrap (apt install bubblewrap), and allow unprivileged user namespaces";
  try {
    const enforcement = await processes?.enforcement();
    if (enforcement?.sandbox === "bubblewrap")
      return {
        what,
        state: "holds",
        says: `in bubblewrap: the workspace is writable, the rest is not; network ${enforcement.network}; memory ${maxMemory === undefined ? "not limited" : `at most ${Math.round(maxMemory / 1e6)} MB a process`}`,
      };
    const reason = enforcement?.reason ?? "no sandbox was found";
    return {
      what,
      state: wanted === "off" ? "partly" : "missing",
      says: `run without a sandbox${maxMemory === undefined ? "" : " and without the memory limit"}: ${reason}`,
      ...(wanted !== "off" && { get }),
    };
  } catch (error) {
    return { what, state: "missing", says: `do not run: ${error instanceof Error ? error.message : error}`, get };
  }
}

type PagesWanted = {
  sandbox: "required" | "auto" | "off";
  wanted: boolean;
  /** Used instead of looking for a browser on this machine. */
  means?: () => Promise<Means>;
};

/** Whether pages can be opened here, and what contains the browser. Something that nobody wants is never "missing". */
export async function pagesFinding({ sandbox, wanted, means: given }: PagesWanted): Promise<Finding> {
  const what = "browser";
  const { findMeans, isRefused } = await import("./lib/pages/launch.ts");
  const means = await (given ?? findMeans)();
  if ("missing" in means)
    return {
      what,
      state: wanted ? "missing" : "partly",
      says: `${means.missing}: no page can be opened`,
      get: means.get,
    };
  if (means.unwalled === undefined)
    return {
      what,
      state: "holds",
      says: `${means.program}, in bubblewrap: no files of yours, and no network but a proxy that judges every connection`,
    };
  const get = "install bubblewrap";
  if (isRefused(sandbox))
    return { what, state: wanted ? "missing" : "partly", says: `no page is opened: ${means.unwalled}`, get };
  const held = process.getuid?.() === 0 ? "held by no sandbox" : "held by its own sandbox alone";
  const says = `${means.program}, behind a proxy that judges every connection, ${held}: ${means.unwalled}`;
  return { what, state: "partly", says, get };
}
