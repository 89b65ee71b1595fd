import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEYS, type KeyRow, settingAt, written } from "../../test/configured.ts";
import { loadConfig } from "./load.ts";
import { ConfigError } from "./problem.ts";
import { configJsonSchema } from "./schema.ts";

let base: string;
let workspace: string;
let userFolder: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-keys-")));
  workspace = join(base, "ws");
  userFolder = join(base, "user");
  mkdirSync(workspace);
  mkdirSync(userFolder);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** What holds with these two files, of which a person wrote the first; JSON is YAML. */
async function load(users: object | undefined, own: object | undefined, { accepted = false } = {}) {
  rmSync(join(userFolder, "toolgate.yaml"), { force: true });
  if (users) writeFileSync(join(userFolder, "toolgate.yaml"), JSON.stringify(users));
  if (accepted && own) return loadConfig({ workspace, userFolder, config: own });
  if (own) writeFileSync(join(workspace, "toolgate.yaml"), JSON.stringify(own));
  return loadConfig({ workspace, userFolder });
}

type Schema = { properties?: Record<string, Schema> };
const keysOf = (schema: Schema, prefix = ""): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${prefix}${name}`;
    // a mapping that is one key is set as a whole
    return inner.properties && !Object.hasOwn(KEYS, key) ? keysOf(inner, `${key}.`) : [key];
  });

test("no key is missing here", () => {
  expect(Object.keys(KEYS).sort()).toEqual(keysOf(configJsonSchema() as Schema).sort());
});

describe.each(Object.entries(KEYS))("%s", (key, row: KeyRow) => {
  const users = row.start === undefined ? undefined : written(key, row.start);

  test("the person's own file counts whole", async () => {
    const { settings, notes } = await load(users, undefined);
    expect(settingAt(settings, row.at)).toEqual(row.holds);
    expect(notes).toEqual([]);
    const alone = await load(undefined, undefined);
    for (const [wish, accepted] of [...row.stricter, ...row.looser]) {
      const wished = await load(written(key, wish), undefined);
      expect(wished.notes).toEqual([]);
      // with nothing before it, what is joined with it is the default
      if (typeof accepted !== "object" && row.looser.every(([, holds]) => holds !== row.holds))
        expect(settingAt(wished.settings, row.at)).toEqual(accepted);
      const { [row.at.split(".")[0] as string]: _, ...others } = wished.settings as Record<string, unknown>;
      expect(alone.settings, "nothing else moves").toMatchObject(others);
    }
  });

  test.each(row.stricter)("%j restricts at once", async (wish, holds) => {
    const { settings, notes } = await load(users, written(key, wish));
    expect(settingAt(settings, row.at)).toEqual(holds);
    expect(notes).toEqual([]);
  });

  test.each(row.looser)("%j counts only once it was accepted", async (wish, accepted) => {
    const before = await load(users, written(key, wish));
    expect(settingAt(before.settings, row.at)).toEqual(row.narrowed?.(wish) ?? row.holds);
    expect(before.notes).toHaveLength(1);
    expect(before.notes[0]).toContain(`is not trusted, so these settings are ignored: ${key}: `);
    expect(before.notes[0]).toContain("toolgate config trust");
    const after = await load(users, written(key, wish), { accepted: true });
    expect(settingAt(after.settings, row.at)).toEqual(accepted);
    expect(after.notes).toEqual([]);
  });

  test("what is spelled oddly is refused, with what would be accepted", async () => {
    for (const value of [...row.odd, ...(row.orNull ? [] : [null])]) {
      const wrong = await refused(written(key, value));
      expect(wrong.problems[0]?.message, JSON.stringify(value)).toMatch(
        new RegExp(`^${key.replace(".", "\\.")}(\\.[^:]*)?: got .*; accepted: .`),
      );
    }
    for (const other of [key.toUpperCase(), `${key}s`, `${key.replaceAll("_", "-")}-`, ` ${key}`])
      expect((await refused(written(other, row.stricter[0]?.[0]))).message, other).toContain("unknown key");
  });
});

async function refused(config: object): Promise<ConfigError> {
  const wrong = await loadConfig({ workspace: tmpdir(), userFolder: join(tmpdir(), "nowhere"), config }).catch(
    (error) => error,
  );
  expect(wrong, JSON.stringify(config)).toBeInstanceOf(ConfigError);
  return wrong as ConfigError;
}
