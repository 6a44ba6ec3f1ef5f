-- Conversations. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS conversation (
    id uuid CONSTRAINT conversation_pkey PRIMARY KEY,
    owner uuid NOT NULL,
    place bytea NOT NULL,           -- of its note
    proof bytea NOT NULL,           -- of the sender's key
    open bool NOT NULL,
    last int8 NOT NULL,             -- the number of the last change
    moved int8 NOT NULL,            -- when its last line was said, or its note came
    expires int8 NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT conversation_note_key UNIQUE (owner, place)
) WITH (fillfactor = 70);

-- Ciphertext is not compressed in vain.
ALTER TABLE conversation ALTER COLUMN sealed SET STORAGE EXTERNAL;

CREATE INDEX IF NOT EXISTS conversation_owner ON conversation (owner, moved, id);
CREATE INDEX IF NOT EXISTS conversation_expires ON conversation (expires);
