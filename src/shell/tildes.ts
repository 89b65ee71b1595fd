import { standsCertainly } from "./expansions.ts";
import { standing } from "./values.ts";
import { UNKNOWN, type Walk } from "./walk.ts";

/** A quoted tilde is a name, never the home folder. */
export const guarded = (text: string): string => (text.startsWith("~") ? `./${text}` : text);

/** The folder that a tilde at the start of a word stands for. */
export const tilde = (text: string, walk: Walk): string => {
  const slash = text.indexOf("/");
  const name = slash < 0 ? text.slice(1) : text.slice(1, slash);
  const rest = slash < 0 ? "" : text.slice(slash);
  if (name === "") return (walk.home ?? "~") + rest;
  if (name === "+") return standing(walk) + rest;
  if (name === "root") return `/root${rest}`;
  return name === "-" ? UNKNOWN + rest : text;
};

/** Whether it is the home folder, or the folder that the shell is certainly in. */
export const isOwnPlace = (text: string, walk: Walk): boolean =>
  /^~(?:\/|$)/.test(text) || (/^~\+(?:\/|$)/.test(text) && standsCertainly(walk));
