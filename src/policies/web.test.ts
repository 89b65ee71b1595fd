import { expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Touch } from "../core/words/touch.ts";
import { web } from "./web.ts";

const policy = web({ rate: 3, deny: ["denied.example"], allowPrivateHosts: [] });
const fetched = (url: string): Touch => ({ action: "fetch", url, method: "GET" });
const judge = (...touches: Touch[]) => policy.judge(ready({ touches }), factsUnder({ mode: "yolo" }));

test.each<[what: string, touches: Touch[], refused: RegExp | undefined]>([
  ["a public host", [fetched("https://example.com/")], undefined],
  ["a denied host", [fetched("https://denied.example/x")], /web\.deny names denied\.example:443/],
  ["a denied host after another", [fetched("https://example.com/"), fetched("https://denied.example/")], /web\.deny/],
  ["a private host", [fetched("http://127.0.0.1/")], /127\.0\.0\.1/],
  ["another protocol", [fetched("file:///etc/passwd")], /only http and https/],
  ["no URL", [fetched("nonsense")], /is not a URL/],
  ["a command to a denied host", [run(fetched("https://denied.example/"))], /names the host of https:\/\/denied/],
  ["a command inside a command", [run(run(fetched("https://denied.example/")))], /names the host of/],
  ["a command, second", [run(fetched("https://example.com/"), fetched("https://denied.example/"))], /names the host/],
  ["a command that reads first", [run(at("read", "a"), fetched("https://denied.example/"))], /names the host of/],
  ["a command to a private host, which the sandbox decides", [run(fetched("http://127.0.0.1/"))], undefined],
  ["a command without a request", [run(at("read", "a"))], undefined],
  ["a file", [at("write", "a")], undefined],
])("%s", (_, touches, refused) => {
  const verdict = judge(at("read", "a"), ...touches);
  if (refused === undefined) expect(verdict?.answer).toBeUndefined();
  else expect(verdict).toMatchObject({ answer: "deny", by: "web", reason: expect.stringMatching(refused) });
});

test("requests count against their host, each one", () => {
  const verdict = judge(fetched("https://a.example/1"), fetched("https://b.example/"), fetched("https://a.example/2"));
  expect(verdict?.reserve).toEqual([
    {
      key: "a.example",
      limit: 3,
      window: 60_000,
      amount: 2,
      full: expect.stringContaining("only 3 requests a minute"),
    },
    { key: "b.example", limit: 3, window: 60_000, amount: 1, full: expect.stringContaining("b.example (web.rate)") },
  ]);
  expect(judge(at("read", "a"), run(fetched("https://a.example/"))), "a command's own are not counted").toBeUndefined();
});
