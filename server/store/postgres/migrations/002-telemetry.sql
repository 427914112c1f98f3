-- What batches of readings are compacted into. All of it is written under the advisory lock of the archive (4611, 3).

-- One row: how far the tail is compacted and fresh chunks are merged. Whoever goes on says which version it goes on from:
-- if it is another by now, somebody else did.
CREATE TABLE telemetry_state (
  id int PRIMARY KEY CHECK (id = 1),
  version bigint NOT NULL,
  -- batches up to this one are compacted
  done_through bigint NOT NULL,
  -- the last compaction begun; null: done, else devices before next_device are
  job int NOT NULL,
  job_through bigint,
  next_device int NOT NULL,
  -- where compactions write fresh chunks, and since which one
  side smallint NOT NULL,
  side_from int NOT NULL,
  -- compactions of the other side from this one on are being merged, devices before merge_device are; null: it is empty
  merge_from int,
  merge_device int NOT NULL,
  -- days before this one share tables; null: nothing was written yet
  shared_before int
);
INSERT INTO telemetry_state VALUES (1, 0, 0, 0, NULL, 0, 0, 1, NULL, 0, NULL);

-- Newest compacted time of each device, 128 a row.
CREATE TABLE telemetry_newest (block int PRIMARY KEY, times bytea NOT NULL);

-- What the last compactions wrote, a device, day and compaction each, until they are merged: one side is filled while
-- the other is merged and then emptied as a whole, which leaves no dead rows behind.
CREATE TABLE telemetry_fresh (
  side smallint NOT NULL,
  device int NOT NULL,
  day int NOT NULL,
  job int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (device, day, job, side)
) PARTITION BY LIST (side);
ALTER TABLE telemetry_fresh ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE telemetry_fresh_0 PARTITION OF telemetry_fresh FOR VALUES IN (0);
CREATE TABLE telemetry_fresh_1 PARTITION OF telemetry_fresh FOR VALUES IN (1);

-- What they are merged into, and as job 0 what the history source told. A partition a day, but one for all days that were
-- out of retention at the first write. No default partition: to make one for a day would have to wait for all readers
-- of it, a backup for instance. The chunks are compressed as well as they can be.
CREATE TABLE telemetry_chunks (
  device int NOT NULL,
  day int NOT NULL,
  job int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (device, day, job)
) PARTITION BY RANGE (day);
ALTER TABLE telemetry_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Day summaries, 128 devices a row.
CREATE TABLE telemetry_summaries (
  block int NOT NULL,
  day int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (block, day)
) PARTITION BY RANGE (day);

-- Days that were written to.
CREATE TABLE telemetry_days (day int PRIMARY KEY, written_at double precision NOT NULL);

-- Makes tables for days from <= day < to of a name of their own; made and then attached, so that readers of other days go
-- on meanwhile.
CREATE FUNCTION add_telemetry_tables(_name text, _from text, _to text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  _of text;
BEGIN
  FOREACH _of IN ARRAY ARRAY['telemetry_chunks', 'telemetry_summaries'] LOOP
    EXECUTE format('CREATE TABLE %1$s_%2$s (LIKE %1$s INCLUDING ALL)', _of, _name);
    EXECUTE format('ALTER TABLE %1$s ATTACH PARTITION %1$s_%2$s FOR VALUES FROM (%3$s) TO (%4$s)', _of, _name, _from, _to);
  END LOOP;
END
$$;

-- Notes that days are written to, and makes their tables. `_kept`: the first day that is not out of retention.
CREATE FUNCTION write_telemetry_days(_days int[], _kept int, _now double precision)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  _day int;
  _shared_before int;
BEGIN
  SELECT shared_before INTO _shared_before FROM telemetry_state;
  IF _shared_before IS NULL THEN
    _shared_before := _kept;
    UPDATE telemetry_state SET shared_before = _kept;
    PERFORM add_telemetry_tables('old', 'MINVALUE', _kept::text);
  END IF;
  FOREACH _day IN ARRAY _days LOOP
    UPDATE telemetry_days SET written_at = _now WHERE day = _day AND written_at < _now;
    CONTINUE WHEN FOUND OR EXISTS (SELECT FROM telemetry_days WHERE day = _day);
    INSERT INTO telemetry_days VALUES (_day, _now);
    CONTINUE WHEN _day < _shared_before;
    PERFORM add_telemetry_tables(_day::text, _day::text, (_day + 1)::text);
  END LOOP;
END
$$;

-- Drops a day; its tables in one statement, however many readings they hold.
CREATE FUNCTION drop_telemetry_day(_day int) RETURNS void LANGUAGE plpgsql AS $$
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
END
$$;

-- Forgets all readings that are compacted, for a record that begins anew.
CREATE FUNCTION empty_telemetry() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM drop_telemetry_day(day) FROM telemetry_days;
  DROP TABLE IF EXISTS telemetry_chunks_old, telemetry_summaries_old;
  TRUNCATE telemetry_fresh, telemetry_newest;
  UPDATE telemetry_state SET version = version + 1, done_through = 0, job = 0, job_through = NULL, next_device = 0,
    side = 0, side_from = 1, merge_from = NULL, merge_device = 0, shared_before = NULL;
END
$$;
