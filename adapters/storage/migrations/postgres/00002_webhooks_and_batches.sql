-- Times are microseconds since 1970-01-01 00:00 UTC (_us). What is sealed is
-- encrypted for its own column and row; such texts cannot be compressed, so
-- PostgreSQL is told not to try.

-- +goose Up
CREATE TABLE webhooks (
    account_id    TEXT PRIMARY KEY REFERENCES accounts (id),
    endpoint      BYTEA, -- sealed; null: runs are not announced
    secret        BYTEA NOT NULL, -- sealed
    former        BYTEA, -- sealed; the secret before the last rotation; null: none
    rotated_at_us BIGINT, -- null: never
    shown         BOOLEAN NOT NULL, -- the secret, to its owner
    set_at_us     BIGINT -- when the endpoint was set; null: never
);

ALTER TABLE webhooks ALTER COLUMN endpoint SET STORAGE EXTERNAL;
ALTER TABLE webhooks ALTER COLUMN secret SET STORAGE EXTERNAL;
ALTER TABLE webhooks ALTER COLUMN former SET STORAGE EXTERNAL;

CREATE TABLE batches (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    webhook_url     BYTEA, -- sealed; null: nobody is called
    jobs            INTEGER NOT NULL,
    completed       INTEGER NOT NULL, -- jobs that have ended
    submitted_at_us BIGINT NOT NULL,
    started_at_us   BIGINT, -- null: no job has begun
    completed_at_us BIGINT, -- null: not all jobs have ended
    kept_bytes      BIGINT NOT NULL, -- of the files of jobs that have not ended, and of the results before they were deleted
    dropped         BOOLEAN NOT NULL -- the results have been deleted
);

ALTER TABLE batches ALTER COLUMN webhook_url SET STORAGE EXTERNAL;

-- Serves the limits of open batches and of what is kept.
CREATE INDEX batches_kept ON batches (account_id) WHERE NOT dropped;

-- These serve the sweeps of results and of what remains; the second one also
-- finds the open batches, for the jobs that the engine has given up.
CREATE INDEX batches_results ON batches (completed_at_us) WHERE NOT dropped;
CREATE INDEX batches_completed ON batches (completed_at_us);

CREATE TABLE batch_jobs (
    batch_id    TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL, -- from 0, in the order sent
    bytes       BIGINT NOT NULL, -- of the two files
    ended_at_us BIGINT, -- null: it has not ended
    took_us     BIGINT NOT NULL, -- of the attempt that ended it; 0: none did
    input       BYTEA, -- sealed; null: the job has ended
    result      BYTEA, -- sealed; null: the job has not ended, or its result has been deleted
    PRIMARY KEY (batch_id, position)
);

ALTER TABLE batch_jobs ALTER COLUMN input SET STORAGE EXTERNAL;
ALTER TABLE batch_jobs ALTER COLUMN result SET STORAGE EXTERNAL;

-- These serve the load: what is to be done, and how quickly it was done of late.
CREATE INDEX batch_jobs_waiting ON batch_jobs (bytes) WHERE ended_at_us IS NULL;
CREATE INDEX batch_jobs_done ON batch_jobs (ended_at_us) WHERE took_us > 0;

CREATE TABLE deliveries (
    id            TEXT PRIMARY KEY,
    event_id      TEXT NOT NULL,
    account_id    TEXT NOT NULL REFERENCES accounts (id),
    kind          TEXT NOT NULL,
    run_id        TEXT REFERENCES runs (id), -- null: not a run's
    batch_id      TEXT, -- null: not a batch's; the log outlives the batch
    state         TEXT NOT NULL,
    created_at_us BIGINT NOT NULL,
    settled_at_us BIGINT -- null: pending
);

CREATE INDEX deliveries_latest ON deliveries (account_id, created_at_us, id);
CREATE INDEX deliveries_settled ON deliveries (settled_at_us) WHERE settled_at_us IS NOT NULL;

-- Serves the giving up of what is pending for too long.
CREATE INDEX deliveries_pending ON deliveries (created_at_us) WHERE settled_at_us IS NULL;

CREATE TABLE delivery_attempts (
    delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number      INTEGER NOT NULL, -- from 1
    at_us       BIGINT NOT NULL,
    took_us     BIGINT NOT NULL,
    outcome     TEXT NOT NULL, -- blank: recorded and never completed
    status      INTEGER NOT NULL, -- of HTTP; 0: no answer came
    failure     BYTEA, -- sealed: what was wrong, with the first bytes of the answer; null: nothing
    PRIMARY KEY (delivery_id, number)
);
