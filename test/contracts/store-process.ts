import { rm, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { callRecord, holderOf, newChange } from "./store-samples.ts";

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
      while (await store.lock([path, `${path}.beside`], holder)) await wait(1);
      await writeFile(`${path}.witness`, name, { flag: "wx" });
      const content = new TextEncoder().encode(`${round % 7}`);
      const ids = await store.intend([newChange(path, { session: name, before: `hash ${round % 7}`, content })]);
      await store.conclude(ids, "done");
      await rm(`${path}.witness`);
      await store.unlock(holder.token);
    }
    await store.close();
  },

  async hold() {
    const store = await sqliteStore(file);
    if (await store.lock(["/held", "/tree/**"], holderOf(name))) throw new Error("it was held already");
    say("held");
    await wait(60_000);
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
