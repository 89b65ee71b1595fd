/**
 * A person's standing yes, for one tool, or for all that a rule covers: then the tool is `*`. `covers` is that rule, or
 * a hash of what the yes is bound to; `shown` says the same to people. A session of null means always.
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

/** What a standing yes to a call would be kept as, and how that is shown. */
export type Standing = { readonly tool: string; readonly covers: string; readonly shown: string };

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
