package peers

import (
	"context"
)

// Facts stores small values that all instances of the service must agree on, such as a
// fingerprint of their secret.
type Facts interface {
	// Find returns the value that is stored under name; blank if there is none.
	Find(ctx context.Context, name string) (value string, err error)
	// Alter changes the value under name in one transaction: change gets the stored
	// value, blank if there is none, and nobody else changes it meanwhile. If change
	// returns an error, Alter returns it unchanged and stores nothing. change may be
	// called again.
	Alter(ctx context.Context, name string, change func(stored string) (string, error)) error
}
