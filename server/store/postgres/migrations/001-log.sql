-- The record: facts and telemetry batches in one sequence without a gap.

-- One row. What a node copied is known by database and epoch; another epoch begins when everything is forgotten.
CREATE TABLE log (
  id int PRIMARY KEY CHECK (id = 1),
  database uuid NOT NULL,
  epoch bigint NOT NULL,
  -- the last number given
  head bigint NOT NULL
);
INSERT INTO log VALUES (1, gen_random_uuid(), 1, 0);

CREATE TABLE facts (
  seq bigint PRIMARY KEY,
  stream text NOT NULL,
  version int NOT NULL,
  type text NOT NULL,
  v int NOT NULL,
  at double precision NOT NULL,
  recorded_at double precision NOT NULL,
  company text,
  by_user text,
  data text NOT NULL,
  UNIQUE (stream, version)
);

CREATE TABLE idempotency (
  key text PRIMARY KEY,
  first bigint NOT NULL,
  count int NOT NULL,
  version int NOT NULL
);

CREATE TABLE batches (
  seq bigint PRIMARY KEY,
  recorded_at double precision NOT NULL,
  bytes bytea NOT NULL
);
-- columns of numbers: to compress them anew takes longer than to write them
ALTER TABLE batches ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- One row, not in `log`, which every append writes to: whoever deletes batches keeps nobody from appending.
CREATE TABLE batches_deleted (
  id int PRIMARY KEY CHECK (id = 1),
  through bigint NOT NULL
);
INSERT INTO batches_deleted VALUES (1, 0);

-- The last flush of each writer and what it was answered: one whose answer was lost is asked again and done once.
CREATE TABLE writers (
  writer uuid PRIMARY KEY,
  flush bigint NOT NULL,
  answer jsonb NOT NULL,
  at timestamptz NOT NULL
);

-- Those of the lead. `revision` grows with each that is saved under a name.
CREATE TABLE checkpoints (
  name text PRIMARY KEY,
  seq bigint NOT NULL,
  revision bigint NOT NULL,
  bytes bytea NOT NULL
);
ALTER TABLE checkpoints ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Appends one flush of a writer, in order. A piece is of facts,
--   { "stream", "expected": number or null, "key": text or null, "recordedAt", "facts": [[type, v, at, company, by, data]] }
-- or a batch, as `length` bytes of `batches` from `offset` on:
--   { "recordedAt", "offset", "length" }
-- Each is answered { "first", "count", "version", "repeated" } or, appending nothing, { "actual": version }.
-- The lock comes before anything is read: whoever sees a number sees all before it, and none is skipped.
CREATE FUNCTION append_flush(_writer uuid, _flush bigint, _epoch bigint, _pieces jsonb, _batches bytea)
RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  _last record;
  _log record;
  _piece jsonb;
  _known record;
  _version int;
  _count int;
  _next bigint;
  _answers jsonb[] := '{}';
  _answer jsonb;
BEGIN
  PERFORM set_config('lock_timeout', '4s', true);
  PERFORM pg_advisory_xact_lock(4611, 1);
  SELECT flush, answer INTO _last FROM writers WHERE writer = _writer;
  IF _last.flush = _flush THEN
    RETURN _last.answer;
  END IF;
  SELECT epoch, head INTO STRICT _log FROM log;
  IF _log.epoch <> _epoch THEN
    RAISE EXCEPTION 'the record is in epoch %, not in %', _log.epoch, _epoch USING ERRCODE = 'FL001';
  END IF;
  _next := _log.head + 1;

  FOR _piece IN SELECT value FROM jsonb_array_elements(_pieces) LOOP
    IF _piece ? 'offset' THEN
      INSERT INTO batches VALUES (_next, (_piece->>'recordedAt')::double precision,
        substr(_batches, (_piece->>'offset')::int + 1, (_piece->>'length')::int));
      _answers := _answers || jsonb_build_object('first', _next, 'count', 1);
      _next := _next + 1;
      CONTINUE;
    END IF;
    IF _piece->>'key' IS NOT NULL THEN
      SELECT first, count, version INTO _known FROM idempotency WHERE key = _piece->>'key';
      IF FOUND THEN
        _answers := _answers || jsonb_build_object('first', _known.first, 'count', _known.count,
          'version', _known.version, 'repeated', true);
        CONTINUE;
      END IF;
    END IF;
    SELECT coalesce(max(version), 0) INTO _version FROM facts WHERE stream = _piece->>'stream';
    IF _version <> (_piece->>'expected')::int THEN
      _answers := _answers || jsonb_build_object('actual', _version);
      CONTINUE;
    END IF;
    INSERT INTO facts (seq, stream, version, type, v, at, recorded_at, company, by_user, data)
    SELECT _next + place - 1, _piece->>'stream', _version + place, fact->>0, (fact->>1)::int,
      (fact->>2)::double precision, (_piece->>'recordedAt')::double precision, fact->>3, fact->>4, fact->>5
    FROM jsonb_array_elements(_piece->'facts') WITH ORDINALITY AS given (fact, place);
    GET DIAGNOSTICS _count = ROW_COUNT;
    IF _piece->>'key' IS NOT NULL THEN
      INSERT INTO idempotency VALUES (_piece->>'key', _next, _count, _version + _count);
    END IF;
    _answers := _answers || jsonb_build_object('first', _next, 'count', _count, 'version', _version + _count,
      'repeated', false);
    _next := _next + _count;
  END LOOP;

  _answer := to_jsonb(_answers);
  INSERT INTO writers VALUES (_writer, _flush, _answer, now())
  ON CONFLICT (writer) DO UPDATE SET flush = excluded.flush, answer = excluded.answer, at = excluded.at;
  IF _next - 1 > _log.head THEN
    UPDATE log SET head = _next - 1;
    PERFORM pg_notify('log', (_next - 1)::text);
  END IF;
  RETURN _answer;
END
$$;

-- Forgets all of it; what was copied of it is of another epoch.
CREATE FUNCTION empty_log() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(4611, 1);
  TRUNCATE facts, idempotency, batches, writers, checkpoints;
  UPDATE batches_deleted SET through = 0;
  UPDATE log SET head = 0, epoch = epoch + 1;
  PERFORM pg_notify('log', 'emptied');
END
$$;
