-- A page may lose what it said: a claim's passage is no longer on it. That is a part of the claim's life, as a retraction is, so
-- `claim_events` admits one kind more. SQLite cannot change a CHECK, so the table is made again with its rows.
CREATE TABLE claim_events_again (
  id TEXT PRIMARY KEY,
  claim_id TEXT NOT NULL REFERENCES claims(id),
  kind TEXT NOT NULL
    CHECK (kind IN ('first_seen', 'updated', 'corrected', 'retracted', 'rejected', 'restored', 'disappeared')),
  reason TEXT,
  page_id TEXT REFERENCES pages(id),
  edge_id TEXT REFERENCES edges(id),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
INSERT INTO claim_events_again SELECT * FROM claim_events;
DROP TABLE claim_events;
ALTER TABLE claim_events_again RENAME TO claim_events;
CREATE INDEX claim_events_by_claim ON claim_events(claim_id, id);
CREATE TRIGGER claim_events_keep_update BEFORE UPDATE ON claim_events
  BEGIN SELECT RAISE(ABORT, 'claim_events is append-only'); END;
CREATE TRIGGER claim_events_keep_delete BEFORE DELETE ON claim_events
WHEN NOT EXISTS (SELECT 1 FROM leaving WHERE log = 'claim_events' AND row_id = old.id)
BEGIN SELECT RAISE(ABORT, 'claim_events is append-only'); END;
