import type { Claim } from "../core/words/touch.ts";
import { addDestinations } from "./destinations.ts";
import { isKnownField, plainField, withText } from "./fields.ts";
import { isUnknownFolder } from "./folders.ts";
import { addBrought, addFound, addPath, type Below, holdsFound, ITSELF, TREE, unknownOf } from "./path-claims.ts";
import { hasPattern, joined, namesFolder } from "./paths.ts";
import { type Entry, type Given, hasAny, type Into, type Parsed, type Role } from "./programs/program.ts";
import { type Field, isKnown, type Walk } from "./walk.ts";

/** `@file`, `name=@file` and `name@file` are sent from files. */
const addData = (claims: Claim[], field: Field, walk: Walk): void => {
  const file = /(?:^|=)@(.*)$/s.exec(field.text)?.[1];
  if (file !== undefined) addPath(claims, "read", withText(field, file.split(";")[0] as string), walk, ITSELF);
};

/** Brackets and operators of `find`, which are not paths. */
const isGrouping = (text: string): boolean => text.length === 1 && "()!,".includes(text);

/** Git expands quoted patterns too, and pathspecs such as `:/` may mean anything. */
const asPathspec = (field: Field): Field =>
  field.text.startsWith(":") ? withText(field, ".", false) : withText(field, field.text, hasPattern(field.text));

const WRITES_ARCHIVE: ReadonlySet<string> = new Set(["-c", "--create", "-r", "--append", "-u", "--update", "-A"]);

const addDeleted = (claims: Claim[], field: Field, walk: Walk, below: Below, program: Entry): void => {
  const from = claims.length;
  addPath(claims, "delete", field, walk, below);
  // a word that ends in a slash or dots means the link's target and not the link itself
  if (!program.deletesBehindLinks && !namesFolder(field.text)) return;
  for (let index = from; index < claims.length; index++) {
    const claim = claims[index] as Claim;
    if (claim.action === "delete") claim.itself = false;
  }
};

const belowFound = (field: Field): Below => (holdsFound(field) ? TREE : ITSELF);

const addRole = (claims: Claim[], role: Role, field: Field, walk: Walk, program: Entry, parsed: Parsed): void => {
  switch (role) {
    case "text":
      return;
    case "read":
      if (field.found) addFound(claims, role, field.found, walk);
      else addPath(claims, role, field, walk, belowFound(field));
      return;
    case "read-entries": {
      const read: Claim[] = [];
      addRole(read, "read", field, walk, program, parsed);
      for (const claim of read) claims.push(claim.action === "read" ? { brings: "entries", ...claim } : claim);
      return;
    }
    case "list":
      if (field.found) addFound(claims, role, field.found, walk);
      else addPath(claims, role, field, walk, belowFound(field));
      return;
    case "write":
      addPath(claims, role, field, walk, belowFound(field));
      return;
    case "delete":
      addDeleted(claims, field, walk, belowFound(field), program);
      return;
    case "tree":
      addPath(claims, "read", field, walk, program.chooses?.(parsed) ?? TREE);
      return;
    case "list-tree":
      if (!isGrouping(field.text)) addPath(claims, "list", field, walk, TREE);
      return;
    case "write-perhaps":
      addPath(claims, "write", field, walk, belowFound(field), false);
      return;
    case "write-tree":
      addPath(claims, "write", field, walk, TREE);
      return;
    case "unpack":
      addBrought(claims, field, walk, "anything");
      return;
    case "check-out":
      addBrought(claims, asPathspec(field), walk, "tracked");
      return;
    case "delete-tree":
      if (!isGrouping(field.text)) addDeleted(claims, field, walk, TREE, program);
      return;
    case "data":
      addData(claims, field, walk);
      return;
    case "archive":
      addPath(
        claims,
        parsed.options.some(({ name }) => WRITES_ARCHIVE.has(name)) ? "write" : "read",
        field,
        walk,
        belowFound(field),
      );
      return;
    case "url": {
      const method = program.method?.(parsed);
      if (!isKnownField(field)) claims.push({ action: "unknown", permissions: ["network"] });
      else if (method === undefined) claims.push({ action: "fetch", url: field.text });
      else claims.push({ action: "fetch", url: field.text, method });
      return;
    }
    case "signal":
      if (!isKnownField(field)) claims.push({ action: "unknown", permissions: ["execute"] });
      else if (!/^-./.test(field.text)) claims.push({ action: "signal", target: field.text });
  }
};

type Roles = { list: readonly string[]; star: number; repeated: Role };

/** The role of the operand at `index` when there are `count` of them. */
const roleAt = ({ list, star, repeated }: Roles, index: number, count: number): Role => {
  if (star < 0) return (list[index] ?? "text") as Role;
  if (index < star) return list[index] as Role;
  const fromEnd = count - index;
  return fromEnd < list.length - star ? (list[list.length - fromEnd] as Role) : repeated;
};

const hasDestination = (into: Into, given: readonly Given[], count: number): boolean =>
  !(count === 1 && into.alone) && !given.some(({ name }) => into.folder?.includes(name));

const operandRoles = (program: Entry, parsed: Parsed): string => {
  const { options: given, operands } = parsed;
  let roles = program.operands ?? "text*";
  if (program.roles)
    for (const option of given) {
      const changed = program.roles.get(option.name);
      if (changed !== undefined) {
        roles = changed;
        break;
      }
    }
  // with the folder named elsewhere, every operand is a source
  if (program.into && roles.includes("* ") && !hasDestination(program.into, given, operands.length))
    return roles.slice(0, roles.indexOf(" "));
  if (hasAny(parsed, program.patternOptions)) return roles.slice(roles.indexOf(" ") + 1);
  return roles;
};

const read = new Map<string, Roles>();
const rolesIn = (text: string): Roles => {
  let roles = read.get(text);
  if (roles === undefined) {
    const list = text.split(" ");
    const star = list.findIndex((role) => role.endsWith("*"));
    roles = { list, star, repeated: (list[star]?.slice(0, -1) ?? "text") as Role };
    read.set(text, roles);
  }
  return roles;
};

const addAssignments = (claims: Claim[], operands: readonly Field[], walk: Walk): void => {
  for (const operand of operands) {
    const match = /^(if|of)=(.*)$/s.exec(operand.text);
    if (match)
      addPath(claims, match[1] === "of" ? "write" : "read", withText(operand, match[2] as string), walk, ITSELF);
  }
};

type Always = NonNullable<Entry["always"]>;

/** Words that only the running shell knows may name any part of the history. */
const historyOf = (program: Entry, parsed: Parsed): ReturnType<NonNullable<Entry["history"]>> => {
  const asked = program.history?.(parsed) ?? [];
  return asked === "any" || asked.every((words) => words.every(isKnown)) ? asked : "any";
};

/** Somewhere below a folder; the program decides where. */
const addSomewhere = (claims: Claim[], [action, place]: Always, program: Entry, parsed: Parsed, walk: Walk): void => {
  for (const folder of walk.scope.folders)
    if (isUnknownFolder(folder)) claims.push(unknownOf(action));
    else
      for (const scope of program.chooses?.(parsed) ?? TREE) {
        const target = joined(folder, place);
        if (program.tracked?.(parsed)) {
          const history = historyOf(program, parsed);
          const claim = { action, target, scope, certain: false, brings: "tracked" } as const;
          claims.push(history.length > 0 ? { ...claim, history } : claim);
        } else claims.push({ action, target, scope, certain: false });
      }
};

/** What a command line touches, by the roles of its words. */
export const claimsOf = (program: Entry, parsed: Parsed, walk: Walk): Claim[] => {
  const claims: Claim[] = [];
  const { operands, options } = parsed;
  for (const option of options)
    if (option.role !== "text" && option.value !== undefined)
      addRole(claims, option.role, option.value, walk, program, parsed);
  if (operands.length > 0) {
    const roles = operandRoles(program, parsed);
    if (program.style === "assignments") addAssignments(claims, operands, walk);
    else if (roles !== "text*") {
      const list = rolesIn(roles);
      for (let index = 0; index < operands.length; index++) {
        const operand = operands[index] as Field;
        addRole(claims, roleAt(list, index, operands.length), operand, walk, program, parsed);
        // a pattern may stand for the words behind it as well
        if (operand.glob && list.star < 0)
          for (const role of list.list.slice(index + 1)) addRole(claims, role as Role, operand, walk, program, parsed);
      }
    }
  } else if (program.otherwise)
    addRole(claims, program.otherwise[0], plainField(program.otherwise[1]), walk, program, parsed);
  if (
    program.always &&
    (claims.length === 0 || program.class === "dangerous" || (program.operands ?? "text*") === "text*")
  )
    addSomewhere(claims, program.always, program, parsed, walk);
  if (program.more)
    for (const [role, text] of program.more(parsed)) addRole(claims, role, plainField(text), walk, program, parsed);
  if (program.into) addDestinations(claims, program.into, parsed, walk);
  if (program.beyond?.(parsed) !== undefined) claims.push({ action: "unknown", permissions: ["read"] });
  const open = program.vague?.(parsed) ?? program.permissions;
  if (open) claims.push({ action: "unknown", permissions: open.slice() });
  else if (parsed.unknown !== undefined && program.options !== undefined)
    claims.push({ action: "unknown", permissions: ["read", "write", "execute"] });
  return claims;
};
