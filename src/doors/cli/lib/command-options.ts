import { MODES } from "../../../core/words/ceiling.ts";
import { agentCommands } from "./agent-options.ts";
import { mcpHelp } from "./mcp-options.ts";
import { type CommandHelp, type Option, yes } from "./option.ts";

export const everywhere: Readonly<Record<string, Option>> = {
  workspace: { value: "DIR", about: "the folder that calls may touch (default: this one)" },
  config: { value: "FILE", about: "this configuration instead of the workspace's toolgate.yaml" },
  mode: { value: "MODE", choices: MODES, about: `what is asked about: ${MODES.join(", ")}` },
  toolset: { value: "NAMES", about: "files, default, all, or names of tools with commas" },
  json: { about: "one JSON document on standard output, nothing else" },
  help: { about: "this text" },
  version: { about: "the version" },
};

const ARGUMENTS = `Arguments of the tool are one JSON object, or key=value words (key:=JSON for values that are not text),
or - to read the JSON from standard input. The first word may be the tool's first argument without its name.
key=@FILE takes the text from a file (key=@@x is the text @x).`;

const running: Readonly<Record<string, Option>> = {
  jsonl: { about: 'read {"tool": …, "args": …} lines from standard input, answer a line each, in order' },
  session: { value: "ID", about: "the session that it belongs to" },
  turn: { value: "ID", about: "the turn that it belongs to" },
};

const back: Readonly<Record<string, Option>> = {
  call: { value: "ID", about: "the changes of one call, by its id in `toolgate log`" },
  turn: { value: "ID", about: "the changes of one turn" },
  ...yes,
};

export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  tools: {
    usage: "tools [--format FORMAT] [--dialect NAME] [--tokens]",
    summary: "what a model is shown",
    options: {
      format: {
        value: "FORMAT",
        choices: ["openai", "anthropic", "gemini", "mcp"],
        about: "print the schemas as openai, anthropic, gemini or mcp wants them",
      },
      dialect: { value: "NAME", about: "the names that a model was trained on, for example claude" },
      tokens: { about: "about how many tokens each tool costs in every request" },
    },
    examples: ["toolgate tools", "toolgate tools --format anthropic --dialect claude"],
  },
  call: {
    usage: "call TOOL [JSON | [WORD] key=value … | -]",
    summary: "run one call",
    about: ARGUMENTS,
    options: {
      yes: { about: "approve this one call beforehand" },
      "dry-run": { about: "show what would change, change nothing: `toolgate plan` shows it again, and runs it" },
      plan: { about: "put it into the plan if it would change something" },
      "no-commands": { about: "run no commands, whatever the configuration says" },
      "allow-commands": { about: "run commands, whatever the configuration says" },
      ...running,
    },
    examples: [
      "toolgate call read_file README.md limit=5",
      "toolgate call write_file notes.txt content=@draft.txt --yes",
      "toolgate call write_file path=notes.txt content=hello",
      `toolgate call edit_file '{"path": "notes.txt", "old_str": "hello", "new_str": "goodbye"}'`,
    ],
  },
  explain: {
    usage: "explain TOOL [JSON | [WORD] key=value … | -]",
    summary: "judge a call and run nothing: verdict, touches, diff, trace",
    about: `${ARGUMENTS}\nThe exit status is what the call's would be as far as that is known: 0 if it may run or asks, 2 if it is refused.`,
    options: running,
    examples: ["toolgate explain write_file path=notes.txt content=hello"],
  },
  ...agentCommands,
  log: {
    usage: "log [CALL | verify | --stats] [--limit N] [--session ID] [--turn ID]",
    summary: "list calls, newest first, or show all that is known of one; verify: check whether the record was changed",
    options: {
      limit: { value: "N", about: "number of rows (default: 50)" },
      session: { value: "ID", about: "of one session only" },
      turn: { value: "ID", about: "of one turn only" },
      stats: { about: "calls, time and tokens of each tool, instead of the calls" },
    },
    examples: ["toolgate log --limit 10", "toolgate log --stats", "toolgate log call_1", "toolgate log verify"],
  },
  undo: {
    usage: "undo [PATH | --call ID | --turn ID]",
    summary: "take back the last change of a file, or all changes of a call or turn (the last one)",
    about: "A file that was changed since by somebody else is left alone, and the exit status is 1.",
    options: back,
    examples: ["toolgate undo", "toolgate undo notes.txt", "toolgate undo --call call_1"],
  },
  redo: {
    usage: "redo [PATH | --call ID | --turn ID]",
    summary: "bring back what was undone",
    options: back,
    examples: ["toolgate redo", "toolgate redo notes.txt"],
  },
  plan: {
    usage: "plan [show | approve | drop | run] [NUMBER …] [--session ID | --all]",
    summary: "list planned calls that have not run, with a diff for git apply; approve or run them",
    about: `Calls are planned by plan mode and by dry runs. A number, an id or the id of the call names one of them; without any, all
are meant. Each is judged again when it runs, and asked about unless it is approved. A file that is not what it was when
the call was planned is a conflict: nothing is changed, and the call stays in the plan. The run ends at the first call
that cannot be made; run it again to go on. With --json, plan gives a list, show adds the diff, run the results.`,
    options: {
      session: { value: "ID", about: "the plan of one session, and of those below it" },
      all: { about: "of all sessions, their dry runs too" },
      diff: { about: "nothing but the diff" },
      ...yes,
    },
    examples: [
      "toolgate plan",
      "toolgate plan --diff | git apply --check",
      "toolgate plan approve 1 2",
      "toolgate plan run --yes",
      "toolgate plan drop 3",
    ],
  },
  approvals: {
    usage: "approvals [ID [once | session | always | deny [REASON] | abort | edit JSON]]",
    summary: "list calls that wait for a person's answer, show one in full, or answer it",
    about:
      "The first answer wins, whichever terminal or program it comes from. An answer holds for exactly what is shown.",
    options: yes,
    examples: [
      "toolgate approvals",
      "toolgate approvals q1 once",
      'toolgate approvals q1 deny "not before the release"',
    ],
  },
  grants: {
    usage: "grants [revoke ID]",
    summary: "list what people have allowed until further notice, and revoke it",
    options: {},
    examples: ["toolgate grants", "toolgate grants revoke g1"],
  },
  tasks: {
    usage: "tasks [add SUBJECT | start ID | done ID | reopen ID | remove ID | export | import FILE]",
    summary: "list and change the tasks that agents share",
    about: `export prints the list as Markdown, import adds the tasks of such a list (- reads standard input).
A task that was begun is free again when its agent gives no sign of life for half an hour, or is killed.`,
    options: {},
    examples: ["toolgate tasks", "toolgate tasks add paint the fence", "toolgate tasks done 3"],
  },
  locks: {
    usage: "locks [release TOKEN …]",
    summary: "list the locks that agents hold, and release them",
    about: "A lock ends by itself with its time, and with the process that took it.",
    options: yes,
    examples: ["toolgate locks", "toolgate locks release TOKEN"],
  },
  hook: {
    usage: "hook CLIENT | hook install CLIENT | hook uninstall CLIENT [--user | --project]",
    summary: "judge and record the calls of another agent: Claude Code, Codex, Gemini CLI and others",
    about: `hook CLIENT reads an event of the client on standard input and answers in the client's own words; a client
calls it by itself once \`hook install\` has written it into the client's settings. install and uninstall show what they
change.`,
    options: {
      user: { about: "in the settings of the user, for every folder" },
      project: { about: "in the settings of this workspace (default)" },
      ...yes,
    },
    examples: ["toolgate hook install claude", "toolgate hook uninstall codex --user"],
  },
  mcp: mcpHelp,
  "dead-letters": {
    usage: "dead-letters [retry [ID …] | drop ID …]",
    summary: "calls that failed through no fault of their own, making them again, dropping them",
    about: "retry without ids makes those calls again whose next try is due. Each is judged like any other call.",
    options: yes,
    examples: ["toolgate dead-letters", "toolgate dead-letters retry", "toolgate dead-letters drop ID"],
  },
  memory: {
    usage: "memory [recall QUERY | store KEY CONTENT | forget KEY] [--scope SCOPE] [--category NAME]",
    summary: "list, search, add to and forget what agents remember",
    about: `What is kept for the project lives with the workspace's record, what is kept for the user in your own folder;
both are searched unless --scope says otherwise, and new memories are the project's.`,
    options: {
      scope: { value: "SCOPE", choices: ["project", "user"], about: "of the project or of the user" },
      category: { value: "NAME", about: "core, daily, conversation, or one of your own" },
      limit: { value: "N", about: "how many to recall (default: 5)" },
      ...yes,
    },
    examples: [
      'toolgate memory store "deploy day" "Deploys go out on Tuesday."',
      "toolgate memory recall deploy",
      'toolgate memory forget "deploy day"',
    ],
  },
  cron: {
    usage:
      "cron [add NAME COMMAND|TASK (--cron EXPR | --at TIME | --every N) [--tz ZONE] | remove ID | history ID | run]",
    summary: "list, add, remove and run scheduled commands",
    about: `\`cron run\` runs what is due until it is ended, and --once what is due now. Each run is judged again, by what
its maker was allowed and by what is allowed here; nobody is asked, so what would be asked about is refused.
With --json it prints a line for each run, with --once one document.`,
    options: {
      cron: { value: "EXPR", about: "when: minute hour day month weekday" },
      at: { value: "TIME", about: "when: once, for example 2026-12-24T18:00:00+01:00" },
      every: { value: "N", about: "when: every 30s, 15m, 2h or 1d" },
      tz: { value: "ZONE", about: "the time zone, for example Europe/Berlin (default: UTC)" },
      missed: {
        value: "POLICY",
        choices: ["skip", "once", "all"],
        about: "what to do about missed runs: skip, once (default) or all",
      },
      agent: { about: "add: the words are a task for an agent, not a command" },
      model: { value: "MODEL", about: "run: what agents run on, as for `toolgate run` (default: TOOLGATE_MODEL)" },
      "base-url": { value: "URL", about: "run: where it is served (default: OPENAI_BASE_URL)" },
      once: { about: "run what is due now, then exit" },
      ...yes,
    },
    examples: [
      "toolgate cron add tests 'npm test' --cron '0 9 * * 1-5' --tz Europe/Berlin",
      "toolgate cron history job_1",
      "toolgate cron run",
    ],
  },
  skills: {
    usage: "skills [list | check [DIR …] | add DIR [--user]]",
    summary: "list the skills that agents have here, check them, and add one",
    about: `check names every defect with its file and line, and the exit status is 3 if a skill breaks the format. add copies
a folder with a SKILL.md into .toolgate/skills, or for all workspaces into your own folder, after it has shown what the
tools of the skill run.`,
    options: { user: { about: "add it for all workspaces" }, ...yes },
    examples: ["toolgate skills", "toolgate skills check", "toolgate skills add ../shared/release-notes"],
  },
  doctor: {
    usage: "doctor",
    summary: "what is enforced on this machine, what is missing, how to get it",
    about: "The exit status is 1 if something is missing.",
    options: {},
    examples: ["toolgate doctor", "toolgate doctor --json"],
  },
  config: {
    usage: "config init | check | schema | trust | import CLIENT | rules [explain TOOL … | test | minimise]",
    summary: "write, check and accept the configuration; import and look at its rules",
    about: `init writes a commented toolgate.yaml after a look at the project. import turns the permission settings of
claude, codex, gemini or opencode into rules, printed as YAML. rules lists them; rules explain says which of them
speak of a call, rules test whether their examples hold, rules minimise which of them the record shows to be needless.

What a workspace's own toolgate.yaml loosens counts only once a person trusts the file as it is: that is
\`config trust\`. What it restricts counts at once.`,
    options: {
      ...yes,
      preset: {
        value: "NAME",
        choices: ["careful", "balanced", "free"],
        about: "what init writes: careful, balanced (default) or free",
      },
    },
    examples: [
      "toolgate config init --preset careful",
      "toolgate config import claude >> toolgate.yaml",
      "toolgate config rules explain run_command 'git push'",
      "toolgate config check",
      "toolgate config schema > toolgate.schema.json",
    ],
  },
};
