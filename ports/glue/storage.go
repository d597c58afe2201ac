package glue

import (
	"context"
)

// Facts keeps small facts that all copies of the service must agree on, such
// as a fingerprint of their secret key.
type Facts interface {
	// Find returns what is stored under name; blank if nothing is.
	Find(ctx context.Context, name string) (value string, err error)
	// Alter changes what is stored under name in one transaction: change sees it
	// as it is, blank if there is nothing, and no other change comes between. What
	// change returns as an error is returned as it is, and nothing is stored.
	// change may be called again.
	Alter(ctx context.Context, name string, change func(stored string) (string, error)) error
}
