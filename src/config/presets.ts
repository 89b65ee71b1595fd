import { lineTouch } from "../rules/examples.ts";
import { propose } from "../rules/proposal.ts";

type Command = { readonly command: string; readonly from: string };

export const PRESETS = ["careful", "balanced", "free"] as const;
export type Preset = (typeof PRESETS)[number];

const quoted = (text: string): string => (/^[\w./ -]+$/.test(text) ? text : JSON.stringify(text));

/** An allow rule for a command of the project, with an example that is checked on loading. */
const allowed = ({ command, from }: Command): string => {
  const [rule = `run(${command})`] = propose([lineTouch(command)], "") ?? [];
  return `    - rule: ${JSON.stringify(rule)}\n      reason: ${quoted(`the project's own command, from ${from}`)}\n      match: [${quoted(command)}]`;
};

const ABOUT: Readonly<Record<Preset, string>> = {
  careful: "Every change asks, and a file must be read before it is changed.",
  balanced: "The project's own tests and builds run without asking; other changes ask.",
  free: "Most calls run without asking; what leaves the machine or cannot be undone asks.",
};

const MODE: Readonly<Record<Preset, string>> = {
  careful: "confirm-sensitive",
  balanced: "confirm-sensitive",
  free: "yolo",
};

/** A commented toolgate.yaml to start from. */
export function initialConfig(preset: Preset, commands: readonly Command[]): string {
  const allow = preset === "careful" ? [] : commands.map(allowed);
  return `# Toolgate: what tools may do in this folder. Written by \`toolgate config init\`, preset ${preset}.
# ${ABOUT[preset]}
# \`toolgate config check\` checks this file; \`toolgate explain TOOL …\` shows how a call is judged.
# What loosens anything here counts after \`toolgate config trust\`. Every other key is below, in comments.

# confirm-all asks about every call, confirm-sensitive about those that change something, yolo about none.
mode: ${MODE[preset]}

workspace:
  # Whether delete_file exists. Deletions can be undone.
  allow_delete: ${preset === "free"}
  # Whether a file must be read before it is changed: off, warn or strict.
  write_safety: ${preset === "careful" ? "strict" : "warn"}

commands:
  # Where bubblewrap works, commands run in a sandbox; without a network unless this says otherwise.
  sandbox: ${preset === "careful" ? "required" : "auto"}
  network: false

# One rule for a path holds for file tools and commands alike; deny before ask before allow.
rules:
  allow:${allow.length > 0 ? `\n${allow.join("\n")}` : " []"}
  ask:
    - rule: run(git push *)
      reason: it publishes commits
      match: [git push, git push origin main]
  deny:
    - rule: run(git push --force *)
      reason: it rewrites what others have
      match: [git push --force, git push origin main --force]
      not_match: [git push, git push --force-with-lease]
    - rule: run(git push -f *)
      reason: it rewrites what others have
      match: [git push -f origin main]
    - rule: run(git push * +*)
      reason: it rewrites what others have
      match: [git push origin +main]
      not_match: [git push origin main]
`;
}
