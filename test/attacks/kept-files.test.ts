import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs, when } from "../capabilities.ts";
import { bench, folder } from "../journeys/harness.ts";

const FILES = {
  "secrets/key": "secret key\n",
  "secrets/sub/key": "secret sub\n",
  "secrets/README.md": "read me\n",
  "Vault/TOKEN": "secret token\n",
  "target/x": "secret target\n",
  "infra/main.tf": "main\n",
  "infra/tmp/plan": "plan\n",
  "free.txt": "free\n",
};

/** A program of which nobody reads what it does. */
const PROBE = `
import os, sys
what, names = sys.argv[1], sys.argv[2][::-1].split(":")
def tried(change, *given):
    try: return change(*given)
    except OSError as error: return "refused"
def overwritten(name):
    with open(name, "w") as file: file.write("broken")
if what == "read":
    for name in names:
        print(tried(lambda: open(name).read()))
elif what == "write":
    for name in names:
        tried(os.mkdir, os.path.dirname(name))
        tried(overwritten, name)
else:
    for name in names:
        tried(overwritten, name)
        tried(os.remove, name)
        tried(os.rename, name, "moved")
        tried(os.rename, os.path.dirname(name), "moved folder")
        tried(os.rename, "free.txt", name)
        tried(os.symlink, "/etc/hostname", name)
`;
/** So that the line does not name what the program reads. */
const reversed = (text: string): string => [...text].reverse().join("");

async function opened(config: object) {
  const it = await bench(
    { ...FILES, "probe.py": PROBE },
    { config, store: "memory", sandbox: "required", approve: () => "once" },
  );
  const probe = async (what: "read" | "change" | "write", ...names: string[]) =>
    (await it.call("run_command", { command: `python3 probe.py ${what} '${reversed(names.join(":"))}'` })).output;
  return { ...it, probe };
}

/** Whether a test can put something there that a sandboxed command sees. */
function isShown(dir: string): boolean {
  if (dir.startsWith("/tmp/")) return false;
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const FREE = Object.keys(FILES);
const denyRead = (...rules: unknown[]) => ({ rules: { deny: rules } });
const SECRETS = ["secrets/key", "secrets/sub/key", "secrets/README.md"];

describe("what must not be read is not there for a command that nobody can read", needs("bubblewrap"), () => {
  const rows: [name: string, config: object, unreadable: string[]][] = [
    ["a folder", denyRead("read(secrets/**)"), SECRETS],
    ["in another case", denyRead("read(vault/token)"), ["Vault/TOKEN"]],
    ["a name at any depth", denyRead("read(key)"), ["secrets/key", "secrets/sub/key"]],
    ["a link, by what it leads to", denyRead("read(link/**)"), ["target/x"]],
    ["an exception", denyRead({ rule: "read(secrets/**)", except: ["secrets/README.md"] }), SECRETS.slice(0, 2)],
    ["one that expired", denyRead({ rule: "read(secrets/**)", expires: "2020-01-01" }), []],
    ["forbidden paths", { workspace: { forbidden_paths: ["secrets", "vault/**"] } }, [...SECRETS, "Vault/TOKEN"]],
    ["security.forbidden_paths", { security: { forbidden_paths: ["target"] } }, ["target/x"]],
    ["a rule that asks keeps nothing back", { rules: { ask: ["read(secrets/**)"] } }, []],
  ];
  test.each(rows)("%s", async (_, config, unreadable) => {
    const it = await opened(config);
    symlinkSync("target", path.join(it.dir, "link"));
    const said = await it.probe("read", ...FREE);
    expect(FREE.filter((name) => !said.includes(FILES[name as keyof typeof FILES].trim()))).toEqual(unreadable);
    for (const name of FREE) expect(it.text(name)).toBe(FILES[name as keyof typeof FILES]);
  });

  // the sandbox has a /tmp of its own, so this one lies elsewhere
  const place = [path.resolve("node_modules"), "/opt", "/srv"].find(isShown);
  const somewhere = when(place !== undefined, "no folder that commands are shown can be written");
  test("outside the workspace, too, but for what every program needs", somewhere, async () => {
    const outside = folder({ "data/key": "secret key\n", "open/x": "open\n" });
    const elsewhere = path.join(place as string, path.basename(outside));
    mkdirSync(elsewhere);
    try {
      execFileSync("cp", ["-r", `${outside}/.`, elsewhere]);
      const it = await opened(denyRead(`read(${elsewhere}/data/**)`, "read(/usr/**)", "read(/etc/**)"));
      const said = await it.probe("read", path.join(elsewhere, "open/x"), path.join(elsewhere, "data/key"));
      expect(said).toContain("open");
      expect(said).not.toContain("secret");
    } finally {
      execFileSync("rm", ["-rf", elsewhere]);
    }
  });

  test("git does not take it for deleted", needs("git"), async () => {
    const dir = folder({ ...FILES });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...args], {
        cwd: dir,
        encoding: "utf8",
      });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "first");
    const it = await bench({}, { dir, config: denyRead("read(secrets/**)"), sandbox: "required" });
    it.put("free.txt", "changed\n");
    const { output } = await it.call("run_command", {
      command: "git add -A; git -c user.name=n -c user.email=e@example.com commit -qm second; git status --short",
    });
    expect(output).not.toMatch(/^ ?D /m);
    expect(git("show", "--stat", "--format=%s", "HEAD")).toMatch(/second\s+free\.txt .*\s+1 file changed/);
    expect(existsSync(path.join(dir, "secrets/key"))).toBe(true);
  });

  test("what is put there is not silently lost", async () => {
    const it = await opened(denyRead("read(secrets/**)"));
    const { output } = await it.call("run_command", { command: "echo x > secrets/new; echo ended with $?" });
    expect(output).toMatch(/ended with 1/);
    expect(it.text("secrets/new")).toBeUndefined();
  });
});

describe("what must not be written stays as it is, whatever a command does", needs("bubblewrap"), () => {
  const rows: [name: string, rule: unknown, fixed: string[]][] = [
    ["a folder", "write(infra/**)", ["infra/main.tf", "infra/tmp/plan"]],
    ["in another case", "write(INFRA/**)", ["infra/main.tf", "infra/tmp/plan"]],
    ["an exception", { rule: "write(infra/**)", except: ["infra/tmp/**"] }, ["infra/main.tf"]],
    ["one that expired", { rule: "write(infra/**)", expires: "2020-01-01" }, []],
    ["everything", "write(**)", ["infra/main.tf", "infra/tmp/plan"]],
  ];
  test.each(rows)("%s", async (_, rule, fixed) => {
    const it = await opened(denyRead(rule));
    const names = ["infra/main.tf", "infra/tmp/plan"] as const;
    expect(await it.probe("read", ...names)).toMatch(/main\s+plan/);
    await it.probe("change", ...names);
    expect(names.filter((name) => it.text(name) === FILES[name])).toEqual(fixed);
  });

  test("nothing is added to a folder without exceptions, and to one with exceptions what is left out", async () => {
    const added = async (rule: unknown, name: string) => {
      const it = await opened(denyRead(rule));
      await it.probe("write", name);
      return it.text(name) !== undefined;
    };
    expect(await added("write(infra/**)", "infra/new")).toBe(false);
    expect(await added({ rule: "write(infra/**)", except: ["infra/out/**"] }, "infra/out/new")).toBe(true);
    expect(await added("write(**)", "fresh/new")).toBe(false);
    expect(await added("write(elsewhere/**)", "fresh/new")).toBe(true);
  });
});
