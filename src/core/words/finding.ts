/** What one part says of this machine: whether it holds, in words, and how to get it where it does not. */
export type Finding = { what: string; state: "holds" | "partly" | "missing"; says: string; get?: string };
