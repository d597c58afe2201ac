package ports

import "context"

// ManagingSecrets changes the secret that seals, while the service runs.
type ManagingSecrets interface {
	// Reseal seals again what is sealed with an older secret of this instance, and then
	// stores that the service does not need the older ones. It may be repeated.
	Reseal(ctx context.Context) (Resealed, error)
}

// Resealed counts the sealed texts by how a reseal ended for them.
type Resealed struct {
	Afresh     int // were sealed with an older secret, and now are with the first one
	Kept       int // were sealed with the first secret before
	Unreadable int // cannot be opened, and were not changed
	Webhooks   int // accounts whose webhook is unreadable
	// Connections is of how many the settings are unreadable.
	Connections int
}

// Seals reseals what storage keeps sealed.
type Seals interface {
	// Reseal seals again what is sealed with an older secret, one text after the other,
	// while others read and write. It never overwrites what they have changed. If it is
	// interrupted, what it has done stays done. It may be repeated.
	Reseal(ctx context.Context) (Resealed, error)
}

// RetireSecrets stores that nothing is sealed any more with the older secrets of this instance:
// all instances of the service have agreed on which secrets seal, and one that lacks one of them
// does not start. It may be repeated.
type RetireSecrets func(ctx context.Context) error

// Pseudonyms turns personal data into names that can be compared, but do not show the
// data.
type Pseudonyms interface {
	// Of returns a keyed hash. It is equal for equal input in all instances of the
	// service, and tells nothing without the service's secret.
	Of(s string) string
	// Former returns the names by the service's older secrets, as long as it has any:
	// what was stored before the secret was changed has one of these names.
	Former(s string) []string
}

// Subkeys derives keys from the service's own secrets.
type Subkeys interface {
	// Subkeys returns the keys for a purpose, one for each of the service's secrets:
	// first the one to sign with, then those of older secrets, which only verify. They
	// are the same in all instances of the service. A secret, or the key of another
	// purpose, cannot be found from them.
	Subkeys(purpose string) [][32]byte
}
