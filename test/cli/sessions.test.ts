import { watch } from "node:fs";
import { expect, test } from "vitest";
import { workspace } from "./cli.ts";

const line = (turn: object): string => `${JSON.stringify(turn)}\n`;
const EDIT = { name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "2" } };
const SCRIPT = line({ text: "I edit.", calls: [EDIT] }) + line({ text: "Done." });

test("a session is listed, shown, taken out, played again and removed", async () => {
  const it = await workspace({ "a.txt": "one\ntwo\n", "s.jsonl": SCRIPT });
  expect(await it.run(["sessions"])).toMatchObject({ status: 0, out: "No agent has worked here yet.\n" });
  const ran = await it.run(["run", "a", "digit", "--model", "script:s.jsonl", "--mode", "yolo", "--json"]);
  const { session } = JSON.parse(ran.out);
  expect(JSON.parse((await it.run(["sessions", "--json"])).out)).toMatchObject([
    { id: session, agent: "build", status: "finished", task: "a digit", turns: 2 },
  ]);
  expect((await it.run(["sessions"])).out).toContain(`${session}  `);
  expect((await it.run(["sessions", "show", "last"])).out).toContain("Calls `edit_file`:");
  expect(JSON.parse((await it.run(["sessions", "show", session, "--json"])).out).messages).toHaveLength(4);
  await it.write("again.jsonl", (await it.run(["sessions", "export", session, "--format", "script"])).out);
  await it.write("a.txt", "one\ntwo\n");
  const played = await it.run(["sessions", "replay", session.slice(0, 14), "--mode", "yolo"]);
  expect(played).toMatchObject({ status: 0, out: "I edit.\n· edit_file Edited a.txt\nDone.\n" });
  expect(await it.read("a.txt")).toBe("one\n2\n");
  await it.write("a.txt", "one\ntwo\n");
  const args = ["run", "a digit", "--model", "script:again.jsonl", "--mode", "yolo"];
  expect((await it.run(args)).out).toBe(played.out);
  expect((await it.run(["sessions", "remove", session, "--yes"])).status).toBe(0);
  const unknown = await it.run(["sessions", "show", session]);
  expect(unknown).toMatchObject({ status: 3, err: expect.stringContaining("There is no agent session") });
});

test("a run that was killed in the middle of a turn goes on, with nothing done twice", async () => {
  const it = await workspace({
    "log.txt": "",
    "s.jsonl":
      line({ calls: [{ name: "run_command", args: { command: "echo first >> log.txt" } }] }) +
      line({
        calls: [
          { name: "run_command", args: { command: "echo second >> log.txt; touch started; sleep 60" } },
          { name: "write_file", args: { path: "late.txt", content: "late\n" } },
        ],
      }),
    "rest.jsonl": line({ text: "I looked at what was done." }),
  });
  const killed = await it.run(["run", "go", "--model", "script:s.jsonl", "--mode", "yolo"], {
    during: (child) => {
      const watcher = watch(it.dir, () => {
        if (!it.has("started")) return;
        watcher.close();
        child.kill("SIGKILL");
      });
    },
  });
  expect(killed.status).toBeNull();
  const [before] = JSON.parse((await it.run(["sessions", "--json"])).out);
  expect(before).toMatchObject({ status: "interrupted", turns: 2 });
  const resumed = await it.run(["run", "--resume", "last", "--model", "script:rest.jsonl", "--mode", "yolo", "--json"]);
  expect(resumed.status, resumed.err).toBe(0);
  expect(JSON.parse(resumed.out)).toMatchObject({ session: before.id, finished: true });
  expect(await it.read("log.txt")).toBe("first\nsecond\n");
  expect(it.has("late.txt")).toBe(false);
  const { messages } = JSON.parse((await it.run(["sessions", "show", "last", "--json"])).out);
  for (const [index, message] of messages.entries())
    if (message.calls?.length > 0)
      expect(messages[index + 1].answers.map((each: { id: string }) => each.id)).toEqual(
        message.calls.map((each: { id: string }) => each.id),
      );
  const answers = messages.flatMap(
    (each: { answers?: { text: string }[] }) => each.answers?.map(({ text }) => text) ?? [],
  );
  expect(answers[1]).toContain("The process ended while this call ran.");
  expect(answers[2]).toContain("The process ended before this call was made.");
  expect(messages.at(-1).text).toBe("I looked at what was done.");
});
