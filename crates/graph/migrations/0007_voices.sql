-- What a passage is in its document (a conclusion, an aim ...), and why an edge counts for nothing: an independent source
-- has one voice for each claim, and what is not about a claim has none. Edges from before have no kind; who is heard of
-- them is counted once this is in place.
ALTER TABLE edges ADD COLUMN statement_kind TEXT
  CHECK (statement_kind IN ('conclusion', 'statement', 'aim', 'method', 'background', 'question', 'title', 'reference',
                            'reported'));
ALTER TABLE edges ADD COLUMN uncounted TEXT
  CHECK (uncounted IN ('same_voice', 'not_about', 'no_statement', 'retracted'));

-- Covers the sums of the evidence views: what counts for a claim without touching the table.
DROP INDEX edges_by_target;
CREATE INDEX edges_by_target
  ON edges(target_id, relation, uncounted, nli_confidence, source_type, source_id, source_domain_category);

-- "which pages tell this story", asked whenever stories are joined
CREATE INDEX pages_by_cluster ON pages(narrative_cluster) WHERE narrative_cluster IS NOT NULL;

-- When the retraction of a page was noted that shows no known work; otherwise it is the work that was retracted.
ALTER TABLE pages ADD COLUMN retracted_at TEXT;
