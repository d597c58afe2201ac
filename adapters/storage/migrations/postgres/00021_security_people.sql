-- +goose Up
-- Who did it, from which address, and whom it is about; sealed. Null: nobody is named, or an
-- earlier version has stored the event.
ALTER TABLE security_events ADD COLUMN people BYTEA;
