import type { Database } from "./driver.ts";
import { foreignFailure, newerFailure } from "./failure.ts";
import { type Seal, sealIfPossible } from "./seal.ts";

/** Marks the file as ours ("tgat"), so that another program's database is never changed. */
const APPLICATION = 0x74676174;

/** Each entry upgrades the format by one version. Released entries are never edited. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE records (seq INTEGER PRIMARY KEY, session TEXT, page TEXT);
  CREATE INDEX records_session ON records (session);

  CREATE TABLE changes (
    id INTEGER PRIMARY KEY, record TEXT, call TEXT, session TEXT, message TEXT, tool TEXT, at INTEGER,
    real TEXT, shown TEXT, before TEXT, after TEXT, mode_before INTEGER, mode_after INTEGER,
    state TEXT NOT NULL, undoes TEXT, redoes TEXT
  );
  CREATE INDEX changes_real ON changes (real);
  CREATE INDEX changes_turn ON changes (session, message);
  CREATE INDEX changes_record ON changes (record);
  CREATE INDEX changes_intended ON changes (before) WHERE state = 'intended';

  -- apart from the bytes, so that looking for what is old or large never reads them
  CREATE TABLE contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, at INTEGER, stored INTEGER, format TEXT NOT NULL
  );
  CREATE TABLE blobs (id INTEGER PRIMARY KEY REFERENCES contents (id) ON DELETE CASCADE, bytes BLOB);

  CREATE TABLE locks (
    path TEXT, token TEXT, call TEXT, since INTEGER,
    pid INTEGER, started TEXT, host TEXT, boot TEXT, refreshed INTEGER, handle TEXT,
    PRIMARY KEY (path, token)
  ) WITHOUT ROWID;

  CREATE TABLE grants (tool TEXT, action TEXT, target TEXT, session TEXT, at INTEGER);
  CREATE INDEX grants_tool ON grants (tool);

  CREATE TABLE approvals (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT, answer TEXT, message TEXT, answered_at INTEGER
  );
  CREATE INDEX approvals_pending ON approvals (seq) WHERE answer IS NULL;
  `,
  `
  ALTER TABLE grants ADD COLUMN seal TEXT;
  ALTER TABLE approvals ADD COLUMN seal TEXT;
  `,
  // before this version a content was always in its blob; older programs must not open the file
  "CREATE INDEX contents_linked ON contents (hash) WHERE format = 'linked'",
  `
  -- each table and index takes a page at least, so small tables have no index
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

  -- records are numbered, and a page by the last of its records; pages that cannot be read are nobody's records
  CREATE TABLE pages (
    last INTEGER PRIMARY KEY, first INTEGER, session TEXT, workspace TEXT, earliest INTEGER, latest INTEGER, page TEXT
  );
  INSERT INTO pages
    SELECT sum(count) OVER (ORDER BY seq), sum(count) OVER (ORDER BY seq) - count + 1, session, '',
      (SELECT min(json_extract(value, '$[5]')) FROM json_each(page)),
      (SELECT max(json_extract(value, '$[5]')) FROM json_each(page)), page
    FROM (
      SELECT seq, session, page, CASE WHEN json_valid(page) THEN json_array_length(page) ELSE 0 END AS count
      FROM records
    ) WHERE count > 0;
  INSERT INTO counters SELECT 'sequence', max(last) FROM pages HAVING count(*) > 0;
  CREATE INDEX pages_session ON pages (session);
  DROP TABLE records;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, id TEXT, type TEXT, at INTEGER, session TEXT, record TEXT, body TEXT
  );

  -- who is behind locks, calls and questions: a handle of a process, which says from time to time that it is there
  CREATE TABLE owners (
    handle TEXT PRIMARY KEY, pid INTEGER, started TEXT, host TEXT, boot TEXT, renewals INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT OR IGNORE INTO owners SELECT handle, pid, started, host, boot, 0 FROM locks WHERE handle IS NOT NULL;
  ALTER TABLE locks RENAME TO locks_before;
  CREATE TABLE locks (
    path TEXT, token TEXT, call TEXT, since INTEGER, owner TEXT, PRIMARY KEY (path, token)
  ) WITHOUT ROWID;
  INSERT INTO locks SELECT path, token, call, since, handle FROM locks_before;
  DROP TABLE locks_before;
  CREATE TABLE waiters (ticket INTEGER PRIMARY KEY, token TEXT, call TEXT, paths TEXT, since INTEGER, owner TEXT);
  CREATE TABLE under_way (seq INTEGER PRIMARY KEY, id TEXT, owner TEXT, body TEXT);

  ALTER TABLE approvals ADD COLUMN args TEXT;
  ALTER TABLE approvals ADD COLUMN owner TEXT;
  ALTER TABLE approvals ADD COLUMN until INTEGER;
  ALTER TABLE approvals ADD COLUMN over INTEGER;
  UPDATE approvals SET over = 1 WHERE answer IS NULL;
  DROP INDEX approvals_pending;
  CREATE INDEX approvals_pending ON approvals (seq) WHERE answer IS NULL AND over IS NULL;

  -- those of before were bound to less than the whole input
  DROP TABLE grants;
  CREATE TABLE grants (
    seq INTEGER PRIMARY KEY, id TEXT, tool TEXT, covers TEXT, shown TEXT, session TEXT, workspace TEXT, at INTEGER,
    seal TEXT
  );

  CREATE TABLE totals (key TEXT PRIMARY KEY, used REAL NOT NULL, widest REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE taken (
    token TEXT, place INTEGER, key TEXT, amount REAL, at INTEGER, until REAL, PRIMARY KEY (token, place)
  ) WITHOUT ROWID;
  CREATE INDEX taken_key ON taken (key, at, amount);
  CREATE INDEX taken_until ON taken (until);

  CREATE TABLE plans (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT, workspace TEXT, state TEXT, body TEXT, seal TEXT
  );
  -- of calls that may still be run
  CREATE TABLE planned_contents (plan TEXT, hash TEXT, PRIMARY KEY (plan, hash)) WITHOUT ROWID;

  CREATE TABLE tool_rows (
    name TEXT, key TEXT, value TEXT, version INTEGER, at INTEGER, PRIMARY KEY (name, key)
  ) WITHOUT ROWID;
  `,
  "ALTER TABLE tool_rows ADD COLUMN owner TEXT",
  "ALTER TABLE approvals ADD COLUMN who TEXT",
  `
  CREATE TABLE holds (
    seq INTEGER PRIMARY KEY, token TEXT, space TEXT, resources TEXT, shown TEXT, mode TEXT, session TEXT, agent TEXT,
    since INTEGER, until REAL, owner TEXT
  );
  `,
  "ALTER TABLE tool_rows ADD COLUMN seal TEXT",
  `
  ALTER TABLE pages ADD COLUMN writer TEXT;
  ALTER TABLE pages ADD COLUMN place INTEGER;
  ALTER TABLE pages ADD COLUMN before TEXT;
  ALTER TABLE pages ADD COLUMN before_last INTEGER;
  ALTER TABLE pages ADD COLUMN anchors TEXT;
  ALTER TABLE pages ADD COLUMN link TEXT;
  ALTER TABLE pages ADD COLUMN seal TEXT;
  -- where chains end, until the page of another one tells it
  CREATE TABLE chains (writer TEXT PRIMARY KEY, place INTEGER, last INTEGER, link TEXT) WITHOUT ROWID;
  CREATE TABLE checkpoints (up_to INTEGER PRIMARY KEY, records INTEGER, at INTEGER, seal TEXT);
  `,
  // up to where there are records from before chains: noted once, when a file is upgraded to this version
  "CREATE TABLE unchained (up_to INTEGER, seal TEXT)",
];

/** The first version that notes which records may be without a chain. */
const UNCHAINED_SINCE = 10;

/** After this, nobody without the key can remove the chain from a record and pass it off as an old one. */
function tellUnchained(database: Database, seal: Seal): void {
  const { up_to: upTo } =
    database
      .prepare(
        `SELECT max(last) AS up_to FROM pages WHERE link IS NULL
         AND NOT EXISTS (SELECT 1 FROM pages AS chained WHERE chained.link IS NOT NULL AND chained.last < pages.last)`,
      )
      .get() ?? {};
  if (typeof upTo !== "number" && typeof upTo !== "bigint") return;
  const mark = sealIfPossible(seal, "unchained", [Number(upTo)]);
  database.prepare("INSERT INTO unchained VALUES (?, ?)").run(Number(upTo), mark);
}

/** One statement reads one consistent state: between two, another process may create the tables. */
const STATE = `SELECT (SELECT user_version FROM pragma_user_version) AS version,
  (SELECT application_id FROM pragma_application_id) AS application, EXISTS (SELECT 1 FROM sqlite_master) AS filled`;

/** The version of the format; 0 for a new file. Throws for files that are not ours or are too new. Changes nothing. */
export function versionOf(database: Database, file: string): number {
  const { version, application, filled } = database.prepare(STATE).get() ?? {};
  const isEmpty = Number(version) === 0 && !Number(filled);
  if (Number(application) !== APPLICATION && !isEmpty) throw foreignFailure(file);
  if (Number(version) > MIGRATIONS.length) throw newerFailure(file, Number(version), MIGRATIONS.length);
  return Number(version);
}

/** Checks again inside the transaction: of several processes that open a new file, one migrates and the others wait. */
export function migrate(database: Database, file: string, seal: Seal): void {
  if (versionOf(database, file) === MIGRATIONS.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = versionOf(database, file);
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    if (version > 0 && version < UNCHAINED_SINCE) tellUnchained(database, seal);
    database.exec(`PRAGMA application_id = ${APPLICATION}`);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Closing is not enough: a statement that is still compiled keeps the file, and so the transaction, open. */
export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // after some errors SQLite has rolled back already
  }
}
