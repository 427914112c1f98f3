-- The fleet at whole minutes (since 1970), packed: a whole one now and then, and differences after it.
CREATE TABLE frames (
  minute int PRIMARY KEY,
  seq bigint NOT NULL,
  base bigint,
  bytes bytea NOT NULL
);
CREATE INDEX frames_whole ON frames (minute) WHERE base IS NULL;
