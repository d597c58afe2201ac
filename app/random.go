package app

import (
	"crypto/rand"

	"github.com/google/uuid"
)

// newID returns a new id. Later ids are greater. It cannot fail: if the machine has no
// randomness, Go ends the program.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// random returns bytes that are fit for secrets. It cannot fail either.
func random() (bytes [32]byte) {
	_, _ = rand.Read(bytes[:])
	return bytes
}
