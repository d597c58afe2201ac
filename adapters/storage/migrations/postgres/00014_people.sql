-- Times are microseconds since 1970-01-01 00:00 UTC (_us). People's addresses are in the form
-- of those of accounts.

-- +goose Up
-- People who work for accounts besides their own addresses.
CREATE TABLE members (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    email       TEXT NOT NULL,
    role        TEXT NOT NULL,
    added_at_us BIGINT NOT NULL,
    UNIQUE (account_id, email)
);

CREATE INDEX members_email ON members (email);

-- Invitations that were neither accepted nor withdrawn.
CREATE TABLE invitations (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    email      TEXT NOT NULL,
    role       TEXT NOT NULL,
    hash       BYTEA NOT NULL UNIQUE, -- SHA-256 of the token
    made_at_us BIGINT NOT NULL,
    until_us   BIGINT NOT NULL,
    UNIQUE (account_id, email)
);

-- Serves the sweep.
CREATE INDEX invitations_until ON invitations (until_us);

-- The account that a person used last, for the next time they sign in.
CREATE TABLE last_accounts (
    email      TEXT PRIMARY KEY, -- the person's
    account_id TEXT NOT NULL REFERENCES accounts (id)
);

CREATE INDEX last_accounts_account ON last_accounts (account_id);

ALTER TABLE sessions ADD COLUMN member_id TEXT REFERENCES members (id) ON DELETE CASCADE; -- null: the person has the account's own address
ALTER TABLE sessions ADD COLUMN confined BOOLEAN NOT NULL DEFAULT FALSE; -- it cannot go on to another account

CREATE INDEX sessions_member ON sessions (member_id) WHERE member_id IS NOT NULL;

-- When people made accounts for themselves. It does not say which accounts.
CREATE TABLE sign_ups (
    id     TEXT PRIMARY KEY,
    client TEXT NOT NULL, -- keyed hash of the client's address
    at_us  BIGINT NOT NULL
);

CREATE INDEX sign_ups_client ON sign_ups (client, at_us);
CREATE INDEX sign_ups_at ON sign_ups (at_us);
