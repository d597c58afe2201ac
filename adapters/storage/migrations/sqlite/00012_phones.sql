-- Times are microseconds since 1970-01-01 00:00 UTC (_us). What is sealed is
-- encrypted for its own column and row.

-- +goose Up
-- The verified phone numbers of accounts. An account may be verified without one, by its
-- identity provider or the operator.
CREATE TABLE phones (
    account_id     TEXT PRIMARY KEY REFERENCES accounts (id),
    number         BLOB NOT NULL, -- sealed
    verified_at_us INTEGER NOT NULL
);

-- Phone codes that were sent and not used.
CREATE TABLE phone_codes (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL UNIQUE REFERENCES accounts (id),
    number     BLOB NOT NULL, -- sealed
    hash       BLOB NOT NULL, -- of the code, with a key that is not in the database
    checks     INTEGER NOT NULL, -- guesses that were judged
    sent_at_us INTEGER NOT NULL
);

-- Serves the sweep.
CREATE INDEX phone_codes_sent ON phone_codes (sent_at_us);
