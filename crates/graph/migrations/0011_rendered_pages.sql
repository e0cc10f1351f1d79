-- Pages that need scripts are rendered in a browser. What was read then is the document that the scripts made, so it is
-- archived beside the answer it was made of, with a picture of it. It is a record without an exchange of its own: `kind` says
-- `response`, whose bytes it continues, and this column what was made of them.
ALTER TABLE archive_records ADD COLUMN made TEXT CHECK (made IN ('document', 'picture'));
CREATE INDEX archive_records_made_of ON archive_records(refers_to, made) WHERE made IS NOT NULL;

-- What rendering pages of a site was worth: the share of pages whose text needed it, newer ones weighing more. It says
-- whether the next page is rendered at once.
CREATE TABLE domain_routes (
  domain TEXT PRIMARY KEY,
  needs_scripts REAL NOT NULL CHECK (needs_scripts BETWEEN 0 AND 1),
  pages INTEGER NOT NULL CHECK (pages > 0),
  updated_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;
