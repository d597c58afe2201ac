-- +goose Up
-- An account has a live key and a sandbox key.
ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'live';
DROP INDEX api_keys_one_active;
CREATE UNIQUE INDEX api_keys_one_active ON api_keys (account_id, kind) WHERE revoked_at_us IS NULL;

-- How many runs accounts have made with their sandbox keys. Nothing else is stored of
-- these runs.
CREATE TABLE sandbox_runs (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    day        INTEGER NOT NULL, -- in Asia/Kolkata, counted from 1970-01-01
    runs       INTEGER NOT NULL,
    PRIMARY KEY (account_id, day)
);

-- Serves the sweep.
CREATE INDEX sandbox_runs_day ON sandbox_runs (day);

-- Of the sandbox key; such a batch is deleted an hour after it is complete.
ALTER TABLE batches ADD COLUMN sandbox BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX batches_sandbox ON batches (completed_at_us) WHERE sandbox;

-- About a sandbox run or a sandbox batch.
ALTER TABLE deliveries ADD COLUMN sandbox BOOLEAN NOT NULL DEFAULT FALSE;
