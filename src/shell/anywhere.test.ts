import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { BESIDE_ANYWHERE, BLOCKED_ANYWHERE } from "./cases/anywhere.ts";

describe("blocked through anything", () => {
  test.each(BLOCKED_ANYWHERE)("blocked: %s", (line) => expect(analyse(line).class).toBe("blocked"));
  test.each(BESIDE_ANYWHERE)("asked about: %s", (line) => expect(analyse(line).class).toBe("dangerous"));
  test("every launcher, known or not, lets no more through than the command alone", () => {
    const commands = ["rm -rf /", "chmod -R 777 /", "mv / x", "sudo ls", "dd if=a of=/dev/sda", "find / -delete"];
    const launchers = ["foo", "foo --", "foo -x 5", "foo run --rm img", "a/b", "foo A=1", "foo bar baz"];
    for (const launcher of launchers)
      for (const command of commands) {
        expect([launcher, analyse(`${launcher} ${command}`).class]).toEqual([launcher, "blocked"]);
        expect([launcher, analyse(`${launcher} '${command}'`).class]).toEqual([launcher, "blocked"]);
        expect([launcher, analyse(`${launcher} --run='${command}'`).class]).toEqual([launcher, "blocked"]);
      }
  });
});
