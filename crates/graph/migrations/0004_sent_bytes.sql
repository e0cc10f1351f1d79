-- What left, besides what was prepared: a request that found no host or no connection sent nothing. Written with
-- the answer. Rows from before, and rows that were cut off, have none: what was prepared for them may have left.
ALTER TABLE egress ADD COLUMN sent_bytes INTEGER CHECK (sent_bytes BETWEEN 0 AND request_bytes);
