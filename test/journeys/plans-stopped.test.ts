import { expect, test } from "vitest";
import { Tool, write, z } from "../../src/index.ts";
import { bench } from "./harness.ts";

/** Proposes a change, and is stopped at the moment that its test wants. */
const proposing = (during: { preview?: () => void | Promise<void> }) =>
  Tool.define("propose", {
    description: "A tool of the tests, which would write one file.",
    permissions: { required: ["write"] },
    input: z.object({ path: z.string() }),
    touches: ({ path }) => [write(path)],
    async preview({ path }) {
      await during.preview?.();
      return [{ path, after: new TextEncoder().encode("planned\n") }];
    },
    execute: async () => "proposed",
  });

test.each(["plan", "dryRun"] as const)(
  "in a %s, a call that is stopped while it is looked at leaves nothing in it",
  async (how) => {
    const during: { preview?: () => void } = {};
    const { gate, call, text } = await bench({}, { tools: [proposing(during)], [how]: true });
    const controller = new AbortController();
    during.preview = () => controller.abort();
    const stopped = await gate.call({ name: "propose", args: { path: "a.txt" } }, { signal: controller.signal });
    expect(stopped).toMatchObject({ success: false, status: "cancelled" });
    expect((await call("read_file", { path: "a.txt" })).error?.code).toBe("NOT_FOUND");
    delete during.preview;
    expect(await call("propose", { path: "b.txt" })).toMatchObject({ success: true, status: "planned" });
    expect((await call("read_file", { path: "b.txt" })).output).toContain("planned");
    expect([text("a.txt"), text("b.txt")]).toEqual([undefined, undefined]);
  },
);
