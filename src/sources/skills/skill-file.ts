import type { Skill, SkillTool } from "../../core/words/skill.ts";
import { nearest } from "../../text/nearest.ts";
import { type Finding, type FrontMatter, frontMatter } from "../lib/front-matter.ts";
import { type Say, shown } from "./say.ts";
import { skillTools } from "./skill-tools.ts";

/** `grave`: it violates the format, or something is left out because of it. Others are advice. */
export type Defect = Finding & { readonly grave: boolean };
/** What a skill refers to: a file in its folder, or a tool name that must be free. */
export type Mention = { readonly line: number; readonly grave: boolean } & (
  | { readonly file: string }
  | { readonly tool: string }
);
export type ReadSkill = {
  readonly skill?: Pick<Skill, "name" | "description" | "tools" | "unlisted">;
  readonly mentions: readonly Mention[];
  readonly defects: readonly Defect[];
};

const LONGEST = { name: 64, description: 1024, compatibility: 500 };
const MOST_LINES = 500;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** The fields of the format, and those of other clients that change nothing here. */
const KNOWN = [
  ...["name", "description", "license", "compatibility", "metadata", "allowed-tools", "tools"],
  ...["disable-model-invocation"],
];

/** Reads the text of a SKILL.md in a folder of this name. Nothing in it is run. */
export function readSkill(text: string, folder: string): ReadSkill {
  const read = frontMatter(text);
  if ("problems" in read)
    return { mentions: [], defects: read.problems.map((problem) => ({ ...problem, grave: true })) };
  const defects: Defect[] = read.mended.map((each) => ({ ...each, grave: false }));
  const say = (grave: boolean, message: string, ...path: (string | number)[]): void =>
    void defects.push({ line: path.length > 0 ? read.lineOf(...path) : 1, message, grave });
  const name = nameOf(read, folder, say);
  const description = descriptionOf(read, say);
  checkOthers(read, say);
  const tools = skillTools(read.fields.tools, say);
  const body = read.body;
  if (body === "")
    defects.push({ line: read.bodyLine, message: "it has no instructions below its front matter", grave: false });
  const lines = body.split("\n").length;
  if (lines > MOST_LINES)
    defects.push({
      line: read.bodyLine,
      message: `its instructions have ${lines} lines; with more than ${MOST_LINES}, put details into files of their own`,
      grave: false,
    });
  defects.sort((a, b) => a.line - b.line);
  const mentions = mentionsIn(read, tools);
  if (name === undefined || description === undefined) return { mentions, defects };
  return { skill: { name, description, tools, ...unlisted(read) }, mentions, defects };
}

function nameOf({ fields }: FrontMatter, folder: string, say: Say): string | undefined {
  const { name } = fields;
  if (name === undefined || name === null) say(true, "name is required");
  else if (typeof name !== "string" || name.length > LONGEST.name || !NAME.test(name))
    say(
      true,
      `name must be 1 to ${LONGEST.name} of a-z, 0-9 and single hyphens between them, not ${shown(name)}`,
      "name",
    );
  else if (name !== folder) say(true, `name is ${name} and its folder ${shown(folder)}; they must be the same`, "name");
  else return name;
  return undefined;
}

function descriptionOf({ fields }: FrontMatter, say: Say): string | undefined {
  const { description } = fields;
  if (typeof description !== "string" || description.trim() === "") {
    say(true, "description is required (a text: what the skill does, and when to use it)", "description");
    return undefined;
  }
  if (description.length > LONGEST.description)
    say(
      true,
      `description has ${description.length} characters; at most ${LONGEST.description} are read`,
      "description",
    );
  return description.trim().slice(0, LONGEST.description);
}

function checkOthers({ fields }: FrontMatter, say: Say): void {
  const { compatibility, metadata, "allowed-tools": allowed } = fields;
  if (
    compatibility !== undefined &&
    (typeof compatibility !== "string" || compatibility.length > LONGEST.compatibility)
  )
    say(true, `compatibility must be a text of at most ${LONGEST.compatibility} characters`, "compatibility");
  if (fields.license !== undefined && typeof fields.license !== "string")
    say(true, "license must be a text", "license");
  if (metadata !== undefined && !isTextMap(metadata)) say(true, "metadata must be a map of names to texts", "metadata");
  if (allowed !== undefined && typeof allowed !== "string" && !isTextList(allowed))
    say(true, "allowed-tools must be names of tools, separated by blanks", "allowed-tools");
  for (const key of Object.keys(fields)) {
    const [near] = KNOWN.includes(key) ? [] : nearest(key, KNOWN, 1);
    if (near) say(false, `${key} means nothing here; did you mean ${near}?`, key);
  }
}

/** A link to a file of the skill itself: not a URL, an anchor or an absolute path. */
const LINK = /\]\(<?((?![a-z][\w+.-]*:|[#/])[^\s()<>#?]+)/gi;
const SCRIPT = /\$\{?SKILL_DIR\}?["']?\/([\w./-]+)/g;

function mentionsIn({ fields, lineOf, body, bodyLine }: FrontMatter, tools: readonly SkillTool[]): Mention[] {
  const written = Array.isArray(fields.tools) ? (fields.tools as readonly { name?: unknown }[]) : [];
  const ofTools = tools.flatMap(({ name, cmd }): Mention[] => {
    const at = ["tools", written.findIndex((each) => each?.name === name)] as const;
    const scripts = [...cmd.matchAll(SCRIPT)].map(([, file = ""]) => ({
      line: lineOf(...at, "cmd"),
      file,
      grave: true,
    }));
    return [{ line: lineOf(...at, "name"), tool: name, grave: true }, ...scripts];
  });
  const links = body
    .split("\n")
    .flatMap((text, index) =>
      [...text.matchAll(LINK)].map(([, file = ""]) => ({ line: bodyLine + index, file, grave: false })),
    );
  return [...ofTools, ...links];
}

const unlisted = ({ fields }: FrontMatter) => (fields["disable-model-invocation"] === true ? { unlisted: true } : {});

const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === "string");
const isTextMap = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isTextList(Object.values(value));
