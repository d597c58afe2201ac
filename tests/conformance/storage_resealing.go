package conformance

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// holdings are what one account keeps sealed, a piece in every sealed column.
type holdings struct {
	account domain.Account
	webhook domain.Webhook
	batch   domain.Batch // one job has ended, one waits
	failed  domain.Delivery

	connection domain.Connection
	ended      domain.Pass
	waiting    domain.Pass // that has looked
	file       domain.KeptFile
	ignored    domain.IgnoredFile
	ledger     domain.KeptLedger

	phone domain.Phone
	code  domain.SentCode
	event domain.SecurityEvent // the latest
}

const piecesHeld = 22

func holding(t *testing.T, s Storage, name string) holdings {
	t.Helper()
	h := holdings{account: enterprise(t, s, name)}
	h.failed = announced(t, s, h.account, "failed-"+name)
	attempted(t, s, h.failed.ID, noon)
	require.NoError(t, s.Deliveries.Complete(t.Context(), h.failed.ID, domain.Attempt{Number: 1, At: noon,
		Outcome: domain.OutcomeRefused, Status: 500, Failure: PlainText}, domain.DeliveryPending))
	h.batch = submitted(t, s, h.account, "batch-"+name, anEndpoint, requests(2)...)
	ended(t, s, h.account, anEnd(h.batch, 0))
	h.webhook = only.Value(s.Webhooks.Update(t.Context(), h.account.ID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
		w.Former, w.RotatedAt = formerSecret, noon
		return nil
	}))(t)

	c := connected(t, s, h.account, "")
	kept(t, s, c)
	end := anEndOf(asked(t, s, c, "ended-"+name), c)
	end.Ledger = &ports.PassLedger{Since: noon, Text: []byte(PlainText), Oldest: 1}
	end.Status = func(s *domain.ConnectionStatus) { s.Failure = aFailure() }
	require.NoError(t, s.Passes.End(t.Context(), end))
	h.ledger = mark(t, s, c, aMark(PlainText+name))
	h.ended, h.waiting = end.Pass, asked(t, s, c, "waiting-"+name)
	require.NoError(t, s.Passes.StoreSnapshots(t.Context(), h.waiting.ID, noon, aState().Snapshots))
	sub := aBilled(h.account, name)
	sub.Plan = domain.Enterprise
	looked(t, s, sub, noon)
	h.account = AccountOf(t, s, h.account.Email)
	h.connection, h.file = ConnectionOf(t, s, c), keeping(t, s, c, PlainText+".csv", PlainText)
	h.ignored = ignoring(t, s, c, PlainText+name)

	h.phone = verifiedPhone(t, s, h.account)
	h.code = aCode(h.account, "open-"+name)
	require.NoError(t, s.Phones.Put(t.Context(), h.code, domain.SecurityEvent{}))
	h.event = domain.SecurityEvent{ID: "event-" + name, AccountID: h.account.ID, At: noon.Add(time.Second), Kind: domain.SecurityMemberGone,
		Whom: PlainText, By: domain.Actor{Way: domain.WayAPI, Name: PlainText, Address: PlainText}}
	require.NoError(t, s.Events.Add(t.Context(), h.event))
	return h
}

// require holds that a storage can open all of it.
func (h holdings) require(t *testing.T, s Storage) {
	t.Helper()
	require.Equal(t, h.webhook, WebhookOf(t, s, h.account.ID))
	batch := BatchOf(t, s, h.account.ID, h.batch.ID)
	require.Equal(t, anEndpoint, batch.WebhookURL)
	done := batch
	done.Jobs = 1
	require.Equal(t, []string{string(aResult(0))}, only.Value(resultsOf(t, s, done))(t))
	_, asked := only.Both(s.Batches.Begin(t.Context(), domain.BatchJob{BatchID: h.batch.ID, Position: 1}, noon))(t)
	require.Equal(t, aRequest(1), asked)
	brand, courierName := only.Both(s.Batches.Labels(t.Context(), domain.BatchJob{BatchID: h.batch.ID, Position: 1}))(t)
	require.Equal(t, []string{asked.Brand, asked.CourierName}, []string{brand, courierName})
	require.Equal(t, PlainText, DeliveryOf(t, s, h.account.ID, h.failed.ID).Attempts[0].Failure)

	require.Equal(t, h.connection, ConnectionOf(t, s, h.connection))
	require.Equal(t, h.ended, passesOf(t, s, h.connection)[1])
	begun := only.Value(s.Passes.Begin(t.Context(), h.waiting.ID, noon))(t)
	require.Equal(t, aState(), begun.State)
	require.Equal(t, aState().Snapshots, begun.Snapshots)
	require.Equal(t, []domain.KeptFile{h.file}, storedOf(t, s.KeptFiles.List, h.connection))
	require.Equal(t, []domain.IgnoredFile{h.ignored}, storedOf(t, s.Ignored.List, h.connection))
	require.Equal(t, h.ledger, ledgerOf(t, s, h.connection))
	require.Equal(t, aBilled(h.account, "x").URL, billedOf(t, s, h.account)[0].URL)
	content := only.Value(s.KeptFiles.Read(t.Context(), h.account.ID, h.connection.ID, h.file.ID))(t)
	require.Equal(t, PlainText, string(content))

	phone, code := only.Both(s.Phones.Of(t.Context(), h.account.ID, noon))(t)
	require.Equal(t, h.phone, phone)
	require.Equal(t, h.code, code)
	require.Equal(t, []domain.SecurityEvent{h.event}, only.Value(s.Events.Latest(t.Context(), h.account.ID, 1))(t))
}

var _ = promises.add("what is sealed is sealed afresh", func(t *testing.T, one, other Storage) {
	changed, without := one.ChangedSecret(t), one.LostSecret(t)
	var all []holdings
	for i := range 3 {
		all = append(all, holding(t, one, fmt.Sprint("old-", i)))
	}
	bare := created(t, one, "bare")
	Change(t, one.Webhooks, bare.ID, func(w *domain.Webhook) { w.Secret = formerSecret })
	all = append(all, holding(t, changed, "new")) // by an instance that seals with the new secret already
	for _, h := range all {
		h.require(t, changed)
	}

	done := only.Value(changed.Seals.Reseal(t.Context()))(t)
	require.Equal(t, ports.Resealed{Afresh: 3*piecesHeld + 1, Kept: piecesHeld}, done)
	for _, h := range all {
		h.require(t, without)
	}
	done = only.Value(changed.Seals.Reseal(t.Context()))(t)
	require.Equal(t, ports.Resealed{Kept: 4*piecesHeld + 1}, done, "repeated")
	done = only.Value(other.Seals.Reseal(t.Context()))(t)
	require.Equal(t, ports.Resealed{Unreadable: 4*piecesHeld + 1, Webhooks: 5, Connections: 4}, done, "without the new secret it leaves everything as it is")
	for _, h := range all {
		h.require(t, without)
	}
})

// What is written meanwhile, sealed with either secret, is not lost.
var _ = promises.add("what changes meanwhile is not sealed over", func(t *testing.T, one, _ Storage) {
	changed, again := one.ChangedSecret(t), one.ChangedSecret(t)
	account := enterprise(t, one, "busy")
	var updates, afresh atomic.Int64
	requireInParallel(t, changed, again, func(s Storage, i int) error {
		if i%4 < 2 {
			done, err := s.Seals.Reseal(t.Context())
			afresh.Add(int64(done.Afresh))
			return err
		}
		updates.Add(1)
		_, err := s.Webhooks.Update(t.Context(), account.ID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
			w.Endpoint += "x"
			return nil
		})
		return err
	})
	require.Equal(t, domain.Webhook{AccountID: account.ID, Endpoint: anEndpoint + strings.Repeat("x", int(updates.Load())), Secret: aSecret}, WebhookOf(t, one.LostSecret(t), account.ID))
	require.LessOrEqual(t, afresh.Load(), int64(2), "each piece once")
})

// An instance that lacks a secret of the others returns errors, and does nothing that cannot
// be undone: no delivery is dropped, no job ended, no webhook overwritten.
var _ = promises.add("what another instance can open is not lost", func(t *testing.T, one, _ Storage) {
	missing := one.MissingSecret(t)
	h := holding(t, one, "missing")
	ctx := t.Context()
	require.ErrorIs(t, only.Err(missing.Webhooks.Of(ctx, h.account.ID)), domain.ErrMissingSecret)
	_, err := missing.Webhooks.Update(ctx, h.account.ID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
		t.Error("there is nothing to change")
		return nil
	})
	require.ErrorIs(t, err, domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Deliveries.Attempt(ctx, h.failed.ID, noon.Add(time.Minute))), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Batches.Find(ctx, h.account.ID, h.batch.ID)), domain.ErrMissingSecret)
	_, _, err = missing.Batches.Begin(ctx, domain.BatchJob{BatchID: h.batch.ID, Position: 1}, noon)
	require.ErrorIs(t, err, domain.ErrMissingSecret)
	require.NotErrorIs(t, err, domain.ErrUnreadable, "or the job would end with it")
	done := h.batch
	done.Jobs = 1
	_, err = resultsOf(t, missing, done)
	require.ErrorIs(t, err, domain.ErrMissingSecret)
	require.NotErrorIs(t, err, domain.ErrBatchGone)

	require.ErrorIs(t, only.Err(missing.Connections.Find(ctx, h.account.ID, h.connection.ID)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Connections.List(ctx, h.account.ID)), domain.ErrMissingSecret)
	_, err = missing.Connections.Update(ctx, h.account.ID, h.connection.ID, domain.SecurityEvent{}, func(*domain.Connection) error {
		t.Error("there is nothing to change")
		return nil
	})
	require.ErrorIs(t, err, domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Passes.Begin(ctx, h.waiting.ID, noon)), domain.ErrMissingSecret, "its job waits for an instance that has it")
	require.ErrorIs(t, missing.Passes.End(ctx, anEndOf(h.waiting, h.connection)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.PassLog.Latest(ctx, h.account.ID, h.connection.ID, 10)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Alarms.OfAccount(ctx, h.account.ID)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.KeptFiles.List(ctx, h.account.ID, h.connection.ID)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Ignored.List(ctx, h.account.ID, h.connection.ID)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Ledgers.Find(ctx, h.account.ID, h.connection.ID)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err2(missing.PassLog.Files(ctx, h.account.ID, h.connection.ID)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.KeptFiles.Read(ctx, h.account.ID, h.connection.ID, h.file.ID)), domain.ErrMissingSecret)
	require.ErrorIs(t, missing.KeptFiles.Add(ctx, aFile(h.connection, "another.csv", "x"), []byte("x")), domain.ErrMissingSecret)
	h.require(t, one)

	ended(t, one, h.account, anEnd(h.batch, 1))
	owed := anEnd(h.batch, 1).Delivery
	require.ErrorIs(t, only.Err(missing.Deliveries.Attempt(ctx, owed.ID, noon)), domain.ErrMissingSecret, "to the batch's own address")
	require.Equal(t, anEndpoint, attempted(t, one, owed.ID, noon).Endpoint)
	require.Equal(t, 2, attempted(t, one, h.failed.ID, noon.Add(time.Minute)).Number, "no attempt was used up")
})

// What cannot be opened any more is treated as absent, so that its owner can
// begin afresh and no job is tried in vain.

var _ = promises.add("a webhook of a lost secret is none", func(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	account, removing := enterprise(t, one, "lost"), enterprise(t, one, "removing")
	require.ErrorIs(t, only.Err(lost.Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)
	afresh := domain.Webhook{AccountID: account.ID, Endpoint: anEndpoint + "-afresh", Secret: formerSecret}
	Change(t, lost.Webhooks, account.ID, func(w *domain.Webhook) {
		require.Equal(t, domain.Webhook{AccountID: account.ID}, *w)
		*w = afresh
	})
	require.Equal(t, afresh, WebhookOf(t, lost, account.ID))

	require.NoError(t, only.Err(lost.Webhooks.Update(t.Context(), removing.ID, domain.SecurityEvent{}, func(*domain.Webhook) error { return nil })))
	require.ErrorIs(t, only.Err(one.Webhooks.Of(t.Context(), removing.ID)), domain.ErrNoWebhook, "it was deleted")
})

var _ = promises.add("a delivery of a lost secret is dropped", func(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	account := enterprise(t, one, "lost")
	run := announced(t, one, account, "of-a-run")
	requireSettled(t, lost, run, domain.DeliveryDropped)

	Change(t, lost.Webhooks, account.ID, func(w *domain.Webhook) { w.Secret = formerSecret })
	batch := submitted(t, one, account, "batch", anEndpoint, aRequest(0))
	end := anEnd(batch, 0)
	ended(t, one, account, end)
	end.Delivery.AccountID = account.ID
	requireSettled(t, lost, end.Delivery, domain.DeliveryDropped)
})

var _ = promises.add("a batch of a lost secret can end", func(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	account := created(t, one, "lost")
	batch := submitted(t, one, account, "batch", anEndpoint, requests(2)...)
	ended(t, one, account, anEnd(batch, 0))
	require.ErrorIs(t, only.Err2(lost.Batches.Begin(t.Context(), domain.BatchJob{BatchID: batch.ID, Position: 1}, noon)), domain.ErrUnreadable)
	require.NoError(t, lost.Write(t.Context(), account.ID, ports.Entry{End: anEnd(batch, 1)}))

	got := BatchOf(t, lost, account.ID, batch.ID)
	require.Equal(t, domain.BatchComplete, got.State())
	require.Empty(t, got.WebhookURL)
	results, err := resultsOf(t, lost, got)
	require.ErrorIs(t, err, domain.ErrBatchGone)
	require.Empty(t, results)
})
