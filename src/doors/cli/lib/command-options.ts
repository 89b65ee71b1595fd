import { MODES } from "../../../core/words/ceiling.ts";
import { agentCommands } from "./agent-options.ts";
import { mcpHelp } from "./mcp-options.ts";
import { type CommandHelp, commandsOrNot, type Option, yes } from "./option.ts";

export const everywhere: Readonly<Record<string, Option>> = {
  workspace: { value: "DIR", about: "the folder that calls may touch (default: the current one)" },
  config: { value: "FILE", about: "use this file instead of the workspace's toolgate.yaml" },
  mode: { value: "MODE", choices: MODES, about: `what needs approval: ${MODES.join(", ")}` },
  toolset: { value: "NAMES", about: "files, default, all, or a comma-separated list of tools" },
  json: { about: "print one JSON document and nothing else" },
  help: { about: "show this help" },
  version: { about: "print the version" },
};

const ARGUMENTS = `Give the tool's arguments as key=value words, as one JSON object, or as - to read
JSON from standard input. The first word may leave out its key: it is then the
tool's first argument.

  key=text     a string
  key:=JSON    a number, boolean, list or object
  key=@FILE    the text of a file
  key=@@text   a string that begins with @`;

const running: Readonly<Record<string, Option>> = {
  jsonl: { about: 'read calls from standard input, one {"tool": …, "args": …} per line; answer one line each' },
  session: { value: "ID", about: "the session that the call belongs to" },
  turn: { value: "ID", about: "the turn that the call belongs to" },
};

const back: Readonly<Record<string, Option>> = {
  call: { value: "ID", about: "all changes of this call (`toolgate log` shows its id)" },
  turn: { value: "ID", about: "all changes of this turn" },
  ...yes,
};

export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  tools: {
    usage: "tools [--format FORMAT] [--dialect NAME] [--tokens]",
    summary: "list the tools that a model sees",
    options: {
      format: {
        value: "FORMAT",
        choices: ["openai", "anthropic", "gemini", "mcp"],
        about: "print the schemas for openai, anthropic, gemini or mcp",
      },
      dialect: { value: "NAME", about: "use the tool names of another client, such as claude" },
      tokens: { about: "estimate how many tokens each tool adds to a request" },
    },
    examples: ["toolgate tools", "toolgate tools --format anthropic --dialect claude"],
  },
  call: {
    usage: "call TOOL [JSON | [WORD] key=value … | -]",
    summary: "run one tool call",
    about: ARGUMENTS,
    options: {
      yes: { about: "approve this call in advance" },
      "dry-run": { about: "show what would change, but change nothing; `toolgate plan` can run it later" },
      plan: { about: "if the call would change something, add it to the plan instead" },
      ...commandsOrNot,
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
    summary: "judge a call without running it: verdict, touches, diff",
    about: `${ARGUMENTS}\n\nExit status: 0 if the call would run or ask for approval, 2 if it would be refused.`,
    options: running,
    examples: ["toolgate explain write_file path=notes.txt content=hello"],
  },
  ...agentCommands,
  log: {
    usage: "log [CALL | verify | --stats] [--limit N] [--session ID] [--turn ID]",
    summary: "list recorded calls, show one, or verify the record",
    options: {
      limit: { value: "N", about: "how many calls to list (default: 50)" },
      session: { value: "ID", about: "only calls of this session" },
      turn: { value: "ID", about: "only calls of this turn" },
      stats: { about: "show calls, time and tokens for each tool" },
    },
    examples: ["toolgate log --limit 10", "toolgate log --stats", "toolgate log call_1", "toolgate log verify"],
  },
  undo: {
    usage: "undo [PATH | --call ID | --turn ID]",
    summary: "undo the last turn, a file's last change, one call or one turn",
    about: `Without arguments, the changes of the last turn are undone. A file that has been
changed since then is left alone, and the exit status is 1.`,
    options: back,
    examples: ["toolgate undo", "toolgate undo notes.txt", "toolgate undo --call call_1"],
  },
  redo: {
    usage: "redo [PATH | --call ID | --turn ID]",
    summary: "redo what was undone",
    options: back,
    examples: ["toolgate redo", "toolgate redo notes.txt"],
  },
  plan: {
    usage: "plan [show | approve | drop | run] [NUMBER …] [--session ID | --all]",
    summary: "show, approve, drop or run planned calls",
    about: `Plan mode and dry runs keep calls for later instead of running them. Name them by
the number in the list, by id or by call id; without one, all are meant.

Each call is judged again when it runs, and asks unless it was approved. If a
file has changed since the call was planned, that is a conflict: nothing is
changed and the call stays in the plan. A run stops at the first call that
fails; run it again to continue. With --json, plan prints a list, show adds the
diff, and run prints the results.`,
    options: {
      session: { value: "ID", about: "only calls of this session and of its subagents" },
      all: { about: "calls of all sessions, including dry runs" },
      diff: { about: "print only the diff" },
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
    summary: "list and answer calls that are waiting for approval",
    about: `The first answer wins, whichever terminal or program it comes from. An approval
covers exactly what is shown.`,
    options: yes,
    examples: [
      "toolgate approvals",
      "toolgate approvals q1 once",
      'toolgate approvals q1 deny "not before the release"',
    ],
  },
  grants: {
    usage: "grants [revoke ID]",
    summary: "list and revoke standing approvals",
    options: {},
    examples: ["toolgate grants", "toolgate grants revoke g1"],
  },
  tasks: {
    usage: "tasks [add SUBJECT | start|done|reopen|remove ID | export | import FILE]",
    summary: "list and change the tasks that agents share",
    about: `export prints the list as Markdown; import adds the tasks of such a list (- reads
standard input). A started task becomes free again if its agent ends or gives no
sign of life for half an hour.`,
    options: {},
    examples: ["toolgate tasks", "toolgate tasks add paint the fence", "toolgate tasks done 3"],
  },
  locks: {
    usage: "locks [release TOKEN …]",
    summary: "list and release the locks that agents hold",
    about: "A lock also ends when its time is up, or when the process that took it ends.",
    options: yes,
    examples: ["toolgate locks", "toolgate locks release TOKEN"],
  },
  hook: {
    usage: "hook install|uninstall CLIENT [--user | --project]\nhook CLIENT",
    summary: "judge and record the calls of Claude Code, Codex and others",
    about: `install adds the hook to the client's settings, and uninstall removes it; both
show what they change. From then on the client runs \`toolgate hook CLIENT\` itself
for each call, with the event on standard input.`,
    options: {
      user: { about: "change your user settings, for every folder" },
      project: { about: "change the settings of this workspace (default)" },
      ...yes,
    },
    examples: ["toolgate hook install claude", "toolgate hook uninstall codex --user"],
  },
  mcp: mcpHelp,
  "dead-letters": {
    usage: "dead-letters [retry [ID …] | drop ID …]",
    summary: "list, retry or drop calls that failed for outside reasons",
    about: "Without ids, retry repeats the calls that are due. Each is judged like any other.",
    options: yes,
    examples: ["toolgate dead-letters", "toolgate dead-letters retry", "toolgate dead-letters drop ID"],
  },
  memory: {
    usage: "memory [recall QUERY | store KEY CONTENT | forget KEY] [--scope SCOPE]",
    summary: "list, search, add or delete what agents remember",
    about: `Memories belong to the project (kept with the workspace's record) or to you (kept
in your own configuration folder). Both are searched unless --scope says
otherwise; new ones belong to the project.`,
    options: {
      scope: { value: "SCOPE", choices: ["project", "user"], about: "project or user" },
      category: { value: "NAME", about: "core, daily, conversation, or a name of your own" },
      limit: { value: "N", about: "how many to show (default: 5)" },
      ...yes,
    },
    examples: [
      'toolgate memory store "deploy day" "Deploys go out on Tuesday."',
      "toolgate memory recall deploy",
      'toolgate memory forget "deploy day"',
    ],
  },
  cron: {
    usage: `cron
cron add NAME COMMAND (--cron EXPR | --at TIME | --every N) [--tz ZONE]
cron add NAME TASK --agent (--cron EXPR | --at TIME | --every N) [--tz ZONE]
cron remove ID
cron history ID
cron run [--once] [--model MODEL]`,
    summary: "list, add, remove and run scheduled jobs",
    about: `\`cron run\` keeps running jobs as they come due; with --once it runs those that are
due now and exits. Each run is judged again, under the limits of whoever planned
it and those that apply here. Nobody is there to be asked, so a job that would
need approval is refused. --json prints one line per run, or one document with
--once.`,
    options: {
      cron: { value: "EXPR", about: "when: minute, hour, day of month, month, weekday" },
      at: { value: "TIME", about: "when: once, such as 2026-12-24T18:00:00+01:00" },
      every: { value: "N", about: "when: every 30s, 15m, 2h or 1d" },
      tz: { value: "ZONE", about: "the time zone, such as Europe/Berlin (default: UTC)" },
      missed: {
        value: "POLICY",
        choices: ["skip", "once", "all"],
        about: "which missed runs to make up: skip, once (default) or all",
      },
      agent: { about: "add: the job is a task for an agent, not a command" },
      model: { value: "MODEL", about: "run: the model for agents (default: TOOLGATE_MODEL)" },
      "base-url": { value: "URL", about: "run: where the model is served (default: OPENAI_BASE_URL)" },
      once: { about: "run: stop after the jobs that are due now" },
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
    summary: "list, check and add skills",
    about: `check reports every defect with file and line; the exit status is 3 if a skill
breaks the format. add copies a folder with a SKILL.md into .toolgate/skills, or
with --user into your own configuration folder, after showing the commands of its
tools.`,
    options: { user: { about: "add: for all workspaces" }, ...yes },
    examples: ["toolgate skills", "toolgate skills check", "toolgate skills add ../shared/release-notes"],
  },
  doctor: {
    usage: "doctor",
    summary: "check what is enforced on this machine and what is missing",
    about: "The exit status is 1 if something is missing.",
    options: {},
    examples: ["toolgate doctor", "toolgate doctor --json"],
  },
  config: {
    usage: `config init [--preset NAME]
config check | schema | trust
config import CLIENT
config rules [explain TOOL … | test | minimise]`,
    summary: "create, check and trust the configuration; manage rules",
    about: `init      write a commented toolgate.yaml that suits this project
check     report mistakes, and show the settings in effect
schema    print the JSON Schema of toolgate.yaml
trust     accept what the workspace's own toolgate.yaml loosens
import    print the permissions of claude, codex, gemini or opencode as rules
rules     list the rules; explain shows which ones match a call, test checks
          their examples, minimise finds rules that the record shows to be unused

A toolgate.yaml in the workspace can tighten the rules at once. What it loosens is
ignored until you run \`config trust\`, and again after each change to the file.`,
    options: {
      ...yes,
      preset: {
        value: "NAME",
        choices: ["careful", "balanced", "free"],
        about: "init: careful, balanced (default) or free",
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
