-- A document of a run that was made before is not another run.

-- +goose Up
ALTER TABLE runs ADD COLUMN digest BYTEA; -- keyed hash of the files and settings; null: an earlier version stored the run

-- Serves the search for a run that was made before.
CREATE INDEX runs_digests ON runs (account_id, digest) WHERE digest IS NOT NULL;
