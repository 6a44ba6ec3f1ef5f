-- Rooms and their pictures. Every statement may be executed twice, also by two nodes at
-- once. The day of a room is that of its end, in days since 1970; days.rs makes and drops
-- the partitions of a day.

-- The row stays when the room is gone, until its day is dropped: an id is never used
-- twice. Whoever writes anything of a room has locked this row. An append changes nothing in it: where
-- the log ends is said by its last record. Otherwise there would be a version of the row for each append,
-- and while somebody reads an old moment of the database none of them could go.
CREATE TABLE IF NOT EXISTS room (
    id uuid CONSTRAINT room_pkey PRIMARY KEY,
    owner uuid NOT NULL,            -- zero when the room is gone
    day int NOT NULL,
    expires int8 NOT NULL,
    key int8 NOT NULL,              -- the key of all that is written now
    forgot int8 NOT NULL DEFAULT 0, -- up to here messages may be missing, and the log doesn't end before
    stale int8,                     -- since when the key also opens words that were taken back
    old_key int8,                   -- the key before, until nothing is sealed with it
    gone bool NOT NULL DEFAULT false,
    sealed bytea NOT NULL
) WITH (fillfactor = 60);

CREATE INDEX IF NOT EXISTS room_owner ON room (owner) WHERE NOT gone;
CREATE INDEX IF NOT EXISTS room_expires ON room (expires) WHERE NOT gone;
CREATE INDEX IF NOT EXISTS room_stale ON room (id) WHERE NOT gone AND (stale IS NOT NULL OR old_key IS NOT NULL);

CREATE TABLE IF NOT EXISTS room_log (
    day int NOT NULL,
    room uuid NOT NULL,
    first int8 NOT NULL,
    last int8 NOT NULL,
    attempt int8 NOT NULL,          -- by which a node knows its own record again
    sealed bytea NOT NULL,
    PRIMARY KEY (day, room, first)  -- of two appends behind one place one is refused
) PARTITION BY LIST (day);

-- Ciphertext is not compressed in vain.
ALTER TABLE room_log ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- How much a room's pictures take.
CREATE TABLE IF NOT EXISTS album (
    room uuid PRIMARY KEY,
    day int NOT NULL,
    pictures int NOT NULL,
    bytes int8 NOT NULL
);

-- The album of feedback's pictures is zero, and its day 0.
CREATE TABLE IF NOT EXISTS image (
    day int NOT NULL,
    album uuid NOT NULL,
    id uuid NOT NULL,
    bytes int NOT NULL,
    since int8 NOT NULL,
    head bytea NOT NULL,            -- the picture's own key, sealed with its room's
    body bytea,                     -- null when the bytes are elsewhere
    PRIMARY KEY (day, album, id)
) PARTITION BY LIST (day);

ALTER TABLE image ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE IF NOT EXISTS image_0 PARTITION OF image FOR VALUES IN (0);
