package peers

import (
	"context"
)

// Database is the storage as a whole.
type Database interface {
	// Ready returns nil if the database answers and its migrations are this
	// program's; else domain.ErrDatabase with the cause.
	Ready(ctx context.Context) error
}

// Engine is the job engine as a whole.
type Engine interface {
	// Ready returns nil if jobs that are due are being done; else domain.ErrEngine. Those that wait
	// for the end of a hold are not due.
	Ready(ctx context.Context) error
	// Held says whether the service is held, as it was some seconds ago at the latest.
	Held() bool
}
