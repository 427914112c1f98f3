-- When a day was first written to; 0: before this step.
ALTER TABLE telemetry_days ADD COLUMN made_at double precision NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION write_telemetry_days(_days int[], _kept int, _now double precision)
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
    INSERT INTO telemetry_days VALUES (_day, _now, _now);
    CONTINUE WHEN _day < _shared_before;
    PERFORM add_telemetry_tables(_day::text, _day::text, (_day + 1)::text);
  END LOOP;
END
$$;
