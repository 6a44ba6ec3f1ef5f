-- The record. Names of constraints matter: errors.rs and the nouns tell violations
-- apart by them. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS meta (
    one bool PRIMARY KEY DEFAULT true CHECK (one),
    schema int NOT NULL,            -- the last migration
    oldest_reader int NOT NULL,     -- an annon that knows fewer migrations must not start
    cluster uuid NOT NULL,
    secret_check bytea NOT NULL,
    accounts int8 NOT NULL DEFAULT 0,
    feedback int8 NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS node (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    version text NOT NULL,
    reads int NOT NULL,
    beat timestamptz NOT NULL
);

CREATE TABLE IF NOT EXISTS account (
    id uuid CONSTRAINT account_pkey PRIMARY KEY,
    name bytea NOT NULL CONSTRAINT account_name_key UNIQUE,         -- blinded
    email bytea NOT NULL,                                           -- blinded
    confirmed bool NOT NULL,
    target uuid NOT NULL CONSTRAINT account_target_key UNIQUE,
    sealed bytea NOT NULL,
    access bytea NOT NULL,
    inbox bytea,                    -- null before the first note or setting
    inbox_key int8,                 -- the key of new notes; null before the first
    inbox_stale int8                -- since when the key also opens a note that was removed
) WITH (fillfactor = 80);

-- Several accounts may name an address; one has it.
CREATE UNIQUE INDEX IF NOT EXISTS account_email_key ON account (email) WHERE confirmed;

-- No foreign key: the account of a decoy does not exist.
CREATE TABLE IF NOT EXISTS link (
    kind int2 NOT NULL,
    digest bytea NOT NULL,
    account uuid NOT NULL,
    expires int8 NOT NULL,
    PRIMARY KEY (kind, digest)
);

CREATE INDEX IF NOT EXISTS link_account ON link (account);

CREATE TABLE IF NOT EXISTS note (
    owner uuid NOT NULL,
    place bytea NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (owner, place)
);

CREATE TABLE IF NOT EXISTS feedback (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL
);

-- Keys whose owner is gone, until they are gone from the database of keys.
CREATE TABLE IF NOT EXISTS doomed_key (
    kind int2 NOT NULL,
    owner uuid NOT NULL,
    key int8 NOT NULL,
    PRIMARY KEY (kind, owner, key)
);
