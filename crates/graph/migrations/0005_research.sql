-- What a whole search leaves behind: the order of its work, the passages it chose, what it cost, and drafts.

-- Working time that was spent, over all sittings; the share of it that a language model took.
ALTER TABLE tasks ADD COLUMN seconds_used REAL NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN llm_seconds REAL NOT NULL DEFAULT 0;

ALTER TABLE queries ADD COLUMN independent_sources INTEGER;
ALTER TABLE queries ADD COLUMN has_primary_source INTEGER CHECK (has_primary_source IN (0, 1));
-- Why it ended: `satisfied`, `no_more_candidates`, `nothing_new`, `page_budget` ...
ALTER TABLE queries ADD COLUMN stop_reason TEXT;

ALTER TABLE pages ADD COLUMN modified_at TEXT;
-- What is kept of the text to recognise copies.
ALTER TABLE pages ADD COLUMN sketch BLOB;
-- Places that speak to machines: rule, position, hidden or not; never their words.
ALTER TABLE pages ADD COLUMN flags TEXT CHECK (flags IS NULL OR json_valid(flags));

-- The steps of a search are done in the order of `position`; what a step found out is its result.
ALTER TABLE jobs ADD COLUMN search_id TEXT REFERENCES queries(id);
ALTER TABLE jobs ADD COLUMN position INTEGER;
ALTER TABLE jobs ADD COLUMN result TEXT CHECK (result IS NULL OR json_valid(result));
CREATE UNIQUE INDEX jobs_by_search ON jobs(search_id, position) WHERE search_id IS NOT NULL;
CREATE INDEX jobs_by_task ON jobs(task_id, kind, state);

-- Which passages a search kept, and by which scores.
CREATE TABLE selected_fragments (
  query_id TEXT NOT NULL REFERENCES queries(id),
  fragment_id TEXT NOT NULL REFERENCES fragments(id),
  score REAL NOT NULL,
  bm25 REAL NOT NULL,
  similarity REAL,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  PRIMARY KEY (query_id, fragment_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX selected_fragments_by_fragment ON selected_fragments(fragment_id);

-- Reports that a language model wrote from the graph: sentences, what each cites, and whether that bears it out.
CREATE TABLE report_drafts (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks(id),
  model TEXT NOT NULL,
  sentences TEXT NOT NULL CHECK (json_valid(sentences)),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE INDEX report_drafts_by_task ON report_drafts(task_id, id);
