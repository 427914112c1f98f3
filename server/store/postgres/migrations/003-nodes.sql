-- What nodes know of each other.

-- One row: who leads, and until when by this database's clock. `term` grows with each who begins to. `key`: what another
-- node says to the lead to be known as one of the house; whoever reads it here is.
CREATE TABLE lead (
  id int PRIMARY KEY CHECK (id = 1),
  term bigint NOT NULL,
  node text NOT NULL,
  address text NOT NULL,
  key text NOT NULL,
  until timestamptz NOT NULL
);
INSERT INTO lead VALUES (1, 0, '', '', '', '-infinity');

-- Goes on leading for so many ms, or begins to where nobody leads; else changes nothing. Answers who leads by then and for
-- how many ms. Whoever was answered and did not hear it is known by their key, and need not wait for their own time.
CREATE FUNCTION hold_lead(_node text, _address text, _key text, _ms int)
RETURNS TABLE (term bigint, node text, address text, key text, is_mine boolean, remaining double precision)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  _held bigint;
BEGIN
  UPDATE lead SET until = clock_timestamp() + _ms * interval '1 ms'
  WHERE key = _key AND until > clock_timestamp() RETURNING term INTO _held;
  IF NOT FOUND THEN
    UPDATE lead SET term = term + 1, node = _node, address = _address, key = _key,
      until = clock_timestamp() + _ms * interval '1 ms'
    WHERE until <= clock_timestamp() RETURNING term INTO _held;
    IF FOUND THEN
      PERFORM pg_notify('lead', _held::text);
    END IF;
  END IF;
  RETURN QUERY SELECT term, node, address, key, term = _held IS TRUE,
    extract(epoch FROM until - clock_timestamp())::double precision * 1000 FROM lead;
END
$$;

-- Stops leading before the time is up, so that another may begin at once.
CREATE FUNCTION leave_lead(_term bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lead SET until = clock_timestamp() WHERE term = _term AND until > clock_timestamp();
  IF FOUND THEN
    PERFORM pg_notify('lead', _term::text);
  END IF;
END
$$;

-- Small values that all nodes share. `revision` grows with each change of one.
CREATE TABLE shared_values (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  revision bigint NOT NULL
);

CREATE FUNCTION set_shared_value(_name text, _value jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  _revision bigint;
BEGIN
  INSERT INTO shared_values AS known VALUES (_name, _value, 1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, revision = known.revision + 1
  RETURNING revision INTO _revision;
  PERFORM pg_notify('shared_values', _name);
  RETURN _revision;
END
$$;
