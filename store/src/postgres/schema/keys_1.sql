-- The database of keys. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS keys_meta (
    one bool PRIMARY KEY DEFAULT true CHECK (one),
    schema int NOT NULL,
    oldest_reader int NOT NULL,
    cluster uuid NOT NULL,
    secret_check bytea NOT NULL
);

-- Partitioned by the day on which an owner ends, so that a day's keys go at once. Day 0
-- has those of owners that have no such day.
CREATE TABLE IF NOT EXISTS seal_key (
    day int NOT NULL,
    kind int2 NOT NULL,
    owner uuid NOT NULL,
    id int8 NOT NULL,
    wrapped bytea NOT NULL,
    born timestamptz NOT NULL,
    PRIMARY KEY (day, kind, owner, id)
) PARTITION BY LIST (day);

CREATE TABLE IF NOT EXISTS seal_key_0 PARTITION OF seal_key FOR VALUES IN (0);
