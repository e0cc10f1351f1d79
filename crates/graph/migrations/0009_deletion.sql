-- A person may take a task back: its rows and texts go. That it was there stays, and when it went.

CREATE TABLE deleted_tasks (
  id TEXT PRIMARY KEY,
  deleted_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;

-- The one door in the logs: a row that is named here may leave with its task. Nothing can be named without a tombstone,
-- and the transaction that deletes empties the table before it ends.
CREATE TABLE leaving (
  log TEXT NOT NULL CHECK (log IN ('events', 'claim_events', 'nli_corrections', 'egress')),
  row_id TEXT NOT NULL,
  task_id TEXT NOT NULL REFERENCES deleted_tasks(id),
  PRIMARY KEY (log, row_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER leaving_needs_a_tombstone BEFORE INSERT ON leaving
WHEN NOT EXISTS (SELECT 1 FROM deleted_tasks WHERE id = new.task_id)
BEGIN SELECT RAISE(ABORT, 'only a deleted task leaves the logs'); END;

-- What is still to be done to files after rows went, so that it is done even if the process ends in between: archive files
-- to write again without records that no row names any more (`rewrite`), files to remove, and the database itself (`compact`).
CREATE TABLE unfinished (
  what TEXT NOT NULL CHECK (what IN ('rewrite', 'remove', 'compact')),
  file TEXT NOT NULL,
  PRIMARY KEY (what, file)
) STRICT, WITHOUT ROWID;

DROP TRIGGER IF EXISTS events_keep_delete;
CREATE TRIGGER events_keep_delete BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM leaving WHERE log = 'events' AND row_id = old.id)
BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
-- What rows of other tasks still name stays as the bare fact that something happened.
DROP TRIGGER IF EXISTS events_keep_update;
CREATE TRIGGER events_keep_update BEFORE UPDATE ON events
WHEN NOT EXISTS (SELECT 1 FROM leaving WHERE log = 'events' AND row_id = old.id)
  OR new.id IS NOT old.id OR new.kind IS NOT old.kind OR new.task_id IS NOT old.task_id
  OR new.created_at IS NOT old.created_at OR new.detail IS NOT '{}' OR new.subject_type IS NOT NULL
  OR new.subject_id IS NOT NULL OR new.cause_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
DROP TRIGGER IF EXISTS claim_events_keep_delete;
CREATE TRIGGER claim_events_keep_delete BEFORE DELETE ON claim_events
WHEN NOT EXISTS (SELECT 1 FROM leaving WHERE log = 'claim_events' AND row_id = old.id)
BEGIN SELECT RAISE(ABORT, 'claim_events is append-only'); END;
DROP TRIGGER IF EXISTS nli_corrections_keep_delete;
CREATE TRIGGER nli_corrections_keep_delete BEFORE DELETE ON nli_corrections
WHEN NOT EXISTS (SELECT 1 FROM leaving WHERE log = 'nli_corrections' AND row_id = old.id)
BEGIN SELECT RAISE(ABORT, 'nli_corrections is append-only'); END;

-- The ledger keeps every row: a deletion takes path and cause from it, and nothing else.
DROP TRIGGER IF EXISTS egress_keep_update;
CREATE TRIGGER egress_keep_update BEFORE UPDATE ON egress
WHEN new.seq IS NOT old.seq OR new.requested_at IS NOT old.requested_at OR new.purpose IS NOT old.purpose
  OR new.route IS NOT old.route OR new.method IS NOT old.method OR new.scheme IS NOT old.scheme
  OR new.host IS NOT old.host OR new.port IS NOT old.port OR new.request_bytes IS NOT old.request_bytes
  OR NOT CASE WHEN EXISTS (SELECT 1 FROM leaving WHERE log = 'egress' AND row_id = CAST(old.seq AS TEXT))
    THEN new.path = '' AND new.task_id IS NULL AND new.address IS old.address AND new.status IS old.status
      AND new.sent_bytes IS old.sent_bytes AND new.response_bytes IS old.response_bytes
      AND new.outcome IS old.outcome AND new.finished_at IS old.finished_at
    ELSE old.finished_at IS NULL AND new.task_id IS old.task_id AND new.path IS old.path
      AND new.cause_id IS old.cause_id END
BEGIN SELECT raise(ABORT, 'a row of the ledger is answered once and not changed'); END;
