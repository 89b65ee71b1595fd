import { upTo } from "./blanks.ts";
import { DISKS } from "./blocked-disks.ts";
import { knownTextOf, plainField } from "./fields.ts";
import { leavesMost } from "./find-tests.ts";
import { speaking, speakingThroughRunner } from "./own-command-line.ts";
import { fits, normalised } from "./paths.ts";
import { HARMLESS_DEVICES } from "./programs/protected.ts";
import { protectedPlace } from "./protected-places.ts";
import { type Field, SELECTED, type Walk, withoutStandIns } from "./walk.ts";

export type Rule = (words: readonly Field[], walk: Walk) => string | undefined;

/** Words up to `--` that look like options, and all the others. */
const sorted = (words: readonly Field[]): { options: string[]; others: Field[] } => {
  const options: string[] = [];
  const others: Field[] = [];
  let ended = false;
  for (let index = 1; index < words.length; index++) {
    const word = words[index] as Field;
    const text = knownTextOf(word);
    if (!ended && text === "--") ended = true;
    else if (!ended && text.length > 1 && text.startsWith("-")) options.push(text);
    else others.push(word);
  }
  return { options, others };
};

/** Whether the options include one: alone, in a bundle of letters, or abbreviated. */
const holds = (options: readonly string[], letters: RegExp, long: string): boolean =>
  options.some((option) =>
    option.startsWith("--") ? long.startsWith(upTo("=", option).slice(2)) : letters.test(option),
  );

const removing: Rule = (words, walk) => {
  const { options, others } = sorted(words);
  if (options.some((option) => option.startsWith("--no-p"))) return "rm with --no-preserve-root";
  const recursive = holds(options, /[rR]/, "recursive");
  // `xargs` may be given everything that was found in a folder
  return removingAll(recursive ? others : others.filter((word) => word.given), walk);
};

const removingAll = (words: readonly Field[], walk: Walk): string | undefined => {
  for (const word of words) {
    const place = protectedPlace(word, walk);
    if (place !== undefined) return `it deletes ${place} and everything below it`;
  }
  return undefined;
};

/** Programs that remove folders, or overwrite what a pattern names, without any option. */
const erasing: Rule = (words, walk) => removingAll(sorted(words).others, walk);

/** The same for programs whose names are ordinary words; these count only in a text that certainly is a command. */
const erasingByWord: Rule = (words, walk) => (walk.trying > 0 ? undefined : erasing(words, walk));

const erasingThroughRunner: Rule = (words, walk) => {
  const at = words.findIndex(({ text }) => text.startsWith("r") && (text === "rimraf" || text.startsWith("rimraf@")));
  return speakingThroughRunner(words) ?? (at > 0 ? erasing(words.slice(at), walk) : undefined);
};

const isTargetNext = (text: string): boolean => text.startsWith("-") && TARGET_NEXT.test(text);
const TARGET_NEXT = /^(?:-[a-zA-Z]*t|--t[a-z-]*)$/;

/** All but the last word, or all words where an option names the target. */
const moving: Rule = (words, walk) => {
  const { options, others } = sorted(
    words.filter((_, index) => index === 0 || !isTargetNext((words[index - 1] as Field).text)),
  );
  const sources = holds(options, /t/, "target-directory") ? others : others.slice(0, -1);
  for (const source of sources) {
    const place = protectedPlace(source, walk);
    if (place !== undefined) return `it moves ${place} away`;
  }
  return undefined;
};

const mirroring: Rule = (words, walk) => {
  const { options, others } = sorted(words);
  const moved = options.some((option) => option.startsWith("--remove-s")) ? moving(words, walk) : undefined;
  if (moved !== undefined) return moved;
  const target = others.at(-1);
  const place = target && options.some((option) => option.startsWith("--del")) && protectedPlace(target, walk);
  return place ? `it deletes what is in ${place}` : undefined;
};

const SYMBOLIC = /^([ugoa]*)([+=-])([rwxXst]*)$/;

/** Whether a mode lets everybody read, write and run. */
const opensToAll = (mode: string): boolean => {
  if (/^[0-7]+$/.test(mode)) return mode.endsWith("777");
  const held = { u: "", g: "", o: "" };
  for (const clause of mode.split(",")) {
    const match = SYMBOLIC.exec(clause);
    if (!match) return false;
    const [, who = "", sign = "", rights = ""] = match;
    for (const one of ["u", "g", "o"] as const)
      if (who.includes("a") || who.includes(one))
        held[one] = sign === "-" ? "" : (sign === "=" ? "" : held[one]) + rights;
  }
  return Object.values(held).every((rights) => /r/.test(rights) && /w/.test(rights) && /[xX]/.test(rights));
};

/** With these the first word is not a mode or an owner: `--reference=file`, `-x`. */
const MODE_ELSEWHERE = /^(?:--ref|-[rwxXst])/;

const recursively: Rule = (words, walk) => {
  const { options, others } = sorted(words);
  if (!holds(options, /R/, "recursive")) return undefined;
  for (const word of options.some((option) => MODE_ELSEWHERE.test(option)) ? others : others.slice(1)) {
    const place = protectedPlace(word, walk);
    if (place !== undefined) return `it changes the permissions of ${place} and everything below it`;
  }
  return undefined;
};

const modes: Rule = (words, walk) => {
  for (const word of words.slice(1)) {
    const text = knownTextOf(word);
    if (opensToAll(text)) return "chmod lets everybody read, write and execute";
    if (!text.startsWith("-")) break;
  }
  return recursively(words, walk);
};

/** `mkdir -m 777`, `install --mode=a+rwx`. */
const creating: Rule = (words) => {
  for (let index = 1; index < words.length; index++) {
    const text = knownTextOf(words[index] as Field);
    const given = /^(?:-[a-zA-Z]*?m|--m[ode]*=?)(.*)$/.exec(text)?.[1];
    const next = withoutStandIns(words[index + 1]?.text ?? "");
    if (given !== undefined && opensToAll(given === "" ? next : given))
      return "it lets everybody read, write and execute";
    if (text === "--") break;
  }
  return undefined;
};

const copying: Rule = (words) => {
  for (const word of words.slice(1)) {
    if (!word.text.startsWith("of=")) continue;
    const target = normalised(withoutStandIns(word.text.slice(3))).replace(/^(?:\.\.\/){2,}(?=dev\/)/, "/");
    if (target.startsWith("/dev/") && !HARMLESS_DEVICES.has(target) && !target.startsWith("/dev/fd/"))
      return `it writes to ${target} with dd`;
  }
  return undefined;
};

const KILL = /^-{0,2}(?:s|n|signal=?)?(?:9|kill|sigkill)$/i;

const killsHard = (words: readonly Field[]): boolean =>
  words.some((word, index) => {
    const text = knownTextOf(word);
    if (!text.startsWith("-")) return false;
    if (KILL.test(text) || /^-[a-z]*9[a-z]*$/i.test(text)) return true;
    const next = withoutStandIns(words[index + 1]?.text ?? "");
    return /^(?:-[a-z]*[sn]|--si[a-z]*)$/.test(text) && KILL.test(next);
  });

const killingByName: Rule = (words) => (killsHard(words) ? "killall with SIGKILL" : undefined);

const killingByPattern: Rule = (words) =>
  killsHard(words) && holds(sorted(words).options, /f/, "full") ? "pkill -f with SIGKILL" : undefined;

const killing: Rule = (words) => {
  if (!killsHard(words)) return undefined;
  if (words.slice(2).some((word) => word.text === "-1")) return "SIGKILL for every process";
  return words.some((word) => word.text.includes(SELECTED)) ? "SIGKILL for whatever a pattern matches" : undefined;
};

/** `fuser -km /`: everything that uses a file system. */
const killingUsers: Rule = (words, walk) => {
  const { options, others } = sorted(words);
  if (!holds(options, /k/, "kill")) return undefined;
  const wide = holds(options, /[mM]/, "mount") || others.some((word) => protectedPlace(word, walk) !== undefined);
  return wide ? "it kills everything that uses a file system" : undefined;
};

/** `gio trash /`. */
const erasingByVerb: Rule = (words, walk) =>
  /^(?:trash|remove|delete)$/.test(words[1]?.text ?? "") ? erasing(words.slice(1), walk) : undefined;

const AS_ANOTHER = "it runs as another user";
const POWERFUL = /^(?:root|0|wheel|sudo|docker|admin|\+0)$/;

/** `sg root id`, `newgrp root`. */
const inGroup: Rule = (words) => (words.slice(1, 3).some(({ text }) => POWERFUL.test(text)) ? AS_ANOTHER : undefined);

/** `setpriv --reuid 0`, `systemd-run --uid=0`. */
const withUser: Rule = (words) =>
  words.some(({ text }, index) => {
    const [, attached] = USER.exec(text) ?? [];
    return attached !== undefined && POWERFUL.test(attached || (words[index + 1]?.text ?? ""));
  })
    ? AS_ANOTHER
    : undefined;
const USER = /^--(?:reuid|ruid|euid|regid|uid|setuid)=?(.*)$/s;

/** The words given to `git clean`, without its exclusions. */
const cleanedBy = ([, ...words]: readonly Field[]): Field[] =>
  words.filter((_, index) => !/^-(?:\w*e|-exclude)$/.test(words[index - 1]?.text ?? ""));

/** Git discards files below a protected folder: `git -C / clean -fdx`, `cd / && git clean -fdx`. */
const discarding: Rule = (words, walk) => {
  // the first one may be the name of a folder: `git -C rm -C / clean -fdx`
  const verb = words.findIndex(({ text }) => /^(?:clean|reset|checkout|restore|rm)$/.test(text));
  const after = words.slice(verb);
  if (verb < 1 || !after.some(({ text }) => /^-[a-zA-Z]*[fdx]|^--(?:hard|force)/.test(text))) return undefined;
  const named = words.flatMap(({ text }, index): Field[] => {
    if (text === "-C" || text === "--work-tree") return words.slice(index + 1, index + 2);
    return text.startsWith("--work-tree=") ? [plainField(text.slice("--work-tree=".length))] : [];
  });
  const set = walk.scope.variables?.get("GIT_WORK_TREE") ?? [];
  const placed = [...named, ...set.map(plainField)];
  const given = words[verb]?.text === "clean" ? [...placed, ...cleanedBy(after)] : placed;
  const folders = given.every(({ text }) => text.startsWith("-")) ? [plainField(".")] : placed;
  if (after.some(({ text }) => text === "clean")) return removingAll([...folders, ...after], walk);
  const place = folders.map((folder) => protectedPlace(folder, walk)).find((found) => found !== undefined);
  return place === undefined ? undefined : `git would throw away changes in ${place}`;
};

const finding: Rule = (words, walk) => {
  if (!words.some(({ text }) => text === "-delete") || leavesMost(words)) return undefined;
  for (const word of words.slice(1)) {
    if (/^-[HLP]$/.test(word.text)) continue;
    if (/^[-(!]/.test(word.text)) break;
    const place = protectedPlace(word, walk);
    if (place !== undefined) return `find deletes everything below ${place}`;
  }
  return undefined;
};

const always =
  (rule: string): Rule =>
  () =>
    rule;

const formatting = always("it makes a new file system over what is there");

const SHELL_OPTION = /^-[a-z]*[ec]$|^--(?:exec|sh-exec)/;
const connecting: Rule = (words) =>
  words.some((word) => SHELL_OPTION.test(word.text)) ? "a shell that takes its commands from the network" : undefined;

const RUNS = /(?:^|,)(?:exec|system|shell):/i;
const REACHES = /^(?:tcp|udp|sctp|openssl|ssl|vsock|socks)[\w-]*:/i;
const relaying: Rule = (words) =>
  words.some((word) => RUNS.test(word.text)) && words.some((word) => REACHES.test(word.text))
    ? "a shell that takes its commands from the network"
    : undefined;

const named = (rule: Rule, names: string): [string, Rule][] => names.split(" ").map((name) => [name, rule]);

export const RULES: ReadonlyMap<string, Rule> = new Map([
  ...named(removing, "rm"),
  ...named(erasing, "rimraf shred srm trash-put del-cli"),
  ...named(erasingByWord, "wipe trash"),
  ...named(creating, "mkdir install"),
  ...named(moving, "mv"),
  ...named(mirroring, "rsync"),
  ...named(modes, "chmod"),
  ...named(recursively, "chown chgrp"),
  ...named(copying, "dd dcfldd dc3dd"),
  ...named(killingByName, "killall killall5"),
  ...named(killingByPattern, "pkill"),
  ...named(killing, "kill"),
  ...named(finding, "find"),
  ...named(connecting, "nc ncat netcat"),
  ...named(relaying, "socat"),
  ...named(speaking, "toolgate toolgate.js toolgate.ts toolgate.cmd"),
  ...named(speakingThroughRunner, "node nodejs deno tsx ts-node jiti corepack sh bash dash zsh ksh"),
  ...named(erasingThroughRunner, "npx pnpx bunx npm pnpm yarn bun"),
  ...named(
    always(AS_ANOTHER),
    "sudo su doas pkexec sudoedit runuser run0 gksu gksudo kdesu kdesudo sudo-rs sudo.ws gosu su-exec dzdo pfexec pbrun ksu beesu lxsudo calife setuidgid s6-setuidgid",
  ),
  ...named(inGroup, "sg newgrp"),
  ...named(withUser, "setpriv systemd-run"),
  ...named(formatting, "mkfs mke2fs mkdosfs mkntfs mkexfatfs mkudffs mkreiserfs mkswap newfs wipefs blkdiscard"),
  ...named(killingUsers, "fuser"),
  ...named(erasingByVerb, "gio"),
  ...named(discarding, "git"),
  ...DISKS,
]);

/** A name with a pattern in it may be any program that it fits. */
export const blockedByPattern = (pattern: string, words: readonly Field[], walk: Walk): string | undefined => {
  for (const [name, rule] of RULES) {
    const reason = fits(pattern, name) ? rule(words, walk) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
};

export const ruleOf = (program: string): Rule | undefined =>
  RULES.get(program) ?? (program.startsWith("mkfs.") || program.startsWith("newfs_") ? formatting : undefined);

/** Why a command must never run, whatever the mode; `program` is the name without folders. */
export const blockedBy = (program: string, words: readonly Field[], walk: Walk): string | undefined =>
  ruleOf(program)?.(words, walk);
