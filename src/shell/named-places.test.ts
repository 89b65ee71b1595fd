import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

const written = (line: string): string[] =>
  analyse(line).touches.flatMap((touch) => (touch.action === "write" ? [touch.target] : []));

describe("places that govern, named among the words of a program that is not known", () => {
  test.each([
    ["mytool .git/config", ".git/config"],
    ["find . -name toolgate.yaml -exec mytool {} +", "toolgate.yaml"],
    ["mytool src/*/.git/config", ".git/config"],
    ["mytool {a,b*}/toolgate.yaml", "toolgate.yaml"],
    ["mytool --out=.git/hooks/pre-commit", ".git/hooks/pre-commit"],
    ["mytool sub/.git/config", "sub/.git/config"],
    ["mytool -f toolgate.yaml", "toolgate.yaml"],
    ["mytool .mcp.json", ".mcp.json"],
    ["mytool .toolgate/state", ".toolgate/state"],
    ["mytool .toolgate/skills/x/run.sh", ".toolgate/skills/x/run.sh"],
    ["bash run.sh .toolgate/skills/x/SKILL.md", ".toolgate/skills/x/SKILL.md"],
    ["bash .toolgate/skills/../store.db", ".toolgate/skills/../store.db"],
    ["bash .toolgate/store.db", ".toolgate/store.db"],
    ["cp a .toolgate/skills/x/run.sh", ".toolgate/skills/x/run.sh"],
    ["python -c \"open('.git/config','w')\"", ".git/config"],
    ["python x.py toolgate.yml", "toolgate.yml"],
    ["node -e 'fs.writeFileSync(\".git/hooks/pre-push\", x)'", ".git/hooks/pre-push"],
    ["cd sub; mytool .git/config", "sub/.git/config"],
    ["git config core.pager x", ".git/config"],
    ["git config --global core.hooksPath x", ".git/config"],
    ["git config --add remote.origin.pushurl x", ".git/config"],
    ["git remote set-url origin x", ".git/config"],
    ["git remote add evil x", ".git/config"],
    ["git -c core.sshCommand=x fetch", ".git/config"],
    ["gcc x.c -o.git/hooks/pre-commit", ".git/hooks/pre-commit"],
    ["mytool -o.git/config", ".git/config"],
    ['cp a.txt "$(git rev-parse --git-dir)/hooks/pre-commit"', ".git/hooks/pre-commit"],
    ['d=$(git rev-parse --git-dir); cp a.txt "$d/hooks/pre-commit"', ".git/hooks/pre-commit"],
    ['cp a.txt "$(git rev-parse --show-toplevel)/toolgate.yaml"', "./toolgate.yaml"],
    ['mytool --out="$DIR/.git/config"', ".git/config"],
    ['echo x > "$(pwd)/.git/config"', "./.git/config"],
    ['echo x >> "$DIR/.git/hooks/pre-commit"', ".git/hooks/pre-commit"],
    ['echo x > "$(git rev-parse --git-path hooks)/pre-push"', ".git/hooks/pre-push"],
    ['cd "$(git rev-parse --show-toplevel)" && cp a.txt toolgate.yaml', "toolgate.yaml"],
    ['cd "$(git rev-parse --show-toplevel)" && echo x > .mcp.json', ".mcp.json"],
  ])("%s", (line, target) => expect(written(line)).toContain(target));
  test.each([
    "cat .git/config",
    "git config user.name x",
    "git config --get core.pager",
    "git remote -v",
    "git -c color.ui=never log",
    "mytool digits mcpx",
    "mytool a.git",
    'mytool "$DIR/hooksx/a.ts"',
    'mytool "$DIR/.gitignore"',
    "mytool -o.gitignore",
    "mytool .gitignore",
    "python x.py",
    "bash .toolgate/skills/x/run.sh",
    "python3 /home/me/project/.toolgate/skills/x/scripts/run.py a b",
  ])("not: %s", (line) => expect(written(line)).toEqual([]));
});
