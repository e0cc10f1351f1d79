-- What a passage is in its document (a conclusion, an aim ...), and why an edge counts for nothing: an independent source
-- has one voice for each claim, and what is not about a claim has none. Edges from before have no kind.
ALTER TABLE edges ADD COLUMN statement_kind TEXT
  CHECK (statement_kind IN ('conclusion', 'statement', 'aim', 'method', 'background', 'question', 'title', 'reference',
                            'reported'));
ALTER TABLE edges ADD COLUMN uncounted TEXT
  CHECK (uncounted IN ('same_voice', 'not_about', 'no_statement', 'retracted'));
