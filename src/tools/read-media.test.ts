import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("read_file gives what a model can look at as an attachment", () => {
  const cases: [file: string, head: string, mime: string][] = [
    ["a.png", "\x89PNG\r\n\x1a\n", "image/png"],
    ["wrong-name.txt", "\xff\xd8\xff\xe0", "image/jpeg"],
    ["a.gif", "GIF89a", "image/gif"],
    ["a.webp", "RIFF\x00\x00\x00\x00WEBP", "image/webp"],
    ["a.pdf", "%PDF-1.7\n", "application/pdf"],
  ];
  test.each(cases)("%s", async (file, head, mime) => {
    const content = bytes(`${head}\x00\x01\x02${"\xfe".repeat(100_000)}`);
    const { call } = await bench({ [file]: content }, { store: "memory" });
    const { attachments, output } = await call("read_file", { path: file });
    expect(attachments?.[0]?.mime).toBe(mime);
    expect(Buffer.from(attachments?.[0]?.data ?? "", "base64").equals(content)).toBe(true);
    expect(output).toContain(mime);
  });

  test("not beyond a size that anybody would take", async () => {
    const { call } = await bench({ "a.png": bytes(`\x89PNG\r\n\x1a\n${"x".repeat(11_000_000)}`) }, { store: "memory" });
    const { status, error } = await call("read_file", { path: "a.png" });
    expect([status, error?.code]).toEqual(["failed", "VALIDATION_ERROR"]);
  });

  test("other bytes are named as what they are", async () => {
    const { call } = await bench({ "a.bin": bytes("\x00\x01\x02\x03") }, { store: "memory" });
    expect((await call("read_file", { path: "a.bin" })).error?.code).toBe("BINARY");
  });
});

describe("read_file gives a notebook as cells", () => {
  const notebook = {
    cells: [
      { cell_type: "markdown", source: ["# Title\n", "words"] },
      {
        cell_type: "code",
        source: "print(1)",
        outputs: [
          { output_type: "stream", text: ["1\n"] },
          { output_type: "error", ename: "E", evalue: "bad" },
        ],
      },
      { cell_type: "code", source: "plot()", outputs: [{ data: { "text/plain": "<Figure>", "image/png": "iVBOR" } }] },
    ],
  };
  test("with their outputs, without pictures in base64", async () => {
    const { call } = await bench({ "n.ipynb": JSON.stringify(notebook) }, { store: "memory" });
    const { output } = await call("read_file", { path: "n.ipynb" });
    for (const part of [
      "[cell 1: markdown]",
      "# Title",
      "print(1)",
      "[output]",
      "[error] E: bad",
      "<Figure>",
      "[output also as image/png]",
    ])
      expect(output).toContain(part);
    expect(output).not.toContain("iVBOR");
  });

  test("a file that only has the name is text", async () => {
    const { call } = await bench({ "n.ipynb": "just text" }, { store: "memory" });
    expect((await call("read_file", { path: "n.ipynb" })).output).toBe("1\tjust text");
  });
});
