import { plainField, withText } from "./fields.ts";
import { nameOf } from "./paths.ts";
import { recipesOf } from "./recipe-files.ts";
import { recipesIn } from "./recipes-and-containers.ts";
import { blockedCommand, blockedWithin, WORTH } from "./tried.ts";
import { type Field, LIMITS, type Walk } from "./walk.ts";
import { writtenText } from "./written-files.ts";

const RECIPES = /^(?:(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|[Tt]askfile(?:\.dist)?\.ya?ml|Procfile|package\.json|.*\.mk)$/;
const MAKES = /^[bgp]?make$/;
const COMMENT = /^[ \t]*#.*$/gm;
const SCRIPT = /"[\w:.-]{1,80}"\s{0,8}:\s{0,8}"((?:[^"\\]|\\.){1,500})"/g;

/** Why a program must not run: a file that it takes its commands from, and that this line has written. */
export const blockedInWritten = (name: string, fields: readonly Field[], walk: Walk): string | undefined => {
  if (walk.trying > 0) return undefined;
  const makes = MAKES.test(name);
  const named = makes
    ? fields.slice(1).map(bareFile)
    : fields.slice(1).filter(({ text }) => RECIPES.test(nameOf(text)));
  const looked = recipesOf(name, fields).filter(({ file }) => RECIPES.test(file));
  for (const field of [...named, ...looked.map(({ file }) => plainField(file))]) {
    const text = writtenText(field, walk)?.slice(0, LIMITS.value) ?? "";
    const reason = WORTH.test(text) ? blockedRecipe(makes ? "Makefile" : nameOf(field.text), text, walk) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
};

/** `-fx`, `--file=x`: the file alone. */
const bareFile = (field: Field): Field => withText(field, field.text.replace(/^(?:-f|--(?:make)?file=)/, ""));

const blockedRecipe = (file: string, text: string, walk: Walk): string | undefined => {
  if (!file.endsWith("akefile") && !file.endsWith(".mk") && file !== "package.json")
    return blockedWithin(text.replace(COMMENT, ""), walk, true);
  const commands =
    file === "package.json"
      ? [...text.matchAll(SCRIPT)].map(([, script = ""]) => script.replaceAll("\\n", "\n").replaceAll("\\", ""))
      : recipesIn(text);
  for (const command of commands) {
    const reason = blockedCommand(command, walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
};
