import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

/** What a line may change or delete below a folder, by the pattern. */
const scopes = (line: string): (string | undefined)[] =>
  analyse(line).touches.flatMap((touch) =>
    touch.action === "write" || touch.action === "delete" ? [touch.scope] : [],
  );

describe("names that govern, printed by a search and taken as words", () => {
  test.each([
    ["mytool $(rg --files -g toolgate.yaml)", "**/toolgate.yaml"],
    ["rg --files --glob=.mcp.json | xargs mytool", "**/.mcp.json"],
    ["mytool $(rg --files -g pre-commit)", "**/pre-commit"],
    ["mytool $(rg --files -g config)", "**/config"],
    ["mytool $(git ls-files toolgate.yaml)", "**/toolgate.yaml"],
    ["mytool $(ls -l toolgate.yaml)", "**/toolgate.yaml"],
    ["mytool $(fd -H toolgate.yaml)", "**/*toolgate.yaml*"],
    ["fd toolgate.yaml -x mytool", "**/*toolgate.yaml*"],
    ["mytool $(find . -name toolgate.yaml -printf '%p ')", "**/toolgate.yaml"],
    ["mytool $(find . -path './.git/x*')", ".git/hooks/*"],
    ["ls -d .git/* | xargs -n1 mytool", "**"],
    ["find .git/hooks -type f | xargs mytool", "**"],
    ["mytool $(stat -c %n .toolgate/*)", "**"],
    ["for f in $(du -a .git); do mytool $f; done", "**"],
    ["rm $(git ls-files)", "**"],
    ["rm $(ls -a)", "**"],
    ["fd -x rm", "**"],
    ["fd -H -X rm", "**"],
    ["fd --exec rm", "**"],
  ])("%s", (line, scope) => expect(scopes(line)).toContain(scope));

  test.each([
    "mytool $(rg --files -g notes.txt)",
    "mytool $(git ls-files -o toolgate.yaml)",
    "rm $(git ls-files -o)",
    "mytool $(git ls-files)",
    "fd -x mytool",
    "ls src/* | xargs mytool",
    "grep -rl .git/hooks docs | xargs mytool",
    "ls -d .git/* | xargs wc -l",
    "ls -d .github/* | xargs mytool",
  ])("not: %s", (line) => expect(scopes(line)).toEqual([]));
});

describe("a path of which only the end is known", () => {
  test.each([
    ['cd "$D" && echo x > config', ".git/config"],
    ['cd "$D"; rm hooks/pre-commit', ".git/hooks/pre-commit"],
    ['cd "$D"; mv a pre-push', ".git/hooks/pre-push"],
    ['echo "$D/config" | xargs rm', ".git/config"],
    ['echo "$D/hooks/pre-commit" | xargs cp a', ".git/hooks/pre-commit"],
  ])("%s", (line, scope) => expect(scopes(line)).toContain(scope));

  test.each(['rm "hooks/$X"', 'rm "$D"config', 'echo "$D"config | xargs rm'])("not: %s", (line) =>
    expect(scopes(line)).toEqual([]),
  );
});

test("each of several names that a search looks for may be written", () =>
  expect(scopes("find . '(' -name a -o -name toolgate.yaml ')' -exec touch {} +")).toEqual(
    expect.arrayContaining(["**/a/**", "**/toolgate.yaml/**"]),
  ));

test("only files that a search found bring no links along", () => {
  const brought = (line: string) =>
    analyse(line).touches.filter((touch) => "brings" in touch && touch.brings === "found");
  expect(brought("find a -type f -exec cp {} b +")).toEqual([]);
  expect(brought("find a -exec cp {} b +")).not.toEqual([]);
});

test.each(["cp /bin/rm x; ./x -rf /", "ln -s /bin/rm x; ./x -rf /", "mv /bin/rm x; ./x -rf /"])(
  "a program under a new name is still refused: %s",
  (line) => expect(analyse(line).class).toBe("blocked"),
);

test("a shell with a startup file and a text that is not known may do anything", () =>
  expect(analyse('bash --rcfile a.sh -c "$X"').segments[0]?.touches).toEqual([
    { action: "unknown", permissions: ["read", "write", "execute", "network"] },
    { action: "read", target: "a.sh" },
    { action: "unknown", permissions: ["read", "write", "execute", "network"] },
  ]));

test.each<[string, boolean]>([
  ["export A=b", true],
  ["export A=$X", false],
  ["export A=b$X", false],
  ["alias a=$X", false],
])("%s is plain: %s", (line, plain) => expect(analyse(line).segments[0]?.plain).toBe(plain));
