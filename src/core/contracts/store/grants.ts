/**
 * A person's standing yes, for one tool, or for everything that a rule covers: then `tool` is `*`. `covers` is that
 * rule, or a hash of what the yes is bound to; `shown` says the same to people. Session null means always.
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

/** What a standing yes to a call would be saved as, and how it is shown. */
export type Standing = { readonly tool: string; readonly covers: string; readonly shown: string };

export type GrantQuery = { tool?: string; session?: string; workspace?: string };

/** What people have allowed until further notice. */
export interface Grants {
  /** Replaces an earlier grant that covers the same. */
  grant(grants: readonly Grant[]): Promise<void>;
  /** The grants of a session and those that always hold, oldest first. Without a session, all grants. */
  grants(query: GrantQuery): Promise<Grant[]>;
  /** Returns false if there is none. */
  revoke(id: string): Promise<boolean>;
}
