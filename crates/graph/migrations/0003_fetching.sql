-- What fetching has to remember: what left the machine, where the bytes that came back lie, how often each
-- site may be asked, and what need not be asked again.

-- The ledger. A row is written before the first byte leaves and gets its answer afterwards: a row without
-- one was cut off in the middle, and says so.
CREATE TABLE egress (
  seq INTEGER PRIMARY KEY,
  requested_at TEXT NOT NULL,
  task_id TEXT REFERENCES tasks(id),
  purpose TEXT NOT NULL,
  route TEXT NOT NULL,
  method TEXT NOT NULL,
  scheme TEXT NOT NULL,
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  path TEXT NOT NULL,
  request_bytes INTEGER NOT NULL,
  address TEXT,
  status INTEGER,
  response_bytes INTEGER,
  outcome TEXT,
  finished_at TEXT,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
-- "what did this task send"
CREATE INDEX egress_by_task ON egress(task_id, seq) WHERE task_id IS NOT NULL;
-- "what did this host get from us"
CREATE INDEX egress_by_host ON egress(host, seq);
CREATE TRIGGER egress_keep_delete BEFORE DELETE ON egress
BEGIN SELECT raise(ABORT, 'the ledger keeps every row'); END;
CREATE TRIGGER egress_keep_update BEFORE UPDATE ON egress
WHEN old.finished_at IS NOT NULL OR new.seq IS NOT old.seq OR new.requested_at IS NOT old.requested_at
  OR new.task_id IS NOT old.task_id OR new.purpose IS NOT old.purpose OR new.route IS NOT old.route
  OR new.method IS NOT old.method OR new.scheme IS NOT old.scheme OR new.host IS NOT old.host
  OR new.port IS NOT old.port OR new.path IS NOT old.path OR new.request_bytes IS NOT old.request_bytes
  OR new.cause_id IS NOT old.cause_id
BEGIN SELECT raise(ABORT, 'a row of the ledger is answered once and not changed'); END;

-- One row for each record in the WARC files.
CREATE TABLE archive_records (
  record_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('request', 'response', 'revisit')),
  url TEXT NOT NULL,
  status INTEGER,
  file TEXT NOT NULL,
  byte_start INTEGER NOT NULL,
  byte_length INTEGER NOT NULL,
  payload_digest TEXT,
  -- The response a revisit stands for.
  refers_to TEXT REFERENCES archive_records(record_id),
  egress_seq INTEGER REFERENCES egress(seq),
  archived_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;
CREATE INDEX archive_records_by_url ON archive_records(url, archived_at);
CREATE INDEX archive_records_by_file ON archive_records(file, byte_start);

-- How a site, an engine or an API was asked lately: politeness survives a restart.
CREATE TABLE pace (
  scope TEXT PRIMARY KEY,
  last_request_at TEXT,
  -- Requests already counted against the rate; it drains with time.
  level REAL NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  resting_until TEXT,
  resting_because TEXT,
  day TEXT,
  requests_today INTEGER NOT NULL DEFAULT 0,
  updated_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;

CREATE TABLE robots (
  origin TEXT PRIMARY KEY,
  status INTEGER,
  body BLOB NOT NULL,
  fetched_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;

-- The body of a page that was not modified is read from the archive.
ALTER TABLE cache_fetch ADD COLUMN status INTEGER;
ALTER TABLE cache_fetch ADD COLUMN final_url TEXT;
ALTER TABLE cache_fetch ADD COLUMN fresh_until TEXT;
ALTER TABLE cache_fetch ADD COLUMN record_id TEXT REFERENCES archive_records(record_id);

-- How many answers the averages rest on.
ALTER TABLE engine_health ADD COLUMN samples INTEGER NOT NULL DEFAULT 0;
-- A page the parser could not read, as an archive record: what a person needs to mend it.
ALTER TABLE engine_health ADD COLUMN broken_sample TEXT;
ALTER TABLE engine_health ADD COLUMN last_outcome TEXT;
