package conformance_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
)

// hooked calls something before each seal that it looks at.
type hooked struct {
	sealer

	before func()
}

func (h hooked) Reseal(sealed []byte, place ...string) ([]byte, error) {
	h.before()
	return h.sealer.Reseal(sealed, place...)
}

// What was done before it was cut off stays done, and it can be repeated until
// all is: each time it is cut off one piece later, and in the end nothing needs
// the old secret.
func TestResealingThatIsCutOffGoesOn(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		store := opened(t, settings)
		s := ports(store)
		require.NoError(t, s.Accounts.Create(t.Context(), account))
		const jobs = 6
		const pieces = 2 * jobs // labels and files
		request := port.Request{Storefront: []byte("orders"), Courier: []byte("lines")}
		var requests []port.Request
		for range jobs {
			requests = append(requests, request)
		}
		batch := domain.Batch{ID: "batch", AccountID: account.ID, Jobs: jobs, SubmittedAt: start}
		require.NoError(t, s.Batches.Submit(t.Context(), batch, requests, domain.RequestClaim{}))
		for cutOff := range pieces {
			ctx, cut := context.WithCancel(t.Context())
			looked := 0
			seals := storage.NewSeals(store, hooked{newSealer(anotherSecret, aSecret), func() {
				if looked++; looked > cutOff {
					cut()
				}
			}})
			done, err := seals.Reseal(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, port.Resealed{Kept: max(0, cutOff-1), Afresh: min(1, cutOff)}, done)
			cut()
		}
		changed := sealedBy(newSealer(anotherSecret, aSecret), store)
		require.Equal(t, port.Resealed{Kept: pieces - 1, Afresh: 1}, only.Value(changed.Seals.Reseal(t.Context()))(t))
		fresh := sealedBy(newSealer(anotherSecret), store)
		for i := range jobs {
			_, asked := only.Both(fresh.Batches.Begin(t.Context(), domain.BatchJob{BatchID: batch.ID, Position: i}, start))(t)
			require.Equal(t, request.Storefront, asked.Storefront)
		}
	})
}

// A piece that is changed or deleted while it is sealed afresh stays as it was
// changed.
func TestResealingNeverOverwrites(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		store := opened(t, settings)
		s, changed := ports(store), sealedBy(newSealer(anotherSecret, aSecret), store)
		require.NoError(t, s.Accounts.Create(t.Context(), account))
		set := func(s conformance.Storage, endpoint string) {
			require.NoError(t, only.Err(s.Webhooks.Update(t.Context(), account.ID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
				w.Endpoint, w.Secret = endpoint, "whsec_"
				return nil
			})))
		}
		set(s, "before")
		looked := 0
		seals := storage.NewSeals(store, hooked{newSealer(anotherSecret, aSecret), func() {
			switch looked++; looked {
			case 1: // the endpoint: by an instance with the old secret, and then by one with the new
				set(s, "meanwhile")
			case 2:
				set(changed, "and again")
			}
		}})
		done := only.Value(seals.Reseal(t.Context()))(t)
		require.Equal(t, port.Resealed{Kept: 2}, done)
		w := only.Value(sealedBy(newSealer(anotherSecret), store).Webhooks.Of(t.Context(), account.ID))(t)
		require.Equal(t, "and again", w.Endpoint)

		set(s, "to be removed") // it cannot open the other, and begins afresh
		removing := storage.NewSeals(store, hooked{newSealer(anotherSecret, aSecret), func() {
			conformance.Change(t, changed.Webhooks, account.ID, func(w *domain.Webhook) { *w = domain.Webhook{} })
		}})
		done = only.Value(removing.Reseal(t.Context()))(t)
		require.Equal(t, port.Resealed{}, done)
		require.ErrorIs(t, only.Err(changed.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)
	})
}

const (
	sealedURLs = "INSERT INTO batches (id, account_id, webhook_url, jobs, completed, submitted_at_us, kept_bytes, dropped)" +
		numbers + "SELECT 'row-' || i, 'account', 'sealed', 1, 1, i, 0, FALSE FROM n"
	sealedInputs = "INSERT INTO batch_jobs (batch_id, position, bytes, took_us, input)" +
		numbers + "SELECT 'row-' || (1 + i / 7), i %% 7, 1, 0, 'sealed' FROM n"
	sealedFailures = "INSERT INTO delivery_attempts (delivery_id, number, at_us, took_us, outcome, status, failure)" +
		numbers + "SELECT 'row-' || (1 + i / 7), i %% 7, 1, 0, '', 0, 'sealed' FROM n"
)

// Every row is looked at once, however many there are: batches and their jobs are more than are listed at once. One of the
// two needs a number beside its id to be found; all other tables are listed as one of them is.
func TestResealingLooksAtEveryRow(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s, behind := withAccount(t, settings), raw(t, settings)
		execute(t, behind, fmt.Sprintf(sealedURLs, 2100), fmt.Sprintf(sealedInputs, 1500),
			fmt.Sprintf(settledRows, 3), fmt.Sprintf(sealedFailures, 15))
		for _, statement := range []string{fmt.Sprintf(connectionRows, 11), stateRows, ledgerRows, fmt.Sprintf(passRows, 12), fmt.Sprintf(fileRows, 13, 1), contentRows} {
			execute(t, behind, inTheWordsOf(settings, statement))
		}
		done := only.Value(s.Seals.Reseal(t.Context()))(t)
		require.Equal(t, port.Resealed{Unreadable: 2100 + 1500 + 15 + 4*11 + 12 + 2*13, Connections: 11}, done)
	})
}

// sealedColumn is one as the migrations define it, with their comment.
var sealedColumn = regexp.MustCompile(`(\w+)\s+BLOB[^\n]*-- sealed`)

// Whatever a table keeps sealed is sealed afresh: a column that is added is not
// forgotten.
func TestNoSealedColumnIsForgotten(t *testing.T) {
	columns := map[string]bool{}
	for _, path := range only.Value(filepath.Glob("../../adapters/storage/migrations/sqlite/*.sql"))(t) {
		for _, found := range sealedColumn.FindAllStringSubmatch(string(only.Value(os.ReadFile(path))(t)), -1) {
			columns[found[1]] = true
		}
	}
	require.Equal(t, map[string]bool{"endpoint": true, "secret": true, "former": true, "webhook_url": true, "labels": true,
		"input": true, "result": true, "failure": true, "settings": true, "remembered": true, "looks": true, "details": true, "name": true, "content": true, "number": true, "url": true, "file": true,
		"text": true, "marks": true}, columns, "add a new one to resealing.go in adapters/storage, and to the suite")
}
