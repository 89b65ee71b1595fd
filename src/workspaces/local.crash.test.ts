import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Place } from "../core/words/touch.ts";
import { localWorkspace } from "./local.ts";

const SIZE = 300_000;
const FILES = ["a", "b/c", "new/d"];

// each version of a file is one letter, so that a mixture shows
const rewriter = `
  const { localWorkspace } = await import(PART);
  const workspace = localWorkspace({ root: process.argv[2] });
  process.stdout.write("ready\\n");
  for (let turn = 0; ; turn += 1) {
    const changes = [];
    for (const file of ${JSON.stringify(FILES)}) {
      const place = workspace.locate(file);
      const before = place.exists ? (await workspace.files.read(place)).bytes : null;
      changes.push({ place, before, after: Buffer.alloc(${SIZE}, 97 + (turn % 26)) });
    }
    await workspace.files.commit(changes, async () => {});
  }`;

// adds its letter to one file, in turns with others: a conflict would be a mistake
const counter = `
  const { localWorkspace } = await import(PART);
  const workspace = localWorkspace({ root: process.argv[2] });
  for (let turn = 0; turn < 60; turn += 1) {
    const release = await lock();
    const place = workspace.locate("shared");
    const { bytes } = await workspace.files.read(place);
    const after = Buffer.concat([bytes, Buffer.from(process.argv[3])]);
    await workspace.files.commit([{ place, before: bytes, after }], async () => {});
    release();
  }
  async function lock() {
    const fs = await import("node:fs");
    const file = process.argv[2] + ".lock";
    for (;;) {
      try {
        fs.mkdirSync(file);
        return () => fs.rmdirSync(file);
      } catch {
        await new Promise((go) => setTimeout(go, 1));
      }
    }
  }`;

let programs: string;
let root: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  programs = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-programs-"));
  const part = path.join(programs, "local.mjs");
  const entryPoints = [path.join(import.meta.dirname, "local.ts")];
  await build({ entryPoints, outfile: part, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  for (const [name, text] of Object.entries({ rewriter, counter })) {
    fs.writeFileSync(path.join(programs, `${name}.mjs`), text.replace("PART", JSON.stringify(part)));
  }
});
afterAll(() => fs.rmSync(programs, { recursive: true }));
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-crash-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  fs.rmSync(root, { recursive: true });
});

const start = (name: string, ...given: string[]): ChildProcess => {
  const child = spawn(process.execPath, [path.join(programs, `${name}.mjs`), root, ...given], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
};

test("a process that is killed leaves every file whole and nothing beside them", async () => {
  const isAllThere = () => FILES.every((file) => fs.existsSync(path.join(root, file)));
  // on a busy machine it takes longer until all was written once
  for (let round = 0, delay = 3; round < 6 || !isAllThere(); round += 1, delay = Math.ceil(delay * 1.7)) {
    const child = start("rewriter");
    await once(child.stdout!, "data");
    await wait(delay);
    child.kill("SIGKILL");
    await once(child, "exit");
    for (const file of FILES) {
      const real = path.join(root, file);
      if (!fs.existsSync(real)) continue;
      const bytes = fs.readFileSync(real);
      expect(bytes.length).toBe(SIZE);
      expect(bytes.equals(Buffer.alloc(SIZE, bytes[0]))).toBe(true);
    }
    const known = new Set([".toolgate", "a", "b", "b/c", "new", "new/d"]);
    const seen = fs.readdirSync(root, { recursive: true }).map(String);
    expect(seen.filter((name) => !name.startsWith(".toolgate/") && !known.has(name))).toEqual([]);
  }

  const workspace = localWorkspace({ root });
  await workspace.files.commit(
    [{ place: workspace.locate("after") as Place, before: null, after: Buffer.from("x") }],
    async () => {},
  );
  expect(fs.readdirSync(path.join(root, ".toolgate/tmp"))).toEqual([]);
}, 30_000);

test("a reader never sees half a file while another process writes it", async () => {
  const child = start("rewriter");
  await once(child.stdout!, "data");
  const workspace = localWorkspace({ root });
  for (let seen = 0; seen < 200; ) {
    const place = workspace.locate("a") as Place;
    if (place.exists) {
      const { bytes } = await workspace.files.read(place);
      expect(bytes.length).toBe(SIZE);
      expect(Buffer.from(bytes).equals(Buffer.alloc(SIZE, bytes[0]))).toBe(true);
      seen += 1;
    }
    await wait(0);
  }
}, 30_000);

test("two processes that take turns lose nothing", async () => {
  fs.writeFileSync(path.join(root, "shared"), "");
  const both = [start("counter", "x"), start("counter", "y")];
  const codes = await Promise.all(both.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0]);
  const text = fs.readFileSync(path.join(root, "shared"), "utf8");
  expect([text.replaceAll("y", "").length, text.replaceAll("x", "").length]).toEqual([60, 60]);
  expect(fs.readdirSync(path.join(root, ".toolgate/tmp"))).toEqual([]);
}, 30_000);
