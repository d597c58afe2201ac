-- +goose Up
-- What all batches keep, as one number: the triggers keep it true, whoever
-- changes batches.
CREATE TABLE batch_totals (
    id         INTEGER PRIMARY KEY CHECK (id = 1), -- there is one row
    kept_bytes INTEGER NOT NULL -- of the batches whose results have not been deleted
);

INSERT INTO batch_totals (id, kept_bytes)
SELECT 1, COALESCE(SUM(kept_bytes), 0) FROM batches WHERE NOT dropped;

-- +goose StatementBegin
CREATE TRIGGER batches_added AFTER INSERT ON batches
WHEN NOT NEW.dropped AND NEW.kept_bytes <> 0
BEGIN
    UPDATE batch_totals SET kept_bytes = kept_bytes + NEW.kept_bytes;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER batches_changed AFTER UPDATE OF kept_bytes, dropped ON batches
WHEN OLD.kept_bytes <> NEW.kept_bytes OR OLD.dropped <> NEW.dropped
BEGIN
    UPDATE batch_totals SET kept_bytes = kept_bytes
        + CASE WHEN NEW.dropped THEN 0 ELSE NEW.kept_bytes END - CASE WHEN OLD.dropped THEN 0 ELSE OLD.kept_bytes END;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER batches_deleted AFTER DELETE ON batches
WHEN NOT OLD.dropped AND OLD.kept_bytes <> 0
BEGIN
    UPDATE batch_totals SET kept_bytes = kept_bytes - OLD.kept_bytes;
END;
-- +goose StatementEnd
