-- Full text over fragments and claims. The tokenizer `lyra` (graph/src/text) cuts Latin script into
-- words and Chinese, Japanese and Korean into character pairs, so that two-character words are found.
-- The tables keep no copy of the text; triggers keep the index in step with its rows.

CREATE VIRTUAL TABLE fragments_fts USING fts5(
  text_content, heading_context, content='fragments', content_rowid='seq', tokenize='lyra');
CREATE TRIGGER fragments_fts_insert AFTER INSERT ON fragments BEGIN
  INSERT INTO fragments_fts(rowid, text_content, heading_context)
  VALUES (new.seq, new.text_content, new.heading_context);
END;
CREATE TRIGGER fragments_fts_delete AFTER DELETE ON fragments BEGIN
  INSERT INTO fragments_fts(fragments_fts, rowid, text_content, heading_context)
  VALUES ('delete', old.seq, old.text_content, old.heading_context);
END;
CREATE TRIGGER fragments_fts_update AFTER UPDATE OF text_content, heading_context ON fragments BEGIN
  INSERT INTO fragments_fts(fragments_fts, rowid, text_content, heading_context)
  VALUES ('delete', old.seq, old.text_content, old.heading_context);
  INSERT INTO fragments_fts(rowid, text_content, heading_context)
  VALUES (new.seq, new.text_content, new.heading_context);
END;

CREATE VIRTUAL TABLE claims_fts USING fts5(
  claim_text, content='claims', content_rowid='seq', tokenize='lyra');
CREATE TRIGGER claims_fts_insert AFTER INSERT ON claims BEGIN
  INSERT INTO claims_fts(rowid, claim_text) VALUES (new.seq, new.claim_text);
END;
CREATE TRIGGER claims_fts_delete AFTER DELETE ON claims BEGIN
  INSERT INTO claims_fts(claims_fts, rowid, claim_text) VALUES ('delete', old.seq, old.claim_text);
END;
CREATE TRIGGER claims_fts_update AFTER UPDATE OF claim_text ON claims BEGIN
  INSERT INTO claims_fts(claims_fts, rowid, claim_text) VALUES ('delete', old.seq, old.claim_text);
  INSERT INTO claims_fts(rowid, claim_text) VALUES (new.seq, new.claim_text);
END;

-- Rows that were there before the index.
INSERT INTO fragments_fts(fragments_fts) VALUES ('rebuild');
INSERT INTO claims_fts(claims_fts) VALUES ('rebuild');
