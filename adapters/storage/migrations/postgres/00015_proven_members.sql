-- +goose Up
-- Whether a member has had a session that proves their address: an invitation can be accepted
-- by somebody else, who has its link.
ALTER TABLE members ADD COLUMN proven BOOLEAN NOT NULL DEFAULT FALSE;

-- All but those who have joined by the link alone, as far as the security log reaches back, and
-- whose sessions prove nothing.
UPDATE members SET proven = TRUE
WHERE NOT EXISTS (SELECT 1 FROM security_events e WHERE e.account_id = members.account_id
                    AND e.kind = 'signed_in' AND e.detail = 'invitation' AND e.at_us = members.added_at_us)
   OR EXISTS (SELECT 1 FROM sessions s WHERE s.member_id = members.id AND NOT s.confined)
   OR EXISTS (SELECT 1 FROM last_accounts l WHERE l.email = members.email AND l.account_id = members.account_id);
