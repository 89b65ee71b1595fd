import { expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { BUILTINS } from "./builtins.ts";
import { DEV } from "./cases/development.ts";
import { EVERYDAY } from "./cases/everyday.ts";
import { EVERYDAY_MORE } from "./cases/everyday-more.ts";
import { SAFE } from "./cases/proven.ts";
import { PROGRAMS } from "./programs/all.ts";

const NAMES = [...PROGRAMS.keys(), ...BUILTINS.keys()];
const LINES = [
  ...[...EVERYDAY, ...EVERYDAY_MORE, ...SAFE, ...DEV],
  ...NAMES.flatMap((name) => [name, `${name} a`, `${name} --version`, `${name} --help`]),
  ...["git -C a log", "git --no-pager -C a status", "git -c color.ui=false log", "command -v ls", "bash -c ls"],
];

const isOneCommand = (line: string): boolean => {
  const { segments } = analyse(line);
  return segments.length === 1 && segments[0]?.program !== undefined && line.startsWith(segments[0].program);
};

test("a file that has the name of a program can be any program", () => {
  const lines = LINES.filter(isOneCommand).map((line) => `./${line}`);
  expect(lines.length).toBeGreaterThan(1_000);
  const milder = lines.filter((line) => {
    const { class: kind, touches } = analyse(line);
    const isAnything = touches.some((touch) => touch.action === "unknown" && touch.permissions.length === 4);
    return !(kind === "blocked" || (kind === "dangerous" && isAnything));
  });
  expect(milder).toEqual([]);
});

test.each(["./cd sub && cat x", "/bin/cd sub && cat x", "./pushd sub && cat x"])(
  "a file cannot change the shell that starts it: %s",
  (line) => expect(analyse(line).touches).toContainEqual(expect.objectContaining({ action: "read", target: "x" })),
);
