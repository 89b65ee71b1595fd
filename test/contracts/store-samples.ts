import type { ApprovalRow } from "../../src/core/contracts/store/approvals.ts";
import type { NewChange } from "../../src/core/contracts/store/changes.ts";
import type { Grant } from "../../src/core/contracts/store/grants.ts";
import type { Holder } from "../../src/core/contracts/store/locks.ts";
import type { PlannedCall } from "../../src/core/contracts/store/plans.ts";
import type { CallRecord, UnderWay } from "../../src/core/contracts/store/records.ts";
import type { Touch } from "../../src/core/words/touch.ts";

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
  workspace: "/w",
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

export const approvalOf = (id: string, more: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id,
  call: "c1",
  session: "s1",
  agent: "main",
  workspace: "/w",
  tool: "edit_file",
  at: 1000,
  fingerprint: "f",
  reason: "it writes",
  input: { path: "a.txt" },
  touches: [touch],
  diff: "-a\n+b",
  batch: "b1",
  grantable: true,
  wouldGrant: ["edit a.txt"],
  ...more,
});

export const grantOf = (id: string, more: Partial<Grant> = {}): Grant => ({
  id,
  tool: "edit_file",
  covers: `covers ${id}`,
  shown: [`edit ${id}`],
  session: null,
  workspace: "/w",
  at: 1000,
  ...more,
});

export const planOf = (id: string, more: Partial<PlannedCall> = {}): PlannedCall => ({
  id,
  call: `call-${id}`,
  session: "s1",
  message: "m1",
  agent: "main",
  workspace: "/w",
  tool: "edit_file",
  args: { path: "a.txt" },
  at: 1000,
  touches: [touch],
  changes: [{ real: "/w/a.txt", shown: "a.txt", before: "old", after: "new", mode: 0o644 }],
  diff: "-a\n+b",
  state: "planned",
  ...more,
});

export const begunOf = (id: string, more: Partial<UnderWay> = {}): UnderWay => ({
  ...{ id, call: `call-${id}`, session: "s1", agent: "main", workspace: "/w", tool: "run_command" },
  ...{ target: "make", at: 1000 },
  ...more,
});

export const holderOf = (call: string, ...ancestors: string[]): Holder => ({ token: `token-${call}`, call, ancestors });
