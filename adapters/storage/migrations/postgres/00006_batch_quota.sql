-- +goose Up
-- Serves the limits of open batches, and of what an account's batches keep and
-- all batches do.
DROP INDEX batches_kept;
CREATE INDEX batches_kept ON batches (account_id, kept_bytes) WHERE NOT dropped;
