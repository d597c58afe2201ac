-- +goose Up
-- Serves the limits of open batches, and of what an account's batches keep and
-- all batches do. For that, SQLite reads the index alone only if dropped is in it.
DROP INDEX batches_kept;
CREATE INDEX batches_kept ON batches (account_id, kept_bytes, dropped) WHERE NOT dropped;
