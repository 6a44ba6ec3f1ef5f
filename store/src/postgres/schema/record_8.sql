-- Invitations and the pause. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS invitation (
    id uuid PRIMARY KEY,
    until int8 NOT NULL,
    sealed bytea NOT NULL           -- with a key of its own
);

-- At most one row.
CREATE TABLE IF NOT EXISTS pause (
    one bool PRIMARY KEY DEFAULT true CHECK (one),
    record bytea NOT NULL
);
