import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { installing, setupOf, uninstalling, write } from "./install.ts";
import { parseJsonc, plainOf } from "./jsonc.ts";
import { setups } from "./setups.ts";

const COMMAND = "toolgate hook";

function place(client: string) {
  const workspace = mkdtempSync(join(tmpdir(), "toolgate-install-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const about = { client, scope: "project" as const, workspace };
  const [part] = setupOf(client).parts("project", "");
  const file = join(workspace, part!.file);
  mkdirSync(dirname(file), { recursive: true });
  const install = () => installing(about, `${COMMAND} ${client}`).forEach(write);
  const uninstall = () => uninstalling(about).forEach(write);
  return { workspace, file, install, uninstall };
}

/** Clients whose settings are a list of hooks beside other settings. */
const listed = Object.keys(setups).filter((client) => "lists" in setupOf(client).parts("project", "")[0]!);

const ODD: [what: string, text: string][] = [
  ["comments", '{\n  // mine\n  "model": "x", /* and\n  mine */\n  "hooks": {} // none\n}\n'],
  ["commas at the end", '{\n  "model": "x",\n  "hooks": {\n  },\n}\n'],
  ["one line", '{"model":"x","list":[1,2]}'],
  ["tabs", '{\n\t"model": "x",\n\t"env": {\n\t\t"A": "//no comment"\n\t}\n}\n'],
  ["lines that end as on Windows", '{\r\n  "model": "x"\r\n}\r\n'],
  ["a byte order mark", '\uFEFF{\n  "model": "x"\n}\n'],
  ["no line end", '{\n  "model": "x"\n}'],
  ["comments around the hooks", '{\n  "hooks": {} /* none */, // yet\n  "model": "x" // mine\n  , "a": [/* b */]\n}\n'],
  ["a comment alone", "{\n  // nothing yet\n}\n"],
];

describe.each(listed)("%s", (client) => {
  test.each(ODD)("settings with %s get the hook, and are as before afterwards", (_, text) => {
    const { file, install, uninstall } = place(client);
    writeFileSync(file, text);
    install();
    const after = readFileSync(file, "utf8");
    const { hooks, ...rest } = plainOf(parseJsonc(after)) as Record<string, unknown>;
    const { hooks: no, ...was } = plainOf(parseJsonc(text)) as Record<string, unknown>;
    expect(Object.keys(hooks as object).length).toBeGreaterThan(1);
    expect(JSON.stringify(hooks)).toContain(`${COMMAND} ${client}`);
    expect(rest).toEqual(was);
    const comments = text.match(/\/\/ ?\w[^\n"]*|\/\*[\s\S]*?\*\//g) ?? [];
    for (const comment of comments) expect(after).toContain(comment);
    install();
    expect(readFileSync(file, "utf8")).toBe(after);
    uninstall();
    const back = readFileSync(file, "utf8");
    expect((plainOf(parseJsonc(back)) as Record<string, unknown>).hooks ?? {}).toEqual({});
    expect(back).not.toContain(COMMAND);
    for (const comment of comments) expect(back).toContain(comment);
  });

  test("hooks of others stay, in their order, and so does one of ours that others share", () => {
    const { file, install, uninstall } = place(client);
    const [event] = (
      setupOf(client).parts("project", "")[0] as unknown as { lists: { way: string[] }[] }
    ).lists[0]!.way.slice(-1);
    const theirs = [{ command: "mine.sh" }, { matcher: "X", hooks: [{ type: "command", command: "mine2.sh" }] }];
    const shared = { matcher: "Y", hooks: [{ command: `${COMMAND} ${client}` }, { command: "mine3.sh" }] };
    const text = `${JSON.stringify({ hooks: { [event!]: [theirs[0], shared, theirs[1]], Other: [{ command: "o" }] } }, null, 4)}\n`;
    writeFileSync(file, text);
    install();
    const { hooks } = plainOf(parseJsonc(readFileSync(file, "utf8"))) as { hooks: Record<string, unknown[]> };
    expect(hooks[event!]!.slice(0, 3)).toEqual([theirs[0], shared, theirs[1]]);
    expect(hooks[event!]).toHaveLength(4);
    uninstall();
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test.each<[string, string]>([
    ["an empty file", ""],
    ["a list", "[]"],
    ["hooks that are a list", '{ "hooks": [] }'],
    ["hooks that are a text", '{ "hooks": "none" }'],
    ["half of it", '{ "hooks": {'],
    ["two objects", "{} {}"],
  ])("settings that are %s are refused, and stay as they are", (_, text) => {
    const { file, install } = place(client);
    writeFileSync(file, text);
    expect(install).toThrow(SyntaxError);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("a link is followed, and what may read the file stays so", () => {
    const { workspace, file, install, uninstall } = place(client);
    const real = join(workspace, "elsewhere.json");
    writeFileSync(real, '{ "model": "x" }\n');
    chmodSync(real, 0o600);
    symlinkSync(real, file);
    install();
    expect([lstatSync(file).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([true, 0o600]);
    expect(readFileSync(real, "utf8")).toContain(COMMAND);
    uninstall();
    expect([lstatSync(file).isSymbolicLink(), readFileSync(real, "utf8")]).toEqual([true, '{ "model": "x" }\n']);
  });

  test("a link that leads nowhere yet", () => {
    const { workspace, file, install } = place(client);
    symlinkSync(join(workspace, "later.json"), file);
    install();
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(workspace, "later.json"), "utf8")).toContain(COMMAND);
  });
});

describe.each(Object.keys(setups).filter((client) => !listed.includes(client)))("%s", (client) => {
  test("a file of somebody else's is never overwritten, nor removed", () => {
    const { file, install, uninstall } = place(client);
    writeFileSync(file, "theirs");
    expect(install).toThrow("not ours");
    uninstall();
    expect(readFileSync(file, "utf8")).toBe("theirs");
  });

  test("what is ours is written as a whole, and goes as a whole", () => {
    const { workspace, install, uninstall } = place(client);
    install();
    const parts = setupOf(client).parts("project", "");
    for (const { file } of parts) expect(existsSync(join(workspace, file))).toBe(true);
    uninstall();
    for (const { file } of parts) expect(existsSync(join(workspace, file))).toBe(false);
  });
});
