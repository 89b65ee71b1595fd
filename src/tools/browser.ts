import * as z from "zod";
import type { DialogAnswer, PageDeed, PageReport } from "../core/contracts/pages.ts";
import { ToolFailure } from "../core/words/result.ts";
import { type Context, type Look, Tool } from "../core/words/tool.ts";
import { type Claim, read, write } from "../core/words/touch.ts";
import { counted } from "../text/counted.ts";
import { attachPicture, pageAddress, pageShown, pictureNote, someLines } from "./lib/page-shown.ts";

const SHOWN = 16_000;
const LONGEST_NAME = 200;

const ACTIONS = [
  ...(["open", "snapshot", "click", "fill", "type", "press", "select", "hover", "scroll", "wait", "get_text"] as const),
  ...(["screenshot", "upload", "download", "back", "close"] as const),
] as const;
type Action = (typeof ACTIONS)[number];

const input = () =>
  z.object({
    action: z.enum(ACTIONS),
    url: z.string().optional(),
    ref: z.string().describe("Element, by the last snapshot").optional(),
    text: z.string().describe("To fill in, select or wait for; the key to press").optional(),
    path: z.string().describe("File to upload or save").optional(),
    accept: z.boolean().describe("Accept dialogs").optional(),
    answer: z.string().optional(),
    direction: z.enum(["up", "down", "top", "bottom"]).optional(),
    ms: z.int().min(0).max(30_000).optional(),
    full_page: z.boolean().optional(),
    offset: z.int().min(1).optional(),
  });
type Request = z.output<ReturnType<typeof input>>;

/** Names that other clients use for the actions. */
const OTHERS: Readonly<Record<string, Action>> = {
  ...{ navigate: "open", goto: "open", visit: "open", go_back: "back", read: "get_text", text: "get_text" },
  ...{ get_title: "get_text", get_url: "get_text", capture: "screenshot", press_key: "press", select_option: "select" },
};

const preset = (name: string, action: Action) => ({ name, preset: { action } });

export const browser = Tool.define("browser", {
  description:
    "Drive a web browser: open a page, see its elements with their refs (snapshot), act on them, read it. One page at a time.",
  permissions: { required: ["network"], optional: ["read", "write"] },
  aliases: {
    names: [
      ...[preset("browser_navigate", "open"), preset("browser_open", "open"), preset("browser_snapshot", "snapshot")],
      ...[preset("browser_click", "click"), preset("browser_type", "fill"), preset("browser_press_key", "press")],
      ...[preset("browser_take_screenshot", "screenshot"), preset("browser_close", "close")],
    ],
    args: {
      ref: ["element", "target"],
      text: ["value", "key", "keys"],
      path: ["file", "file_path"],
      ms: ["timeout_ms"],
    },
    readings: {
      action: (value) => ({ action: typeof value === "string" ? (OTHERS[value.toLowerCase()] ?? value) : value }),
    },
  },
  rare: ["answer", "direction", "ms", "full_page", "offset"],
  get input() {
    return input();
  },
  inOrder: true,
  timeLimit: 90_000,
  scope: ({ action }) => (action === "upload" || action === "download" ? action : null),
  touches: claims,
  async execute(request, context) {
    const deed = await deedOf(request, context);
    const report = await context.pages.act(deed);
    if (request.action === "close") return { title: "Closed the browser", output: "The browser is closed." };
    context.noteOutside();
    if (request.action === "download") return saved(request, report, context);
    return shown(request, report, await looked(request, report, context), context);
  },
});

/** Actions that only look at what was fetched before. */
const LOOKS: ReadonlySet<Action> = new Set(["snapshot", "get_text", "screenshot", "scroll", "wait", "close"]);

/** Acting on a page may send something to its site. Uploads read a file, downloads write one. */
function claims({ action, url, path, accept, answer }: Request, look: Look): Claim[] {
  // answering a dialog tells the page something
  if (LOOKS.has(action) && !accept && answer === undefined) return [];
  if (action === "open") return url === undefined ? [] : [{ action: "fetch", url: pageAddress(url) }];
  const files: Claim[] =
    path === undefined ? [] : action === "upload" ? [read(path)] : action === "download" ? [write(path)] : [];
  if (action === "download" && url !== undefined) return [{ action: "fetch", url: pageAddress(url) }, ...files];
  const page = look.page();
  if (page === undefined) return files;
  return [{ action: "fetch", url: `${new URL(page).origin}/`, method: action === "back" ? "GET" : "POST" }, ...files];
}

async function deedOf(request: Request, { files }: Context): Promise<PageDeed> {
  const { action, accept = false, answer } = request;
  const ref = request.ref?.replace(/^\[?(?:ref=)?@?|\]$/g, "");
  const dialog: DialogAnswer = { accept, ...(answer !== undefined && { text: answer }) };
  const needed = <T>(name: string, value: T | undefined): T => {
    if (value !== undefined) return value;
    throw new ToolFailure("VALIDATION_ERROR", `${name} is required for ${action}.`, "Correct the call.");
  };
  const at = ref === undefined ? {} : { ref };
  switch (action) {
    case "open":
      return { kind: "open", url: pageAddress(needed("url", request.url)), dialog };
    case "snapshot":
      return { kind: "snapshot", ...at };
    case "get_text":
      return { kind: "text", ...at };
    case "screenshot":
      return { kind: "picture", ...at, ...(request.full_page && { fullPage: true }) };
    case "click":
    case "hover":
      return { kind: action, ref: needed("ref", ref), dialog };
    case "fill":
    case "type":
    case "select":
      return { kind: action, ref: needed("ref", ref), text: needed("text", request.text), dialog };
    case "press":
      return { kind: "press", ...at, key: needed("text (the key, such as Enter)", request.text), dialog };
    case "scroll":
      return { kind: "scroll", ...at, ...(request.direction && { to: request.direction }) };
    case "wait":
      return {
        kind: "wait",
        ...(request.text && { text: request.text }),
        ...(request.ms && { ms: request.ms }),
        dialog,
      };
    case "upload": {
      const path = needed("path", request.path);
      const { bytes } = await files.read(path);
      return { kind: "upload", ref: needed("ref", ref), file: { name: path.split("/").at(-1) ?? path, bytes }, dialog };
    }
    case "download":
      needed("path", request.path);
      if (request.url === undefined) needed("ref, or url,", ref);
      return { kind: "download", ...(request.url === undefined ? at : { url: pageAddress(request.url) }), dialog };
    case "back":
    case "close":
      return { kind: action };
  }
}

/** Actions are answered with a snapshot of the page afterwards; otherwise the next call would always ask for one. */
async function looked({ action }: Request, report: PageReport, { pages }: Context): Promise<PageReport> {
  if (!["open", "click", "press", "back"].includes(action) || report.url === "") return report;
  const { text, ...rest } = await pages.act({ kind: "snapshot" });
  return { ...rest, told: [...new Set([...report.told, ...rest.told])], ...(text !== undefined && { text }) };
}

function shown(request: Request, first: PageReport, report: PageReport, { hash }: Context) {
  const { action, offset = 1 } = request;
  const { text, picture, url, title } = report;
  const again = action === "get_text" ? "get_text" : "snapshot";
  const goOn = (next: number) => ({
    action: again,
    ...(request.ref && action === again && { ref: request.ref }),
    offset: next,
  });
  const body = someLines(text ?? "", action === again ? offset : 1, SHOWN, goOn);
  const notes = [...(picture ? [pictureNote(picture)] : []), ...(body.rest ? [body.rest] : [])];
  return {
    title: `${TITLES[action]} ${first.url}`,
    output: [pageShown(report, hash, body.text), ...notes].filter(Boolean).join("\n\n"),
    metadata: { action, url, title, ...(report.told.length > 0 && { told: report.told }) },
    ...(picture && { attachments: [attachPicture(picture)] }),
  };
}

const TITLES: Readonly<Record<Action, string>> = {
  ...{ open: "Opened", snapshot: "Looked at", click: "Clicked on", fill: "Filled in on", type: "Typed on" },
  ...{ press: "Pressed a key on", select: "Selected on", hover: "Pointed at", scroll: "Scrolled", wait: "Waited for" },
  ...{ get_text: "Read", screenshot: "Took a picture of", upload: "Uploaded to", download: "Downloaded from" },
  ...{ back: "Went back to", close: "Closed" },
};

async function saved({ path = "" }: Request, report: PageReport, { files, hash }: Context) {
  const { file, url, told } = report;
  if (!file) throw new ToolFailure("IO_ERROR", "The download did not arrive.", "Try again.");
  await files.write(path, file.bytes);
  return {
    title: `Downloaded ${path}`,
    output: [
      `Saved ${JSON.stringify(file.name.slice(0, LONGEST_NAME))} as ${path} (${counted(file.bytes.length, "byte")}).`,
      ...(told.length > 0 ? [pageShown(report, hash)] : []),
    ].join("\n\n"),
    metadata: { action: "download", url, path, name: file.name, bytes: file.bytes.length },
  };
}
