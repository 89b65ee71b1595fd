type Rule = { programs: RegExp; values: readonly RegExp[] };

const QUOTED = `["'][^"'\\n]{1,512}`;
const BARE = `[^\\s"']{1,512}`;
/** What an option takes after it: apart, behind `=`, or attached. */
const after = (options: string, gap: string): RegExp =>
  new RegExp(`((?<![\\w-])(?:${options})${gap})(${QUOTED}|${BARE})`, "g");
const APART = "(?:[ \\t]{1,4}|=)";

/** Programs that take a password on their line, and by which of their options. */
const RULES: readonly Rule[] = [
  {
    programs: /\b(?:curl|wget|https?|xh|aria2c)[ \t]/,
    values: [
      /((?<![\w-])(?:-u|-U|-a|--user|--proxy-user|--auth)[ \t=]{0,4}["'][^:"'\n]{1,128}:)([^"'\n]{1,512})/g,
      /((?<![\w-])(?:-u|-U|-a|--user|--proxy-user|--auth)[ \t=]{0,4}[^\s:"'=]{1,128}:)([^\s"']{1,512})/g,
    ],
  },
  {
    programs: /\b(?:docker|podman|buildah|skopeo|nerdctl|oras|crane|registry|az|oc)[ \t]{1,4}login\b/,
    values: [after("-p", "(?:[ \\t]{1,4}|=)?")],
  },
  { programs: /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb)\b/, values: [after("-p", "")] },
  { programs: /\bsshpass[ \t]/, values: [after("-p", "[ \\t]{0,4}")] },
  { programs: /\bredis-cli[ \t]/, values: [after("-a|--pass", APART)] },
  { programs: /\bldap(?:search|modify|add|delete|whoami)[ \t]/, values: [after("-w", "[ \\t]{0,4}")] },
  { programs: /\b(?:zip|unzip)[ \t]/, values: [after("-P", "[ \\t]{0,4}")] },
  { programs: /\b7z[ar]?[ \t]/, values: [after("-p", "")] },
  { programs: /\bopenssl[ \t]/, values: [/(\bpass:)([^\s"']{1,512})/g] },
];

const VARIABLE = new RegExp(
  `((?<![A-Za-z0-9_])(?:[A-Za-z0-9]{1,32}_){1,6}(?:PASS|PWD|PASSWD|pass|pwd)=)(${QUOTED}|[^\\s"';&|]{1,512})`,
  "g",
);
const ANY_VARIABLE = /_(?:PASS|PWD|pass|pwd)/;
const ANY_PROGRAM = new RegExp(RULES.map(({ programs }) => programs.source).join("|"));
const REFERENCE = /^["']?(?:\$|<|\{\{|\[redacted|\*+["']?$)/;

const hide = (whole: string, before: string, value: string): string => {
  if (REFERENCE.test(value)) return whole;
  const quote = value[0] === '"' || value[0] === "'" ? value[0] : "";
  return `${before}${quote}[redacted password]`;
};

/** Passwords that are given to programs on their command lines, or in variables before them. */
export function redactCommandLines(text: string): string {
  const known = ANY_VARIABLE.test(text) ? text.replace(VARIABLE, hide) : text;
  if (!ANY_PROGRAM.test(known)) return known;
  return known
    .split("\n")
    .map((line) => {
      let result = line;
      for (const { programs, values } of RULES)
        if (programs.test(line)) for (const value of values) result = result.replace(value, hide);
      return result;
    })
    .join("\n");
}
