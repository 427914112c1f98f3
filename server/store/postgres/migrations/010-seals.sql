-- The tree over the record: a tile of level 0 is 256 leaves, one of level n the roots of 256 whole tiles below; see seals/tiles.ts.
CREATE TABLE seal_tiles (level int NOT NULL, tile bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (level, tile));
-- hashes cannot be compressed
ALTER TABLE seal_tiles ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- One row. size: entries in the tree; past: those from before it began; stated_through: batches up to this one may be deleted, as
-- a fact says that they were batches; null: nobody says so.
CREATE TABLE seal_tree (
  id int PRIMARY KEY CHECK (id = 1),
  size bigint NOT NULL,
  past bigint NOT NULL,
  stated_through bigint
);
INSERT INTO seal_tree SELECT 1, 0, head, NULL FROM log;

CREATE TABLE seal_heads (
  size bigint PRIMARY KEY,
  root text NOT NULL,
  at double precision NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL
);

-- Groups of chunks, and which change of each a fact says. Changes are counted under the lock of the archive.
CREATE TABLE chunk_groups (
  day int NOT NULL,
  place text COLLATE "C" NOT NULL,
  block int NOT NULL,
  change bigint NOT NULL,
  stated bigint NOT NULL,
  PRIMARY KEY (day, place, block)
);
CREATE INDEX chunk_groups_unstated ON chunk_groups (change) WHERE stated < change;
CREATE SEQUENCE chunk_changes;
INSERT INTO chunk_groups
SELECT day, place, block, nextval('chunk_changes'), 0 FROM (
  SELECT DISTINCT day, job::text AS place, device / 4096 AS block FROM telemetry_chunks
  UNION SELECT DISTINCT day, 'fresh-' || job, device / 4096 FROM telemetry_fresh) AS g;

-- Notes that groups change: those of each of these devices on its day, in one place.
CREATE FUNCTION mark_chunks(_devices int[], _days int[], _place text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO chunk_groups
  SELECT day, _place, block, nextval('chunk_changes'), 0
  FROM (SELECT DISTINCT day, device / 4096 AS block FROM unnest(_devices, _days) AS c (device, day) ORDER BY 1, 2) AS g
  ON CONFLICT (day, place, block) DO UPDATE SET change = excluded.change
$$;

-- Forgets all of it; what was copied of it is of another epoch.
CREATE OR REPLACE FUNCTION empty_log() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(4611, 1);
  TRUNCATE facts, idempotency, batches, writers, checkpoints, seal_tiles, seal_heads, chunk_groups;
  UPDATE seal_tree SET size = 0, past = 0, stated_through = NULL;
  UPDATE batches_deleted SET through = 0;
  UPDATE log SET head = 0, epoch = epoch + 1;
  PERFORM pg_notify('log', 'emptied');
END
$$;

-- Drops a day; its tables in one statement, however many readings they hold.
CREATE OR REPLACE FUNCTION drop_telemetry_day(_day int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF _day >= (SELECT shared_before FROM telemetry_state) THEN
    EXECUTE format('DROP TABLE telemetry_chunks_%1$s, telemetry_summaries_%1$s', _day);
  ELSE
    DELETE FROM telemetry_chunks WHERE day = _day;
    DELETE FROM telemetry_summaries WHERE day = _day;
  END IF;
  -- of a fleet that stands still: what is not merged yet
  DELETE FROM telemetry_fresh WHERE day = _day;
  DELETE FROM telemetry_days WHERE day = _day;
  UPDATE chunk_groups SET change = nextval('chunk_changes') WHERE day = _day;
END
$$;
