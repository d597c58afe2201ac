package ports

import (
	"context"

	"milaan/domain"
)

// Poster calls customers' endpoints. It reaches nothing but public addresses
// over HTTPS, whatever a name is made to mean; in a development setting also
// this machine, over plain HTTP too.
type Poster interface {
	// Check says what is wrong with the endpoint of a field, if anything is. One may
	// be saved if it is an absolute https URL without a user, whose host has public
	// addresses and no others.
	Check(ctx context.Context, field domain.Field, endpoint string) domain.Faults
	// CheckText is as much of Check as needs no look at the host's addresses.
	CheckText(field domain.Field, endpoint string) domain.Faults
	// Post makes one POST within domain.PostLimit and follows no redirect. It
	// fills all of an attempt but its number and time.
	Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt
}

// Summaries writes what webhooks carry.
type Summaries interface {
	// Summary is the contract's run summary (section 6): five fields, JSON.
	Summary(run domain.Run) []byte
}
