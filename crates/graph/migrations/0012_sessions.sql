-- A session that a person made in a window is kept sealed, with a key that is not in the data folder: `cookies` holds the
-- number that was used once and the sealed text. It goes the way to the network that it was made on, and no other. What the
-- browser says of itself is sealed with it, so the two columns for that stay empty.
ALTER TABLE sessions ADD COLUMN route TEXT NOT NULL DEFAULT 'direct';
