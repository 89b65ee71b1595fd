import type { Step } from "../core/contracts/step.ts";
import type { Bytes } from "../core/contracts/workspace.ts";
import type { Ready } from "../core/words/ready.ts";
import { decode } from "../text/decode.ts";
import { newProblems, type SyntaxProblem, tellProblems } from "../text/syntax.ts";

type Check = (text: string) => Promise<SyntaxProblem[]>;
const MOST_FILES = 200;

/** Reports the syntax errors that a change introduced, and no others. A checker that fails reports nothing. */
export function syntaxCheck(checkFor: (file: string) => Check | undefined): Step {
  const known = new Map<string, { text: string; problems: SyntaxProblem[] }>();

  /** Caches the last parse of each file. */
  async function problemsOf(real: string, content: Bytes | null): Promise<SyntaxProblem[]> {
    const check = checkFor(real);
    const text = check && content ? decode(content)?.text : undefined;
    if (!check || text === undefined) return [];
    const last = known.get(real);
    if (last?.text === text) return last.problems;
    const problems = await check(text);
    known.delete(real);
    known.set(real, { text, problems });
    if (known.size > MOST_FILES) known.delete(known.keys().next().value as string);
    return problems;
  }

  async function brought({ changes }: Ready): Promise<{ file: string; problems: SyntaxProblem[] }[]> {
    const found = [];
    for (const { place, before, after } of changes) {
      const now = after === null ? [] : await problemsOf(place.real, after);
      if (now.length === 0) continue;
      const problems = newProblems(await problemsOf(place.real, before), now);
      if (problems.length > 0) found.push({ file: place.shown, problems });
    }
    return found;
  }

  return {
    name: "syntax-check",
    applies: ({ changes }) => changes.length > 0,
    async around({ ready }, next) {
      const result = await next();
      if (!result.success) return result;
      const found = await brought(ready).catch(() => []);
      if (found.length === 0) return result;
      const told = found.map(({ file, problems }) => tellProblems(file, problems));
      return {
        ...result,
        output: [result.output, ...told].join("\n\n"),
        metadata: { ...result.metadata, syntax: found },
      };
    },
  };
}
