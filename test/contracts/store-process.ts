import { rm, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { approvalOf, begunOf, callRecord, holderOf, newChange } from "./store-samples.ts";

/** A process of its own for store-shared.test.ts: `node store-process.mjs TASK FILE NAME`. */
const [task = "", file = "", name = ""] = process.argv.slice(2);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const hashed = (text: string) => ({ before: `hash of ${text}`, content: new Uint8Array(150_000).fill(text.length) });

const tasks: Record<string, () => Promise<void>> = {
  /** Waits for a common moment, so that all open at once. */
  async open() {
    await wait(Math.max(0, Number(name) - Date.now()));
    const store = await sqliteStore(file);
    await store.record([callRecord("1")]);
    await store.close();
  },

  /** Changes one of three files again and again; a witness file beside each shows a second holder. */
  async compete() {
    const store = await sqliteStore(file);
    for (let round = 0; round < 200; round++) {
      const path = `${file}.${round % 3}`;
      const holder = holderOf(`${name}-${round}`);
      const held = await store.lock([path, `${path}.beside`], holder, { milliseconds: 50_000 });
      if (held) throw new Error(`${held.call} kept the lock`);
      await writeFile(`${path}.witness`, name, { flag: "wx" });
      const content = new TextEncoder().encode(`${round % 7}`);
      const ids = await store.intend([newChange(path, { session: name, before: `hash ${round % 7}`, content })]);
      await store.conclude(ids, "done");
      await rm(`${path}.witness`);
      await store.unlock(holder.token);
    }
    await store.close();
  },

  /** Records in groups, until it is killed. */
  async write() {
    const store = await sqliteStore(file);
    for (let round = 0; ; round++) {
      await store.record([callRecord(`${name}-${round}-1`), callRecord(`${name}-${round}-2`, { session: name })]);
      if (round === 5) say("writing");
    }
  },

  async hold() {
    const store = await sqliteStore(file);
    if (await store.lock(["/held", "/tree/**"], holderOf(name))) throw new Error("it was held already");
    const wanted = { resources: ["/w/src/**"], shown: "src/**", mode: "exclusive" as const };
    await store.hold("paths", [wanted], { session: name, agent: "main" }, 3_600_000);
    say("held");
    await wait(60_000);
  },

  /** Rows that are bound to the process: one stays so until it is killed, one belongs to a store that is closed. */
  async bind() {
    const closed = await sqliteStore(file);
    await closed.table("t").put("closed", name, { bound: true });
    await closed.close();
    const store = await sqliteStore(file);
    await store.table("t").put("bound", name, { bound: true });
    await store.table("t").put("free", name);
    say("bound");
    await wait(60_000);
  },

  /** What ends with the process: a question, a call, and a second call whose beginning is durable. */
  async begin() {
    const store = await sqliteStore(file);
    await store.ask(approvalOf(name));
    await store.begin([begunOf(`${name}-1`)]);
    await store.begin([begunOf(`${name}-2`)], true);
    say("begun");
    await wait(60_000);
  },

  /** Takes what it can of one limit in all and of one within an hour; each line is one that passed. */
  async reserve() {
    const store = await sqliteStore(file);
    for (let round = 0; round < 100; round++) {
      const reserved = await store.reserve([
        { key: "hourly", limit: 150, amount: 1, window: 3_600_000 },
        { key: "total", limit: 120.5, amount: 1 },
      ]);
      if (!("token" in reserved)) continue;
      if (round % 4 === 0) await store.giveBack(reserved.token);
      else say(reserved.token);
    }
    await store.close();
  },

  /** Counts in one row, by the version that it read. */
  async count() {
    const store = await sqliteStore(file);
    const table = store.table("counts");
    for (let round = 0; round < 100; ) {
      const row = await table.get<number>("sum");
      const put = await table.put("sum", (row?.value ?? 0) + 1, { ifVersion: row?.version ?? 0 });
      if (put) round++;
    }
    await store.close();
  },

  /** Tells and records in turns. */
  async tell() {
    const store = await sqliteStore(file);
    for (let round = 0; round < 60; round++) {
      await store.tell([{ id: `${name} e${round}`, type: "told", at: 1, body: null }]);
      await store.record([callRecord(`${name} r${round}`), callRecord(`${name} q${round}`, { session: name })]);
    }
    await store.close();
  },

  /** Until it is killed; each line is an intent that it was told is durable. */
  async intend() {
    const store = await sqliteStore(file);
    for (let round = 0; ; round++) {
      const texts = [1, 2, 3].map((part) => `${name}-${round}-${part}`);
      say((await store.intend(texts.map((text) => newChange(`/${text}`, hashed(text))))).join(" "));
    }
  },
};

await tasks[task]?.();
