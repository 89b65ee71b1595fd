import { expect, test } from "vitest";
import { changeDiff } from "./change-diff.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each<[string, string | null, string | null, string[]]>([
  ["a zero byte hides nothing of a new script", null, "#!/bin/sh\ntouch made\n#\0\n", ["+touch made", "+#\0"]],
  ["nor of a changed one", "echo\n", "touch made\n#\0", ["-echo", "+touch made"]],
  ["nor do many control characters", null, `touch made\n#${"\x01".repeat(40)}\n`, ["+touch made"]],
  ["text in place of a binary file is shown", "\xff\0\xfe\x81", "touch made\n", ["now text", "+touch made"]],
  ["a script is told by its first line, whatever follows", null, "#!/bin/sh\nx\n\0\xff", ['"#!/bin/sh\\nx\\n']],
  ["other binaries are counted", "\x80\0", "\xff\0\x80", ["Binary file a: 2 bytes -> 3 bytes\n"]],
  ["a removed one, too", "\x80\0", null, ["Binary file a: 2 bytes -> none\n"]],
])("%s", (_, before, after, wanted) => {
  const diff = changeDiff("a", before === null ? null : bytes(before), after === null ? null : bytes(after));
  for (const each of wanted) expect(diff).toContain(each);
});
