-- +goose Up
-- What all batches keep, as one number: the trigger keeps it true, whoever
-- changes batches. The lock keeps others from changing them before it is there.
LOCK TABLE batches IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE batch_totals (
    id         BIGINT PRIMARY KEY CHECK (id = 1), -- there is one row
    kept_bytes BIGINT NOT NULL -- of the batches whose results have not been deleted
);

INSERT INTO batch_totals (id, kept_bytes)
SELECT 1, COALESCE(SUM(kept_bytes), 0) FROM batches WHERE NOT dropped;

-- +goose StatementBegin
CREATE FUNCTION count_batch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change BIGINT := 0;
BEGIN
    IF TG_OP <> 'DELETE' AND NOT NEW.dropped THEN
        change := NEW.kept_bytes;
    END IF;
    IF TG_OP <> 'INSERT' AND NOT OLD.dropped THEN
        change := change - OLD.kept_bytes;
    END IF;
    IF change <> 0 THEN
        UPDATE batch_totals SET kept_bytes = kept_bytes + change;
    END IF;
    RETURN NULL;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER batches_counted AFTER INSERT OR DELETE OR UPDATE OF kept_bytes, dropped ON batches
FOR EACH ROW EXECUTE FUNCTION count_batch();
