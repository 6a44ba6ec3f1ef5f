-- Which tables have to be written anew. Every statement may be executed twice.

-- How many keys of a part died since its table was written anew.
CREATE TABLE IF NOT EXISTS dead_part (
    part int8 PRIMARY KEY,
    deaths int8 NOT NULL
);

ALTER TABLE keys_meta ADD COLUMN IF NOT EXISTS rewritten timestamptz NOT NULL DEFAULT '-infinity';
