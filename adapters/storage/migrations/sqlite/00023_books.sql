-- +goose Up
-- How the vouchers of accounts are written: names of ledgers, of which a blank one is Milaan's.
CREATE TABLE books (
    account_id    TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    bank          TEXT NOT NULL,
    not_credited  TEXT NOT NULL,
    receivable    TEXT NOT NULL,
    cod_charges   TEXT NOT NULL,
    freight       TEXT NOT NULL,
    charges_tax   TEXT NOT NULL,
    tax_deducted  TEXT NOT NULL,
    other_charges TEXT NOT NULL,
    difference    TEXT NOT NULL,
    by_order      INTEGER NOT NULL
);
