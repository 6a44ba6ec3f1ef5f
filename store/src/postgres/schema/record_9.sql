-- Names and addresses of those who deleted their account while it was suspended. Every statement may be
-- executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS withheld (
    word bytea PRIMARY KEY,         -- an HMAC, as in the account's row
    until int8 NOT NULL
);
