package domain

import (
	"crypto/sha256"
	"crypto/subtle"
	"hash/crc32"
	"math/big"
	"strings"
	"time"
)

// KeyKind says what a key is for.
type KeyKind string

// The kinds of keys.
const (
	LiveKey    KeyKind = "live"
	SandboxKey KeyKind = "sandbox" // nothing of its runs is stored but their number
)

// The prefixes begin the keys of each kind.
const (
	LiveKeyPrefix    = "milaan_live_"
	SandboxKeyPrefix = "milaan_sandbox_"
)

const (
	keyBytes    = 32 // random bytes in a key
	keyDigits   = 43 // base62 digits that hold 32 bytes
	checkDigits = 6  // base62 digits that hold a CRC-32
	shownDigits = 8  // characters after the prefix that may be displayed
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// KeyHash is the SHA-256 of a whole API key. The service stores this hash and never
// the key.
type KeyHash [sha256.Size]byte

// SameHash compares two hashes of one kind in constant time.
func SameHash[H ~[sha256.Size]byte](a, b H) bool { return subtle.ConstantTimeCompare(a[:], b[:]) == 1 }

// KeyUseSpan is how exactly it is known when a key was last used: one use in this span is
// stored.
const KeyUseSpan = 5 * time.Minute

// APIKey is what the service stores of an issued key. An account has one active key of
// each kind.
type APIKey struct {
	ID        string
	AccountID string
	Kind      KeyKind
	Hash      KeyHash
	Prefix    string // the beginning of the key, which may be displayed
	IssuedAt  time.Time
}

func (k KeyKind) prefix() string {
	if k == SandboxKey {
		return SandboxKeyPrefix
	}
	return LiveKeyPrefix
}

// KindOfKey returns the kind of a key by its beginning: live, unless it is that of the sandbox.
func KindOfKey(beginning string) KeyKind {
	if IsSandboxKey(beginning) {
		return SandboxKey
	}
	return LiveKey
}

// MintKey makes a key: the prefix of its kind, the random bytes and a CRC-32 of both, the
// last two written in base62. The caller shows the secret once, does not store it,
// and stores its hash.
func MintKey(kind KeyKind, random [keyBytes]byte) (secret string, hash KeyHash) {
	body := kind.prefix() + formatBase62(new(big.Int).SetBytes(random[:]), keyDigits)
	secret = body + checksum(body)
	return secret, sha256.Sum256([]byte(secret))
}

// CheckKey finds mistyped keys without asking the database. It returns the hash and the
// kind of a well-formed key, and ErrKey for anything else.
func CheckKey(secret string) (KeyHash, KeyKind, error) {
	kind := KindOfKey(secret)
	prefix := kind.prefix()
	if !strings.HasPrefix(secret, prefix) || len(secret) != len(prefix)+keyDigits+checkDigits {
		return KeyHash{}, "", ErrKey
	}
	body, check := secret[:len(secret)-checkDigits], secret[len(secret)-checkDigits:]
	if subtle.ConstantTimeCompare([]byte(checksum(body)), []byte(check)) != 1 {
		return KeyHash{}, "", ErrKey
	}
	return sha256.Sum256([]byte(secret)), kind, nil
}

// IsSandboxKey says whether a token was meant to be a sandbox key, well-formed or not.
func IsSandboxKey(token string) bool { return strings.HasPrefix(token, SandboxKeyPrefix) }

// LooksLikeKey says whether a token was meant to be an API key, well-formed or not.
func LooksLikeKey(token string) bool {
	return strings.HasPrefix(token, LiveKeyPrefix) || IsSandboxKey(token)
}

// ShownPrefix is the part of a key that may be displayed and logged.
func ShownPrefix(secret string) string {
	return secret[:len(KindOfKey(secret).prefix())+shownDigits]
}

func checksum(body string) string {
	return formatBase62(new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(body)))), checkDigits)
}

// formatBase62 writes n with exactly this number of digits, with zeros in front.
func formatBase62(n *big.Int, digits int) string {
	out := make([]byte, digits)
	base, digit := big.NewInt(int64(len(base62))), new(big.Int)
	for i := digits - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62[digit.Int64()]
	}
	return string(out)
}
