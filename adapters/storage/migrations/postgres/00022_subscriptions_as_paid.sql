-- Times are microseconds since 1970-01-01 00:00 UTC (_us).

-- +goose Up
-- Since when a subscription may have been made of which nothing is known; 0: an earlier version has begun this.
ALTER TABLE billing_starts ADD COLUMN since_us BIGINT NOT NULL DEFAULT 0;
-- How its customer pays, in the billing provider's words; blank: not told, or an earlier version has stored it.
ALTER TABLE billed_subscriptions ADD COLUMN method TEXT NOT NULL DEFAULT '';
