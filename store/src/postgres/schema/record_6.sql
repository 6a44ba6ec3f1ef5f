-- Shields of inboxes. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS shield (
    owner uuid PRIMARY KEY,
    sealed bytea NOT NULL
);

ALTER TABLE shield ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- Which tags an inbox knows, and the last day on which each came. The tags of notes are in
-- the table of notes, sealed, at places of their own.
CREATE TABLE IF NOT EXISTS known_tag (
    owner uuid NOT NULL,
    tag bytea NOT NULL,             -- hashed
    day int NOT NULL,
    PRIMARY KEY (owner, tag)
);

-- On which days notes came with tags.
CREATE TABLE IF NOT EXISTS day_of_tags (
    day int NOT NULL,
    owner uuid NOT NULL,
    PRIMARY KEY (day, owner)
);
