// Package hashing makes hashes of several fields, such as those of a request.
package hashing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"slices"

	"milaan/domain"
)

// Keyed hashes a text of an account. what makes the hash of a key differ from that of
// a request with the same text.
func Keyed(secret [32]byte, what, accountID string, text []byte) (sum domain.RequestHash) {
	h := Fields{Hash: hmac.New(sha256.New, secret[:])}
	h.Text([]byte(what))
	h.Text([]byte(accountID))
	h.Text(text)
	h.Sum(sum[:0])
	return sum
}

// Fields hashes values so that two different lists of values never give the hash the same
// bytes: each text is preceded by its length.
type Fields struct{ hash.Hash }

// Text hashes a text with its length.
func (f Fields) Text(text []byte) {
	f.Number(len(text))
	f.Write(text) // a hash never fails
}

func (f Fields) Number(n int) { f.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) }

// Optional hashes a number that may be nil.
func (f Fields) Optional(n *int) {
	if n == nil {
		f.Write([]byte{0})
		return
	}
	f.Write([]byte{1})
	f.Number(*n)
}

// Columns hashes the names of columns by their roles, in the order of the roles.
func (f Fields) Columns(columns map[string]string) {
	f.Number(len(columns))
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		f.Text([]byte(name))
		f.Text([]byte(columns[name]))
	}
}

// Flag hashes yes or no.
func (f Fields) Flag(is bool) {
	var b [1]byte
	if is {
		b[0] = 1
	}
	f.Write(b[:])
}
