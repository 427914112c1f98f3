-- Hours (since 1970) that something came late of, by device: frames of theirs do not have it.
CREATE TABLE late_hours (
  hour int,
  device int,
  PRIMARY KEY (hour, device)
);
CREATE INDEX late_hours_device ON late_hours (device, hour);
