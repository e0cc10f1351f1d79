-- Why a search kept a passage: `before_knee` (its score) or `best_of_page` (what its page says best). Rows from before have
-- none.
ALTER TABLE selected_fragments ADD COLUMN reason TEXT;

-- What happened in a task of one kind is asked for in every cycle.
CREATE INDEX events_by_kind ON events(task_id, kind, id) WHERE task_id IS NOT NULL;
