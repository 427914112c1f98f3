-- Answers to commands that were sent under a key, kept a day.
CREATE TABLE answers (
  id text PRIMARY KEY,
  asked text NOT NULL,
  at float8 NOT NULL,
  bytes bytea
);
CREATE INDEX answers_at ON answers (at);
CREATE INDEX idempotency_in_order ON idempotency (key COLLATE "C");
