package admission

import (
	"context"
	"iter"
	"log/slog"

	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// SecurityLog reads the security logs of accounts.
type SecurityLog struct {
	events  ports.SecurityEvents
	records ports.StoredRecords
}

// NewSecurityLog makes the use case.
func NewSecurityLog(events ports.SecurityEvents, records ports.StoredRecords) *SecurityLog {
	return &SecurityLog{events, records}
}

func (l *SecurityLog) LatestEvents(ctx context.Context, accountID string) ([]domain.SecurityEvent, error) {
	return l.events.Latest(ctx, accountID, domain.SecurityLogLength)
}

func (l *SecurityLog) AllEvents(ctx context.Context, accountID string) iter.Seq2[domain.SecurityEvent, error] {
	return l.records.Events(ctx, accountID)
}

// NewEvent gives an event its id.
func NewEvent(e domain.SecurityEvent) domain.SecurityEvent {
	e.ID = ids.New()
	return e
}

// Refusals adds to security logs what was refused.
type Refusals struct {
	events  ports.SecurityEvents
	windows ports.RateWindows
	clock   ports.Clock
	log     *slog.Logger
}

// NewRefusals makes what adds them. windows count the refusals of accounts.
func NewRefusals(events ports.SecurityEvents, windows ports.RateWindows, clock ports.Clock, log *slog.Logger) *Refusals {
	return &Refusals{events: events, windows: windows, clock: clock, log: log}
}

// Add gives a refusal its id and its time and stores it, unless the account has many of its kind
// already: whoever has a revoked key must not keep what members are refused out of the log. What
// was refused stays refused if it cannot be stored.
func (r *Refusals) Add(ctx context.Context, e domain.SecurityEvent) {
	err := Count(ctx, r.windows, (Refused + Counted(e.Kind)).Of(e.AccountID), domain.RefusalRate, r.clock)
	if _, code, _ := domain.KindOf(err); code == domain.CodeRate {
		return
	}
	if err == nil {
		e.At = r.clock()
		err = r.events.Add(ctx, NewEvent(e))
	}
	if err != nil {
		r.log.LogAttrs(ctx, slog.LevelWarn, "cannot store in a security log that something was refused", slog.Any("error", err))
	}
}

func (r *Refusals) LogRevokedKey(ctx context.Context, secret, address string) {
	hash, _, err := domain.CheckKey(secret)
	if err != nil {
		return
	}
	accountID, prefix, err := r.events.RevokedKey(ctx, hash)
	if err != nil {
		return // of a key that was never issued, or that is forgotten, nobody is to be told
	}
	r.Add(ctx, domain.SecurityEvent{AccountID: accountID, Kind: domain.SecurityKeyRefused, Detail: prefix,
		By: domain.Actor{Way: domain.WayAPI, Name: prefix, Address: address}})
}

func (r *Refusals) LogRefusal(ctx context.Context, accountID, asked string, by domain.Actor) {
	r.Add(ctx, domain.SecurityEvent{AccountID: accountID, Kind: domain.SecurityRoleRefused, Detail: asked, By: by})
}
