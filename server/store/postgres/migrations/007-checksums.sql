-- SHA-256 of a row as it was written; null: the row is older than this step, and is given one by the check of the record.
ALTER TABLE facts ADD COLUMN sum bytea;
ALTER TABLE batches ADD COLUMN sum bytea;
ALTER TABLE telemetry_fresh ADD COLUMN sum bytea;
ALTER TABLE telemetry_chunks ADD COLUMN sum bytea;

-- What is known not to be what was written.
CREATE TABLE damage (
  "table" text NOT NULL,
  key text NOT NULL,
  device int,
  "from" float8,
  "to" float8,
  reason text NOT NULL,
  PRIMARY KEY ("table", key)
);

-- How far the check of the record is; sealed: every row of the table has a checksum, and one without is damaged.
CREATE TABLE record_check ("table" text PRIMARY KEY, position text NOT NULL, sealed boolean NOT NULL);
INSERT INTO record_check SELECT 'facts', '', NOT EXISTS (SELECT FROM facts);
INSERT INTO record_check SELECT 'batches', '', NOT EXISTS (SELECT FROM batches);
INSERT INTO record_check SELECT 'chunks', '', NOT EXISTS (SELECT FROM telemetry_fresh UNION ALL SELECT FROM telemetry_chunks);

-- Appends one flush of a writer, in order. A piece is of facts,
--   { "stream", "expected": number or null, "key": text or null, "recordedAt", "facts": [[type, v, at, company, by, data, before, between]] }
-- where `before` and `between` stand around the two numbers in the text of which the checksum is made; or a batch, as `length` bytes of `batches` from `offset` on:
--   { "recordedAt", "offset", "length" }
-- Each is answered { "first", "count", "version", "repeated" } or, appending nothing, { "actual": version }.
-- The lock comes before anything is read: whoever sees a number sees all before it, and none is skipped.
CREATE OR REPLACE FUNCTION append_flush(_writer uuid, _flush bigint, _epoch bigint, _pieces jsonb, _batches bytea)
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
  _bytes bytea;
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
      _bytes := substr(_batches, (_piece->>'offset')::int + 1, (_piece->>'length')::int);
      INSERT INTO batches (seq, recorded_at, bytes, sum)
      VALUES (_next, (_piece->>'recordedAt')::double precision, _bytes, sha256('\x00'::bytea || _bytes));
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
    INSERT INTO facts (seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum)
    SELECT _next + place - 1, _piece->>'stream', _version + place, fact->>0, (fact->>1)::int,
      (fact->>2)::double precision, (_piece->>'recordedAt')::double precision, fact->>3, fact->>4, fact->>5,
      sha256('\x00'::bytea || convert_to((fact->>6) || (_next + place - 1) || (fact->>7) || (_version + place) || '}', 'UTF8'))
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
