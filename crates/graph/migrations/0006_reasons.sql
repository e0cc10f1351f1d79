-- Why a search kept a passage: `before_knee` (its score) or `best_of_page` (what its page says best). Rows from before have
-- none.
ALTER TABLE selected_fragments ADD COLUMN reason TEXT;
