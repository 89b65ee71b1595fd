import { describe, expect, test } from "vitest";
import { answerOf } from "./command-words.ts";
import { fullScreenIn } from "./run-claim.ts";

describe("exit code 1", () => {
  test.each([
    ["grep foo a", true],
    ["cat a | grep -c foo", true],
    ["cd src && rg foo", true],
    ["test -f a", true],
    ["[ -f a ]", true],
    ["! grep foo a", true],
    ["LC_ALL=C grep 'a;b' a", true],
    ["/usr/bin/diff a b", true],
    ["git diff --exit-code", true],
    ["git grep foo", true],
    ["git diff", false],
    ["grep foo a | head", false],
    ["grep foo a; make", false],
    ["make test", false],
    ["echo 'grep'", false],
    ["node -e 'grep'", false],
    ["", false],
  ])("%s: an answer %s", (line, isAnswer) => expect(answerOf(line) !== undefined).toBe(isAnswer));
});

describe("a program that needs a terminal", () => {
  test.each([
    ["vim a.txt", "vim"],
    ["git status && nano a", "nano"],
    ["EDITOR=x vi", "vi"],
    ["top", "top"],
    ["emacs a.txt", "emacs"],
    ["vim -es -c wq a.txt", undefined],
    ["nvim --headless +q", undefined],
    ["top -b -n 1", undefined],
    ["emacs --batch -l a.el", undefined],
    ["echo vim", undefined],
    ["cat vim", undefined],
    ["git commit -m 'vim'", undefined],
    ["cat > notes <<'EOF'\ntop\nvim a\nEOF", undefined],
    ["cat <<EOF\ntop\nEOF\ntop -b -n 1", undefined],
    ["cat <<EOF\nx\nEOF\ntop", "top"],
    ["ls # nothing; vim", undefined],
    ["EDITOR=vim git commit -m x", undefined],
    ["if [ -f a ]; then vim a; fi", undefined],
    ["/usr/bin/vim a", "vim"],
    ["watch -n 1 ls", "watch"],
    ["cd src && k9s", "k9s"],
    ["watch --version", undefined],
    ["npm run watch", undefined],
    ["tmux new -d", undefined],
  ])("%j: %s", async (line, name) => expect(await fullScreenIn(line)).toBe(name));
});
