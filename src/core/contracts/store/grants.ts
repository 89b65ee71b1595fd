/**
 * A person's standing yes, for one tool. `covers` is a hash of what it is bound to; `shown` says the same to
 * people. A session of null means always.
 */
export type Grant = {
  id: string;
  tool: string;
  covers: string;
  shown: readonly string[];
  session: string | null;
  workspace: string;
  at: number;
};

export type GrantQuery = { tool?: string; session?: string; workspace?: string };

/** What people have allowed until further notice. */
export interface Grants {
  /** One that covers the same takes the place of the one before. */
  grant(grants: readonly Grant[]): Promise<void>;
  /** A session's own and those that hold always, oldest first; without a session, all. */
  grants(query: GrantQuery): Promise<Grant[]>;
  /** false: there is none. */
  revoke(id: string): Promise<boolean>;
}
