-- Times are microseconds since 1970-01-01 00:00 UTC (_us).

-- +goose Up
-- Browsers in which a person has signed in for an account.
CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES accounts (id),
    hash          BYTEA NOT NULL UNIQUE, -- SHA-256 of the session's secret
    created_at_us BIGINT NOT NULL,
    used_at_us    BIGINT NOT NULL -- the last request, exact to some minutes
);

CREATE INDEX sessions_account ON sessions (account_id);

-- These serve the sweep.
CREATE INDEX sessions_created ON sessions (created_at_us);
CREATE INDEX sessions_used ON sessions (used_at_us);

-- Sign-in links that were redeemed. They are kept while they are valid, so that
-- nobody redeems one again.
CREATE TABLE redeemed_links (
    id       TEXT PRIMARY KEY,
    until_us BIGINT NOT NULL -- end of the link
);

-- Serves the sweep.
CREATE INDEX redeemed_links_until ON redeemed_links (until_us);

CREATE TABLE security_events (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    at_us      BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    detail     TEXT NOT NULL, -- blank: none; never a secret or personal data
    way        TEXT NOT NULL
);

CREATE INDEX security_events_latest ON security_events (account_id, at_us, id);

-- Serves the sweep.
CREATE INDEX security_events_at ON security_events (at_us);

ALTER TABLE api_keys ADD COLUMN used_at_us BIGINT; -- exact to some minutes; null: never, or not since this column exists

ALTER TABLE column_mappings ADD COLUMN saved_at_us BIGINT; -- null: an earlier version saved it

-- Serves the history, the cap and the duplicates of the last seconds. The history
-- is filtered by what stands behind the id, without a look at the rows.
DROP INDEX runs_history;
CREATE INDEX runs_history ON runs (account_id, at_us, id, brand, courier_name, source);

-- Serves the sweep of runs. These two serve its references.
CREATE INDEX runs_at ON runs (at_us);
CREATE INDEX deliveries_runs ON deliveries (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX claims_runs ON claims (run_id) WHERE run_id IS NOT NULL;
