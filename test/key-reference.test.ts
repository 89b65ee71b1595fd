import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KEYS } from "../src/config/keys.ts";
import { configJsonSchema, defaultOf } from "../src/config/schema.ts";

const DOCUMENT = "docs/configuration.md";
const BLOCK =
  /(?<=<!-- keys: made from src\/config\/keys by `npm run docs` -->\n\n)[\s\S]*?(?=\n\n<!-- end of keys -->)/;

/** The table of every key, as the rows say it. */
function reference(): string {
  const lines = Object.entries(KEYS).map(([key, row]) => {
    const usual = defaultOf(row);
    const looser = "looser" in row.rule ? row.rule.looser : "";
    return `| \`${key}\` | ${row.kind.accepts} | ${usual === undefined ? "none" : `\`${usual}\``} | ${row.says} | ${looser} |`;
  });
  return ["| key | accepted | default | | looser |", "|---|---|---|---|---|", ...lines].join("\n");
}

test("the document lists every key as its row says it", () => {
  const document = readFileSync(DOCUMENT, "utf8");
  expect(document).toMatch(BLOCK);
  if (process.env.UPDATE_DOCS) writeFileSync(DOCUMENT, document.replace(BLOCK, reference));
  expect(BLOCK.exec(readFileSync(DOCUMENT, "utf8"))?.[0], "run `npm run docs`").toBe(reference());
});

test("editors are told what a key does and what holds without it, in plain words", () => {
  const { properties } = configJsonSchema() as { properties: Record<string, Record<string, unknown>> };
  expect(properties.mode?.description).toBe("Which calls ask a person. Default: confirm-sensitive.");
  const { sandbox, max_memory, env } = (properties.commands as { properties: typeof properties }).properties;
  expect(sandbox?.description).toBe("`auto` uses bubblewrap where it works: see Sandbox. Default: auto.");
  expect(max_memory?.description).toBe("The memory limit of each process in the sandbox: see Sandbox.");
  expect(env?.description).not.toContain("Default");
});
