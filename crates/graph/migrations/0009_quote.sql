-- One word for one thing: what a page says, word for word, is called a quote in reports, answers and help. A passage can be
-- asked for by that name in SQL too. The text is stored once, under the name it always had (ADR 28).
ALTER TABLE fragments ADD COLUMN quote TEXT AS (text_content) VIRTUAL;
