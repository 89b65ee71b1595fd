import { forEachChild, type SyntaxNode, type Word } from "unbash";
import type { Claim } from "../core/words/touch.ts";
import { withText } from "./fields.ts";
import { pathClaims } from "./path-claims.ts";
import { assignMaybe, type Walk } from "./walk.ts";
import { fieldsOf } from "./words.ts";

/** Operators of `[[ … ]]` for files and texts. Those for numbers are left out: arithmetic runs code held in variables. */
const OF_FILES = /^(?:-[defghkprstuwxLNOSG]|-nt|-ot|-ef)$/;
const OF_TEXTS = /^(?:-[nz]|=|==|!=|<|>|=~)$/;

/** Whether a test only compares texts and looks at files that are known in advance. */
export const isPlainTest = (node: SyntaxNode, walk: Walk): boolean => {
  if (node.type === "TestUnary") return isPlain(node.operator, [node.operand], walk);
  if (node.type === "TestBinary") return isPlain(node.operator, [node.left, node.right], walk);
  if (node.type === "TestLogical") return node.operands.every((operand) => isPlainTest(operand, walk));
  if (node.type === "TestNot") return isPlainTest(node.operand, walk);
  return node.type === "TestGroup" && isPlainTest(node.expression, walk);
};

/** `[[ text =~ pattern ]]`: what fitted is some part of the text, or all of it. */
export const noteMatch = (node: SyntaxNode, walk: Walk): void => {
  if (node.type === "TestBinary" && node.operator === "=~") {
    const text = fieldsOf(node.left, walk)[0]?.text ?? "";
    for (const name of ["BASH_REMATCH", "BASH_REMATCH[0]", "BASH_REMATCH[1]"]) assignMaybe(walk, name, text);
  } else forEachChild(node, (child) => noteMatch(child, walk));
};

const FILE_TESTS = /^-[abcdefghkprsuwxLNOSG]$|^-(?:nt|ot|ef)$/;

/** The files that a test asks about. */
export const testedFiles = (node: SyntaxNode, walk: Walk): Claim[] => {
  const listed = (word: Word) =>
    fieldsOf(word, walk).flatMap((field) => pathClaims("list", withText(field, field.text, false), walk));
  if (node.type === "TestUnary") return FILE_TESTS.test(node.operator) ? listed(node.operand) : [];
  if (node.type === "TestBinary")
    return FILE_TESTS.test(node.operator) ? [...listed(node.left), ...listed(node.right)] : [];
  if (node.type === "TestLogical") return node.operands.flatMap((operand) => testedFiles(operand, walk));
  if (node.type === "TestNot") return testedFiles(node.operand, walk);
  return node.type === "TestGroup" ? testedFiles(node.expression, walk) : [];
};

const isPlain = (operator: string, words: readonly Word[], walk: Walk): boolean => {
  const fields = words.flatMap((word) => fieldsOf(word, walk));
  return OF_TEXTS.test(operator) || (OF_FILES.test(operator) && fields.every(({ worked }) => worked));
};
