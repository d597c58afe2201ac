package peers

// Sealer encrypts texts, so that a reader of the database cannot read them.
type Sealer interface {
	// Seal encrypts a text for one place, such as a column of an account's row.
	// Two seals of one text differ.
	Seal(text []byte, place ...string) []byte
	// Open returns the text, whichever of the service's secrets it was sealed with. It
	// returns an error of KindUnavailable, such as domain.ErrMissingSecret, if another
	// instance, or this one later, may be able to open it. Any other error is final: the
	// seal is damaged, is of another place, or its secret is lost.
	Open(sealed []byte, place ...string) ([]byte, error)
}

// Resealer changes the secret with which a text is sealed.
type Resealer interface {
	// Reseal returns a seal of the same text and place with the service's first secret,
	// or nil if sealed is one already. It returns an error for a seal that cannot be
	// opened.
	Reseal(sealed []byte, place ...string) ([]byte, error)
}
