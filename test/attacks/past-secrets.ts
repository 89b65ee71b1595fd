import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { folder } from "../journeys/harness.ts";

export const TOKEN = "abc123";
export const PERSON = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

/** A repository whose commits are a thousand seconds apart. */
export function made(build: (to: Making) => void): string {
  const dir = folder();
  let time = 1_600_000_000;
  const git = (...words: string[]): string => {
    const date = `${time} +0000`;
    const env = { ...process.env, ...PERSON, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return execFileSync("git", words, { cwd: dir, env, stdio: "pipe", encoding: "utf8" }).trim();
  };
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
    git("add", "-f", name);
  };
  const commit = (message: string) => {
    time += 1_000;
    git("commit", "-q", "-m", message);
  };
  git("init", "-q", "-b", "main");
  build({ git, put, commit });
  return dir;
}
export type Making = {
  git(...words: string[]): string;
  put(name: string, text: string): void;
  commit(message: string): void;
};

const LINES = Array.from({ length: 8 }, (_, index) => `line ${index}\n`).join("");

/** No file of secrets is in the working tree or the index, but many were once. */
export const repository = (): string =>
  made(({ git, put, commit }) => {
    put("src/a", "a\n");
    put("sub/b", "b\n");
    commit("one");
    put(".env", `KEY=${TOKEN} \n`);
    commit("feat: add env");
    git("tag", "with");
    git("tag", "-a", "-m", "annotated", "ann");
    for (const name of ["stash", "blame", "tag", "grep", "log"]) git("branch", name);
    git("tag", "content", "with:.env");
    git("tag", "-a", "-m", "of a file", "annotated", "with:.env");
    git("rm", "-q", ".env");
    commit("remove env");
    put(".env.local", `KEY=${TOKEN}\n${LINES}`);
    commit("add local");
    git("mv", ".env.local", "conf.txt");
    put("conf.txt", `x\n${LINES}`);
    commit("rename local");
    put(".docker/config.json", `{"auth":"${TOKEN}"}\n`);
    commit("docker");
    git("tag", "docker");
    git("rm", "-q", ".docker/config.json");
    put(".docker/other", "x\n");
    commit("undocker");
    git("checkout", "-q", "-b", "side");
    put("sub/s", "s\n");
    commit("side");
    git("checkout", "-q", "main");
    put("src/m", "m\n");
    commit("beside");
    git("merge", "-q", "--no-commit", "--no-ff", "side");
    put(".env", `KEY=${TOKEN} merge\n`);
    commit("merge adds");
    git("tag", "merged");
    git("rm", "-q", ".env");
    commit("remove merged");
    git("checkout", "-q", "-b", "back");
    put(".env", `KEY=${TOKEN} back\n`);
    commit("back adds");
    git("rm", "-q", ".env");
    commit("back removes");
    git("checkout", "-q", "main");
    put("src/n", "n\n");
    commit("before merge");
    git("merge", "-q", "--no-ff", "-m", "merge back", "back");
    git("tag", "backed");
    put("src/z", "z\n");
    commit("z1");
    put("src/z", "zz\n");
    commit("z2");
    git("checkout", "-q", "-b", "old", "with");
    put("sub/o", "o\n");
    commit("old");
    git("checkout", "-q", "main");
    put(".env", `KEY=${TOKEN} dropped\n`);
    commit("dropped");
    git("tag", "dropped-for-its-id");
    git("reset", "-q", "--hard", "HEAD~1");
    put("secrets.json", `{"k":"${TOKEN}"}\n`);
    git("stash", "-q");
  });

/** No file of secrets was ever kept. */
export const plain = (): string =>
  made(({ git, put, commit }) => {
    put("a", "a\n");
    commit("one");
    git("tag", "v1");
    git("checkout", "-q", "-b", "side");
    put("b", "b\n");
    commit("two");
    git("checkout", "-q", "main");
    put("a", "aa\n");
    commit("three");
    put("a", "aaa\n");
    git("stash", "-q");
  });
