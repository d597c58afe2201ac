-- +goose Up
-- Whether charges that a report states count as paid.
ALTER TABLE accounts ADD COLUMN accept_charges BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE connections ADD COLUMN charges TEXT NOT NULL DEFAULT ''; -- accept or flag; blank: the account's
