-- +goose Up
-- The brand and the courierName of what a job was asked, beside its files: a job
-- whose files must not be read ends under them.
ALTER TABLE batch_jobs ADD COLUMN labels BYTEA; -- sealed; null: the job has ended, or is from before
ALTER TABLE batch_jobs ALTER COLUMN labels SET STORAGE EXTERNAL;

-- The load is asked for by account, for accounts have their turn one after the
-- other.
DROP INDEX batch_jobs_waiting;
CREATE INDEX batch_jobs_waiting ON batch_jobs (batch_id, bytes) WHERE ended_at_us IS NULL;
