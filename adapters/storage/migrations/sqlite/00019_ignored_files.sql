-- +goose Up
-- Files of report sources that people have said to ignore.
CREATE TABLE ignored_files (
    id            TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    source_id     TEXT NOT NULL,
    file          BLOB NOT NULL, -- sealed: its name, version, time and sum
    at_us         INTEGER NOT NULL
);

CREATE INDEX ignored_files_connections ON ignored_files (connection_id, at_us, id);
