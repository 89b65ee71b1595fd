import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { bench } from "../journeys/harness.ts";

const FILES = {
  ...{
    ".env": "KEY=secret\n",
    "deep/down/.env": "KEY=deeper\n",
    "certs/a.pem": "secret pem\n",
    "private/x": "secret x\n",
  },
  ...{
    "kept/a.txt": "a\n",
    "deep/package-lock.json": "{}\n",
    "hidden/target": "secret target\n",
    "free.txt": "free\n",
  },
};
const guardrails = {
  sensitive_files: [".env", "*.pem", "private/**", "named"],
  protected_files: ["kept/**", "package-lock.json"],
};

describe("what the kernel keeps from commands that nobody can read", () => {
  // programs that hide from a reader what they do
  const hiding = (code: string) => `python3 -c "${code}" 2>&1; true`;
  const read = (name: string) => hiding(`print(open(''.join(reversed('${[...name].reverse().join("")}'))).read())`);
  const change = (name: string, what: string) =>
    hiding(`import os; n=''.join(reversed('${[...name].reverse().join("")}')); ${what}`);

  test(
    "sensitive files are not there, protected ones stay as they are, the rest is free",
    needs("bubblewrap"),
    async () => {
      const it = await bench(FILES, { config: { guardrails }, store: "memory", sandbox: "required" });
      symlinkSync("hidden/target", path.join(it.dir, "named"));
      const said = async (command: string) => (await it.call("run_command", { command })).output;
      expect(await said(read("free.txt"))).toContain("free");
      for (const name of [".env", "deep/down/.env", "certs/a.pem", "private/x", "hidden/target"])
        expect([name, await said(read(name))]).toEqual([name, expect.not.stringContaining("secret")]);
      expect(await said(read("deep/down/.env"))).not.toContain("deeper");
      for (const name of ["kept/a.txt", "deep/package-lock.json"]) {
        await said(change(name, "open(n,'w').write('broken')"));
        await said(change(name, "os.remove(n)"));
        await said(change(name, "os.rename(os.path.dirname(n), 'moved')"));
        await said(change(name, "os.rename('free.txt', n)"));
        expect([name, it.text(name)]).toEqual([name, FILES[name as keyof typeof FILES]]);
      }
      expect(await said("grep -r secret . ; true"), "in yolo nobody is asked, and still").not.toContain("secret ");
      await said(change("free.txt", "open(n,'w').write('changed')"));
      expect(it.text("free.txt")).toBe("changed");
      expect([it.text(".env"), it.text("hidden/target")]).toEqual(["KEY=secret\n", "secret target\n"]);
    },
  );
});
