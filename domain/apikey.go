package domain

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"strings"
	"time"
)

// LiveKeyPrefix begins every live API key; SandboxKeyPrefix is set aside for
// the sandbox that the contract advertises and does not describe.
const (
	LiveKeyPrefix    = "milaan_live_"
	SandboxKeyPrefix = "milaan_sandbox_"
)

const (
	keyBytes    = 32 // of randomness
	keyDigits   = 43 // base62 digits that hold 32 bytes
	checkDigits = 6  // base62 digits that hold a CRC-32
	shownDigits = 8  // of the key, after the prefix, that may be displayed
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// KeyHash is the SHA-256 of a whole API key: all that is stored of it.
type KeyHash [sha256.Size]byte

// Equal compares in constant time.
func (h KeyHash) Equal(other KeyHash) bool {
	return subtle.ConstantTimeCompare(h[:], other[:]) == 1
}

// APIKey is what is stored of an issued key. One is active per account.
type APIKey struct {
	ID        string
	AccountID string
	Hash      KeyHash
	Prefix    string // safe to display
	IssuedAt  time.Time
}

// MintKey draws a live key: the prefix, 32 random bytes and a CRC-32 of both,
// the last two in base62. The secret is to be shown once and forgotten. The
// error is random's.
func MintKey(random io.Reader) (secret string, err error) {
	var raw [keyBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw an API key: %w", err)
	}
	body := LiveKeyPrefix + formatBase62(new(big.Int).SetBytes(raw[:]), keyDigits)
	return body + checksum(body), nil
}

// CheckKey tells a live key from a mistyped one without the database, and
// returns its hash. Anything else is ErrKey.
func CheckKey(secret string) (KeyHash, error) {
	if !strings.HasPrefix(secret, LiveKeyPrefix) || len(secret) != len(LiveKeyPrefix)+keyDigits+checkDigits {
		return KeyHash{}, ErrKey
	}
	body, check := secret[:len(secret)-checkDigits], secret[len(secret)-checkDigits:]
	if subtle.ConstantTimeCompare([]byte(checksum(body)), []byte(check)) != 1 {
		return KeyHash{}, ErrKey
	}
	return sha256.Sum256([]byte(secret)), nil
}

// LooksLikeKey says that a token is meant as an API key, well formed or not.
func LooksLikeKey(token string) bool {
	return strings.HasPrefix(token, LiveKeyPrefix) || strings.HasPrefix(token, SandboxKeyPrefix)
}

// ShownPrefix is the part of a key that may be displayed and logged.
func ShownPrefix(secret string) string { return secret[:len(LiveKeyPrefix)+shownDigits] }

func checksum(body string) string {
	return formatBase62(new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(body)))), checkDigits)
}

// formatBase62 writes n with exactly digits digits, zeros in front.
func formatBase62(n *big.Int, digits int) string {
	out := make([]byte, digits)
	base, digit := big.NewInt(int64(len(base62))), new(big.Int)
	for i := digits - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62[digit.Int64()]
	}
	return string(out)
}
