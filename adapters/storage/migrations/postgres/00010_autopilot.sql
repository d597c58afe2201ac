-- Times are microseconds since 1970-01-01 00:00 UTC (_us). What is sealed is
-- encrypted for its own column and row; such texts cannot be compressed, so
-- PostgreSQL is told not to try.

-- +goose Up
-- What accounts have set up for the autopilot. Amounts are those of the last run.
CREATE TABLE connections (
    id               TEXT PRIMARY KEY,
    account_id       TEXT NOT NULL REFERENCES accounts (id),
    brand            TEXT NOT NULL,
    settings         BYTEA NOT NULL, -- sealed: the shop and the report sources, with their credentials
    window_days      BIGINT NOT NULL,
    overdue_days     BIGINT, -- null: the account's
    minor_gap        BIGINT, -- rupees; null: Milaan's
    alert_paise      BIGINT NOT NULL, -- 0: no alert
    revision         BIGINT NOT NULL, -- changes of the settings, from 1
    created_at_us    BIGINT NOT NULL,
    changed_at_us    BIGINT NOT NULL,
    state            TEXT NOT NULL,
    next_pass_at_us  BIGINT NOT NULL,
    pass_id          TEXT, -- the pass that has not ended; null: none
    result_pass_id   TEXT, -- the last pass that did not fail; null: none
    ended_at_us      BIGINT, -- the end of the last pass; null: none
    checked_at_us    BIGINT, -- the end of the last pass that did not fail; null: none
    failing_since_us BIGINT, -- null: the last pass did not fail
    failure          BYTEA, -- sealed: why the last pass failed; null: it did not fail
    last_run_id      TEXT, -- null: none; the run may have been deleted
    last_run_at_us   BIGINT, -- null: none
    at_risk_paise    BIGINT NOT NULL,
    above_since_us   BIGINT, -- since when runs have had more at risk than alert_paise; null: the last run has not
    left_orders      BIGINT NOT NULL, -- orders that have left the window unpaid
    left_paise       BIGINT NOT NULL,
    UNIQUE (account_id, brand)
);

ALTER TABLE connections ALTER COLUMN settings SET STORAGE EXTERNAL;
ALTER TABLE connections ALTER COLUMN failure SET STORAGE EXTERNAL;

-- Serves the schedule: the connections that a pass may be added for, by the time at
-- which it is due.
CREATE INDEX connections_due ON connections (next_pass_at_us) WHERE state = 'active' AND pass_id IS NULL;

-- These serve the alarms.
CREATE INDEX connections_ended ON connections (ended_at_us) WHERE ended_at_us IS NOT NULL;
CREATE INDEX connections_failing ON connections (failing_since_us) WHERE failing_since_us IS NOT NULL;

-- What a connection remembers from one pass to the next. It is larger than the rest of
-- the connection, and changes less often.
CREATE TABLE pass_states (
    connection_id TEXT PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
    remembered    BYTEA NOT NULL -- sealed
);

ALTER TABLE pass_states ALTER COLUMN remembered SET STORAGE EXTERNAL;

CREATE TABLE passes (
    id            TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    slot_us       BIGINT NOT NULL, -- the start of its period, or when a person asked for it
    asked         BOOLEAN NOT NULL, -- by a person
    due_at_us     BIGINT NOT NULL,
    started_at_us BIGINT, -- null: it waits
    looked_at_us  BIGINT, -- null: no first look yet
    ended_at_us   BIGINT, -- null: it has not ended
    outcome       TEXT NOT NULL, -- blank: it has not ended
    run_id        TEXT, -- null: none; the run may have been deleted
    looks         BYTEA, -- sealed: the first look at the files; null: none, or the pass has ended
    details       BYTEA, -- sealed: what the pass found; null: it has not ended
    UNIQUE (connection_id, slot_us)
);

ALTER TABLE passes ALTER COLUMN looks SET STORAGE EXTERNAL;
ALTER TABLE passes ALTER COLUMN details SET STORAGE EXTERNAL;

-- A connection has never two passes at the same time.
CREATE UNIQUE INDEX passes_open ON passes (connection_id) WHERE ended_at_us IS NULL;

-- These serve the list of a connection's passes, the passes that the engine has given
-- up, and the sweep.
CREATE INDEX passes_latest ON passes (connection_id, due_at_us, id);
CREATE INDEX passes_stale ON passes (due_at_us) WHERE ended_at_us IS NULL;
CREATE INDEX passes_ended ON passes (ended_at_us) WHERE ended_at_us IS NOT NULL;

-- Reports that people have uploaded for the autopilot. The contents are apart, so that
-- a list of the files does not read them.
CREATE TABLE kept_files (
    id            TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
    source_id     TEXT NOT NULL,
    name          BYTEA NOT NULL, -- sealed
    bytes         BIGINT NOT NULL, -- as uploaded
    at_us         BIGINT NOT NULL
);

ALTER TABLE kept_files ALTER COLUMN name SET STORAGE EXTERNAL;
CREATE INDEX kept_files_connections ON kept_files (connection_id, at_us, id);

-- Serves the sweep.
CREATE INDEX kept_files_at ON kept_files (at_us);

CREATE TABLE kept_contents (
    file_id TEXT PRIMARY KEY REFERENCES kept_files (id) ON DELETE CASCADE,
    content BYTEA NOT NULL -- sealed
);

ALTER TABLE kept_contents ALTER COLUMN content SET STORAGE EXTERNAL;

-- Mails that are to be sent or were sent. What they say is not stored.
CREATE TABLE mails (
    id            TEXT PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES accounts (id),
    kind          TEXT NOT NULL,
    connection_id TEXT NOT NULL, -- blank: not about one; the connection may have been deleted
    period        TEXT NOT NULL, -- distinguishes the mails of one kind
    created_at_us BIGINT NOT NULL,
    sent_at_us    BIGINT, -- null: not yet
    UNIQUE (account_id, kind, connection_id, period)
);

-- Serves the sweep.
CREATE INDEX mails_created ON mails (created_at_us);

-- Which mails accounts want. An account without a row wants all.
CREATE TABLE mail_choices (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    no_digest  BOOLEAN NOT NULL,
    no_alerts  BOOLEAN NOT NULL
);

-- Serves the cap, which the autopilot's runs do not count towards.
CREATE INDEX runs_counted ON runs (account_id, at_us, source) WHERE source <> 'autopilot';
