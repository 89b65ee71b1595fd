import type { Claim, Permission } from "../core/touch.ts";
import { isAbsolute, joined, splitAtGlob } from "./paths.ts";
import type { Given, Parsed, Program, Role } from "./programs/program.ts";
import { type Field, isKnown, UNKNOWN, type Walk } from "./walk.ts";

type PathAction = "read" | "list" | "write" | "delete";
const TREES: Partial<Record<Role, PathAction>> = { tree: "read", "write-tree": "write", "delete-tree": "delete" };

const INPUT: readonly string[] = ["-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"];

const unknownOf = (action: PathAction): Claim => ({
  action: "unknown",
  permissions: [action === "read" || action === "list" ? "read" : "write"] satisfies Permission[],
});

/** The claims of one action on one word, seen from every folder the shell may stand in. */
export const pathClaims = (action: PathAction, field: Field, walk: Walk, below = false): Claim[] => {
  const { text } = field;
  if (INPUT.includes(text) || text.startsWith("/dev/fd/")) return [];
  if (!isKnown(text)) return [unknownOf(action)];
  if (text === "") return [];
  const claims: Claim[] = [];
  const { folder, pattern } = field.glob ? splitAtGlob(text) : { folder: text, pattern: "" };
  for (const [place, stand] of walk.scope.folders.entries()) {
    if (stand === UNKNOWN && !isAbsolute(text)) {
      claims.push(unknownOf(action));
      continue;
    }
    const target = joined(stand, folder);
    const certain = place === 0;
    if (pattern !== "") claims.push({ action, target, scope: below ? `${pattern}/**` : pattern, certain: false });
    if (pattern !== "" && !below) continue;
    if (pattern === "" && !(below && action === "read"))
      claims.push(certain ? { action, target } : { action, target, certain });
    if (below && pattern === "") claims.push({ action, target, scope: "**", certain: false });
    if (isAbsolute(text)) break;
  }
  return claims;
};

const signalClaim = (field: Field): Claim =>
  isKnown(field.text) ? { action: "signal", target: field.text } : { action: "unknown", permissions: ["execute"] };

const urlClaim = (field: Field): Claim =>
  isKnown(field.text) ? { action: "fetch", url: field.text } : { action: "unknown", permissions: ["network"] };

const claimsFor = (role: Role, field: Field, walk: Walk): Claim[] => {
  switch (role) {
    case "text":
      return [];
    case "url":
      return [urlClaim(field)];
    case "signal":
      return [signalClaim(field)];
    case "tree":
    case "write-tree":
    case "delete-tree":
      return pathClaims(TREES[role] as PathAction, field, walk, true);
    default:
      return pathClaims(role, field, walk);
  }
};

/** One role for each operand. */
const rolesOf = (roles: string, count: number): Role[] => {
  const list = roles.split(" ");
  const star = list.findIndex((role) => role.endsWith("*"));
  if (star < 0) return Array.from({ length: count }, (_, index) => (list[index] ?? "text") as Role);
  const after = list.slice(star + 1);
  const repeated = list[star]?.slice(0, -1) as Role;
  return Array.from({ length: count }, (_, index) => {
    if (index < star) return list[index] as Role;
    const fromEnd = count - index;
    return (fromEnd <= after.length ? after[after.length - fromEnd] : repeated) as Role;
  });
};

const operandRoles = (program: Program, given: readonly Given[]): string => {
  if (program.roles)
    for (const option of given) {
      const roles = program.roles[option.name];
      if (roles !== undefined) return roles;
    }
  const roles = program.operands ?? "text*";
  if (program.patternOptions && given.some((option) => program.patternOptions?.includes(option.name)))
    return roles.slice(roles.indexOf(" ") + 1);
  return roles;
};

/** What a command line touches, by the roles of its words. */
export const claimsOf = (program: Program, parsed: Parsed, walk: Walk): Claim[] => {
  const claims: Claim[] = [];
  for (const option of parsed.options)
    if (option.role !== "text" && option.value !== undefined)
      claims.push(...claimsFor(option.role, option.value, walk));
  const roles = operandRoles(program, parsed.options);
  const { operands } = parsed;
  if (operands.length === 0) {
    if (program.otherwise)
      claims.push(...claimsFor(program.otherwise[0], { text: program.otherwise[1], literal: true, glob: false }, walk));
  } else if (roles === "text*") {
    // nothing in them is a place
  } else if (roles === "read*" || roles === "list*") {
    for (const operand of operands) claims.push(...claimsFor(roles.slice(0, -1) as Role, operand, walk));
  } else {
    const each = rolesOf(roles, operands.length);
    for (let index = 0; index < operands.length; index++)
      claims.push(...claimsFor(each[index] as Role, operands[index] as Field, walk));
  }
  if (program.permissions) claims.push({ action: "unknown", permissions: [...program.permissions] });
  else if (parsed.unknown !== undefined) claims.push({ action: "unknown", permissions: ["read", "write", "execute"] });
  return claims;
};
