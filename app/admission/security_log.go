package admission

import (
	"context"
	"iter"
	"log/slog"

	"go.uber.org/fx"

	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// SecurityLog reads the security logs of accounts.
type SecurityLog struct {
	fx.In

	Events  ports.SecurityEvents
	Records ports.StoredRecords
}

func (l *SecurityLog) LatestEvents(ctx context.Context, accountID string) ([]domain.SecurityEvent, error) {
	return l.Events.Latest(ctx, accountID, domain.SecurityLogLength)
}

func (l *SecurityLog) AllEvents(ctx context.Context, accountID string) iter.Seq2[domain.SecurityEvent, error] {
	return l.Records.Events(ctx, accountID)
}

// NewEvent gives an event its id.
func NewEvent(e domain.SecurityEvent) domain.SecurityEvent {
	e.ID = ids.New()
	return e
}

// Refusals adds to security logs what was refused.
type Refusals struct {
	fx.In

	Events  ports.SecurityEvents
	Windows ports.RateWindows
	Clock   ports.Clock
	Log     *slog.Logger
}

// Add gives a refusal its id and its time and stores it, unless the account has many of its kind
// already: whoever has a revoked key must not keep what members are refused out of the log. What
// was refused stays refused if it cannot be stored.
func (r *Refusals) Add(ctx context.Context, e domain.SecurityEvent) {
	err := Count(ctx, r.Windows, (Refused + Counted(e.Kind)).Of(e.AccountID), domain.RefusalRate, r.Clock)
	if _, code, _ := domain.KindOf(err); code == domain.CodeRate {
		return
	}
	if err == nil {
		e.At = r.Clock()
		err = r.Events.Add(ctx, NewEvent(e))
	}
	if err != nil {
		r.Log.LogAttrs(ctx, slog.LevelWarn, "cannot store in a security log that something was refused", slog.Any("error", err))
	}
}

func (r *Refusals) LogRevokedKey(ctx context.Context, secret, address string) {
	hash, _, err := domain.CheckKey(secret)
	if err != nil {
		return
	}
	accountID, prefix, err := r.Events.RevokedKey(ctx, hash)
	if err != nil {
		return // of a key that was never issued, or that is forgotten, nobody is to be told
	}
	r.Add(ctx, domain.SecurityEvent{AccountID: accountID, Kind: domain.SecurityKeyRefused, Detail: prefix,
		By: domain.Actor{Way: domain.WayAPI, Name: prefix, Address: address}})
}

func (r *Refusals) LogRefusal(ctx context.Context, accountID, asked string, by domain.Actor) {
	r.Add(ctx, domain.SecurityEvent{AccountID: accountID, Kind: domain.SecurityRoleRefused, Detail: asked, By: by})
}
