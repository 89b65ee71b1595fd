import type { Reading } from "../../../core/words/tool.ts";

export type Readings = Readonly<Record<string, Reading>>;

/** For arguments that change nothing about the run. */
export const noEffect: Reading = () => ({});

export const refuse =
  (why: string): Reading =>
  () =>
    why;

/** Accepts the values that describe what happens anyway, and refuses all others. */
export const onlyAs =
  (usual: readonly unknown[], why: string): Reading =>
  (value) =>
    usual.includes(value) ? {} : why;

/** The same argument under another name, converted by `made`. */
export const as =
  (name: string, made: (value: unknown) => unknown = (value) => value): Reading =>
  (value) => ({ [name]: made(value) });

/** A whole number, or a string of digits; undefined for anything else. */
export const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
};

/** Lists and objects sometimes arrive as JSON text. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

export const textsIn = (value: unknown): string[] | undefined => {
  const list = unpacked(value);
  if (typeof list === "string") return [list];
  return Array.isArray(list) && list.every((each) => typeof each === "string") ? list : undefined;
};

/** For a list argument of which only one entry can be used. */
export const single =
  (name: string, hint: string): Reading =>
  (value) => {
    const texts = textsIn(value);
    if (!texts) return "it must be a list of strings";
    if (texts.length > 1) return hint;
    return texts.length === 1 ? { [name]: texts[0] } : {};
  };

export const yes = (value: unknown): boolean => value === true || value === "true" || value === 1 || value === "1";

/** What models say about a call, besides what it does. */
export const COMMENTS: Readings = {
  description: noEffect,
  explanation: noEffect,
  instruction: noEffect,
  instructions: noEffect,
  justification: noEffect,
  reason: noEffect,
  thought: noEffect,
};
