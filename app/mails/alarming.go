package mails

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"go.uber.org/fx"

	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// Alarming finds what accounts must be told of, and adds the mails. It does an AlarmJob.
type Alarming struct {
	in AlarmingParams

	mu     sync.Mutex
	began  bool   // a round has been made by this process
	digest string // the period whose digests this process has added
}

// AlarmingParams are what NewAlarming needs.
type AlarmingParams struct {
	fx.In

	Alarms ports.Alarms
	Mails  ports.Mails
	Mailer ports.Mailer
	Clock  ports.Clock
}

// NewAlarming makes the use case.
func NewAlarming(p AlarmingParams) *Alarming { return &Alarming{in: p} }

const (
	// alarmRound is how far a round looks back for passes that have ended: several times as
	// far as the rounds are apart.
	alarmRound = 10 * time.Minute
	// firstAlarmRound is the same for the first round of a process: what ended while no
	// instance ran is not forgotten.
	firstAlarmRound = 25 * time.Hour
	alarmPage       = 500
)

// Round adds the mails that are due; none if the operator has set no mail server. A mail that
// was added before is not added again, so rounds may overlap and run in several instances.
func (a *Alarming) Round(ctx context.Context) error {
	if !a.in.Mailer.Enabled() {
		return nil
	}
	now := a.in.Clock()
	from, to, period := domain.DigestWeek(now)
	a.mu.Lock()
	span, digests := alarmRound, now.Sub(to) < domain.DigestSpan && a.digest != period
	if !a.began {
		span = firstAlarmRound
	}
	a.mu.Unlock()
	err := a.eachConnection(ctx, ports.AlarmQuery{EndedSince: now.Add(-span), FailingBefore: now.Add(-domain.FailingLimit)},
		func(w ports.WatchedConnection) error {
			for _, m := range w.Connection.Alarms(w.Last, now) {
				if err := a.add(ctx, m); err != nil {
					return err
				}
			}
			return nil
		})
	if err == nil && digests {
		err = a.addDigests(ctx, from, to, period)
	}
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.began = true
	if digests {
		a.digest = period
	}
	return nil
}

// eachConnection calls do with every connection that q asks for.
func (a *Alarming) eachConnection(ctx context.Context, q ports.AlarmQuery, do func(ports.WatchedConnection) error) error {
	q.Limit = alarmPage
	for {
		page, err := a.in.Alarms.Connections(ctx, q)
		if err != nil {
			return err
		}
		for i := range page {
			if err := do(page[i]); err != nil {
				return err
			}
		}
		if len(page) < q.Limit {
			return nil
		}
		q.After = page[len(page)-1].Connection.ID
	}
}

func (a *Alarming) add(ctx context.Context, m domain.Mail) error {
	m.ID, m.CreatedAt = ids.New(), a.in.Clock()
	_, err := a.in.Mails.Add(ctx, m)
	if errors.Is(err, domain.ErrNoAccount) || errors.Is(err, domain.ErrNoConnection) {
		return nil // it was removed meanwhile
	}
	return err
}

// addDigests adds the digest of a week for each account that has a connection, if there is
// something to say.
func (a *Alarming) addDigests(ctx context.Context, from, to time.Time, period string) error {
	told := map[string]bool{}
	return a.eachConnection(ctx, ports.AlarmQuery{}, func(w ports.WatchedConnection) error {
		account := w.Connection.AccountID
		if told[account] {
			return nil
		}
		told[account] = true
		weeks, err := weekOf(ctx, a.in.Alarms, account, from, to)
		if err != nil || len(weeks) == 0 {
			return err
		}
		return a.add(ctx, domain.Mail{AccountID: account, Kind: domain.MailDigest, Period: period})
	})
}

// mostWeekRuns is how many runs of a week are looked at: the latest ones of each brand are
// among them unless an account has hundreds of brands.
const mostWeekRuns = 20_000

// weekOf returns what a digest says about an account, worst first; none if there is nothing
// to say, or the account has no connection that is watched.
func weekOf(ctx context.Context, alarms ports.Alarms, accountID string, from, to time.Time) ([]domain.BrandWeek, error) {
	connections, err := alarms.OfAccount(ctx, accountID)
	if err != nil || len(connections) == 0 {
		return nil, err
	}
	runs, err := alarms.RunsBetween(ctx, accountID, from.AddDate(0, 0, -7), to, mostWeekRuns)
	if err != nil {
		return nil, err
	}
	brands := map[string]*domain.BrandWeek{}
	of := func(brand string) *domain.BrandWeek {
		if brands[brand] == nil {
			brands[brand] = &domain.BrandWeek{Brand: brand}
		}
		return brands[brand]
	}
	for i := range runs { // latest first
		switch b := of(runs[i].Brand); {
		case runs[i].At.Before(from):
			b.Before = cmp.Or(b.Before, &runs[i])
		default:
			if b.Runs++; b.Runs == 1 {
				b.Last = runs[i]
			}
		}
	}
	for i := range connections {
		c := &connections[i].Connection
		b := of(c.Brand)
		b.Connection, b.Sources, b.OpenItems = c, connections[i].Last.Sources, connections[i].Last.OpenItems
		b.Stale = c.StaleSources(connections[i].Last, to)
	}
	var week []domain.BrandWeek
	for _, b := range brands {
		if b.Worth() {
			week = append(week, *b)
		}
	}
	slices.SortStableFunc(week, func(a, b domain.BrandWeek) int {
		ofA, _ := a.State()
		ofB, _ := b.State()
		return cmp.Or(cmp.Compare(ofB, ofA), cmp.Compare(a.Brand, b.Brand))
	})
	return week, nil
}
