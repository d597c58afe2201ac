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
	// Ready returns nil if jobs that are due are being done; else domain.ErrEngine.
	Ready(ctx context.Context) error
}
