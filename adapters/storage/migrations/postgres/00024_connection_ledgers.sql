-- Times are microseconds since 1970-01-01 00:00 UTC (_us), days are counted from that day.

-- +goose Up
-- The open items of connections whose owner has said to keep them. There is a row exactly while they are kept.
CREATE TABLE connection_ledgers (
    connection_id TEXT PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
    since_us      BIGINT NOT NULL, -- when the owner said so
    version       BIGINT NOT NULL, -- changes of text and marks since then
    oldest        BIGINT, -- the day on which the order was last seen that has not been seen for longest; null: none
    written_at_us BIGINT, -- of text; null: never yet
    text          BYTEA, -- sealed: the ledger; null: no pass has written one yet
    marks         BYTEA -- sealed: what people have noted since; null: nothing
);

-- What is sealed cannot be compressed, so PostgreSQL is told not to try.
ALTER TABLE connection_ledgers ALTER COLUMN text SET STORAGE EXTERNAL;
ALTER TABLE connection_ledgers ALTER COLUMN marks SET STORAGE EXTERNAL;

-- Serves the search for orders that have been kept for long enough.
CREATE INDEX connection_ledgers_oldest ON connection_ledgers (oldest, connection_id) WHERE oldest IS NOT NULL;
