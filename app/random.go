package app

import (
	"crypto/rand"

	"github.com/google/uuid"
)

// newID is an id of something that is stored. Later ones are greater. It cannot
// fail: where the machine has no randomness, Go ends the program.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// random is fit for secrets, and cannot fail either.
func random() (bytes [32]byte) {
	_, _ = rand.Read(bytes[:])
	return bytes
}
