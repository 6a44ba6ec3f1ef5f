-- Rows as every engine has them. What nouns keep in them has no tables of its own any more. Every statement
-- may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS kept (
    at bytea PRIMARY KEY,
    value bytea NOT NULL
);
-- Sealed values can't be made smaller.
ALTER TABLE kept ALTER COLUMN value SET STORAGE EXTERNAL;

DROP TABLE IF EXISTS report_picture, report, invitation, pause, feedback;
ALTER TABLE meta DROP COLUMN IF EXISTS feedback;
