import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { workspace } from "./cli.ts";

const PROMPT = "abort";

describe("what was typed before a question", needs("a terminal"), () => {
  test("does not answer it: the key that comes after the question does", async () => {
    const { terminal, has } = await workspace();
    const { out } = await terminal(
      ["call", "write_file", "path=a.txt", "content=x"],
      [
        ["", "yyyyswyy"],
        [PROMPT, "n"],
      ],
    );
    expect(out).toContain("> no");
    expect(out).not.toContain("> yes");
    expect(has("a.txt")).toBe(false);
  });

  test("keys behind an answer do not answer the next question", async () => {
    const { terminal } = await workspace();
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`).join("\n");
    const { out } = await terminal(
      ["call", "write_file", "path=a.txt", `content=${lines}`],
      [
        [PROMPT, "dyyy"],
        [PROMPT, "n"],
      ],
    );
    expect(out).toContain("> show all");
    expect(out).toContain("> no");
    expect(out).not.toContain("> yes");
  });

  test("a key after the question still does", async () => {
    const { terminal, read } = await workspace();
    await terminal(["call", "write_file", "path=a.txt", "content=x"], [[PROMPT, "y"]]);
    expect(await read("a.txt")).toContain("x");
  });
});
