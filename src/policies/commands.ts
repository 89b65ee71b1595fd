import type { Policy } from "../core/contracts/policy.ts";
import { isWithinAny } from "../core/words/containment.ts";
import {
  type CommandReading,
  eachTouch,
  isPathTouch,
  type PathTouch,
  type RunTouch,
  type Touch,
} from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { allowlistProblem } from "../shell/allowlist.ts";

export type CommandSettings = {
  enabled: boolean;
  blockedPatterns: readonly string[];
  /** Matches patterns that anybody may have written, within a time limit. */
  tryPatterns(patterns: readonly string[]): (text: string) => { pattern: string } | "too long" | undefined;
  allowedOnly: boolean;
  allowlist?: readonly string[] | undefined;
  workspaceOnly: boolean;
  allowedCommands?: readonly string[] | undefined;
  blockHighRisk: boolean;
  approveMediumRisk: boolean;
  /** Where commands may write besides the workspace. */
  tempFolders: readonly string[];
};

/** A command that nobody read may be anything. */
const UNREAD: CommandReading = {
  risk: "high",
  reason: "nobody read it",
  parsed: false,
  uses: { newline: true, backticks: true, substitution: true },
  segments: [],
};

/** One verdict with the first reason. An answer must cover all touches that are asked about. */
const asOne = (asks: readonly Verdict[]): Verdict | undefined =>
  asks.length > 1 ? { ...(asks[0] as Verdict), about: asks.flatMap(({ about = [] }) => about) } : asks[0];

/** Refuses commands, or asks about them, for more than their class, which is up to the mode. */
export function commands(settings: CommandSettings): Policy {
  const blocked = settings.tryPatterns(settings.blockedPatterns);
  const deny = (reason: string): Verdict => ({ answer: "deny", by: "commands", reason });
  const ask = (reason: string, touch: Touch): Verdict => ({
    answer: "ask",
    by: "commands",
    reason,
    grantable: true,
    about: [touch],
  });

  function refusal({ command, class: kind }: RunTouch, reading: CommandReading): string | undefined {
    if (!settings.enabled) return "commands are switched off (commands.enabled)";
    if (kind === "blocked") return `it is blocked in every mode: ${reading.reason}`;
    const fit = blocked(command);
    if (fit === "too long") return "it takes too long to match against commands.blocked_patterns";
    if (fit) return `it matches commands.blocked_patterns (${fit.pattern})`;
    if (settings.allowedOnly && kind === "dangerous")
      return `it is dangerous (${reading.reason}) and commands.allowed_only lets through only what is classed as safe or dev`;
    const unlisted = settings.allowlist && allowlistProblem(reading, settings.allowlist);
    if (unlisted) return `${unlisted} (commands.allowlist)`;
    const { allowedCommands } = settings;
    const listed = allowedCommands && !allowedCommands.includes("*") ? allowedCommands : undefined;
    if (listed && !reading.parsed) return "its programs cannot be determined, and security.allowed_commands is set";
    const program = listed && reading.segments.find((each) => !each.program || !listed.includes(each.program));
    if (program) return `${program.program ?? program.text} is not among security.allowed_commands`;
    if (settings.blockHighRisk && reading.risk === "high")
      return `its risk is high (${reading.reason}) and security.block_high_risk_commands is set`;
    return undefined;
  }

  function outside(touch: PathTouch): Verdict | undefined {
    if (touch.place.root !== "") return undefined;
    const { real, shown } = touch.place;
    if (touch.action === "write" || touch.action === "delete")
      return isWithinAny(real, settings.tempFolders)
        ? undefined
        : deny(`it would ${touch.action} ${shown}, outside the workspace`);
    return settings.workspaceOnly
      ? deny(`it would ${touch.action} ${shown}, outside the workspace (security.workspace_only)`)
      : ask(`it would ${touch.action} ${shown}, outside the workspace`, touch);
  }

  return {
    name: "commands",
    speaksOf: ["run"],
    judge({ touches }, { ceiling }) {
      const asks: Verdict[] = [];
      for (const touch of eachTouch(touches)) {
        if (touch.action !== "run") continue;
        const reading = touch.reading ?? UNREAD;
        const no = refusal(touch, reading);
        if (no) return deny(no);
        if (touch.exposed !== undefined && ceiling.mode !== "yolo") asks.push(ask(touch.exposed, touch));
        for (const inner of touch.inner) {
          const verdict = isPathTouch(inner) ? outside(inner) : undefined;
          if (verdict?.answer === "deny") return verdict;
          if (verdict && ceiling.mode !== "yolo") asks.push(verdict);
        }
        if (
          ceiling.autonomy === "supervised" &&
          (reading.risk === "high" || (reading.risk === "medium" && settings.approveMediumRisk))
        )
          asks.push(ask(`its risk is ${reading.risk} and autonomy is supervised`, touch));
      }
      return asOne(asks);
    },
  };
}
