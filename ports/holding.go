package ports

import (
	"context"
	"time"
)

// MaySend returns domain.ErrHeld while the service is held, nil if it may send, and else the error of
// the storage. Whoever sends something asks it first: the job engine before the kinds of jobs
// that send, and a use case before what a person waits for.
type MaySend func(ctx context.Context) error

// Check asks; a nil MaySend, of a test, allows everything.
func (m MaySend) Check(ctx context.Context) error {
	if m == nil {
		return nil
	}
	return m(ctx)
}

// Holding is how an operator holds the service, such as a restored copy, and resumes it.
type Holding interface {
	// Hold holds the service, and returns since when it is held: an earlier time if it was
	// held already.
	Hold(ctx context.Context) (since time.Time, err error)
	// Resume ends that, and returns what has waited and is sent now. With discard, what
	// waited when the hold began is dropped instead, and what would follow from it.
	// It returns domain.ErrNotHeld if the service is not held.
	Resume(ctx context.Context, discard bool) (Waited, error)
}

// Holds stores whether the service is held.
type Holds interface {
	// Held returns since when the service is held; the zero time: it is not.
	Held(ctx context.Context) (since time.Time, err error)
	// Hold has it held from a time on, unless it is held already, and returns since when.
	Hold(ctx context.Context, at time.Time) (since time.Time, err error)
	// Resume ends the hold and counts what waits, in one transaction. With discard, it first
	// drops, at a time: the events and the mails that waited when the hold began, alarms and
	// digests of any time, and the events of batches that were not complete then. It returns
	// domain.ErrNotHeld if the service is not held.
	Resume(ctx context.Context, discard bool, at time.Time) (Waited, error)
}

// Waited is what a held service has not sent.
type Waited struct {
	Since                       time.Time // when the hold began
	Events, Mails               int       // that are sent now
	DroppedEvents, DroppedMails int       // the event of a batch that is still open counts
}
