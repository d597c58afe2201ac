package glue

// Sealer keeps texts from whoever reads the database.
type Sealer interface {
	// Seal encrypts a text for one place, such as a column of an account's row.
	// Two seals of a text differ.
	Seal(text []byte, place ...string) []byte
	// Open gives the text back, by whichever of the service's secrets it was
	// sealed. It returns an error of KindUnavailable, such as
	// domain.ErrMissingSecret, where another copy or a later time may open it; any
	// other error is of a seal that is damaged, of another place or by a secret
	// that is lost, and final.
	Open(sealed []byte, place ...string) ([]byte, error)
}

// Resealer changes the secret with which a text is sealed.
type Resealer interface {
	// Reseal gives a seal of the same text and place by the service's first
	// secret, or nil if this is one. It returns an error for a seal that cannot be
	// opened.
	Reseal(sealed []byte, place ...string) ([]byte, error)
}
