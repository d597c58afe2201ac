package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

var _ = promises.add("a hold lasts until it is resumed", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	requireHeld := func(s Storage, since time.Time) {
		t.Helper()
		require.Equal(t, since, only.Value(s.Holds.Held(ctx))(t))
	}
	requireHeld(one, time.Time{})
	require.ErrorIs(t, only.Err(one.Holds.Resume(ctx, false, noon)), domain.ErrNotHeld)
	for _, at := range []time.Time{noon, noon.Add(time.Hour)} {
		require.Equal(t, noon, only.Value(one.Holds.Hold(ctx, at))(t), "what waited then is what a resume may discard")
	}
	requireHeld(other, noon)
	require.Equal(t, ports.Waited{Since: noon}, only.Value(other.Holds.Resume(ctx, true, noon.Add(2*time.Hour)))(t))
	requireHeld(one, time.Time{})
	require.ErrorIs(t, only.Err(one.Holds.Resume(ctx, true, noon)), domain.ErrNotHeld)
	require.Equal(t, noon.Add(time.Hour), only.Value(one.Holds.Hold(ctx, noon.Add(time.Hour)))(t))
})

var _ = promises.add("one of many resumes ends a hold", func(t *testing.T, one, other Storage) {
	require.NoError(t, only.Err(one.Holds.Hold(t.Context(), noon)))
	errs := InParallel(one, other, func(s Storage, _ int) error {
		_, err := s.Holds.Resume(t.Context(), true, noon)
		return err
	})
	require.Len(t, Succeeded(t, errs, domain.ErrNotHeld), 1)
})

// waiting is what waits in a service that was held at noon, and came into being before or since.
type waiting struct {
	account            domain.Account
	before, since      domain.Delivery // of runs
	ofBatch, ofNewer   domain.Delivery // of batches of before and since, both complete since
	batchRun           domain.Delivery // of a run since then of a batch of before
	open               domain.Batch    // of before, not complete
	ended              domain.Delivery
	old, alarm, sent   domain.Mail
	invitation, newOne domain.Mail
}

func heldWith(t *testing.T, s Storage) (w waiting) {
	t.Helper()
	ctx := t.Context()
	later := noon.Add(time.Minute)
	w.account = enterprise(t, s, "held")
	w.before, w.ended = announced(t, s, w.account, "before"), announced(t, s, w.account, "ended")
	attempted(t, s, w.ended.ID, noon)
	require.NoError(t, s.Deliveries.Complete(ctx, w.ended.ID, goodAttempt(1), domain.DeliveryDelivered))
	complete := submitted(t, s, w.account, "complete", anEndpoint, aRequest(0))
	w.open = submitted(t, s, w.account, "open", anEndpoint, requests(2)...)
	require.NoError(t, only.Err(s.Holds.Hold(ctx, noon)))

	endAll(t, s, w.account, complete) // a minute later
	w.ofBatch = DeliveryOf(t, s, w.account.ID, "delivery-of-complete")
	newer := domain.Batch{ID: "newer", AccountID: w.account.ID, WebhookURL: anEndpoint, Jobs: 1, SubmittedAt: later}
	require.NoError(t, s.Batches.Submit(ctx, newer, requests(1), domain.RequestClaim{}))
	endAll(t, s, w.account, newer)
	w.ofNewer = DeliveryOf(t, s, w.account.ID, "delivery-of-newer")
	for id, into := range map[string]*domain.Delivery{"since": &w.since, "of-a-batch": &w.batchRun} {
		d := aDelivery(w.account, id)
		d.CreatedAt = later
		run := aRun(w.account, d.RunID, later)
		run.Source = domain.SourceAPI
		if id == "of-a-batch" {
			run.Source = domain.SourceBatch
		}
		require.NoError(t, s.Write(ctx, w.account.ID, ports.Entry{Run: run, Event: d}))
		*into = d
	}
	for id, m := range map[string]*domain.Mail{"old": &w.old, "alarm": &w.alarm, "sent": &w.sent, "new": &w.newOne, "invitation": &w.invitation} {
		*m = aMail(w.account, id)
		m.Period = id
		switch id {
		case "alarm":
			m.CreatedAt = later
		case "new":
			m.Kind, m.CreatedAt = domain.MailTwice, later
		case "invitation":
			m.Kind, m.CreatedAt = domain.MailInvitation, later
		}
		require.True(t, only.Value(s.Mails.Add(ctx, *m))(t))
	}
	require.NoError(t, s.Mails.Sent(ctx, w.sent.ID, noon))
	return w
}

func requireMail(t *testing.T, s Storage, m domain.Mail, waits bool) {
	t.Helper()
	_, _, err := s.Mails.Find(t.Context(), m.ID)
	if waits {
		require.NoError(t, err, m.Period)
		return
	}
	require.ErrorIs(t, err, domain.ErrNothingToDo, m.Period)
}

var _ = promises.add("a resume leaves what waits", func(t *testing.T, one, other Storage) {
	w := heldWith(t, one)
	waited := only.Value(other.Holds.Resume(t.Context(), false, noon.Add(time.Hour)))(t)
	require.Equal(t, ports.Waited{Since: noon, Events: 5, Mails: 4}, waited)
	for _, d := range []domain.Delivery{w.before, w.since, w.ofBatch, w.ofNewer, w.batchRun} {
		requireState(t, one, d, domain.DeliveryPending)
	}
	for _, m := range []domain.Mail{w.old, w.alarm, w.newOne, w.invitation} {
		requireMail(t, one, m, true)
	}
	endAll(t, one, w.account, w.open)
	require.Equal(t, domain.DeliveryPending, DeliveryOf(t, one, w.account.ID, "delivery-of-open").State)
})

var _ = promises.add("a discarding resume drops what waited", func(t *testing.T, one, other Storage) {
	w := heldWith(t, one)
	waited := only.Value(other.Holds.Resume(t.Context(), true, noon.Add(time.Hour)))(t)
	require.Equal(t, ports.Waited{Since: noon, Events: 2, Mails: 2, DroppedEvents: 4, DroppedMails: 2}, waited)
	for _, d := range []domain.Delivery{w.before, w.ofBatch, w.batchRun} {
		requireSettled(t, one, d, domain.DeliveryDropped)
	}
	for _, d := range []domain.Delivery{w.since, w.ofNewer} {
		requireState(t, one, d, domain.DeliveryPending)
	}
	requireState(t, one, w.ended, domain.DeliveryDelivered)
	for _, m := range []domain.Mail{w.old, w.alarm} {
		requireMail(t, one, m, false)
		again := m
		again.ID += " again"
		require.False(t, only.Value(one.Mails.Add(t.Context(), again))(t), "it is remembered")
	}
	for _, m := range []domain.Mail{w.newOne, w.invitation} {
		requireMail(t, one, m, true)
	}
	last := aDelivery(w.account, "last")
	require.NoError(t, one.Write(t.Context(), w.account.ID, ports.Entry{Run: aRun(w.account, last.RunID, noon.Add(2*time.Hour)), Event: last, End: anEnd(w.open, 0)}))
	ended(t, one, w.account, anEnd(w.open, 1))
	require.ErrorIs(t, only.Err(one.Deliveries.Find(t.Context(), w.account.ID, last.ID)), domain.ErrNoDelivery, "a run of a batch that was open")
	_, err := one.Deliveries.Find(t.Context(), w.account.ID, "delivery-of-open")
	require.ErrorIs(t, err, domain.ErrNoDelivery, "who waited for it was told by the service that was backed up")
})
