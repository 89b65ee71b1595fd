import { describe, expect, test } from "vitest";
import type { HookedCall } from "../../core/contracts/hook.ts";
import type { Touch } from "../../core/words/touch.ts";
import { dialectOf, fileMatcher, filesOf, type Naming, toolMatcher } from "./hook-matchers.ts";

const ALIASES: Record<string, readonly string[]> = {
  edit_file: ["Edit", "edit", "MultiEdit", "replace"],
  write_file: ["Write", "write"],
  run_command: ["Bash", "bash", "run_shell_command"],
  mcp_github_search: [],
};
const toolOf = (name: string) => Object.keys(ALIASES).find((tool) => tool === name || ALIASES[tool]?.includes(name));
const naming = {
  registry: {
    get: (name: string) => (toolOf(name) ? { name: toolOf(name) } : undefined),
    names: () => Object.entries(ALIASES).flatMap(([name, others]) => [name, ...others]),
  },
  dialects: {
    default: {},
    claude: { edit_file: { name: "Edit" }, write_file: { name: "Write" }, run_command: { name: "Bash" } },
    opencode: { edit_file: { name: "edit" }, write_file: { name: "write" }, run_command: { name: "bash" } },
    gemini: { edit_file: { name: "replace" }, write_file: { name: "write_file" } },
  },
} as unknown as Naming;
const call = (tool: string, calledAs = tool) => ({ tool, calledAs }) as HookedCall;

describe("which tools a matcher means", () => {
  const cases: [matcher: string | undefined, tools: string[]][] = [
    [undefined, Object.keys(ALIASES)],
    ["", Object.keys(ALIASES)],
    ["*", Object.keys(ALIASES)],
    [".*", Object.keys(ALIASES)],
    ["Edit|Write", ["edit_file", "write_file"]],
    ["Edit, Write", ["edit_file", "write_file"]],
    ["write_file|edit_file", ["edit_file", "write_file"]],
    ["MultiEdit", ["edit_file"]],
    ["Bash", ["run_command"]],
    ["bas", []],
    ["file", []],
    ["_file$", ["edit_file", "write_file"]],
    ["^(Bash|Write)$", ["write_file", "run_command"]],
    ["mcp_.*", ["mcp_github_search"]],
    ["mcp_github_search", ["mcp_github_search"]],
  ];
  test.each(cases)("%j", (matcher, tools) => {
    const fits = toolMatcher(matcher === undefined ? {} : { matcher }, naming);
    expect(Object.keys(ALIASES).filter((tool) => fits(call(tool)))).toEqual(tools);
  });

  test("the name that the model used counts, whoever knows it", () =>
    expect(toolMatcher({ matcher: "odd" }, naming)(call("edit_file", "odd"))).toBe(true));
});

test.each([
  [undefined, "default"],
  ["*", "default"],
  ["write_file|edit_file", "default"],
  ["write_file", "default"],
  ["mcp_.*", "default"],
  ["Edit|Write", "claude"],
  ["Edit|MultiEdit|NotebookEdit", "claude"],
  ["NotebookEdit", "claude"],
  ["^(Bash|Write)$", "claude"],
  ["bash", "opencode"],
  ["write_file|replace", "gemini"],
])("a script with the matcher %j was written for %s", (matcher, name) =>
  expect(dialectOf(matcher === undefined ? {} : { matcher }, naming)).toEqual(naming.dialects[name]),
);

describe("which files a hook is for", () => {
  const touch = (action: string, below: string, scope?: string) =>
    ({ action, place: { shown: below, real: `/w/${below}`, root: "/w", exists: true }, scope, certain: true }) as Touch;
  const cases: [patterns: string[], touches: Touch[], files: string[]][] = [
    [[], [touch("read", "a"), touch("write", "b"), touch("read", "b")], ["b", "a"]],
    [["*.py"], [touch("write", "src/a.py"), touch("write", "b.ts")], ["src/a.py"]],
    [["src/*.py"], [touch("write", "src/x/a.py"), touch("write", "a.py")], ["src/x/a.py"]],
    [["./src/*.py"], [touch("write", "src/a.py")], ["src/a.py"]],
    [["/w/src/**"], [touch("write", "src/a.py")], ["src/a.py"]],
    [["*.PY"], [touch("write", "a.py")], ["a.py"]],
    [["*.py"], [touch("delete", "src", "**"), touch("list", "lib", "**")], ["src"]],
    [["*.py"], [{ action: "run", command: "rm a.py", class: "dangerous", inner: [touch("delete", "a.py")] }], ["a.py"]],
  ];
  test.each(cases)("%j of %j", (filePatterns, touches, files) =>
    expect(
      filesOf({ touches })
        .filter(fileMatcher({ filePatterns }))
        .map(({ place }) => place.shown),
    ).toEqual(files),
  );
});
