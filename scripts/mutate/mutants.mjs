// What can be taken away from a source file: one mutant removes or weakens one line, and a test should notice.
import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";

const PREDICATES = new Set(["some", "every", "includes", "has", "startsWith", "endsWith", "test"]);
const COMPARISONS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
/** Lists longer than this are tables of data. */
const LONGEST_LIST = 16;

/**
 * The mutants of a file: `start` and `end` are replaced by `text`; `reach` is the function around it (0: the module).
 */
export function mutantsOf(file, source = readFileSync(file, "utf8")) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  const lineAt = lineNumbers(source);
  const functions = functionsOf(program);
  visit(program, null, (node, parent) => {
    for (const { target = node, text, what, kind, own } of weakened(node, parent, source)) {
      const { start, end } = target;
      if (source.slice(start, end) === text) continue;
      const reach = functions.findLastIndex((each) => each.start <= start && end <= each.end) + 1;
      found.push({ file, line: lineAt(start), start, end, text, what, kind, own, reach });
    }
  });
  return found.map((mutant) => ({ ...mutant, key: keyOf(mutant, source) }));
}

/** Every function of a file, outer ones before those inside. */
export function functionsOf(program) {
  const functions = [];
  visit(program, null, (node) => {
    if (isFunction(node) && node.body) functions.push(node);
  });
  return functions.sort((a, b) => a.start - b.start);
}

const isFunction = ({ type }) =>
  type === "ArrowFunctionExpression" || type === "FunctionDeclaration" || type === "FunctionExpression";

/** What a mutant is known by, wherever its line moves to. */
function keyOf({ start, end, what }, source) {
  const lineStart = source.lastIndexOf("\n", start) + 1;
  const lineEnd = source.indexOf("\n", start);
  const line = source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim();
  const piece = source.slice(start, Math.min(end, start + 80)).split("\n", 1)[0];
  return `${line} | ${piece} | ${what}`;
}

function lineNumbers(source) {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

function visit(node, parent, look) {
  if (node.type?.startsWith("TS") && node.expression === undefined) return;
  look(node, parent);
  for (const key in node) {
    const child = node[key];
    if (key === "type" || key === "typeAnnotation" || key === "returnType" || key === "typeArguments") continue;
    if (Array.isArray(child)) for (const each of child) each?.type && visit(each, node, look);
    else if (child?.type) visit(child, node, look);
  }
}

function weakened(node, parent, source) {
  const textOf = ({ start, end }) => source.slice(start, end);
  const operators = OPERATORS[node.type];
  return operators ? operators(node, parent, textOf) : [];
}

const OPERATORS = {
  IfStatement({ test, alternate }) {
    const never = { target: test, text: "false", what: "the condition never holds" };
    return alternate ? [never, { target: test, text: "true", what: "the condition always holds" }] : [never];
  },
  WhileStatement: ({ test }) => [{ target: test, text: "false", what: "the loop never runs" }],
  LogicalExpression({ left, right, operator }, _, textOf) {
    if (operator === "??") return [];
    return [
      { text: `(${textOf(left)})`, what: `without ${operator} ${shown(textOf(right))}` },
      // a spread of what is falsy spreads nothing, so only the guard in front can be dropped there
      { text: `(${textOf(right)})`, what: `without ${shown(textOf(left))} ${operator}` },
    ];
  },
  ConditionalExpression: ({ consequent, alternate }, _, textOf) => [
    { text: `(${textOf(consequent)})`, what: "always the first" },
    { text: `(${textOf(alternate)})`, what: "always the second" },
  ],
  ExpressionStatement({ expression }, _, textOf) {
    const inner = expression.type === "AwaitExpression" ? expression.argument : expression;
    const call = inner.type === "UnaryExpression" ? inner.argument : inner;
    if (call.type !== "CallExpression" && call.type !== "ChainExpression") return [];
    return callee(call) === "super"
      ? []
      : [{ text: ";", what: `without ${shown(textOf(expression))}`, kind: "statement" }];
  },
  ThrowStatement: (node, _, textOf) => [{ text: ";", what: `without ${shown(textOf(node))}`, kind: "statement" }],
  BinaryExpression({ left, right, operator }, _, textOf) {
    const other = COMPARISONS[operator];
    if (!other) return [];
    return [{ text: `${textOf(left)} ${other} ${textOf(right)}`, what: `${operator} becomes ${other}` }];
  },
  ReturnStatement: ({ argument }) => flipped(argument),
  ArrowFunctionExpression({ body, expression }) {
    if (!expression) return [];
    return isPredicate(body) ? answers(body) : flipped(body);
  },
  CallExpression(node, _, textOf) {
    const { callee: called, arguments: given } = node;
    if (called.type !== "MemberExpression" || called.property.type !== "Identifier") return [];
    const name = called.property.name;
    if (name === "filter" && given.length === 1 && textOf(given[0]) !== "Boolean")
      return [{ text: textOf(called.object), what: `without .filter(${shown(textOf(given[0]))})` }];
    const other = name === "some" ? "every" : name === "every" ? "some" : undefined;
    return other ? [{ target: called.property, text: other, what: `${name} becomes ${other}`, kind: "name" }] : [];
  },
  ArrayExpression({ elements }, _, textOf) {
    if (elements.length === 0 || elements.length > LONGEST_LIST) return [];
    return elements.flatMap((each, index) => {
      if (!each || !(each.type === "SpreadElement" || typeof each.value === "string")) return [];
      const next = elements[index + 1];
      const target = { start: each.start, end: next ? next.start : each.end };
      return [{ target, text: "", what: `without ${shown(textOf(each))}`, kind: "element", own: each.end }];
    });
  },
  TryStatement: ({ finalizer }) =>
    finalizer ? [{ target: finalizer, text: "{}", what: "without finally", kind: "finally" }] : [],
};

const flipped = (node) =>
  typeof node?.value === "boolean" ? [{ target: node, text: String(!node.value), what: `${node.value} flipped` }] : [];

const answers = (node) => [
  { target: node, text: "true", what: "always true" },
  { target: node, text: "false", what: "always false" },
];

const isPredicate = (node) =>
  (node.type === "BinaryExpression" && /^([!=]==|[<>]=?)$/.test(node.operator)) ||
  (node.type === "LogicalExpression" && node.operator !== "??") ||
  (node.type === "UnaryExpression" && node.operator === "!") ||
  (node.type === "CallExpression" && PREDICATES.has(node.callee.property?.name));

const callee = ({ callee: called }) => (called?.type === "Super" ? "super" : undefined);

const shown = (text) => {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
};
