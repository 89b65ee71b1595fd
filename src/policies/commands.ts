import type { Policy, Verdict } from "../core/judge.ts";
import { eachTouch, isPathTouch, type PathTouch, type Touch } from "../core/touch.ts";
import { allowlistProblem } from "../shell/allowlist.ts";
import { type Analysis, analyse } from "../shell/analyse.ts";

export type CommandSettings = {
  enabled: boolean;
  blockedPatterns: readonly string[];
  safeCommands: readonly string[];
  allowedOnly: boolean;
  allowlist: readonly string[] | undefined;
  workspaceOnly: boolean;
  allowedCommands: readonly string[] | undefined;
  blockHighRisk: boolean;
  approveMediumRisk: boolean;
  /** Where commands may write beside the workspace. */
  tempFolders: readonly string[];
  home: string;
};

type RunTouch = Extract<Touch, { action: "run" }>;

/** What a command line may do. Its class alone is the mode's business; here are the refusals and the extra questions. */
export function commands(settings: CommandSettings): Policy {
  const blocked = settings.blockedPatterns.map((pattern) => ({ pattern, matcher: new RegExp(pattern, "i") }));
  const deny = (reason: string): Verdict => ({ answer: "deny", by: "commands", reason });
  const ask = (reason: string): Verdict => ({ answer: "ask", by: "commands", reason, grantable: true });

  function refusal({ command, class: kind }: RunTouch, analysis: Analysis): string | undefined {
    if (!settings.enabled) return "commands are switched off (commands.enabled)";
    if (kind === "blocked") return `it is blocked in every mode: ${analysis.reason}`;
    const pattern = blocked.find(({ matcher }) => matcher.test(command));
    if (pattern) return `it matches commands.blocked_patterns (${pattern.pattern})`;
    if (settings.allowedOnly && kind === "dangerous")
      return `it is dangerous (${analysis.reason}) and commands.allowed_only lets through only what is classed as safe or dev`;
    const unlisted = settings.allowlist && allowlistProblem(analysis, settings.allowlist);
    if (unlisted) return `${unlisted} (commands.allowlist)`;
    const { allowedCommands } = settings;
    const program =
      allowedCommands &&
      !allowedCommands.includes("*") &&
      analysis.segments.find((each) => !allowedCommands.includes(each.program ?? ""));
    if (program) return `${program.program ?? program.text} is not among security.allowed_commands`;
    if (settings.blockHighRisk && analysis.risk === "high")
      return `its risk is high (${analysis.reason}) and security.block_high_risk_commands is set`;
    return undefined;
  }

  function outside(touch: PathTouch): Verdict | undefined {
    if (touch.place.root !== "") return undefined;
    const { real, shown } = touch.place;
    if (touch.action === "write" || touch.action === "delete")
      return settings.tempFolders.some((folder) => real === folder || real.startsWith(`${folder}/`))
        ? undefined
        : deny(`it would ${touch.action} ${shown}, outside the workspace`);
    return settings.workspaceOnly
      ? deny(`it would ${touch.action} ${shown}, outside the workspace (security.workspace_only)`)
      : ask(`it would ${touch.action} ${shown}, outside the workspace`);
  }

  return {
    name: "commands",
    judge({ touches }, { ceiling }) {
      let softest: Verdict | undefined;
      for (const touch of touches) {
        if (touch.action !== "run") continue;
        const analysis = analyse(touch.command, { safeCommands: settings.safeCommands, home: settings.home });
        const no = refusal(touch, analysis);
        if (no) return deny(no);
        for (const inner of eachTouch(touch.inner)) {
          const verdict = isPathTouch(inner) ? outside(inner) : undefined;
          if (verdict?.answer === "deny") return verdict;
          if (verdict && ceiling.mode !== "yolo") softest ??= verdict;
        }
        if (
          ceiling.autonomy === "supervised" &&
          (analysis.risk === "high" || (analysis.risk === "medium" && settings.approveMediumRisk))
        )
          softest ??= ask(`its risk is ${analysis.risk} and autonomy is supervised`);
      }
      return softest;
    },
  };
}
