import { OWN_INPUT } from "./descriptors.ts";
import { plainField } from "./fields.ts";
import { fileFlow } from "./redirects.ts";
import { walkText } from "./texts.ts";
import { doubt, type Field, type Flow, forked, type Walk } from "./walk.ts";

/** Variables that name a file which shells run before anything else. */
const NAMES = ["BASH_ENV", "ENV"];

/** Other files are looked at where the variable is set. */
const DESCRIPTOR = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** `BASH_ENV=/dev/stdin bash -c :`, `export ENV=/dev/fd/3; sh -i 3<x`: what is read there, as far as it is known. */
export const walkStartup = (_fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  const before = walk.scope;
  if (before.variables === undefined) return;
  for (const name of NAMES) {
    for (const value of before.variables.get(name) ?? []) {
      if (!DESCRIPTOR.test(value)) continue;
      // a shell in that file would run the file again
      walk.scope = forked(before);
      walk.scope.variables?.delete(name);
      const flow = OWN_INPUT.test(value) ? stdin : fileFlow(plainField(value), walk);
      if (flow?.fetched) doubt(walk, "it runs text fetched from the network", "blocked");
      else if (flow?.text !== undefined) walkText(flow.text, walk, undefined);
      walk.scope = before;
    }
  }
};
