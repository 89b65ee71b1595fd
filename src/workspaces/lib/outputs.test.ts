import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { disk } from "../../../test/contracts/disk.ts";
import { Outputs } from "./outputs.ts";

const write = (outputs: Outputs, session: string, name: string, bytes: number): number => {
  const { file, grant, done } = outputs.reserve(session, name);
  const granted = grant(bytes);
  fs.writeFileSync(file, Buffer.alloc(granted));
  done();
  return granted;
};

describe("kept outputs", () => {
  test("of all sessions and processes together stay within the bounds", () => {
    const { root, on } = disk();
    const folder = path.join(root, ".toolgate/output");
    const all = [new Outputs(folder, root, 1000), new Outputs(folder, root, 1000)];
    for (let each = 0; each < 40; each += 1) {
      expect(write(all[each % 2] as Outputs, `s${each % 3}`, `${each}.txt`, 90)).toBe(90);
      fs.utimesSync(on(`.toolgate/output/s${each % 3}/${each}.txt`), each, Date.now() / 1000 - 1000 + each);
    }
    const sizes = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    // each process looks again when its own count is full
    expect(sizes.length * 90).toBeLessThanOrEqual(2000);
    expect(sizes).toContain("39.txt");
    expect(sizes).not.toContain("0.txt");
  });

  test("that are still being written are never taken away: who comes later gets less", () => {
    const { root } = disk();
    const outputs = new Outputs(path.join(root, "output"), root, 1000);
    const first = outputs.reserve("a", "long.txt");
    fs.writeFileSync(first.file, Buffer.alloc(first.grant(900)));
    const second = outputs.reserve("b", "later.txt");
    expect([second.grant(200), second.grant(200)]).toEqual([100, 0]);
    expect(fs.existsSync(first.file)).toBe(true);
    first.done();
    expect(second.grant(200)).toBe(200);
    expect(fs.existsSync(first.file)).toBe(false);
  });
});
