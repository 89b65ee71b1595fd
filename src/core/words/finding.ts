/** What one part reports about this machine: whether it works, in words, and how to get it if it is missing. */
export type Finding = { what: string; state: "holds" | "partly" | "missing"; says: string; get?: string };
