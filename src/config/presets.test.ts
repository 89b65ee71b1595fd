import { expect, test } from "vitest";
import { parseConfig } from "./parse.ts";
import { initialConfig, PRESETS } from "./presets.ts";

const COMMANDS = [
  { command: "npm test", from: "package.json" },
  { command: "make 'a b'", from: "Makefile: x" },
];
type Rules = { rule: string; match: string[] }[];
type Written = { rules: { allow: Rules; ask: Rules; deny: Rules } };
const config = (preset: (typeof PRESETS)[number], commands = COMMANDS): Written => {
  const checked = parseConfig(initialConfig(preset, commands), "t");
  if ("problems" in checked) throw new Error(checked.problems.map(({ message }) => message).join("\n"));
  return checked.config as Written;
};

test("there are three to start from", () => expect(PRESETS).toEqual(["careful", "balanced", "free"]));

test.each<[preset: (typeof PRESETS)[number], holds: object, allows: string[]]>([
  [
    "careful",
    {
      mode: "confirm-sensitive",
      workspace: { allow_delete: false, write_safety: "strict" },
      commands: { sandbox: "required", network: false },
    },
    [],
  ],
  [
    "balanced",
    {
      mode: "confirm-sensitive",
      workspace: { allow_delete: false, write_safety: "warn" },
      commands: { sandbox: "auto", network: false },
    },
    ["npm test", "make 'a b'"],
  ],
  [
    "free",
    {
      mode: "yolo",
      workspace: { allow_delete: true, write_safety: "warn" },
      commands: { sandbox: "auto", network: false },
    },
    ["npm test", "make 'a b'"],
  ],
])("%s", (preset, holds, allows) => {
  const written = config(preset);
  expect(written).toMatchObject(holds);
  expect(written.rules.allow.map(({ match }) => match[0])).toEqual(allows);
  expect(written.rules.deny.map(({ rule }) => rule)).toContain("run(git push --force *)");
  expect(written.rules.ask).toHaveLength(1);
});

test("without commands nothing is allowed", () => {
  expect(config("free", []).rules.allow).toEqual([]);
  expect(initialConfig("free", [])).toContain("allow: []\n");
});

test("plain words stay plain, others are quoted", () => {
  const text = initialConfig("balanced", COMMANDS);
  expect(text).toContain("match: [npm test]");
  expect(text).toContain(`match: ["make 'a b'"]`);
});
