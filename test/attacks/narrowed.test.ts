import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Tool, z } from "../../src/index.ts";
import { needs } from "../capabilities.ts";
import { picture } from "../journeys/commanded.ts";
import { bench } from "../journeys/harness.ts";

const FILES = {
  "a.txt": "a\nb\n",
  "b.txt": "b\n",
  "run.sh": "#!/bin/sh\n",
  "src/one.ts": "one\n",
  "src/deep/two.ts": "two\n",
  "docs/read.md": "read\n",
  "lib/c.js": "c\n",
};

/** What people write all day, what holds it, and what is there afterwards: null for what is gone. */
const EVERYDAY: [command: string, held: "named" | "all", after: Record<string, string | null>][] = [
  ["echo hi > a.txt", "named", { "a.txt": "hi\n" }],
  ["echo hi >> a.txt", "named", { "a.txt": "a\nb\nhi\n" }],
  ["echo hi > new.txt", "named", { "new.txt": "hi\n" }],
  ["echo hi > src/new.ts", "named", { "src/new.ts": "hi\n" }],
  ["cat a.txt b.txt > all.txt", "named", { "all.txt": "a\nb\nb\n" }],
  ["cat <<'EOF' > src/one.ts\nchanged\nEOF", "named", { "src/one.ts": "changed\n" }],
  ["printf x | tee a.txt b.txt", "named", { "a.txt": "x", "b.txt": "x" }],
  ["sort -r a.txt | tee sorted.txt > /dev/null", "named", { "sorted.txt": "b\na\n" }],
  ["sort -r -o a.txt a.txt", "named", { "a.txt": "b\na\n" }],
  ["touch a.txt", "named", { "a.txt": "a\nb\n" }],
  ["touch new.txt src/new.ts", "named", { "new.txt": "", "src/new.ts": "" }],
  ["truncate -s 0 a.txt", "named", { "a.txt": "" }],
  ["sed -i s/a/x/ a.txt", "named", { "a.txt": "x\nb\n" }],
  ["sed -i.bak s/one/1/ src/one.ts", "named", { "src/one.ts": "1\n", "src/one.ts.bak": "one\n" }],
  ["sed -i 's/o/0/' src/one.ts src/deep/two.ts", "named", { "src/one.ts": "0ne\n", "src/deep/two.ts": "tw0\n" }],
  ["mkdir build", "named", {}],
  ["mkdir -p build/out/deep && touch build/out/deep/x", "named", { "build/out/deep/x": "" }],
  ["cp a.txt c.txt", "named", { "c.txt": "a\nb\n" }],
  ["cp a.txt src/", "named", { "src/a.txt": "a\nb\n" }],
  ["cp -r src copy", "named", { "copy/deep/two.ts": "two\n" }],
  ["cp -r src/. lib", "named", { "lib/deep/two.ts": "two\n", "lib/c.js": "c\n" }],
  ["cp -a src docs/", "named", { "docs/src/one.ts": "one\n" }],
  ["mv a.txt c.txt", "named", { "a.txt": null, "c.txt": "a\nb\n" }],
  ["mv a.txt src/", "named", { "a.txt": null, "src/a.txt": "a\nb\n" }],
  ["mv src/one.ts lib/one.ts", "named", { "src/one.ts": null, "lib/one.ts": "one\n" }],
  ["mv src source", "named", { "src/one.ts": null, "source/deep/two.ts": "two\n" }],
  ["mv -f a.txt b.txt", "named", { "a.txt": null, "b.txt": "a\nb\n" }],
  ["rm a.txt", "named", { "a.txt": null }],
  ["rm -f a.txt missing.txt src/one.ts", "named", { "a.txt": null, "src/one.ts": null }],
  ["rm -r src", "named", { "src/one.ts": null, "src/deep/two.ts": null }],
  ["rm -rf src/deep lib", "named", { "src/deep/two.ts": null, "lib/c.js": null, "src/one.ts": "one\n" }],
  ["mkdir empty; rmdir empty", "named", { empty: null }],
  ["chmod +x run.sh", "named", { "run.sh": "#!/bin/sh\n" }],
  ["ln -s a.txt link", "named", { link: "a\nb\n" }],
  ["ln -sfn ../a.txt src/link", "named", { "src/link": "a\nb\n" }],
  ["ln a.txt hard", "all", { hard: "a\nb\n" }],
  ["cp -l a.txt hard", "all", { hard: "a\nb\n" }],
  ["install -m 755 run.sh lib/run.sh", "named", { "lib/run.sh": "#!/bin/sh\n" }],
  ["dd if=a.txt of=copy.txt status=none", "named", { "copy.txt": "a\nb\n" }],
  ["cd src && echo x > one.ts && cp one.ts three.ts", "named", { "src/one.ts": "x\n", "src/three.ts": "x\n" }],
  ["for f in a b; do echo $f > $f.out; done", "all", { "a.out": "a\n", "b.out": "b\n" }],
  ["ls > /tmp/list && wc -l < /tmp/list > count", "named", { count: "7\n" }],
  ["git init -q && git add a.txt", "all", { "a.txt": "a\nb\n" }],
  ["bash run.sh; echo x > a.txt", "all", { "a.txt": "x\n" }],
  ["rm *.txt", "all", { "a.txt": null, "b.txt": null }],
];

describe("a line that says what it writes", needs("bubblewrap"), () => {
  test.each(EVERYDAY)("writes it, and may write little else: %s (%s)", async (command, held, after) => {
    const { call, text } = await bench(FILES, { store: "memory" });
    const { success, output, metadata } = await call("run_command", { command });
    const found = Object.fromEntries(Object.keys(after).map((name) => [name, text(name) ?? null]));
    expect({ output, found }).toEqual({ output, found: after });
    expect([success, metadata.workspace]).toEqual([true, held === "named" ? "named" : undefined]);
  });

  test("explain says where beforehand, and the result afterwards", async () => {
    const { call, gate } = await bench(FILES);
    const held = async (command: string) =>
      (await gate.explain({ name: "run_command", args: { command } })).enforcement;
    expect(await held("echo x > a.txt")).toMatchObject({ workspace: "named", writes: ["a.txt"], network: "none" });
    expect(await held("echo x > src/new.ts")).toMatchObject({ writes: ["src/"] });
    expect(await held("rm -r src b.txt")).toMatchObject({ writes: ["the top folder of the workspace", "src/"] });
    expect(await held("npm test")).not.toHaveProperty("writes");
    const { metadata } = await call("run_command", { command: "echo x > a.txt" });
    expect(metadata).toMatchObject({ workspace: "named", writes: ["a.txt"], changed: ["a.txt"], undo: "full" });
  });
});

/** Has a line judged to write `target`, in its place or beside it, whatever it really does. */
const wrongly = Tool.define("wrongly_named", {
  description: "Runs a command that was taken to write one file by mistake.",
  permissions: { required: ["execute"] },
  input: z.object({ command: z.string(), target: z.string(), writes: z.enum(["in-place", "beside"]) }),
  touches: ({ command, target, writes }) => [
    {
      action: "run",
      command,
      class: "dangerous",
      inner: [{ action: "write", target }],
      reading: {
        ...{ risk: "medium", reason: "it writes", parsed: true, sure: true, segments: [], writes },
        uses: { newline: false, backticks: false, substitution: false },
      },
    },
  ],
  async execute({ command }, { commands }) {
    const running = await commands.start({ command, cwd: "." });
    await running.exited;
    const { stdout, stderr } = running.captured();
    return { title: "ran", output: `${stdout.text}${stderr.text}`, metadata: { held: running.enforcement } };
  },
});

/** What else a line might do that was read as writing less. */
const MORE = [
  "echo bad > src/deep/two.ts; echo bad > docs/read.md; rm -rf lib docs src/deep",
  "mv src gone; mv lib/c.js docs/c.js; mkdir docs/made; chmod 777 lib lib/c.js",
  "echo bad > toolgate.yaml; mkdir -p .git/hooks; echo bad > .git/hooks/pre-commit; echo bad > .mcp.json; echo bad > .toolgate/x",
  'sed -i s/c/bad/ lib/c.js; truncate -s 0 docs/read.md; cp a.txt lib/; python3 -c \'open("lib/x", "w")\'',
].join("\n");

describe("a line that writes more than it was read to", needs("bubblewrap"), () => {
  const rest = (all: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(all).filter(([name]) => !/^(?:a\.txt|src\/one\.ts|src\/new\.ts|new\.txt)$/.test(name)),
    );

  test.each([
    ["a.txt", "in-place"],
    ["src/one.ts", "in-place"],
    ["a.txt", "beside"],
    ["new.txt", "beside"],
    ["src/new.ts", "in-place"],
  ] as const)("is held to the folder of %s (%s)", async (target, writes) => {
    const { call, dir } = await bench(FILES, { tools: [wrongly] });
    const before = picture(dir);
    const result = await call("wrongly_named", { command: `${MORE}\necho good > ${target}; echo END`, target, writes });
    expect(result.output).toMatch(/^END$/m);
    expect(result.output).toMatch(/Read-only file system/);
    expect(result.metadata.held).toMatchObject({ workspace: "named", network: "none" });
    const after = picture(dir);
    expect(rest(after)).toEqual(rest(before));
    expect(after[target]).toMatch(/ good\n$/);
  });

  test("what is in place changes nothing beside it either", async () => {
    const { call, text } = await bench(FILES, { tools: [wrongly] });
    const command = "echo good > a.txt; echo bad > b.txt; rm -f b.txt; touch beside; mv a.txt c.txt";
    await call("wrongly_named", { command, target: "a.txt", writes: "in-place" });
    expect(["a.txt", "b.txt", "beside", "c.txt"].map(text)).toEqual(["good\n", "b\n", undefined, undefined]);
  });

  test.each(["toolgate.yaml", ".mcp.json", ".git/config", ".git/hooks/pre-commit", ".toolgate/agents/a.md"])(
    "naming %s opens nothing",
    async (target) => {
      const files = {
        ...FILES,
        [target]: "kept\n",
        ".git/HEAD": "ref: refs/heads/main\n",
        ".toolgate/.gitignore": "*\n",
      };
      const valid =
        target === "toolgate.yaml" ? { [target]: "mode: yolo\n" } : target === ".mcp.json" ? { [target]: "{}\n" } : {};
      const { call, text } = await bench({ ...files, ...valid }, { tools: [wrongly], approve: async () => "once" });
      const was = text(target);
      for (const writes of ["in-place", "beside"] as const) {
        const command = `echo bad > ${target}; rm -f ${target}; echo END`;
        const { output } = await call("wrongly_named", { command, target, writes });
        expect(output).toMatch(/END/);
        expect(text(target)).toBe(was);
      }
    },
  );

  test("secrets of a home folder that is the workspace stay hidden", async () => {
    const home = path.join("home");
    const { dir } = await bench({ "home/.ssh/id": "private\n", "home/notes.txt": "n\n" });
    const before = process.env.HOME;
    process.env.HOME = path.join(dir, home);
    try {
      mkdirSync(path.join(dir, home, "work"));
      symlinkSync("../.ssh", path.join(dir, home, "work/keys"));
      const { call } = await bench({}, { dir: path.join(dir, home), tools: [wrongly] });
      for (const target of ["notes.txt", ".ssh/id", "new.txt"])
        for (const writes of ["in-place", "beside"] as const) {
          const command = "cat .ssh/id work/keys/id; echo bad > .ssh/id; cat notes.txt";
          const { output } = await call("wrongly_named", { command, target, writes });
          expect([target, writes, output.includes("private")]).toEqual([target, writes, false]);
        }
    } finally {
      process.env.HOME = before;
    }
  });
});
