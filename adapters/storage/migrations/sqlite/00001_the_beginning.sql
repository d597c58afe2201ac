-- Times are microseconds since 1970-01-01 00:00 UTC (_us), days are counted
-- from 1970-01-01 (_day; 0: none), money is in paise (_paise).

-- +goose Up
CREATE TABLE accounts (
    id                TEXT PRIMARY KEY,
    email             TEXT NOT NULL UNIQUE, -- in lower case
    plan              TEXT NOT NULL,
    subscription      TEXT NOT NULL,
    subscribed_on_day INTEGER NOT NULL,
    plan_since_day    INTEGER NOT NULL,
    billing_day       INTEGER NOT NULL, -- of the month
    phone_verified    BOOLEAN NOT NULL,
    run_cap           INTEGER, -- null: the plan's
    overdue_days      INTEGER NOT NULL, -- 0: the platform's
    created_at_us     INTEGER NOT NULL
);

CREATE TABLE api_keys (
    id            TEXT PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES accounts (id),
    hash          BLOB NOT NULL UNIQUE, -- SHA-256 of the whole key
    prefix        TEXT NOT NULL,
    issued_at_us  INTEGER NOT NULL,
    revoked_at_us INTEGER -- null: the account's active key
);

CREATE UNIQUE INDEX api_keys_one_active ON api_keys (account_id) WHERE revoked_at_us IS NULL;

CREATE TABLE rate_windows (
    subject          TEXT PRIMARY KEY, -- the id of an API key, or a client's pseudonym
    admitted         TEXT NOT NULL, -- times in microseconds, oldest first, separated by commas
    blocked_until_us INTEGER, -- null: never blocked
    changed_at_us    INTEGER NOT NULL,
    version          INTEGER NOT NULL -- grows with each change
);

CREATE INDEX rate_windows_changed ON rate_windows (changed_at_us);

CREATE TABLE runs (
    id                    TEXT PRIMARY KEY,
    account_id            TEXT NOT NULL REFERENCES accounts (id),
    brand                 TEXT NOT NULL,
    courier_name          TEXT NOT NULL,
    source                TEXT NOT NULL,
    at_us                 INTEGER NOT NULL,
    took_us               INTEGER NOT NULL,
    fingerprint           TEXT NOT NULL, -- equal for identical runs of one account
    storefront_rows       INTEGER NOT NULL,
    courier_rows          INTEGER NOT NULL,
    orders                INTEGER NOT NULL,
    missing               INTEGER NOT NULL,
    short_paid            INTEGER NOT NULL,
    overdue               INTEGER NOT NULL,
    rto_anomaly           INTEGER NOT NULL,
    minor_diff            INTEGER NOT NULL,
    overpaid              INTEGER NOT NULL,
    reconciled            INTEGER NOT NULL,
    awaiting_next_cycle   INTEGER NOT NULL,
    due_paise             INTEGER NOT NULL,
    remitted_paise        INTEGER NOT NULL,
    shortfall_paise       INTEGER NOT NULL,
    at_risk_paise         INTEGER NOT NULL,
    unclaimed             INTEGER NOT NULL,
    unclaimed_paid_paise  INTEGER NOT NULL,
    terms_offset_days     INTEGER NOT NULL,
    terms_offset_source   TEXT NOT NULL,
    terms_minor_gap_paise INTEGER NOT NULL,
    guidance_offset_days              INTEGER NOT NULL,
    guidance_offset_source            TEXT NOT NULL,
    guidance_batch_as_of_day          INTEGER NOT NULL,
    guidance_coverage_complete        BOOLEAN NOT NULL,
    guidance_data_through_day         INTEGER NOT NULL,
    guidance_guaranteed_coverage_days INTEGER NOT NULL,
    guidance_awaiting_next_cycle      INTEGER NOT NULL
);

-- Serves the history, the cap and the duplicates of the last seconds.
CREATE INDEX runs_history ON runs (account_id, at_us);

CREATE TABLE column_mappings (
    account_id   TEXT NOT NULL REFERENCES accounts (id),
    courier_name TEXT NOT NULL,
    columns      TEXT NOT NULL, -- JSON object: role to header
    PRIMARY KEY (account_id, courier_name)
);

CREATE TABLE service_facts (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
