import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Gate, open, type Result } from "../../src/index.ts";
import { needs } from "../capabilities.ts";
import { type Site, site } from "./page-site.ts";

const FORM = `<title>Form</title><h1>Order</h1>
<form method="post" action="/thanks"><label>Name <input name="name"></label>
<label>Size <select name="size"><option>small<option>large</select></label>
<label>Letter <input type="file" name="letter" id="letter"></label>
<button>Send</button></form>
<button onclick="document.getElementById('letter').click()">Choose a letter</button>
<p id="chosen"></p>
<script>letter.onchange = async () => { chosen.textContent = letter.files[0].name + ": " + await letter.files[0].text() }</script>`;

const PAGES = {
  "/": `<title>Start</title><h1>Welcome</h1><p>Hello there.</p>
<a href="/form">Form</a> <a href="http://other.example:PORT/">Elsewhere</a> <a href="/secret/page">Secret</a>
<a href="/report.csv">Report</a> <a href="/new" target="_blank">New window</a> <a href="/long">Long</a>
<button onclick="document.title = String(confirm('Delete everything?'))">Delete</button>
<button onclick="for (const place of ['about:blank', 'http://other.example:PORT/x', 'data:text/html,x']) open(place, '_blank', 'noopener')">Windows</button>
<button onclick="document.title = String(prompt('Your name?'))">Introduce</button>
<iframe srcdoc="<p>In a frame</p><button onclick='parent.document.title=&quot;framed&quot;'>Inside</button>"></iframe>`,
  "/framed": '<title>Framed</title><iframe src="http://other.example:PORT/form"></iframe>',
  "/form": FORM,
  "/thanks": ({ body }: { body: string }) => `<title>Thanks</title><p>Got ${body.replaceAll("<", "&lt;")}</p>`,
  "/new": "<title>New</title><p>A window of its own.</p>",
  "/secret/page": "<title>Secret</title><p>Nobody should see this.</p>",
  "/report.csv": () => ({
    headers: { "content-type": "text/csv", "content-disposition": "attachment; filename=r.csv" },
    body: "a,b\n1,2\n",
  }),
  "/long": `<title>Long</title>${Array.from({ length: 2_000 }, (_, row) => `<p>Row ${row}</p>`).join("")}`,
  "/away": () => ({ status: 302, headers: { location: "http://other.example:PORT/" } }),
  "/inside": () => ({ status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } }),
  "/late":
    "<title>Late</title><script>setTimeout(() => { document.body.innerHTML = '<p>Here at last</p>' }, 300)</script>",
  "/picture": "<title>Red</title><body style='margin:0;background:#f00;height:3000px'>",
};

let local: Site;
let gate: Gate;
let dir: string;
const url = (place = "/", host = "shop.example") => `http://${host}:${local.port}${place}`;
const call = (args: object, name = "browser"): Promise<Result> => gate.call({ name, args });
/** The reference of the first line of the last snapshot that says this. */
const refIn = ({ output }: Result, what: string): string => {
  const line = output.split("\n").find((each) => each.includes(what) && each.includes("[ref="));
  return /\[ref=(\w+)\]/.exec(line ?? "")?.[1] ?? `no reference of ${what} in:\n${output}`;
};
const opened = async (place?: string): Promise<Result> => {
  const result = await call({ action: "open", url: url(place) });
  expect(result, result.error?.message).toMatchObject({ status: "done" });
  return result;
};
const click = async (what: string, more = {}): Promise<Result> =>
  call({ action: "click", ref: refIn(await call({ action: "snapshot" }), what), ...more });

describe("pages in a browser", needs("chromium"), () => {
  beforeAll(async () => {
    const pages: Record<string, unknown> = { ...PAGES };
    local = await site(
      new Proxy(pages, {
        get: (all, key: string) => {
          const page = all[key];
          if (typeof page === "string") return page.replaceAll("PORT", String(local.port));
          if (typeof page !== "function") return page;
          return (asked: unknown) => JSON.parse(JSON.stringify(page(asked)).replaceAll("PORT", String(local.port)));
        },
      }) as never,
    );
    dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolgate-test-")));
    gate = await open({
      workspace: dir,
      mode: "yolo",
      toolset: ["files", "web"],
      lookup: async () => [{ address: "127.0.0.1" }],
      config: {
        loops: "off",
        trust: { outside_text: "off" },
        web: { allow_private_hosts: [`shop.example:${local.port}`, `other.example:${local.port}`], rate: 1000 },
        rules: { deny: [{ rule: "fetch(*/secret/*)", reason: "it is secret" }] },
        workspace: { forbidden_paths: ["private.txt"] },
      },
    });
  });
  afterAll(async () => {
    await gate?.close();
    await local?.close();
    if (dir) rmSync(dir, { recursive: true, force: true });
  });
  beforeEach(() => {
    local.asked.length = 0;
  });

  test("a picture of a page reaches the model as an image", async () => {
    const result = await call({ url: url("/picture"), delay_ms: 0, width: 400, height: 300 }, "capture_screenshot");
    expect(result).toMatchObject({
      status: "done",
      metadata: { title: "Red", width: 400, height: 300, mime: "image/png" },
    });
    const [{ mime, data }] = result.attachments as [{ mime: string; data: string }];
    const png = Buffer.from(data, "base64");
    expect([mime, png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["image/png", 400, 300]);
    const whole = await call({ url: url("/picture"), delay_ms: 0, full_page: true }, "capture_screenshot");
    expect(whole.metadata).toMatchObject({ width: 1280, height: 3000 });
    expect(local.paths()).toEqual(["GET /picture", "GET /picture"]);
  });

  test("a page is opened, and shown with references", async () => {
    const result = await opened();
    expect(result.output).toMatch(
      /^\[From http:.* outside text up to "end \w+": .*\]\n\nPage: "Start", http:\/\/shop\.example/,
    );
    for (const element of ['heading "Welcome"', 'link "Form"', 'button "Inside"'])
      expect(refIn(result, element)).toMatch(/^(?:f\d+)?e\d+$/);
  });

  test("a form is filled in and sent", async () => {
    const form = await opened("/form");
    await call({ action: "fill", ref: refIn(form, 'textbox "Name"'), text: "Anna & Co" });
    await call({ action: "select", ref: refIn(form, 'combobox "Size"'), text: "large" });
    const sent = await click('button "Send"');
    expect(sent.output).toContain('Page: "Thanks"');
    expect(local.asked.find(({ method }) => method === "POST")?.body).toBe("name=Anna+%26+Co&size=large&letter=");
    const back = await call({ action: "back" });
    expect(back.output).toContain('Page: "Form"');
  });

  test("typing and keys work like a person's", async () => {
    const form = await opened("/form");
    await call({ action: "type", ref: refIn(form, 'textbox "Name"'), text: "Bo" });
    const sent = await call({ action: "press", ref: refIn(form, 'textbox "Name"'), text: "Enter" });
    expect(sent.output).toContain("Got name=Bo");
  });

  test("a dialog is told and dismissed, unless it is to be accepted", async () => {
    await opened();
    const dismissed = await click('button "Delete"');
    expect(dismissed.output).toContain('A dialog (confirm) said "Delete everything?"; it was dismissed');
    expect(dismissed.metadata.title).toBe("false");
    expect((await click('button "Delete"', { accept: true })).metadata.title).toBe("true");
    expect((await click('button "Introduce"', { accept: true, answer: "Eva" })).metadata.title).toBe("Eva");
  });

  test("elements of frames are acted on", async () => {
    await opened();
    expect((await click('button "Inside"')).metadata.title).toBe("framed");
    const { output } = await call({ action: "get_text" });
    expect(output).toContain("[frame about:srcdoc]\nIn a frame");
  });

  test("elements of another site's frame are looked at, and not acted on", async () => {
    await opened("/framed");
    const name = refIn(await call({ action: "snapshot" }), 'textbox "Name"');
    for (const deed of [{ action: "fill", text: "x" }, { action: "click" }, { action: "press", text: "a" }])
      expect(await call({ ...deed, ref: name })).toMatchObject({
        status: "failed",
        error: { code: "PERMISSION_DENIED", message: expect.stringContaining("http://other.example") },
      });
  });

  test("a page goes to no other site by itself, and the model is told how to go there", async () => {
    await opened();
    const stayed = await click('link "Elsewhere"');
    const elsewhere = url("/", "other.example");
    expect(stayed.output).toContain(`The page did not go to ${elsewhere}: it is another site.`);
    expect(stayed.metadata.url).toBe(url());
    const redirected = await call({ action: "open", url: url("/away") });
    expect(redirected).toMatchObject({
      status: "failed",
      error: { code: "PERMISSION_DENIED", hint: expect.stringContaining(`{"action":"open","url":"${elsewhere}"}`) },
    });
    expect(local.asked.filter(({ host }) => host.startsWith("other"))).toEqual([]);
    expect(await call({ action: "open", url: elsewhere })).toMatchObject({ status: "done" });
  });

  test("what a rule forbids is not gone to, not even by a click", async () => {
    await opened();
    const stayed = await click('link "Secret"');
    expect(stayed.output).toContain("it is secret");
    expect(stayed.metadata.url).toBe(url());
    expect(await call({ action: "open", url: url("/secret/page") })).toMatchObject({ status: "refused" });
    expect(local.paths()).not.toContain("GET /secret/page");
  });

  test.each([
    "file:///etc/passwd",
    "chrome://version",
    "view-source:http://shop.example/",
    "data:text/html,hi",
    "javascript:alert(1)",
    "about:blank",
    "http://127.0.0.1:1/",
    "http://169.254.169.254/",
    "http://user:password@shop.example/",
  ])("%s is not opened", async (address) => {
    for (const result of [
      await call({ action: "open", url: address }),
      await call({ url: address }, "capture_screenshot"),
    ])
      expect(result).toMatchObject({ status: "refused", error: { code: "PERMISSION_DENIED" } });
    expect(local.paths()).toEqual([]);
  });

  test("a redirect to a private address leads nowhere", async () => {
    const result = await call({ action: "open", url: url("/inside") });
    expect(result).toMatchObject({ status: "failed", error: { code: "PERMISSION_DENIED" } });
  });

  test("a download is saved where a call says, and refused otherwise", async () => {
    await opened();
    const refused = await click('link "Report"');
    expect(refused.output).toContain('The page offered a download ("r.csv"), which was refused');
    const page = await call({ action: "snapshot" });
    const result = await call({ action: "download", ref: refIn(page, 'link "Report"'), path: "out/report.csv" });
    expect(result).toMatchObject({ status: "done", metadata: { path: "out/report.csv", name: "r.csv", bytes: 8 } });
    expect(readFileSync(path.join(dir, "out/report.csv"), "utf8")).toBe("a,b\n1,2\n");
    const direct = await call({ action: "download", url: url("/report.csv"), path: "direct.csv" });
    expect(direct).toMatchObject({ status: "done" });
    expect(await call({ path: "direct.csv" }, "undo_file")).toMatchObject({ status: "done" });
    expect(existsSync(path.join(dir, "direct.csv"))).toBe(false);
    for (const outside of ["../report.csv", "/etc/report.csv"]) {
      const escaped = await call({ action: "download", url: url("/report.csv"), path: outside });
      expect(escaped).toMatchObject({ status: "refused" });
    }
    expect(await call({ action: "open", url: url("/report.csv") })).toMatchObject({
      error: { message: expect.stringContaining("is a download"), hint: expect.stringContaining('"download"') },
    });
  });

  test("a file of the workspace is uploaded if it may be read", async () => {
    writeFileSync(path.join(dir, "letter.txt"), "Dear all");
    writeFileSync(path.join(dir, "private.txt"), "hidden");
    const form = await opened("/form");
    const field = refIn(form, 'button "Letter"');
    await call({ action: "upload", ref: field, path: "letter.txt" });
    expect((await call({ action: "get_text" })).output).toContain("letter.txt: Dear all");
    expect(await call({ action: "upload", ref: field, path: "private.txt" })).toMatchObject({ status: "refused" });
    expect(await call({ action: "upload", ref: field, path: "/etc/passwd" })).toMatchObject({ status: "refused" });
    await opened("/form");
    const chooser = refIn(await call({ action: "snapshot" }), 'button "Choose a letter"');
    await call({ action: "upload", ref: chooser, path: "letter.txt" });
    expect((await call({ action: "get_text" })).output).toContain("letter.txt: Dear all");
  });

  test("a new window becomes the page, and back returns", async () => {
    await opened();
    const told = [(await click('link "New window"')).output];
    // a window that comes late is told of with the next look
    const looked = async () => {
      if (!told.join("").includes("A new window")) told.push((await call({ action: "snapshot" })).output);
      return told.join("");
    };
    await expect.poll(looked, { timeout: 20_000 }).toContain("A new window was opened");
    expect((await call({ action: "get_text" })).output).toContain("A window of its own.");
    expect((await call({ action: "back" })).metadata.title).toBe("Start");
  });

  test("windows that the page may not open are closed", async () => {
    await opened();
    const page = await click('button "Windows"');
    expect(page.output).toContain("The page opened a new window, which was closed.");
    expect(page.metadata.url).toBe(url());
    const after = await call({ action: "get_text" });
    expect(after.metadata.url).toBe(url());
  });

  test("a long page comes in pieces", async () => {
    const first = await opened("/long");
    const next = /Go on with (\{.*?\})/.exec(first.output)?.[1] ?? "";
    const { offset } = JSON.parse(next) as { offset: number };
    expect(first.output.length).toBeLessThan(20_000);
    const second = await call(JSON.parse(next));
    const row = (text: string) => Number(/Row (\d+)/.exec(text)?.[1]);
    expect(offset).toBeGreaterThan(10);
    expect(row(second.output)).toBeGreaterThan(row(first.output) + 10);
  });

  test("what comes late is waited for", async () => {
    await opened("/late");
    const result = await call({ action: "wait", text: "Here at last" });
    expect(result).toMatchObject({ status: "done" });
    expect((await call({ action: "get_text" })).output).toContain("Here at last");
  });

  test("a page scrolls, and a picture of it is attached", async () => {
    await opened("/long");
    const { output } = await call({ action: "scroll", direction: "bottom" });
    const [, until, all] = /to (\d+) of (\d+) are in view/.exec(output) ?? [];
    expect([Number(until) > 10_000, until]).toEqual([true, all]);
    const result = await call({ action: "screenshot" });
    expect(result.attachments).toMatchObject([{ mime: "image/png" }]);
  });

  test("a call that cannot be done says what is wrong", async () => {
    await opened();
    for (const [args, code, hint] of [
      [{ action: "click", ref: "e9999" }, "NOT_FOUND", "snapshot"],
      [{ action: "click" }, "VALIDATION_ERROR", ""],
      [{ action: "open" }, "VALIDATION_ERROR", ""],
      [{ action: "download", ref: "e2" }, "VALIDATION_ERROR", ""],
    ] as const) {
      const error = { code, hint: expect.stringContaining(hint) };
      expect(await call(args)).toMatchObject({ status: "failed", error });
    }
  });

  test("nothing is left of a browser that was closed", async () => {
    await opened();
    expect(await call({ action: "close" })).toMatchObject({ status: "done" });
    expect(await call({ action: "snapshot" })).toMatchObject({
      error: { code: "NOT_FOUND", message: "No page is open." },
    });
  });
});
