-- Files of reports, in pieces: one statement carries a piece, however large a file is.
CREATE TABLE report_files (
  name text NOT NULL,
  piece int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (name, piece)
);
-- workbooks are compressed already
ALTER TABLE report_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- What every node must know and nobody else may: the key that signs tokens, or what tells whether a given one is the same.
CREATE TABLE house_keys (
  name text PRIMARY KEY,
  value text NOT NULL
);
