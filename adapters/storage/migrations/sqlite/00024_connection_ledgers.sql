-- Times are microseconds since 1970-01-01 00:00 UTC (_us), days are counted from that day.

-- +goose Up
-- The open items of connections whose owner has said to keep them. There is a row exactly while they are kept.
CREATE TABLE connection_ledgers (
    connection_id TEXT PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
    since_us      INTEGER NOT NULL, -- when the owner said so
    version       INTEGER NOT NULL, -- changes of text and marks since then
    oldest        INTEGER, -- the day on which the order was last seen that has not been seen for longest; null: none
    written_at_us INTEGER, -- of text; null: never yet
    text          BLOB, -- sealed: the ledger; null: no pass has written one yet
    marks         BLOB -- sealed: what people have noted since; null: nothing
);

-- Serves the search for orders that have been kept for long enough.
CREATE INDEX connection_ledgers_oldest ON connection_ledgers (oldest, connection_id) WHERE oldest IS NOT NULL;
