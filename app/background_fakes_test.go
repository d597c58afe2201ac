package app_test

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// lockedText is a log that many may write to.
type lockedText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// shelf is the storage of accounts' runs, webhooks, deliveries and batches in
// memory. step is called before and after whatever it does, and may panic or
// return an error, as a database or a process may fail.
type shelf struct {
	mu         sync.Mutex
	account    domain.Account
	runs       []domain.Run
	webhooks   map[string]domain.Webhook
	deliveries map[string]domain.Delivery
	jobs       []ports.Job // that were added, in their order
	batches    map[string]domain.Batch
	requests   map[domain.BatchJob]ports.Request // of jobs that have not ended
	results    map[domain.BatchJob]string
	took       []time.Duration
	claims     map[domain.ClaimHash]domain.Claim
	renewals   int
	load       domain.BatchLoad
	open       bool         // the account has as many batches under way as it may
	expired    ports.Expiry // of the last sweep
	step       func() error
	swaps      func(name string) error // a fault of one operation
}

func newShelf(account domain.Account) *shelf {
	return &shelf{
		account: account, webhooks: map[string]domain.Webhook{}, deliveries: map[string]domain.Delivery{},
		batches: map[string]domain.Batch{}, requests: map[domain.BatchJob]ports.Request{}, results: map[domain.BatchJob]string{},
		claims: map[domain.ClaimHash]domain.Claim{},
		step:   func() error { return nil }, swaps: func(string) error { return nil },
	}
}

// doing brackets an operation with steps.
func (s *shelf) doing(ctx context.Context, name string, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.swaps(name); err != nil {
		return err
	}
	if err := s.step(); err != nil {
		return err
	}
	if err := func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		return do()
	}(); err != nil {
		return err
	}
	return s.step()
}

// Update is a transaction. It lets do write twice, as a database may that asks
// for the transaction to be repeated.
func (s *shelf) Update(ctx context.Context, accountID string, do func(ports.RunBook) error) error {
	return s.doing(ctx, "settle", func() error {
		if accountID != s.account.ID {
			return domain.ErrNoAccount
		}
		undo := s.kept()
		first := do(shelfBook{s})
		undo()
		if first != nil {
			return first
		}
		undo = s.kept()
		err := do(shelfBook{s})
		if err != nil {
			undo()
		}
		return err
	})
}

func (s *shelf) kept() (undo func()) {
	runs, jobs, took := slices.Clone(s.runs), slices.Clone(s.jobs), slices.Clone(s.took)
	deliveries, batches := maps.Clone(s.deliveries), maps.Clone(s.batches)
	requests, results, claims := maps.Clone(s.requests), maps.Clone(s.results), maps.Clone(s.claims)
	return func() {
		s.runs, s.jobs, s.took, s.deliveries, s.batches, s.requests, s.results, s.claims = runs, jobs, took, deliveries, batches, requests, results, claims
	}
}

func (s *shelf) RunsSince(_ context.Context, _ string, since time.Time) (int, error) {
	return shelfBook{s}.RunsSince(since)
}

func (s *shelf) Sweep(ctx context.Context, e ports.Expiry) error {
	return s.doing(ctx, "sweep", func() error {
		s.expired = e
		return nil
	})
}

func (s *shelf) Mapping(context.Context, string, string) (domain.Mapping, bool, error) {
	return domain.Mapping{}, false, nil
}

type shelfBook struct{ *shelf }

func (b shelfBook) Account() domain.Account { return b.account }

func (b shelfBook) Identical(fingerprint string, since time.Time) (domain.Run, bool, error) {
	for _, r := range slices.Backward(b.runs) {
		if r.Fingerprint() == fingerprint && !r.At.Before(since) {
			return r, true, nil
		}
	}
	return domain.Run{}, false, nil
}

func (b shelfBook) RunsSince(since time.Time) (n int, err error) {
	for _, r := range b.runs {
		if !r.At.Before(since) {
			n++
		}
	}
	return n, nil
}

func (b shelfBook) Write(e ports.Entry) error {
	if e.Run.ID != "" {
		b.shelf.runs = append(b.runs, e.Run)
	}
	if e.Event.ID != "" && b.webhooks[e.Event.AccountID].Endpoint != "" {
		b.add(e.Event)
	}
	if e.Claim.RunID != "" {
		if err := b.fulfil(e.Claim, func(c *domain.Claim) { c.RunID = e.Claim.RunID }); err != nil {
			return err
		}
	}
	if e.End.BatchID != "" {
		return b.endJob(e.End)
	}
	return nil
}

func (s *shelf) fulfil(claim domain.Claim, outcome func(*domain.Claim)) error {
	held := s.claims[claim.Key]
	if held.Holder != claim.Holder || !held.Running() {
		return domain.ErrKeyRunning
	}
	outcome(&held)
	s.claims[claim.Key] = held
	return nil
}

func (b shelfBook) endJob(end ports.JobEnd) error {
	if _, found := b.requests[end.BatchJob]; !found {
		return domain.ErrNothingToDo
	}
	delete(b.requests, end.BatchJob)
	b.results[end.BatchJob] = string(end.Result)
	b.shelf.took = append(b.took, end.Took)
	batch := b.batches[end.BatchID]
	if batch.Completed++; batch.Completed == batch.Jobs {
		batch.CompletedAt = end.At
		if batch.WebhookURL != "" {
			b.add(end.Delivery)
		}
	}
	b.batches[end.BatchID] = batch
	return nil
}

func (s *shelf) add(d domain.Delivery) {
	s.deliveries[d.ID] = d
	if d.Kind != domain.TestDelivery {
		s.jobs = append(s.jobs, ports.Job{Kind: ports.DeliverJob, AccountID: d.AccountID, Delivery: d.ID})
	}
}

// deliveryShelf is ports.Deliveries.
type deliveryShelf struct{ *shelf }

func (s deliveryShelf) Add(ctx context.Context, d domain.Delivery) error {
	return s.doing(ctx, "add", func() error {
		s.add(d)
		return nil
	})
}

func (s deliveryShelf) Attempt(ctx context.Context, id string, at time.Time) (out ports.Outgoing, err error) {
	err = s.doing(ctx, "attempt", func() error {
		d, found := s.deliveries[id]
		if !found || d.State != domain.DeliveryPending {
			return domain.ErrNothingToDo
		}
		w := s.webhooks[d.AccountID]
		batch := s.batches[d.BatchID]
		endpoint := w.Endpoint
		if d.Kind == domain.BatchDelivery {
			endpoint = batch.WebhookURL
		}
		switch {
		case len(d.Attempts) >= domain.MaxAttempts:
			d.State = domain.DeliveryFailed
		case endpoint == "" || d.Kind == domain.BatchDelivery && batch.Dropped || d.Kind == domain.RunDelivery && s.account.Plan != domain.Enterprise:
			d.State = domain.DeliveryDropped
		}
		if d.State != domain.DeliveryPending {
			s.deliveries[id] = d
			return domain.ErrNothingToDo
		}
		out = ports.Outgoing{Delivery: d, Number: len(d.Attempts) + 1, Endpoint: endpoint, Webhook: w}
		if i := slices.IndexFunc(s.runs, func(r domain.Run) bool { return r.ID == d.RunID }); i >= 0 {
			out.Run = s.runs[i]
		}
		d.Attempts = append(slices.Clone(d.Attempts), domain.Attempt{Number: out.Number, At: at})
		s.deliveries[id] = d
		return nil
	})
	return out, err
}

func (s deliveryShelf) Complete(ctx context.Context, id string, a domain.Attempt, state domain.DeliveryState) error {
	return s.doing(ctx, "complete", func() error {
		d := s.deliveries[id]
		d.Attempts = slices.Clone(d.Attempts)
		d.Attempts[a.Number-1], d.State = a, state
		s.deliveries[id] = d
		return nil
	})
}

func (s deliveryShelf) Latest(_ context.Context, accountID string, limit int) (all []domain.Delivery, err error) {
	for _, d := range s.deliveries {
		if d.AccountID == accountID && len(all) < limit {
			all = append(all, d)
		}
	}
	return all, nil
}

func (s deliveryShelf) Find(ctx context.Context, accountID, id string) (d domain.Delivery, err error) {
	err = s.doing(ctx, "find", func() error {
		d = s.deliveries[id]
		if d.AccountID != accountID {
			return domain.ErrNoDelivery
		}
		return nil
	})
	return d, err
}

// webhookShelf is ports.Webhooks. It calls each change twice.
type webhookShelf struct{ *shelf }

func (s webhookShelf) Of(_ context.Context, accountID string) (domain.Webhook, error) {
	if w, found := s.webhooks[accountID]; found {
		return w, nil
	}
	return domain.Webhook{}, domain.ErrNoWebhook
}

func (s webhookShelf) Update(ctx context.Context, accountID string, change func(*domain.Webhook) error) (w domain.Webhook, err error) {
	err = s.doing(ctx, "webhook", func() error {
		for range 2 {
			w = s.webhooks[accountID]
			w.AccountID = accountID
			if err := change(&w); err != nil {
				return err
			}
		}
		s.webhooks[accountID] = w
		if w.Secret == "" {
			delete(s.webhooks, accountID)
		}
		return nil
	})
	return w, err
}

// batchShelf is ports.Batches.
type batchShelf struct{ *shelf }

func (s batchShelf) Submit(ctx context.Context, b domain.Batch, requests []ports.Request, claim domain.Claim) error {
	return s.doing(ctx, "submit", func() error {
		if s.open {
			return domain.ErrOpenBatches
		}
		if claim != (domain.Claim{}) {
			if err := s.fulfil(claim, func(c *domain.Claim) { c.BatchID = b.ID }); err != nil {
				return err
			}
		}
		s.batches[b.ID] = b
		for i, req := range requests {
			job := domain.BatchJob{BatchID: b.ID, Position: i}
			s.requests[job] = req
			s.jobs = append(s.jobs, ports.Job{Kind: ports.RunJob, AccountID: b.AccountID, Run: job})
		}
		return nil
	})
}

func (s batchShelf) Begin(ctx context.Context, job domain.BatchJob, at time.Time) (a domain.Account, req ports.Request, err error) {
	err = s.doing(ctx, "begin", func() error {
		var found bool
		if req, found = s.requests[job]; !found {
			return domain.ErrNothingToDo
		}
		b := s.batches[job.BatchID]
		if b.StartedAt.IsZero() {
			b.StartedAt = at
		}
		s.batches[job.BatchID] = b
		a = s.account
		req.Storefront, req.Courier = bytes.Clone(req.Storefront), bytes.Clone(req.Courier)
		return nil
	})
	return a, req, err
}

func (s batchShelf) Labels(ctx context.Context, job domain.BatchJob) (brand, courierName string, err error) {
	err = s.doing(ctx, "labels", func() error {
		req, found := s.requests[job]
		if !found {
			return domain.ErrNothingToDo
		}
		brand, courierName = req.Brand, req.CourierName
		return nil
	})
	return brand, courierName, err
}

func (s batchShelf) Find(ctx context.Context, accountID, id string) (b domain.Batch, err error) {
	err = s.doing(ctx, "find batch", func() error {
		b = s.batches[id]
		if b.AccountID != accountID {
			return domain.ErrNoBatch
		}
		return nil
	})
	return b, err
}

func (s batchShelf) Results(ctx context.Context, b domain.Batch) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := range b.Jobs {
			var result []byte
			err := s.doing(ctx, "results", func() error {
				if s.batches[b.ID].Dropped {
					return domain.ErrBatchGone
				}
				result = []byte(s.results[domain.BatchJob{BatchID: b.ID, Position: i}])
				return nil
			})
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

func (s batchShelf) Load(ctx context.Context, _ string, _ int) (domain.BatchLoad, error) {
	return s.load, s.doing(ctx, "load", func() error { return nil })
}

func (s batchShelf) Stale(ctx context.Context, before time.Time, limit int) (stale []ports.StaleJob, err error) {
	err = s.doing(ctx, "stale", func() error {
		for job := range s.requests {
			if b := s.batches[job.BatchID]; b.SubmittedAt.Before(before) && len(stale) < limit {
				stale = append(stale, ports.StaleJob{BatchJob: job, AccountID: b.AccountID})
			}
		}
		return nil
	})
	return stale, err
}

// claimShelf is ports.Claims.
type claimShelf struct{ *shelf }

func (s claimShelf) Take(ctx context.Context, claim domain.Claim, former ...domain.ClaimHash) (stands domain.Claim, err error) {
	err = s.doing(ctx, "take", func() error {
		for _, key := range append(former, claim.Key) {
			var found bool
			if stands, found = s.claims[key]; found && !stands.Over(claim.At) {
				return nil
			}
			delete(s.claims, key)
		}
		stands = claim
		s.claims[claim.Key] = claim
		return nil
	})
	return stands, err
}

func (s claimShelf) Renew(ctx context.Context, claim domain.Claim) error {
	return s.doing(ctx, "renew", func() error {
		s.renewals++
		return s.change(claim, func(held domain.Claim) { held.Until = claim.Until; s.claims[claim.Key] = held })
	})
}

func (s claimShelf) Release(ctx context.Context, claim domain.Claim) error {
	return s.doing(ctx, "release", func() error {
		_ = s.change(claim, func(domain.Claim) { delete(s.claims, claim.Key) })
		return nil
	})
}

// change changes a claim that is its holder's and has no outcome.
func (s claimShelf) change(claim domain.Claim, do func(held domain.Claim)) error {
	held := s.claims[claim.Key]
	if held.Holder != claim.Holder || !held.Running() {
		return domain.ErrNothingToDo
	}
	do(held)
	return nil
}
