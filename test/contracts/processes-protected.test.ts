import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { type Person, people } from "./process-people.ts";
import { useStage } from "./process-stage.ts";

const git = needs("git");

for (const person of people()) describe(`as ${person.name}`, person.options, () => protectedFrom(person));

function protectedFrom(person: Person): void {
  const stage = useStage(person);

  describe("what decides over the host stays as it is", () => {
    const names = [".git/hooks/pre-commit", ".git/config", ".toolgate/rules", "toolgate.yaml", ".mcp.json"];
    const attack = (name: string) => {
      const folder = path.dirname(name);
      return `echo evil > ${name}; mkdir -p ${folder} && echo evil > ${name}; echo evil > x && mv -f x ${name}; ln -sf /x ${name}; cp x ${name}
      rm -rf ${name}; mv ${name} away; mv ${folder === "." ? name : folder} away2; rm -rf ${folder === "." ? name : folder}; mkdir -p ${folder}; echo evil > ${name}
      mv .git away3; mkdir -p .git/hooks; echo evil > ${name}; rm -rf x away away2 away3; echo end`;
    };
    const tree = () =>
      execFileSync("find", [".", "-not", "-path", "./.toolgate/sandbox*", "-printf", "%p %y %s\n"], {
        cwd: stage.root,
        encoding: "utf8",
      })
        .split("\n")
        .sort();

    test.each(names)("%s, where it exists", async (name) => {
      for (const each of names) stage.put(path.join(stage.root, each), "good");
      stage.own(stage.root);
      expect((await stage.driver.run(attack(name))).stdout).toBe("end\n");
      for (const each of names) expect(fs.readFileSync(path.join(stage.root, each), "utf8"), each).toBe("good");
      expect(stage.outside(`echo control > ${name}`).status).toBe(0);
    });

    test.each(names)("%s, where it is missing", async (name) => {
      if (name.startsWith(".git/")) fs.mkdirSync(path.join(stage.root, ".git"));
      stage.own(stage.root);
      const before = tree();
      expect((await stage.driver.run(attack(name))).stdout).toBe("end\n");
      expect(tree()).toEqual(before);
    });

    test("while another command that ended took its placeholders along", async () => {
      const long = stage.driver.start(
        "sleep 0.6; for name in .mcp.json toolgate.yaml; do mkdir -p $name; echo evil > $name; echo evil > $name/x; done; echo end",
      );
      await long.begun;
      const other = stage.open();
      await Promise.all([stage.driver.run("true"), other.run("true")]);
      expect((await long.ended).stdout).toBe("end\n");
      expect(fs.readdirSync(stage.root)).toEqual([".toolgate"]);
    });

    test("while something that was put into the background outlives its command for a moment", async () => {
      const eager = "while :; do echo evil > .mcp.json; done";
      const behind = Array(8).fill(`(setsid bash -c '${eager}' &) 2>/dev/null`).join("; ");
      for (let turn = 0; turn < 10; turn++) await stage.driver.run(`${behind}; sleep 0.02`);
      expect(fs.readdirSync(stage.root)).toEqual([".toolgate"]);
    });

    test.each(["there", "missing"])("a person's own folder inside the workspace, where it is %s", async (how) => {
      const folder = path.join(stage.root, "home/.config/toolgate");
      if (how === "there") stage.put(path.join(folder, "trusted.json"), "good");
      stage.own(stage.root);
      const driver = stage.open({ personal: [folder] });
      const name = "home/.config/toolgate/trusted.json";
      const { stdout } = await driver.run(`cat ${name}; ${attack(name)}; mv home away4; ls -A home/.config`);
      expect(stdout).toBe("end\ntoolgate\n");
      expect(fs.readdirSync(stage.root).sort()).toEqual([".toolgate", "home"]);
      expect(fs.readdirSync(folder)).toEqual(how === "there" ? ["trusted.json"] : []);
      if (how === "there") expect(fs.readFileSync(path.join(folder, "trusted.json"), "utf8")).toBe("good");
      expect(stage.outside(`echo control > ${name}`).status).toBe(0);
    });

    test("a person's file that comes meanwhile stays", async () => {
      const long = stage.driver.start("sleep 0.5");
      await long.begun;
      fs.rmdirSync(path.join(stage.root, ".mcp.json"));
      fs.writeFileSync(path.join(stage.root, ".mcp.json"), "{}");
      await long.ended;
      expect(fs.readFileSync(path.join(stage.root, ".mcp.json"), "utf8")).toBe("{}");
    });

    test("links in their place, and what git would read besides", async () => {
      stage.put(path.join(stage.root, ".git/HEAD"), "ref: refs/heads/main\n");
      stage.put(path.join(stage.root, ".git/config"), "good");
      stage.put(path.join(stage.root, "our-hooks/pre-commit"), "good");
      fs.symlinkSync("../our-hooks", path.join(stage.root, ".git/hooks"));
      stage.own(stage.root);
      await stage.driver.run(
        "rm .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/pre-commit; echo evil > our-hooks/pre-commit; echo ../evil > .git/commondir; echo evil > .git/config.worktree",
      );
      expect(fs.readlinkSync(path.join(stage.root, ".git/hooks"))).toBe("../our-hooks");
      expect(fs.readFileSync(path.join(stage.root, ".git/hooks/pre-commit"), "utf8")).toBe("good");
      expect(fs.readdirSync(path.join(stage.root, ".git")).sort()).toEqual(["HEAD", "config", "hooks"]);
    });

    test("what nobody may write to, in a place where nothing must be; and the host goes on in any case", async () => {
      fs.mkdirSync(path.join(stage.root, ".git"));
      stage.put(path.join(stage.root, ".git/HEAD"), "ref: refs/heads/main\n");
      stage.own(stage.root);
      await stage.driver.run(
        "mkdir -p .git/commondir/x .git/config.worktree; chmod 000 .git/commondir .git/config.worktree",
      );
      expect(fs.readdirSync(path.join(stage.root, ".git"))).toEqual(["HEAD"]);
      expect((await stage.driver.run("echo end")).stdout).toBe("end\n");
    });

    test("what links lead to, with the folders above it, and that it is nothing", async () => {
      const at = (name: string) => path.join(stage.root, name);
      for (const name of ["deep/git/hooks/pre-commit", "deep/git/config", "conf/toolgate.yaml", "ordinary/a"])
        stage.put(at(name), "good");
      fs.symlinkSync("deep/git", at(".git"));
      fs.symlinkSync("second", at("toolgate.yaml"));
      fs.symlinkSync("conf/toolgate.yaml", at("second"));
      fs.symlinkSync("nowhere/x", at(".mcp.json"));
      stage.own(stage.root);
      const { stdout } = await stage.driver.run(
        `mv deep d2; mkdir -p deep/git/hooks; echo evil > deep/git/hooks/pre-commit; mv conf c2; mkdir conf; echo evil > conf/toolgate.yaml
      rm second; echo evil > second; mkdir nowhere; echo evil > nowhere/x; mv ordinary o2 && echo moved`,
      );
      expect(stdout).toBe("moved\n");
      for (const name of [".git/hooks/pre-commit", "toolgate.yaml"])
        expect(fs.readFileSync(at(name), "utf8")).toBe("good");
      expect(fs.existsSync(at(".mcp.json"))).toBe(false);
      expect((await stage.driver.run("echo end")).stdout).toBe("end\n");
    });

    test(
      "a repository that is made inside arrives without hooks and without programs in its configuration",
      git,
      async () => {
        const made = await stage.driver.run(
          "git init -q . && git config core.pager 'touch owned' && git config core.sshCommand 'touch owned' && echo 'touch owned' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && echo ../evil > .git/commondir; rm .git/commondir; echo a > a; git add a && git -c user.name=n -c user.email=e commit -q --no-verify -m first; git config core.fsmonitor 'touch owned'; git --no-pager log --format=%s",
        );
        expect(made.stdout).toBe("first\n");
        expect(fs.existsSync(path.join(stage.root, ".git/hooks/pre-commit"))).toBe(false);
        expect(fs.readFileSync(path.join(stage.root, ".git/config"), "utf8")).not.toContain("owned");
        const again = await stage.driver.run(
          "git log --format=%s; git status --short; git config core.fsmonitor x; echo b >> a; git -c user.name=n -c user.email=e commit -qam second; git log --format=%s",
        );
        expect(again.stdout).toBe("first\nsecond\nfirst\n");
        expect(fs.readdirSync(stage.root).sort()).toEqual([".git", ".toolgate", "a"]);
        expect(stage.outside("git -c safe.directory='*' status --short").stdout).toBe("");
        expect(fs.existsSync(path.join(stage.root, "owned"))).toBe(false);
      },
    );

    test(
      "a linked worktree can be looked at; a file that names some other folder shows nothing of it",
      git,
      async () => {
        const git = `git -c safe.directory='*' -c user.name=n -c user.email=e`;
        const main = path.join(stage.home, "main");
        stage.outside(
          `mkdir ${main} && cd ${main} && git init -q . && ${git} commit -q --allow-empty -m first && ${git} worktree add -q ${stage.far}/tree`,
        );
        const tree = path.join(stage.far, "tree");
        const inTree = stage.open({ roots: [tree] });
        expect(
          await inTree.run("git log --format=%s; echo x > a; git status --short; echo evil > .git; mv .git away"),
        ).toMatchObject({
          stdout: "first\n?? a\n",
        });
        expect(fs.readFileSync(path.join(tree, ".git"), "utf8")).toContain(main);
        fs.writeFileSync(path.join(tree, ".git"), `gitdir: ${stage.home}/.ssh\n`);
        expect((await inTree.run(`cat ${stage.home}/.ssh/id_test`)).stdout).toBe("");
      },
    );

    const asMe = "git -c safe.directory='*' -c user.name=n -c user.email=e";
    test("what says of a worktree elsewhere where its repository is; one inside goes on", git, async () => {
      stage.outside(
        `git init -q . && ${asMe} commit -q --allow-empty -m first && ${asMe} worktree add -q ../elsewhere && ${asMe} worktree add -q inside`,
      );
      const repository = path.join(stage.root, ".git/worktrees/elsewhere/commondir");
      const was = fs.readFileSync(repository, "utf8");
      const { stdout } = await stage.driver.run(
        `cd inside && ${asMe} commit -q --allow-empty -m second && git log --format=%s && cd .. && git worktree remove inside && git worktree add -q another && echo end
      git worktree prune; echo evil > .git/worktrees/elsewhere/commondir; mv .git/worktrees/elsewhere away; mv .git/worktrees away2; rm -rf .git/worktrees; mkdir -p .git/worktrees/elsewhere; echo evil > .git/worktrees/elsewhere/commondir`,
      );
      expect(stdout).toBe("second\nfirst\nend\n");
      expect(fs.readFileSync(repository, "utf8")).toBe(was);
      expect(stage.outside(`echo control > .git/worktrees/elsewhere/commondir`).status).toBe(0);
    });

    test("a repository that a file names in the place of .git", git, async () => {
      stage.outside(`git init -q --separate-git-dir=.bare . && rm -r .bare/hooks`);
      const was = fs.readFileSync(path.join(stage.root, ".bare/config"), "utf8");
      const { stdout } = await stage.driver.run(
        `echo evil >> .bare/config; mkdir -p .bare/hooks; echo evil > .bare/hooks/pre-commit; mv .bare away; echo evil > .git
      ${asMe} commit -q --allow-empty -m first && git log --format=%s`,
      );
      expect(stdout).toBe("first\n");
      expect(fs.readFileSync(path.join(stage.root, ".bare/config"), "utf8")).toBe(was);
      expect(fs.existsSync(path.join(stage.root, ".bare/hooks"))).toBe(false);
      expect(fs.readFileSync(path.join(stage.root, ".git"), "utf8")).toMatch(/^gitdir: .*\.bare/);
    });
  });
}
