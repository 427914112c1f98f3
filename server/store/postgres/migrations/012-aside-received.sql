-- What was received long ago is looked for each hour, and dropped.
CREATE INDEX aside_received ON aside (received_at);
