package conformance_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	port "milaan/ports"
)

// outbox keeps jobs in a table of its own, as an engine does: what is undone
// leaves none.
type outbox struct{}

const outboxTable = "CREATE TABLE IF NOT EXISTS jobs_added (job TEXT NOT NULL)"

// migrateOutbox is a storage.Settings.Also.
func migrateOutbox(ctx context.Context, h storage.Handle) error {
	if h.Postgres != nil {
		_, err := h.Postgres.Exec(ctx, outboxTable)
		return err
	}
	_, err := h.SQLite.ExecContext(ctx, outboxTable)
	return err
}

func (outbox) Add(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, jobs []port.Job) error {
	for _, job := range jobs {
		text, err := json.Marshal(job)
		if err != nil {
			return err
		}
		if tx != nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO jobs_added (job) VALUES (?)", string(text))
		} else {
			_, err = conn.Exec(ctx, "INSERT INTO jobs_added (job) VALUES ($1)", string(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (outbox) Drop(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, accountID string) error {
	if tx != nil {
		_, err := tx.ExecContext(ctx, "DELETE FROM jobs_added WHERE job ->> 'AccountID' = ?", accountID)
		return err
	}
	_, err := conn.Exec(ctx, "DELETE FROM jobs_added WHERE CAST(job AS JSONB) ->> 'AccountID' = $1", accountID)
	return err
}

// jobsAdded reads the table behind the store's back.
func jobsAdded(t testing.TB, db *sql.DB) []port.Job {
	t.Helper()
	var jobs []port.Job
	for _, text := range texts(t, db, "SELECT job FROM jobs_added") {
		var job port.Job
		require.NoError(t, json.Unmarshal([]byte(text), &job))
		jobs = append(jobs, job)
	}
	return jobs
}

// sealer seals as the service does, with keys of the tests'.
type sealer struct {
	aeads []cipher.AEAD // the first seals
	fault error         // of what cannot be opened
}

const (
	aSecret       = "a key of thirty-two bytes, no mo"
	anotherSecret = "another key of thirty-two bytes."
)

func newSealer(secrets ...string) sealer {
	s := sealer{fault: errors.New("it cannot be opened")}
	for _, secret := range secrets {
		block, err := aes.NewCipher([]byte(secret))
		if err != nil {
			panic(err)
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			panic(err)
		}
		s.aeads = append(s.aeads, aead)
	}
	return s
}

func (s sealer) Seal(text []byte, place ...string) []byte {
	nonce := make([]byte, s.aeads[0].NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return s.aeads[0].Seal(nonce, nonce, text, []byte(strings.Join(place, "\x00")))
}

func (s sealer) Open(sealed []byte, place ...string) ([]byte, error) {
	text, _, err := s.open(sealed, place)
	return text, err
}

func (s sealer) Reseal(sealed []byte, place ...string) ([]byte, error) {
	text, by, err := s.open(sealed, place)
	if err != nil || by == 0 {
		return nil, err
	}
	return s.Seal(text, place...), nil
}

func (s sealer) open(sealed []byte, place []string) (text []byte, by int, err error) {
	for by, aead := range s.aeads {
		if n := aead.NonceSize(); len(sealed) >= n {
			if text, err := aead.Open(nil, sealed[:n], sealed[n:], []byte(strings.Join(place, "\x00"))); err == nil {
				return text, by, nil
			}
		}
	}
	return nil, 0, s.fault
}
