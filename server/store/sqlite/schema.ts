import type { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '../../config/variables.ts'

/**
 * Numbered steps from an empty file to today's tables. A step that shipped is never changed: add the next one.
 * `user_version` counts the steps done; each commits together with its number.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE facts (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    v INTEGER NOT NULL,
    at REAL NOT NULL,
    recorded_at REAL NOT NULL,
    company TEXT,
    by_user TEXT,
    data TEXT NOT NULL,
    UNIQUE (stream, version)
  );
  CREATE INDEX facts_by_type ON facts (type, seq);
  CREATE TABLE idempotency (
    key TEXT PRIMARY KEY,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE batches (seq INTEGER PRIMARY KEY, recorded_at REAL NOT NULL, bytes BLOB NOT NULL);
  CREATE TABLE checkpoints (name TEXT PRIMARY KEY, seq INTEGER NOT NULL, bytes BLOB NOT NULL);
  `,
  `
  -- id = (day * 2^16 + window) * 2^22 + device: a day is one span of keys, a window is written in key order
  CREATE TABLE chunks (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  -- id = day * 2^22 + block of 256 devices
  CREATE TABLE summaries (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE days (
    day INTEGER PRIMARY KEY,
    windows INTEGER NOT NULL,
    last_job INTEGER NOT NULL,
    written_at REAL NOT NULL
  );
  -- one row: what is compacted, what is being compacted, newest compacted \`at\` of each device
  CREATE TABLE compaction (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    done_through INTEGER NOT NULL,
    deleted_through INTEGER NOT NULL,
    job_through INTEGER,
    next_device INTEGER NOT NULL,
    newest BLOB NOT NULL
  );
  INSERT INTO compaction VALUES (1, 0, 0, NULL, 0, x'');
  `,
  `
  -- how many groups of neighbouring windows are merged into the first of each
  ALTER TABLE days ADD COLUMN merged INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- readings kept beside the others: held until their time has come, contradicted, or another one of the same instant
  CREATE TABLE aside (
    device INTEGER NOT NULL,
    at REAL NOT NULL,
    bytes BLOB NOT NULL,
    kind TEXT NOT NULL,
    received_at REAL NOT NULL,
    PRIMARY KEY (device, at, bytes)
  ) WITHOUT ROWID;
  CREATE INDEX aside_held ON aside (at) WHERE kind = 'held';
  `,
  `
  -- answers to commands that were sent under a key, kept a day
  CREATE TABLE answers (
    id TEXT PRIMARY KEY,
    asked TEXT NOT NULL,
    at REAL NOT NULL,
    bytes BLOB
  ) WITHOUT ROWID;
  CREATE INDEX answers_at ON answers (at);
  `,
  `
  -- SHA-256 of a row as it was written; null: the row is older than this step, and is given one by the check of the record
  ALTER TABLE facts ADD COLUMN sum BLOB;
  ALTER TABLE batches ADD COLUMN sum BLOB;
  ALTER TABLE chunks ADD COLUMN sum BLOB;
  -- what is known not to be what was written
  CREATE TABLE damage (
    "table" TEXT NOT NULL,
    key TEXT NOT NULL,
    device INTEGER,
    "from" REAL,
    "to" REAL,
    reason TEXT NOT NULL,
    PRIMARY KEY ("table", key)
  ) WITHOUT ROWID;
  -- how far the check of the record is; sealed: every row of the table has a checksum, and one without is damaged
  CREATE TABLE record_check ("table" TEXT PRIMARY KEY, position TEXT NOT NULL, sealed INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO record_check SELECT 'facts', '', NOT EXISTS (SELECT 1 FROM facts);
  INSERT INTO record_check SELECT 'batches', '', NOT EXISTS (SELECT 1 FROM batches);
  INSERT INTO record_check SELECT 'chunks', '', NOT EXISTS (SELECT 1 FROM chunks);
  `,
  `
  -- the fleet at whole minutes (since 1970), packed: a whole one now and then, and differences after it
  CREATE TABLE frames (minute INTEGER PRIMARY KEY, seq INTEGER NOT NULL, base INTEGER, bytes BLOB NOT NULL);
  CREATE INDEX frames_whole ON frames (minute) WHERE base IS NULL;
  `,
  `
  -- hours (since 1970) that something came late of, by device: frames of theirs do not have it
  CREATE TABLE late_hours (hour INTEGER, device INTEGER, PRIMARY KEY (hour, device)) WITHOUT ROWID;
  CREATE INDEX late_hours_device ON late_hours (device, hour);
  `,
  `
  -- the tree over the record; id = level * 2^40 + number of the tile in it, see seals/tiles.ts
  CREATE TABLE seal_tiles (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  -- one row. size: entries in the tree; past: those from before it began; changes: of chunks, counted; stated_through: batches up
  -- to this one may go, as a fact says that they were batches; null: nobody says so
  CREATE TABLE seal_tree (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL,
    past INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    stated_through INTEGER
  );
  INSERT INTO seal_tree SELECT 1, 0, max(ifnull((SELECT max(seq) FROM facts), 0), ifnull((SELECT max(seq) FROM batches), 0),
    (SELECT done_through FROM compaction)), 0, NULL;
  CREATE TABLE seal_heads (
    size INTEGER PRIMARY KEY,
    root TEXT NOT NULL,
    at REAL NOT NULL,
    key_id TEXT NOT NULL,
    signature TEXT NOT NULL
  );
  -- groups of chunks, and which change of each a fact says
  CREATE TABLE chunk_groups (
    day INTEGER NOT NULL,
    place TEXT NOT NULL,
    block INTEGER NOT NULL,
    change INTEGER NOT NULL,
    stated INTEGER NOT NULL,
    PRIMARY KEY (day, place, block)
  ) WITHOUT ROWID;
  CREATE INDEX chunk_groups_unstated ON chunk_groups (change) WHERE stated < change;
  `,
  `
  -- when a day was first written to; 0: before this step
  ALTER TABLE days ADD COLUMN made_at REAL NOT NULL DEFAULT 0;
  `,
  `
  -- what was received long ago is looked for each hour, and dropped
  CREATE INDEX aside_received ON aside (received_at);
  `,
]

/** The schema of this release. */
export const NEWEST_SCHEMA = MIGRATIONS.length

/** @throws CannotStart when the file was written by a later release */
export function migrate(db: DatabaseSync, migrations: readonly string[] = MIGRATIONS): void {
  const done = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (done > migrations.length)
    throw new CannotStart(
      `the store has schema ${done}, this release knows ${migrations.length}: start the later release on it, or this one on the copy made before the upgrade`,
    )
  for (const [i, sql] of migrations.entries()) {
    if (i < done) continue
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(sql)
      db.exec(`PRAGMA user_version = ${i + 1}`)
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
}
