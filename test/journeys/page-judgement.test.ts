import { describe, expect, test } from "vitest";
import type { PageDeed, PagePermit, PageReport, Pages } from "../../src/core/contracts/pages.ts";
import type { Approver, OpenOptions, Result } from "../../src/index.ts";
import { open } from "../../src/index.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { localPages } from "../../src/workspaces/pages.ts";
import { folder } from "./harness.ts";

/** A browser that goes wherever it is told, and notes what it was told. */
function noted() {
  const deeds: (PageDeed | { kind: "capture"; url: string })[] = [];
  const state: { url: string | undefined; permit: PagePermit | undefined } = { url: undefined, permit: undefined };
  const report = (): PageReport => ({ url: state.url ?? "", title: "A page", told: [], text: "- text" });
  const pages: Pages = {
    at: () => state.url,
    async act(_, deed, permit) {
      deeds.push(deed);
      state.permit = permit;
      if (deed.kind === "open") state.url = deed.url;
      if (deed.kind === "download") return { ...report(), file: { name: "f", bytes: new TextEncoder().encode("got") } };
      return report();
    },
    async capture(_, { url }, permit) {
      deeds.push({ kind: "capture", url });
      state.permit = permit;
      return report();
    },
    forget: async () => {},
    close: async () => {},
  };
  return { pages, deeds, state };
}

async function gateWith(options: OpenOptions = {}, pages?: Pages) {
  const made = noted();
  const dir = folder({ "letter.txt": "Dear all", ".env": "KEY=1" });
  const workspace = { ...localWorkspace({ root: dir }), pages: pages ?? made.pages };
  const gate = await open({
    workspace,
    store: "memory",
    toolset: ["files", "web"],
    ...options,
    config: { loops: "off", trust: { outside_text: "off" }, ...(options.config as object) },
  });
  const call = (args: object, name = "browser"): Promise<Result> => gate.call({ name, args });
  return { ...made, gate, call };
}

const SITE = "https://shop.example";

describe("what is done on a page is judged", () => {
  test.each([
    [{ action: "open", url: `${SITE}/a` }, [`GET ${SITE}/a`]],
    [{ action: "open", url: "shop.example/a" }, [`GET ${SITE}/a`]],
    [{ action: "navigate", url: `${SITE}/a` }, [`GET ${SITE}/a`]],
    [{ action: "click", ref: "e1" }, [`POST ${SITE}/`]],
    [{ action: "fill", ref: "e1", text: "x" }, [`POST ${SITE}/`]],
    [{ action: "press", text: "Enter" }, [`POST ${SITE}/`]],
    [{ action: "back" }, [`GET ${SITE}/`]],
    [{ action: "upload", ref: "e1", path: "letter.txt" }, [`POST ${SITE}/`, "read letter.txt"]],
    [{ action: "download", ref: "e1", path: "f.bin" }, [`POST ${SITE}/`, "write f.bin"]],
    [{ action: "download", url: `${SITE}/f`, path: "f.bin" }, [`GET ${SITE}/f`, "write f.bin"]],
    [{ action: "hover", ref: "e1" }, [`POST ${SITE}/`]],
    [{ action: "wait", accept: true }, [`POST ${SITE}/`]],
    [{ action: "wait", answer: "told to the page" }, [`POST ${SITE}/`]],
    [{ action: "wait", ms: 5 }, []],
    [{ action: "snapshot" }, []],
    [{ action: "get_text" }, []],
    [{ action: "screenshot" }, []],
    [{ action: "scroll" }, []],
    [{ action: "close" }, []],
  ])("%j touches %j", async (args, touches) => {
    const { gate, state } = await gateWith();
    state.url = `${SITE}/cart?item=1`;
    const { touches: found, verdict } = await gate.explain({ name: "browser", args });
    const shown = found.map((touch) =>
      touch.action === "fetch"
        ? `${touch.method} ${touch.url}`
        : "place" in touch
          ? `${touch.action} ${touch.place.shown}`
          : touch.action,
    );
    expect(shown).toEqual(touches);
    expect(verdict).toBe(touches.length === 0 ? "allow" : "ask");
  });

  test("without a yes nothing is opened, and nothing is acted on", async () => {
    const { call, deeds, state } = await gateWith();
    state.url = SITE;
    for (const args of [
      { action: "open", url: SITE },
      { action: "click", ref: "e1" },
    ])
      expect(await call(args)).toMatchObject({ status: "refused" });
    expect(await call({ url: SITE }, "capture_screenshot")).toMatchObject({ status: "refused" });
    expect(deeds).toEqual([]);
  });

  test("a yes for the session holds for the site, and for no other", async () => {
    const asked: string[] = [];
    const approve: Approver = ({ args }) => {
      asked.push(JSON.stringify(args));
      return "session";
    };
    const { call, state } = await gateWith({ approve });
    state.url = `${SITE}/one`;
    await call({ action: "click", ref: "e1" });
    state.url = `${SITE}/two`;
    await call({ action: "fill", ref: "e2", text: "x" });
    expect(asked).toHaveLength(1);
    state.url = "https://bank.example/";
    await call({ action: "click", ref: "e1" });
    expect(asked).toHaveLength(2);
  });

  test("a page that went elsewhere while a person was thinking is not acted on", async () => {
    const made = noted();
    const approve: Approver = () => {
      made.state.url = "https://bank.example/";
      return "once";
    };
    const { call } = await gateWith({ approve }, made.pages);
    made.state.url = SITE;
    expect(await call({ action: "click", ref: "e1" })).toMatchObject({ success: false });
    expect(made.deeds).toEqual([]);
  });

  test("what may not be read is not uploaded, what may not be written is not downloaded", async () => {
    const { call, deeds, state } = await gateWith({
      mode: "yolo",
      config: { guardrails: { sensitive_files: [".env"], protected_files: ["letter.txt"] } },
    });
    state.url = SITE;
    expect(await call({ action: "upload", ref: "e1", path: ".env" })).toMatchObject({ status: "refused" });
    expect(await call({ action: "download", ref: "e1", path: "letter.txt" })).toMatchObject({ status: "refused" });
    expect(deeds).toEqual([]);
    expect(await call({ action: "download", ref: "e1", path: "new.txt" })).toMatchObject({ status: "done" });
  });

  test("nothing is opened in a plan, or where only reading is allowed", async () => {
    const planned = await gateWith({ mode: "yolo", plan: true });
    expect(await planned.call({ action: "open", url: SITE })).toMatchObject({ status: "planned" });
    const readonly = await gateWith({ mode: "yolo", autonomy: "readonly" });
    expect(await readonly.call({ action: "open", url: SITE })).toMatchObject({ status: "refused" });
    expect([...planned.deeds, ...readonly.deeds]).toEqual([]);
  });
});

describe("where a page goes by itself", () => {
  const goes = { method: "GET", page: true };
  const opened = async (options: OpenOptions, times = 1) => {
    const made = await gateWith(options);
    for (let time = 0; time < times; time++)
      expect(await made.call({ action: "open", url: `${SITE}/` })).toMatchObject({ status: "done" });
    return made.state.permit as PagePermit;
  };

  test("is denied where a call for it would be", async () => {
    const { objection } = await opened({
      mode: "yolo",
      config: { rules: { deny: [{ rule: "fetch(shop.example/admin/*)", reason: "not for agents" }] } },
    });
    expect(objection({ ...goes, url: `${SITE}/next` })).toBeUndefined();
    const denied = { reason: expect.stringContaining("not for agents") };
    expect(objection({ ...goes, url: `${SITE}/admin/users` })).toEqual(denied);
    expect(objection({ ...goes, url: `${SITE}/admin/users`, page: false })).toEqual(denied);
    expect(objection({ ...goes, url: "http://169.254.169.254/" })?.reason).toContain("link-local");
  });

  test("is stopped where a rule asks, unless that was what the person answered", async () => {
    const rules = { ask: ["fetch(shop.example/pay/*)"], allow: ["fetch(shop.example)"] };
    const unasked = await opened({ config: { rules } });
    expect(unasked.objection({ ...goes, url: `${SITE}/next` })).toBeUndefined();
    expect(unasked.objection({ ...goes, url: `${SITE}/pay/1` })).toMatchObject({ asks: true });
    expect(unasked.objection({ ...goes, url: `${SITE}/pay/1`, page: false })).toBeUndefined();
    const outside = { trust: { outside_text: "ask" } };
    const answered = await opened({ mode: "yolo", approve: () => "once", config: outside }, 2);
    expect(answered.objection({ ...goes, url: `${SITE}/next` })).toBeUndefined();
    const unanswered = await opened({ mode: "yolo", config: outside });
    expect(unanswered.objection({ ...goes, url: `${SITE}/next` })).toMatchObject({ asks: true });
  });

  test("stays on the hosts that an agent has, its parts too", async () => {
    const made = await gateWith({ mode: "yolo" });
    const child = made.gate.child({ agent: "reader", hosts: ["shop.example"] });
    expect(await child.call({ name: "browser", args: { action: "open", url: `${SITE}/` } })).toMatchObject({
      status: "done",
    });
    const { objection } = made.state.permit as PagePermit;
    expect(objection({ ...goes, url: "https://tracker.example/a.js", page: false })?.reason).toContain(
      "not among the hosts",
    );
    expect(objection({ ...goes, url: `${SITE}/a.js`, page: false })).toBeUndefined();
  });
});

test("calls of one batch are made in order, each judged by where the one before has led", async () => {
  const { gate, deeds } = await gateWith({ mode: "yolo" });
  const batch = [{ action: "open", url: `${SITE}/` }, { action: "click", ref: "e1" }, { action: "get_text" }];
  const results = await gate.callAll(batch.map((args) => ({ name: "browser", args })));
  expect(results.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  expect(deeds.map(({ kind }) => kind)).toEqual(["open", "snapshot", "click", "snapshot", "text"]);
});

test("what is missing is said, and how to get it", async () => {
  const means = async () => ({ missing: "playwright-core is not installed", get: "npm install playwright-core" });
  const dial = () => Promise.reject(new Error("nowhere"));
  const { call } = await gateWith({ mode: "yolo" }, localPages({ dial, sandbox: "auto", means }));
  const error = {
    code: "CONFIG_ERROR",
    message: "No page can be opened: playwright-core is not installed.",
    hint: "A person can get it: npm install playwright-core.",
  };
  expect(await call({ action: "open", url: SITE })).toMatchObject({ status: "failed", error });
  expect(await call({ url: SITE }, "capture_screenshot")).toMatchObject({ status: "failed", error });
});

test("text of a page is marked as coming from outside, and makes later requests a matter of trust", async () => {
  const { call } = await gateWith({ mode: "yolo", config: { trust: { outside_text: "ask" } } });
  const first = await call({ action: "open", url: SITE });
  expect(first.output).toMatch(/^\[From https:\/\/shop\.example\/.*instruction/);
  expect(await call({ action: "click", ref: "e1" })).toMatchObject({
    status: "refused",
    error: { message: expect.stringContaining("text from outside came into this session") },
  });
});
