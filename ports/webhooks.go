package ports

import (
	"context"

	"milaan/domain"
)

// Poster calls customers' endpoints. It connects only to public addresses, over HTTPS,
// whatever addresses a host name has. With the setting for development it also connects
// to this machine, and over plain HTTP.
type Poster interface {
	// Check returns the faults of an endpoint that was given in a field. An endpoint may
	// be stored if it is an absolute https URL without a user, whose host has only
	// public addresses.
	Check(ctx context.Context, field domain.Field, endpoint string) domain.Faults
	// CheckText is the part of Check that does not look up the host's addresses.
	CheckText(field domain.Field, endpoint string) domain.Faults
	// Post makes one POST, which takes domain.PostLimit at most, and follows no
	// redirect. It fills all fields of an attempt but its number and time.
	Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt
}

// Summaries writes the bodies of webhooks of runs.
type Summaries interface {
	// Summary returns the contract's run summary (section 6): five fields, JSON.
	Summary(run domain.Run) []byte
}
