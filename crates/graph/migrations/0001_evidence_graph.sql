-- The evidence graph: claim <- fragment <- page <- archived bytes, and the log of what caused each.
--
-- Rules that hold for every table, so that no caller can forget them:
--   * STRICT types; times are UTC text with milliseconds, so that they sort and read as they are;
--   * an id is a prefix and a ULID; `seq` appears where full text or vectors need a stable integer;
--   * `cause_id` names the event that brought the row in;
--   * an edge has both ends: the generated columns below turn the polymorphic ends into real
--     foreign keys, checked by the engine and not by our good intentions.

CREATE TABLE lyra_meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The append-only causal log. A run can be replayed from it, so nothing may rewrite it.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  -- No foreign key: the log may speak of a task that is not in this file (it came with an import).
  task_id TEXT,
  subject_type TEXT,
  subject_id TEXT,
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail)),
  created_at TEXT NOT NULL,
  cause_id TEXT REFERENCES events(id)
) STRICT, WITHOUT ROWID;
-- "what happened in this task, in order"; ids sort by time.
CREATE INDEX events_by_task ON events(task_id, id) WHERE task_id IS NOT NULL;
CREATE INDEX events_by_cause ON events(cause_id) WHERE cause_id IS NOT NULL;
CREATE INDEX events_by_subject ON events(subject_id) WHERE subject_id IS NOT NULL;

CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  query TEXT NOT NULL CHECK (length(query) > 0),
  hypothesis TEXT,
  language TEXT,
  status TEXT NOT NULL DEFAULT 'created'
    CHECK (status IN ('created', 'exploring', 'paused', 'completed', 'failed')),
  config TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(config)),
  budget_max_pages INTEGER NOT NULL CHECK (budget_max_pages >= 0),
  budget_max_seconds INTEGER NOT NULL CHECK (budget_max_seconds >= 0),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  stopped_at TEXT,
  stop_reason TEXT,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;

-- One search of a task. The same query with the same options is the same search.
CREATE TABLE queries (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks(id),
  query_text TEXT NOT NULL,
  options TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(options)),
  status TEXT NOT NULL DEFAULT 'running'
    CHECK (status IN ('running', 'satisfied', 'partial', 'exhausted')),
  pages_fetched INTEGER NOT NULL DEFAULT 0,
  useful_fragments INTEGER NOT NULL DEFAULT 0,
  harvest_rate REAL,
  satisfaction_score REAL,
  novelty_score REAL,
  created_at TEXT NOT NULL,
  finished_at TEXT,
  cause_id TEXT NOT NULL REFERENCES events(id),
  UNIQUE (task_id, query_text, options)
) STRICT;

-- A scholarly work, whatever pages it appears on.
CREATE TABLE works (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  abstract TEXT,
  authors TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(authors)),
  year INTEGER,
  venue TEXT,
  citation_count INTEGER,
  is_open_access INTEGER CHECK (is_open_access IN (0, 1)),
  oa_url TEXT,
  retracted_at TEXT,
  source_api TEXT,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;

-- The names a work goes by. A name belongs to one work only: that is how copies are recognised.
CREATE TABLE work_identifiers (
  scheme TEXT NOT NULL
    CHECK (scheme IN ('doi', 'pmid', 'pmcid', 'arxiv', 'isbn', 'patent', 'semantic_scholar', 'openalex')),
  value TEXT NOT NULL,
  work_id TEXT NOT NULL REFERENCES works(id),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  PRIMARY KEY (scheme, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_identifiers_by_work ON work_identifiers(work_id);

-- Pages are shared by all tasks: one URL, one page.
CREATE TABLE pages (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  final_url TEXT,
  domain TEXT NOT NULL,
  domain_category TEXT NOT NULL
    CHECK (domain_category IN ('primary', 'government', 'academic', 'trusted', 'low', 'unverified', 'blocked')),
  page_type TEXT,
  title TEXT,
  author TEXT,
  site_name TEXT,
  language TEXT,
  published_at TEXT,
  year INTEGER,
  work_id TEXT REFERENCES works(id),
  http_status INTEGER,
  content_hash TEXT,
  archive_ref TEXT CHECK (archive_ref IS NULL OR json_valid(archive_ref)),
  narrative_cluster TEXT,
  quality_score REAL,
  fetched_at TEXT,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE INDEX pages_by_domain ON pages(domain);
CREATE INDEX pages_by_work ON pages(work_id) WHERE work_id IS NOT NULL;

CREATE TABLE serp_items (
  id TEXT PRIMARY KEY,
  query_id TEXT NOT NULL REFERENCES queries(id),
  engine TEXT NOT NULL,
  rank INTEGER NOT NULL,
  url TEXT NOT NULL,
  title TEXT,
  snippet TEXT,
  published_at TEXT,
  source_tag TEXT,
  page_id TEXT REFERENCES pages(id),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  UNIQUE (query_id, engine, url)
) STRICT;
CREATE INDEX serp_items_by_page ON serp_items(page_id) WHERE page_id IS NOT NULL;

-- A passage that can be quoted. Offsets count characters of the archived text.
CREATE TABLE fragments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  page_id TEXT NOT NULL REFERENCES pages(id),
  fragment_type TEXT NOT NULL
    CHECK (fragment_type IN ('paragraph', 'heading', 'list', 'table', 'quote', 'figure', 'code')),
  text_content TEXT NOT NULL CHECK (length(text_content) > 0),
  text_hash TEXT NOT NULL,
  heading_context TEXT,
  heading_hierarchy TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(heading_hierarchy)),
  element_index INTEGER,
  char_start INTEGER,
  char_end INTEGER,
  language TEXT,
  deep_link TEXT,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  UNIQUE (page_id, text_hash),
  CHECK (char_start IS NULL OR char_end >= char_start)
) STRICT;

CREATE TABLE claims (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task_id TEXT NOT NULL REFERENCES tasks(id),
  claim_text TEXT NOT NULL CHECK (length(claim_text) > 0),
  claim_text_hash TEXT NOT NULL,
  claim_granularity TEXT,
  claim_expected_polarity TEXT,
  claim_extraction_method TEXT,
  claim_extraction_confidence REAL CHECK (claim_extraction_confidence BETWEEN 0 AND 1),
  claim_char_start INTEGER,
  claim_char_end INTEGER,
  language TEXT,
  origin_fragment_id TEXT REFERENCES fragments(id),
  claim_adoption_status TEXT NOT NULL DEFAULT 'adopted'
    CHECK (claim_adoption_status IN ('adopted', 'not_adopted')),
  claim_rejection_reason TEXT,
  claim_rejected_at TEXT,
  -- Set when a dangerous pattern was found in the text (L2/L4), apart from what people decide.
  claim_security_rejected INTEGER NOT NULL DEFAULT 0 CHECK (claim_security_rejected IN (0, 1)),
  source_verification_status TEXT NOT NULL DEFAULT 'pending'
    CHECK (source_verification_status IN ('pending', 'verified', 'rejected')),
  source_verification_reason TEXT
    CHECK (source_verification_reason IN
      ('conflicting_evidence', 'well_supported', 'insufficient_evidence', 'dangerous_pattern', 'already_blocked')),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  UNIQUE (task_id, claim_text_hash)
) STRICT;
-- "the claims of this task, in the order they were recorded": the evidence views go along it without sorting.
CREATE INDEX claims_by_task ON claims(task_id);
CREATE INDEX claims_by_origin ON claims(origin_fragment_id) WHERE origin_fragment_id IS NOT NULL;

CREATE TABLE edges (
  id TEXT PRIMARY KEY,
  source_type TEXT NOT NULL CHECK (source_type IN ('claim', 'fragment', 'page')),
  source_id TEXT NOT NULL,
  target_type TEXT NOT NULL CHECK (target_type IN ('claim', 'fragment', 'page')),
  target_id TEXT NOT NULL,
  relation TEXT NOT NULL CHECK (relation IN ('supports', 'refutes', 'neutral', 'cites')),
  nli_label TEXT CHECK (nli_label IN ('supports', 'refutes', 'neutral')),
  nli_confidence REAL CHECK (nli_confidence BETWEEN 0 AND 1),
  -- What the model said before calibration, so that a calibration can be undone.
  nli_confidence_raw REAL CHECK (nli_confidence_raw BETWEEN 0 AND 1),
  nli_model TEXT,
  source_domain_category TEXT NOT NULL
    CHECK (source_domain_category IN ('primary', 'government', 'academic', 'trusted', 'low', 'unverified', 'blocked')),
  target_domain_category TEXT
    CHECK (target_domain_category IN ('primary', 'government', 'academic', 'trusted', 'low', 'unverified', 'blocked')),
  citation_source TEXT CHECK (citation_source IN ('semantic_scholar', 'openalex', 'extraction')),
  citation_context TEXT,
  edge_human_corrected INTEGER NOT NULL DEFAULT 0 CHECK (edge_human_corrected IN (0, 1)),
  edge_correction_reason TEXT,
  edge_corrected_at TEXT,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  source_claim_id TEXT AS (CASE source_type WHEN 'claim' THEN source_id END) REFERENCES claims(id),
  source_fragment_id TEXT AS (CASE source_type WHEN 'fragment' THEN source_id END) REFERENCES fragments(id),
  source_page_id TEXT AS (CASE source_type WHEN 'page' THEN source_id END) REFERENCES pages(id),
  target_claim_id TEXT AS (CASE target_type WHEN 'claim' THEN target_id END) REFERENCES claims(id),
  target_fragment_id TEXT AS (CASE target_type WHEN 'fragment' THEN target_id END) REFERENCES fragments(id),
  target_page_id TEXT AS (CASE target_type WHEN 'page' THEN target_id END) REFERENCES pages(id),
  UNIQUE (source_id, target_id, relation),
  CHECK (source_id <> target_id),
  -- A stance is a judgement about a claim and says how sure the judge is; a citation is neither.
  CHECK (CASE relation
    WHEN 'cites' THEN nli_confidence IS NULL AND nli_label IS NULL AND target_type <> 'claim'
    ELSE nli_confidence IS NOT NULL AND nli_label IS NOT NULL
      AND target_type = 'claim' AND source_type <> 'page' AND citation_source IS NULL END)
) STRICT;
-- Covers the sums of the evidence views: all edges of a claim without touching the table.
CREATE INDEX edges_by_target
  ON edges(target_id, relation, nli_confidence, source_type, source_id, source_domain_category);

-- Vectors of claims and fragments; the rows are the truth, the matrix in memory follows them.
CREATE TABLE embeddings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  target_type TEXT NOT NULL CHECK (target_type IN ('fragment', 'claim')),
  target_id TEXT NOT NULL,
  model_id TEXT NOT NULL,
  dimension INTEGER NOT NULL CHECK (dimension > 0),
  embedding_blob BLOB NOT NULL,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  fragment_id TEXT AS (CASE target_type WHEN 'fragment' THEN target_id END) REFERENCES fragments(id),
  claim_id TEXT AS (CASE target_type WHEN 'claim' THEN target_id END) REFERENCES claims(id),
  UNIQUE (target_type, target_id, model_id),
  CHECK (length(embedding_blob) = 4 * dimension)
) STRICT;
-- "which rows are new since I last looked"
CREATE INDEX embeddings_by_model ON embeddings(target_type, model_id, seq);

-- What is known of a domain beyond the policy file: blocks with their cause, and what fetching taught.
CREATE TABLE domains (
  domain TEXT PRIMARY KEY,
  domain_category TEXT NOT NULL
    CHECK (domain_category IN ('primary', 'government', 'academic', 'trusted', 'low', 'unverified', 'blocked')),
  original_domain_category TEXT
    CHECK (original_domain_category IN ('primary', 'government', 'academic', 'trusted', 'low', 'unverified')),
  domain_block_reason TEXT
    CHECK (domain_block_reason IN ('dangerous_pattern', 'high_rejection_rate', 'denylist', 'manual', 'unknown')),
  domain_block_detail TEXT,
  domain_blocked_at TEXT,
  block_score REAL NOT NULL DEFAULT 0,
  cooldown_until TEXT,
  headful_ratio REAL,
  headful_failures INTEGER NOT NULL DEFAULT 0,
  last_captcha_at TEXT,
  captcha_type_last_seen TEXT,
  tor_success_rate REAL,
  tor_usage_ratio REAL,
  referer_match_rate REAL,
  updated_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  CHECK ((domain_block_reason IS NULL) = (domain_blocked_at IS NULL))
) STRICT, WITHOUT ROWID;

-- What people decided about domains. The rules in force, and the log of how they came about.
CREATE TABLE domain_override_rules (
  id TEXT PRIMARY KEY,
  domain_pattern TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('block', 'unblock')),
  reason TEXT NOT NULL CHECK (length(reason) > 0),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE UNIQUE INDEX domain_override_rules_active ON domain_override_rules(domain_pattern) WHERE is_active = 1;

CREATE TABLE domain_override_events (
  id TEXT PRIMARY KEY,
  rule_id TEXT NOT NULL REFERENCES domain_override_rules(id),
  action TEXT NOT NULL CHECK (action IN ('domain_block', 'domain_unblock', 'domain_clear_override')),
  domain_pattern TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('block', 'unblock', 'clear')),
  reason TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;

-- The life of a claim: first seen, updated, corrected, retracted, rejected, restored. An audit log;
-- confidence changes through edges alone.
CREATE TABLE claim_events (
  id TEXT PRIMARY KEY,
  claim_id TEXT NOT NULL REFERENCES claims(id),
  kind TEXT NOT NULL CHECK (kind IN ('first_seen', 'updated', 'corrected', 'retracted', 'rejected', 'restored')),
  reason TEXT,
  page_id TEXT REFERENCES pages(id),
  edge_id TEXT REFERENCES edges(id),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE INDEX claim_events_by_claim ON claim_events(claim_id, id);

-- What people said of the judge's verdicts, with the texts as they were: samples to measure and train on.
CREATE TABLE nli_corrections (
  id TEXT PRIMARY KEY,
  edge_id TEXT NOT NULL REFERENCES edges(id),
  task_id TEXT NOT NULL REFERENCES tasks(id),
  premise TEXT NOT NULL,
  hypothesis TEXT NOT NULL,
  predicted_label TEXT NOT NULL CHECK (predicted_label IN ('supports', 'refutes', 'neutral')),
  predicted_confidence REAL NOT NULL CHECK (predicted_confidence BETWEEN 0 AND 1),
  correct_label TEXT NOT NULL CHECK (correct_label IN ('supports', 'refutes', 'neutral')),
  reason TEXT,
  corrected_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE INDEX nli_corrections_by_edge ON nli_corrections(edge_id);

CREATE TABLE calibration_versions (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('nli_judge', 'llm_extract')),
  version INTEGER NOT NULL CHECK (version > 0),
  method TEXT NOT NULL CHECK (method IN ('platt', 'temperature')),
  parameters TEXT NOT NULL CHECK (json_valid(parameters)),
  samples INTEGER NOT NULL,
  brier_before REAL NOT NULL,
  brier_after REAL NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 0 CHECK (is_active IN (0, 1)),
  activated_at TEXT,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  UNIQUE (source, version)
) STRICT;
CREATE UNIQUE INDEX calibration_versions_active ON calibration_versions(source) WHERE is_active = 1;

CREATE TABLE calibration_evaluations (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('nli_judge', 'llm_extract')),
  brier_score REAL NOT NULL,
  brier_score_calibrated REAL,
  improvement_ratio REAL,
  expected_calibration_error REAL NOT NULL,
  samples_evaluated INTEGER NOT NULL,
  bins_json TEXT NOT NULL CHECK (json_valid(bins_json)),
  calibration_version INTEGER,
  evaluated_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE INDEX calibration_evaluations_by_source ON calibration_evaluations(source, evaluated_at);

CREATE TABLE engine_health (
  engine TEXT PRIMARY KEY,
  circuit_state TEXT NOT NULL DEFAULT 'closed' CHECK (circuit_state IN ('closed', 'half_open', 'open')),
  consecutive_failures INTEGER NOT NULL DEFAULT 0,
  open_until TEXT,
  success_rate_1h REAL,
  success_rate_24h REAL,
  captcha_rate REAL,
  http_error_rate REAL,
  parse_failure_rate REAL,
  median_latency_ms REAL,
  ban_suspected INTEGER NOT NULL DEFAULT 0 CHECK (ban_suspected IN (0, 1)),
  weight REAL NOT NULL DEFAULT 1,
  updated_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;

-- Work as rows: a restart finds what was not finished.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  task_id TEXT REFERENCES tasks(id),
  kind TEXT NOT NULL,
  slot TEXT NOT NULL,
  priority INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  budget TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(budget)),
  attempts INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
-- "what should run next"
CREATE INDEX jobs_waiting ON jobs(state, priority DESC, id);

-- Pages that ask for a human.
CREATE TABLE auth_queue (
  id TEXT PRIMARY KEY,
  task_id TEXT REFERENCES tasks(id),
  url TEXT NOT NULL,
  domain TEXT NOT NULL,
  auth_type TEXT NOT NULL,
  priority TEXT NOT NULL DEFAULT 'medium' CHECK (priority IN ('high', 'medium', 'low')),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'resolved', 'skipped', 'failed')),
  created_at TEXT NOT NULL,
  resolved_at TEXT,
  cause_id TEXT NOT NULL REFERENCES events(id),
  UNIQUE (task_id, url)
) STRICT;
CREATE INDEX auth_queue_waiting ON auth_queue(status, priority, domain);

-- Signed-in sessions per domain. Secret: guarded SQL and exports never read this table.
CREATE TABLE sessions (
  domain TEXT PRIMARY KEY,
  cookies TEXT NOT NULL CHECK (json_valid(cookies)),
  user_agent TEXT,
  accept_language TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;

CREATE TABLE cache_serp (
  cache_key TEXT PRIMARY KEY,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;

CREATE TABLE cache_fetch (
  url TEXT PRIMARY KEY,
  etag TEXT,
  last_modified TEXT,
  content_hash TEXT,
  page_id TEXT REFERENCES pages(id),
  created_at TEXT NOT NULL,
  checked_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT, WITHOUT ROWID;

CREATE TABLE entities (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  normalized_name TEXT NOT NULL,
  aliases TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(aliases)),
  attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  UNIQUE (kind, normalized_name)
) STRICT;

CREATE TABLE entity_links (
  entity_id TEXT NOT NULL REFERENCES entities(id),
  target_type TEXT NOT NULL CHECK (target_type IN ('claim', 'fragment', 'page', 'entity')),
  target_id TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id),
  claim_id TEXT AS (CASE target_type WHEN 'claim' THEN target_id END) REFERENCES claims(id),
  fragment_id TEXT AS (CASE target_type WHEN 'fragment' THEN target_id END) REFERENCES fragments(id),
  page_id TEXT AS (CASE target_type WHEN 'page' THEN target_id END) REFERENCES pages(id),
  other_entity_id TEXT AS (CASE target_type WHEN 'entity' THEN target_id END) REFERENCES entities(id),
  PRIMARY KEY (entity_id, target_id, role)
) STRICT;
CREATE INDEX entity_links_by_target ON entity_links(target_id);

-- How a search of the library went, without its text, and the light statistics that tune it.
CREATE TABLE library_traces (
  id TEXT PRIMARY KEY,
  tool TEXT NOT NULL,
  summary TEXT NOT NULL CHECK (json_valid(summary)),
  hits TEXT NOT NULL CHECK (json_valid(hits)),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE INDEX library_traces_by_age ON library_traces(created_at);

CREATE TABLE library_stats (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  value REAL,
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail)),
  created_at TEXT NOT NULL,
  cause_id TEXT NOT NULL REFERENCES events(id)
) STRICT;
CREATE INDEX library_stats_by_name ON library_stats(name, created_at);

-- Logs are added to and never changed.
CREATE TRIGGER events_keep_update BEFORE UPDATE ON events
  BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_keep_delete BEFORE DELETE ON events
  BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER domain_override_events_keep_update BEFORE UPDATE ON domain_override_events
  BEGIN SELECT RAISE(ABORT, 'domain_override_events is append-only'); END;
CREATE TRIGGER domain_override_events_keep_delete BEFORE DELETE ON domain_override_events
  BEGIN SELECT RAISE(ABORT, 'domain_override_events is append-only'); END;
CREATE TRIGGER claim_events_keep_update BEFORE UPDATE ON claim_events
  BEGIN SELECT RAISE(ABORT, 'claim_events is append-only'); END;
CREATE TRIGGER claim_events_keep_delete BEFORE DELETE ON claim_events
  BEGIN SELECT RAISE(ABORT, 'claim_events is append-only'); END;
CREATE TRIGGER nli_corrections_keep_update BEFORE UPDATE ON nli_corrections
  BEGIN SELECT RAISE(ABORT, 'nli_corrections is append-only'); END;
CREATE TRIGGER nli_corrections_keep_delete BEFORE DELETE ON nli_corrections
  BEGIN SELECT RAISE(ABORT, 'nli_corrections is append-only'); END;
