-- Times are microseconds since 1970-01-01 00:00 UTC (_us). Days are counted from
-- 1970-01-01 in Asia/Kolkata (_day).

-- +goose Up
ALTER TABLE accounts ADD COLUMN ends_at_us BIGINT; -- from then on an active subscription has ended; null: it has no end
ALTER TABLE accounts ADD COLUMN period_start_day BIGINT NOT NULL DEFAULT 0; -- the billed period; 0: none
ALTER TABLE accounts ADD COLUMN period_end_day BIGINT NOT NULL DEFAULT 0; -- the first day after it

-- Subscriptions as the billing provider had them when they were last looked at.
CREATE TABLE billed_subscriptions (
    id               TEXT PRIMARY KEY, -- the billing provider's
    account_id       TEXT NOT NULL REFERENCES accounts (id),
    plan_id          TEXT NOT NULL, -- the billing provider's
    plan             TEXT NOT NULL, -- blank: the settings do not know plan_id
    status           TEXT NOT NULL, -- in the billing provider's words
    created_at_us    BIGINT NOT NULL,
    period_start_day BIGINT NOT NULL, -- 0: nothing was charged yet
    period_end_day   BIGINT NOT NULL,
    ended_at_us      BIGINT, -- null: not known, or it has not ended
    url              BYTEA, -- sealed: the page where its customer pays; null: none
    ending           BOOLEAN NOT NULL, -- it was cancelled to the end of the billed period
    changed_on_day   BIGINT NOT NULL, -- when a change of its plan was first noticed; 0: none was
    version          BIGINT NOT NULL, -- how often it was stored
    looked_at_us     BIGINT NOT NULL
);

CREATE INDEX billed_subscriptions_account ON billed_subscriptions (account_id);
CREATE INDEX billed_subscriptions_due ON billed_subscriptions (looked_at_us);

-- What the subscriptions of an account meant for it when that was last applied.
CREATE TABLE billed_accounts (
    account_id      TEXT PRIMARY KEY REFERENCES accounts (id),
    subscription_id TEXT NOT NULL, -- of the one that decided
    plan            TEXT NOT NULL,
    subscription    TEXT NOT NULL,
    ends_at_us      BIGINT -- null: none
);

-- Requests that are making a subscription, or closing the account.
CREATE TABLE billing_starts (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    id         TEXT NOT NULL,
    closing    BOOLEAN NOT NULL,
    until_us   BIGINT NOT NULL -- then the next request may begin
);

-- Notices of the billing provider, so that each is taken once.
CREATE TABLE billing_notices (
    id          TEXT PRIMARY KEY, -- the billing provider's
    taken_at_us BIGINT NOT NULL
);

-- Serves the sweep.
CREATE INDEX billing_notices_taken ON billing_notices (taken_at_us);
