package admission

import (
	"context"

	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// SecurityLog reads the security logs of accounts.
type SecurityLog struct {
	events ports.SecurityEvents
}

// NewSecurityLog makes the use case.
func NewSecurityLog(events ports.SecurityEvents) *SecurityLog { return &SecurityLog{events} }

func (l *SecurityLog) LatestEvents(ctx context.Context, accountID string) ([]domain.SecurityEvent, error) {
	return l.events.Latest(ctx, accountID, domain.SecurityLogLength)
}

// NewEvent gives an event its id.
func NewEvent(e domain.SecurityEvent) domain.SecurityEvent {
	e.ID = ids.New()
	return e
}
