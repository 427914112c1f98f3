-- Readings kept beside the others: held until their time has come, contradicted, or another one of the same instant.
CREATE TABLE aside (
  device int NOT NULL,
  at float8 NOT NULL,
  bytes bytea NOT NULL,
  kind text NOT NULL,
  received_at float8 NOT NULL,
  PRIMARY KEY (device, at, bytes)
);
CREATE INDEX aside_held ON aside (at) WHERE kind = 'held';
