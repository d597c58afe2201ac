-- Times are microseconds since 1970-01-01 00:00 UTC (_us).

-- +goose Up
ALTER TABLE billed_subscriptions ADD COLUMN paid_until_us BIGINT; -- the end of the billed period; null: not known
ALTER TABLE billed_subscriptions ADD COLUMN begins_at_us BIGINT; -- the first charge that was asked for; null: as soon as it is paid
ALTER TABLE billed_subscriptions ADD COLUMN charges BIGINT NOT NULL DEFAULT -1; -- how often it was charged; below 0: not known
ALTER TABLE billed_subscriptions ADD COLUMN fixed BOOLEAN NOT NULL DEFAULT FALSE; -- the billing provider does not change its plan
