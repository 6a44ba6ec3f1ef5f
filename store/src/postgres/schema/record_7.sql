-- Pictures of reports. Every statement may be executed twice, also by two nodes at once.

CREATE TABLE IF NOT EXISTS report_picture (
    report uuid NOT NULL REFERENCES report ON DELETE CASCADE,
    of int NOT NULL,                -- the number of the words that it stands beside
    sealed bytea NOT NULL,
    PRIMARY KEY (report, of)
);

ALTER TABLE report_picture ALTER COLUMN sealed SET STORAGE EXTERNAL;
