-- Rate windows are an account's and no longer a key's, so that a new key begins
-- with what its account has used up. The subject of a window is the account's
-- id, that of its polls status: and the id; clients without a key have a
-- pseudonym.

-- +goose Up
UPDATE rate_windows
SET subject = (SELECT account_id FROM api_keys WHERE id = rate_windows.subject)
WHERE subject IN (SELECT id FROM api_keys WHERE revoked_at_us IS NULL);

UPDATE rate_windows
SET subject = (SELECT 'status:' || account_id FROM api_keys WHERE 'status:' || id = rate_windows.subject)
WHERE subject IN (SELECT 'status:' || id FROM api_keys WHERE revoked_at_us IS NULL);

-- Serves the sweep of keys that were revoked long ago.
CREATE INDEX api_keys_revoked ON api_keys (revoked_at_us) WHERE revoked_at_us IS NOT NULL;
