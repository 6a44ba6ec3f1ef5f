-- Public answers and personal pages. Every statement may be executed twice, also by two
-- nodes at once.

CREATE TABLE IF NOT EXISTS answer (
    owner uuid NOT NULL,
    place bytea NOT NULL,           -- in the order in which answers were published
    note bytea NOT NULL,            -- the place of its note
    sealed bytea NOT NULL,
    PRIMARY KEY (owner, place),
    CONSTRAINT answer_note_key UNIQUE (owner, note)
);

-- Notes whose sender has said that they must not be published.
CREATE TABLE IF NOT EXISTS only_for_you (
    owner uuid NOT NULL,
    place bytea NOT NULL,
    PRIMARY KEY (owner, place)
);

CREATE TABLE IF NOT EXISTS personal_page (
    owner uuid PRIMARY KEY,
    sealed bytea NOT NULL           -- with the account's key
);
