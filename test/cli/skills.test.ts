import { mkdir, rm, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { skillText, toolText } from "../journeys/skills/shelf.ts";
import { workspace } from "./cli.ts";

const GOOD = skillText("notes", toolText("notes_since", "git log --oneline {{tag}}..HEAD", "[tag]"));

test("skills: list, check and add, as text and as JSON", async () => {
  const { run, has, at } = await workspace({
    ".agents/skills/notes/SKILL.md": GOOD,
    ".claude/skills/bad/SKILL.md": skillText("worse", toolText("bash", "echo {{x}}")),
    "other/extra/SKILL.md": skillText("extra", toolText("say_extra", "bash $SKILL_DIR/run.sh")),
    "other/extra/run.sh": "echo extra\n",
  });
  const listed = await run(["skills"]);
  expect(listed).toMatchObject({ status: 0 });
  expect(listed.out).toContain("notes  What notes is for. (.agents/skills/notes)");
  expect(listed.out).toContain("notes_since: git log --oneline {{tag}}..HEAD");
  const document = JSON.parse((await run(["skills", "list", "--json"])).out);
  expect(document.skills).toMatchObject([{ name: "notes", from: "workspace", tools: [{ name: "notes_since" }] }]);

  const checked = await run(["skills", "check"]);
  expect(checked.status).toBe(3);
  expect(checked.out.split("\n")).toEqual([
    '.claude/skills/bad/SKILL.md:2: name is worse and its folder "bad"; they must be the same',
    ".claude/skills/bad/SKILL.md:7: cmd has {{x}}, which is not among args",
    "1 skill, 2 defects.",
    "",
  ]);
  const one = JSON.parse((await run(["skills", "check", "other/extra", "--json"])).out);
  expect(one).toMatchObject({ valid: true, skills: ["extra"], defects: [] });

  expect((await run(["skills", "add", "other/extra"])).status).toBe(3);
  expect(await run(["skills", "add", "other/extra", "--yes"])).toMatchObject({
    status: 0,
    out: "Added extra to .toolgate/skills/extra (2 files).\n",
  });
  expect(has(".toolgate/skills/extra/run.sh")).toBe(true);
  expect((await run(["skills", "add", "other/extra", "--yes"])).err).toContain("already there");
  expect((await run(["skills", "add", at(".claude/skills/bad"), "--yes"])).err).toContain("SKILL.md:2");
  const own = JSON.parse((await run(["skills", "add", "other/extra", "--user", "--yes", "--json"])).out);
  expect(own).toMatchObject({ added: "extra", files: ["SKILL.md", "run.sh"] });
  await rm(at(".toolgate"), { recursive: true });
  await mkdir(at("../elsewhere"));
  await symlink(at("../elsewhere"), at(".toolgate"));
  expect((await run(["skills", "add", "other/extra", "--yes"])).err).toContain("leads out of the workspace");
  expect(has("../elsewhere/skills/extra")).toBe(false);
  expect((await run(["skills", "lsit"])).status).toBe(3);
});
