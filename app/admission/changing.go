package admission

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// Changing counts the changes that the people of accounts make in the dashboard.
type Changing struct {
	windows ports.RateWindows
	clock   ports.Clock
}

// NewChanging makes the use case.
func NewChanging(windows ports.RateWindows, clock ports.Clock) *Changing {
	return &Changing{windows: windows, clock: clock}
}

func (c *Changing) CountChange(ctx context.Context, accountID string) error {
	return Count(ctx, c.windows, Changes.Of(accountID), domain.ChangeRate, c.clock)
}
