-- +goose Up
-- Mappings that people have saved under names.
CREATE TABLE named_mappings (
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name_key    TEXT NOT NULL, -- the name in the form in which names are compared
    name        TEXT NOT NULL,
    header_hash BLOB NOT NULL, -- SHA-256 of the names of the report's columns
    columns     TEXT NOT NULL, -- JSON object: role to header
    saved_at_us BIGINT NOT NULL,
    PRIMARY KEY (account_id, name_key)
);
