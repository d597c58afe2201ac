-- How documents are marked as an account's own.

-- +goose Up
CREATE TABLE brandings (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    name       TEXT NOT NULL, -- blank: none
    logo       BLOB, -- PNG; null: none
    colour     INTEGER NOT NULL, -- red, green and blue in a number; 0: none
    footer     TEXT NOT NULL -- blank: none
);
