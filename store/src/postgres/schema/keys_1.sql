-- The database of keys. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS keys_meta (
    one bool PRIMARY KEY DEFAULT true CHECK (one),
    schema int NOT NULL,
    oldest_reader int NOT NULL,
    cluster uuid NOT NULL,
    secret_check bytea NOT NULL
);

-- In many small tables (keys/parts.rs), each of which is written anew in a moment. A day's keys go at once.
CREATE TABLE IF NOT EXISTS seal_key (
    part int8 NOT NULL,
    kind int2 NOT NULL,
    owner uuid NOT NULL,
    id int8 NOT NULL,
    wrapped bytea NOT NULL,
    born timestamptz NOT NULL,
    PRIMARY KEY (part, kind, owner, id)
) PARTITION BY LIST (part);
