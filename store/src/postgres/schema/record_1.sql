-- The record. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS meta (
    one bool PRIMARY KEY DEFAULT true CHECK (one),
    schema int NOT NULL,            -- the last migration
    oldest_reader int NOT NULL,     -- an annon that knows fewer migrations must not start
    cluster uuid NOT NULL,
    secret_check bytea NOT NULL,
    accounts int8 NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS node (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    version text NOT NULL,
    reads int NOT NULL,
    beat timestamptz NOT NULL,
    pause int8                      -- when the pause began that it obeys; 0: it knows of none
);

-- Rows as every engine has them: what nouns keep.
CREATE TABLE IF NOT EXISTS kept (
    at bytea PRIMARY KEY,
    value bytea NOT NULL
) WITH (fillfactor = 80);

-- Ciphertext is not compressed in vain.
ALTER TABLE kept ALTER COLUMN value SET STORAGE EXTERNAL;

-- Keys whose owner is gone, until they are gone from the database of keys.
CREATE TABLE IF NOT EXISTS doomed_key (
    kind int2 NOT NULL,
    owner uuid NOT NULL,
    key int8 NOT NULL,
    day int NOT NULL,               -- that of the owner, which says in which partition its key is
    PRIMARY KEY (kind, owner, key)
);
