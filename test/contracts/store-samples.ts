import type { ApprovalRow } from "../../src/core/contracts/store/approvals.ts";
import type { NewChange } from "../../src/core/contracts/store/changes.ts";
import type { Holder } from "../../src/core/contracts/store/locks.ts";
import type { CallRecord } from "../../src/core/contracts/store/records.ts";
import type { Store } from "../../src/core/contracts/store/store.ts";
import type { Touch } from "../../src/core/words/touch.ts";

/** `again` opens a second handle on the same data, where a store has such a thing. */
export type Opened = { store: Store; again?: () => Promise<Store>; done: () => Promise<void> };

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const touch: Touch = {
  action: "read",
  place: { shown: "a.txt", real: "/w/a.txt", root: "/w", exists: true },
  certain: true,
};

export const callRecord = (id: string, more: Partial<CallRecord> = {}): CallRecord => ({
  id,
  call: `call-${id}`,
  session: "s1",
  message: "m1",
  agent: "main",
  tool: "read_file",
  at: 1000,
  microseconds: 12,
  status: "done",
  target: "a.txt",
  input: { path: "a.txt" },
  touches: [touch],
  trace: [{ stage: "find", microseconds: 1 }],
  ...more,
});

export const newChange = (real: string, more: Partial<NewChange> = {}): NewChange => ({
  record: "r1",
  call: "c1",
  session: "s1",
  message: "m1",
  tool: "edit_file",
  at: 1000,
  real,
  shown: real.slice(1),
  before: `before ${real}`,
  after: `after ${real}`,
  content: bytes(`content of ${real}`),
  ...more,
});

export const approvalOf = (id: string): ApprovalRow => ({
  id,
  call: "c1",
  session: "s1",
  agent: "main",
  tool: "edit_file",
  at: 1000,
  fingerprint: "f",
  reason: "it writes",
  touches: [touch],
  diff: "-a\n+b",
});

export const holderOf = (call: string, ...ancestors: string[]): Holder => ({ token: `token-${call}`, call, ancestors });
