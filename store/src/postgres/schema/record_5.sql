-- Reports and suspensions. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS report (
    id uuid PRIMARY KEY,
    closed int8,                    -- when the operator has closed it
    sealed bytea NOT NULL
);

CREATE INDEX IF NOT EXISTS report_closed ON report (closed);

CREATE TABLE IF NOT EXISTS suspension (
    account uuid PRIMARY KEY,
    until int8 NOT NULL,
    sealed bytea NOT NULL           -- with the account's key
);
