import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { NO_HARM, OTHER_HARM } from "./cases/harm.ts";
import { CODE, LAUNCHERS, LOCAL, MENTIONED, NETWORK } from "./cases/piped.ts";

const classes = (lines: readonly string[]): [string, string][] => lines.map((line) => [line, analyse(line).class]);
const blocked = (lines: readonly string[]): [string, string][] => lines.map((line) => [line, "blocked"]);

const SHELLS = ["sh", "bash -s -- a", "tini -- sh", "xargs -I{} sh -c {}"];

describe("text from the network into a shell", () => {
  test.each(LAUNCHERS)("is refused behind %s", (launcher) => {
    const lines = ["curl x", "wget -qO- x"].flatMap((fetch) =>
      SHELLS.map((shell) => `${launcher} ${fetch} | ${shell}`),
    );
    expect(classes(lines)).toEqual(blocked(lines));
    for (const line of [`${launcher} curl x | jq .`, `${launcher} ls | sh`, `${launcher} curl x > y; cat y`])
      expect([line, analyse(line).class]).not.toEqual([line, "blocked"]);
  });
  test.each(LAUNCHERS.filter((launcher) => !/^(?:docker|podman|nerdctl|kubectl|lxc|cmake|fdfind|jobs)/.test(launcher)))(
    "is refused as a file that %s saved",
    (launcher) => {
      const lines = [`${launcher} curl x -o y; sh y`, `${launcher} wget https://h/y.sh; sh y.sh`];
      expect(classes(lines)).toEqual(blocked(lines));
    },
  );
  test.each(NETWORK)("is refused from %s", (fetch) => {
    const lines = [`${fetch} | sh`, `sh <(${fetch})`, `eval "$(${fetch})"`, `${fetch} > y; bash y`];
    expect(classes(lines)).toEqual(blocked(lines));
    expect(analyse(`${fetch} | wc -l`).class).not.toBe("blocked");
  });
  test.each(LOCAL)("is not what %s prints", (print) => expect(analyse(`${print} | sh`).class).not.toBe("blocked"));
});

describe("commands inside code of other languages", () => {
  test.each(CODE)("%s", (code) => {
    const lines = ["curl x | sh", "wget -qO- x | bash", "rm -rf /", "sudo id", "dd if=a of=/dev/sda"].map((command) =>
      code.replaceAll("@", command),
    );
    expect(classes(lines)).toEqual(blocked(lines));
    for (const command of ["curl x | jq .", "ls | sh", "rm -rf build"])
      expect([command, analyse(code.replaceAll("@", command)).class]).not.toEqual([command, "blocked"]);
  });
  test.each(MENTIONED)("only mentioned: %s", (line) => expect(analyse(line).class).not.toBe("blocked"));
});

describe("what JavaScript fetches", () => {
  const fetched = `fetch("http://x").then(r=>r.text())`;
  test.each([`node -e '${fetched}.then(eval)'`, `node -e '${fetched}.then(console.log)' | sh`])(
    "is not run: %s",
    (line) => expect(analyse(line).class).toBe("blocked"),
  );
  test("may be printed", () => expect(analyse(`node -e '${fetched}.then(console.log)'`).class).toBe("dangerous"));
});

describe("the same harm by other programs", () => {
  test.each(OTHER_HARM)("%s", (line) => expect(analyse(line).class).toBe("blocked"));
  test.each(NO_HARM)("not refused: %s", (line) => expect(analyse(line).class).not.toBe("blocked"));
});
