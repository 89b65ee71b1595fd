import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { disk } from "../../../test/contracts/disk.ts";
import { Outputs } from "./outputs.ts";

const write = (outputs: Outputs, session: string, name: string, bytes: number): number => {
  const { fd, grant, done } = outputs.reserve(session, name);
  const granted = grant(bytes);
  fs.writeFileSync(fd, Buffer.alloc(granted));
  fs.closeSync(fd);
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

  /** Two of them stand for two processes, which know of each other only by the folder. */
  function twoProcesses() {
    const { root } = disk();
    const folder = path.join(root, "output");
    return [new Outputs(folder, root, 1000), new Outputs(folder, root, 1000)] as const;
  }
  const age = (file: string, minutes: number): void => {
    const then = Date.now() / 1000 - minutes * 60;
    fs.utimesSync(file, then, then);
  };

  test("make room in the same session's folder, whose last file goes", () => {
    const { root } = disk();
    const outputs = new Outputs(path.join(root, "output"), root, 1000);
    expect(write(outputs, "s", "first.txt", 1000)).toBe(1000);
    expect(write(outputs, "s", "second.txt", 400)).toBe(400);
    expect(fs.readdirSync(path.join(root, "output/s"))).toEqual(["second.txt"]);
    expect(fs.statSync(path.join(root, "output/s/second.txt")).size).toBe(400);
  });

  test("that another process writes, or has just written, are not taken away; what comes gets less", () => {
    const [one, other] = twoProcesses();
    const writing = one.reserve("a", "writing.txt");
    fs.writeFileSync(writing.fd, Buffer.alloc(writing.grant(500)));
    expect(write(one, "a", "told.txt", 300)).toBe(300);
    expect(write(other, "b", "third.txt", 500)).toBe(200);
    expect([fs.existsSync(writing.file), fs.readdirSync(path.dirname(writing.file)).sort()]).toEqual([
      true,
      ["told.txt", "writing.txt"],
    ]);
  });

  test("that another process wrote minutes ago make room, unless it says that it still writes", () => {
    const [one, other] = twoProcesses();
    const writing = one.reserve("a", "writing.txt");
    fs.writeFileSync(writing.fd, Buffer.alloc(writing.grant(500)));
    write(one, "a", "told.txt", 300);
    for (const name of ["writing.txt", "told.txt"]) age(path.join(path.dirname(writing.file), name), 10);
    one.renew();
    expect(write(other, "b", "third.txt", 500)).toBe(500);
    expect(fs.readdirSync(path.dirname(writing.file))).toEqual(["writing.txt"]);
    writing.done();
    age(writing.file, 10);
    expect(write(other, "b", "fourth.txt", 900)).toBe(900);
    expect(fs.existsSync(writing.file)).toBe(false);
  });

  test("whose time lies ahead are nobody's", () => {
    const [one, other] = twoProcesses();
    write(one, "a", "ahead.txt", 900);
    age(path.join(path.dirname(one.reserve("a", "x.txt").file), "ahead.txt"), -60);
    expect(write(other, "b", "next.txt", 900)).toBe(900);
  });

  test("are made though another process takes away their folder while it is empty", () => {
    const { root } = disk();
    const outputs = new Outputs(path.join(root, "output"), root, 1000);
    const reallyOpen = fs.openSync;
    let taken = 0;
    const open = vi.spyOn(fs, "openSync").mockImplementation((file, ...how) => {
      if (String(file).endsWith("a.txt") && taken++ < 3) fs.rmdirSync(path.dirname(String(file)));
      return reallyOpen(file, ...how);
    });
    onTestFinished(() => open.mockRestore());
    expect(write(outputs, "s", "a.txt", 10)).toBe(10);
    expect(taken).toBe(4);
  });
});
