-- Times are microseconds since 1970-01-01 00:00 UTC (_us). Hashes are keyed: they
-- tell nothing to whoever does not have the service's secret.

-- +goose Up
CREATE TABLE claims (
    account_id       TEXT NOT NULL REFERENCES accounts (id),
    request_key_hash BLOB NOT NULL, -- of the Idempotency-Key
    request_hash     BLOB NOT NULL, -- of the request's fields
    holder           TEXT NOT NULL, -- id of whoever makes the outcome
    made_at_us       INTEGER NOT NULL,
    held_until_us    INTEGER NOT NULL, -- end of the lease, while there is no outcome
    run_id           TEXT REFERENCES runs (id), -- outcome; null: none, or not a run
    batch_id         TEXT REFERENCES batches (id) ON DELETE CASCADE, -- outcome; null: none, or not a batch
    PRIMARY KEY (account_id, request_key_hash)
);

-- Serves the sweep.
CREATE INDEX claims_made ON claims (made_at_us);

-- Serves the deletion of batches.
CREATE INDEX claims_batches ON claims (batch_id) WHERE batch_id IS NOT NULL;
