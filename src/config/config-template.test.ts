import { expect, test } from "vitest";
import { configTemplate } from "./config-template.ts";
import { KEYS } from "./keys.ts";
import { parseConfig } from "./parse.ts";

const uncommented = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/^#(?! [^ ])/, ""))
    .join("\n");

test("as it is written it sets nothing", () => {
  expect(parseConfig(configTemplate(), "t")).toHaveProperty("config", {});
});

test("every setting is in it once, and what has a default is right when its # is taken away", () => {
  const template = configTemplate();
  for (const [key, { to }] of Object.entries(KEYS)) {
    const name = key.split(".").at(-1);
    const isSecond = Object.values(KEYS).findIndex((row) => row.to === to) !== Object.keys(KEYS).indexOf(key);
    if (!isSecond) expect(template, key).toMatch(new RegExp(`^#?(?:  )?${name}: `, "m"));
  }
  const whole = uncommented(template).replace(/^\w+:\n(?=(?: {2}#.*\n {2}\w+: …\n)+(?:\n|$))/gm, "");
  const checked = parseConfig(
    whole
      .split("\n")
      .filter((line) => !line.includes("…"))
      .join("\n"),
    "t",
  );
  expect("problems" in checked ? checked.problems : []).toEqual([]);
});

test("a setting with two keys is told once, and what is empty is written so", () => {
  const template = configTemplate();
  expect(template).toContain("#  forbidden_paths: []");
  expect(template.match(/forbidden_paths: /g)).toHaveLength(1);
  expect(template).not.toMatch(/^# {2}post_edit: /m);
  expect(template).toContain("#agents: {}");
  expect(template).toContain("#mode: confirm-sensitive");
});
