// Package ids makes ids, and bytes for secrets.
package ids

import (
	"crypto/rand"

	"github.com/google/uuid"
)

// New returns a new id. Later ids are greater. It cannot fail: if the machine has no
// randomness, Go ends the program.
func New() string { return uuid.Must(uuid.NewV7()).String() }

// Secret returns bytes that are fit for secrets. It cannot fail either.
func Secret() (bytes [32]byte) {
	_, _ = rand.Read(bytes[:])
	return bytes
}
