import { describe, expect, test } from "vitest";
import { codeIn } from "./analyse.ts";

const files = (line: string): string[] => codeIn(line).files.map(({ target }) => target);
const each = (names: string): string[] => names.split(" ");

describe("programs that call git run the hooks of the repository", () => {
  test.each([
    ...each("git-lfs husky lefthook overcommit lint-staged commitlint koji gitmoji"),
    ...each("lerna changeset release-it semantic-release"),
    ...each("bumpp changelogen release-please bump2version bumpver tbump towncrier"),
    ...each("cargo-release release-plz goreleaser svu aider gclient gitlint opencommit oco"),
  ])("%s", (name) => expect(files(name)).toEqual(expect.arrayContaining([".git", ".husky", "lefthook.yml"])));

  test.each([
    "npx husky",
    "npx lerna x",
    "npx @changesets/cli@2",
    "uvx commitizen",
    "python -m bumpver",
    "node node_modules/.bin/lerna",
    "npm version",
    "cargo publish",
    "nx release",
  ])("%s", (line) => expect(files(line)).toContain(".git"));

  test.each(["mytool", "mytool release", "mytool publish", "mytool lerna", "npm test"])("not: %s", (line) =>
    expect(files(line)).not.toContain(".git"),
  );
});
