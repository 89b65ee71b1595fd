import { expect, test } from "vitest";
import { openAgent } from "../../../src/open-agent.ts";
import { countTokens } from "../../../src/text/tokens.ts";
import { listOfSkills } from "../../../src/tools/lib/skill-texts.ts";
import { needs } from "../../capabilities.ts";
import { bench, folder } from "../harness.ts";
import { ownFolder, QUICK, skillText, toolText } from "./shelf.ts";

async function promptOf(agent: string, name: string, files: Record<string, string>): Promise<string> {
  const model = { name, turn: async () => ({ text: "done", calls: [] }) };
  const { gate, crew } = await openAgent({ workspace: folder(files), ...QUICK, model });
  const prompt = await crew.prompt(agent, gate);
  await gate.close();
  return prompt;
}

test("an agent that has the tool is told of the skills, by the name that its model is shown", async () => {
  ownFolder();
  const files = {
    ".agents/skills/b/SKILL.md": skillText("b"),
    ".agents/skills/a/SKILL.md": skillText("a"),
    ".agents/skills/c/SKILL.md": skillText("c", "disable-model-invocation: true\n"),
    ".toolgate/agents/reader.md": "---\nname: reader\ntools: [read_file, Skill]\n---\nRead.\n",
  };
  const list = "- a: What a is for.\n- b: What b is for.";
  expect(await promptOf("build", "qwen3", files)).toContain(`read it with \`skill\` before you begin.\n${list}`);
  expect(await promptOf("build", "claude-x", files)).toContain(`read it with \`Skill\` before you begin.\n${list}`);
  expect(await promptOf("reader", "qwen3", files)).toContain(list);
  for (const agent of ["explore", "plan", "review", "test"])
    expect(await promptOf(agent, "qwen3", files)).not.toContain("What a is for");
  expect(await promptOf("build", "qwen3", {})).not.toContain("Skills");
});

test.each([1, 20, 200, 800])("the list of %d skills stays within its budget", (count) => {
  const skills = Array.from({ length: count }, (_, index) => ({
    ...{ name: `skill-${index}`, description: `Does ${"a lot of things ".repeat(50)}\n\u001b[31mand\u202e more.` },
    ...{ folder: "/s", shown: "s", from: "user" as const, tools: [] },
  }));
  const text = listOfSkills(skills);
  expect(countTokens(text)).toBeLessThanOrEqual(1_550);
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(text).toContain("skill-0");
  expect(text.split("\n").length).toBeLessThanOrEqual(count);
});

test(
  "a command of the person's own skill runs in the sandbox, where its files can be read and not changed",
  needs("bubblewrap"),
  async () => {
    ownFolder({
      "skills/own/SKILL.md": skillText("own", toolText("own_run", "bash $SKILL_DIR/run.sh {{x}}", "[x]")),
      "skills/own/run.sh": 'echo "ran $1" > made.txt; echo no > "$(dirname "$0")/run.sh"\n',
    });
    const it = await bench({}, { store: "memory", sandbox: "required" });
    const ran = await it.call("own_run", { x: "it" });
    expect(it.text("made.txt")).toBe("ran it\n");
    expect(ran.output).toContain("Read-only file system");
  },
);
