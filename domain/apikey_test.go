package domain_test

import (
	"bytes"
	"crypto/sha256"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/tests/only"
)

func mint(random []byte) string {
	secret, _ := domain.MintKey(domain.LiveKey, [32]byte(random))
	return secret
}

func randomness(t *rapid.T) []byte {
	return rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "randomness")
}

func TestMintedKeys(t *testing.T) {
	format := regexp.MustCompile(`^milaan_(live|sandbox)_[0-9A-Za-z]{49}$`)
	rapid.Check(t, func(t *rapid.T) {
		random := randomness(t)
		kind := rapid.SampledFrom([]domain.KeyKind{domain.LiveKey, domain.SandboxKey}).Draw(t, "kind")
		prefix := "milaan_" + string(kind) + "_"
		secret, minted := domain.MintKey(kind, [32]byte(random))
		require.Regexp(t, format, secret)
		require.True(t, strings.HasPrefix(secret, prefix))
		require.Equal(t, kind == domain.SandboxKey, domain.IsSandboxKey(secret))
		hash, is := only.Both(domain.CheckKey(secret))(t)
		require.Equal(t, kind, is)
		require.Equal(t, domain.KeyHash(sha256.Sum256([]byte(secret))), hash)
		require.Equal(t, hash, minted)
		require.True(t, domain.LooksLikeKey(secret))

		shown := domain.ShownPrefix(secret)
		require.Len(t, shown, len(prefix)+8)
		require.True(t, strings.HasPrefix(secret, shown))

		other := append([]byte{}, random...)
		other[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		another, _ := domain.MintKey(kind, [32]byte(other))
		require.NotEqual(t, secret, another, "no bit of the randomness is lost")
		_, _, err := domain.CheckKey(strings.Replace(secret, prefix, "milaan_live_", 1) + strings.Repeat("0", len(prefix)-len("milaan_live_")))
		require.Equal(t, kind == domain.SandboxKey, err != nil, "a sandbox key does not become a live one")
	})
}

func TestExtremeKeys(t *testing.T) {
	require.Equal(t, "milaan_live_"+strings.Repeat("0", 43), mint(make([]byte, 32))[:55])
	for _, fill := range []byte{0, 0xff} {
		require.NoError(t, only.Err2(domain.CheckKey(mint(bytes.Repeat([]byte{fill}, 32)))))
	}
}

func TestMistypedKeysAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := []byte(mint(randomness(t)))
		at := rapid.IntRange(0, len(secret)-1).Draw(t, "at")
		mistyped := append([]byte{}, secret...)
		switch rapid.IntRange(0, 3).Draw(t, "mistake") {
		case 0:
			mistyped[at] = rapid.Byte().Filter(func(b byte) bool { return b != secret[at] }).Draw(t, "character")
		case 1:
			if at == 0 || secret[at] == secret[at-1] {
				t.Skip("nothing to swap")
			}
			mistyped[at], mistyped[at-1] = secret[at-1], secret[at]
		case 2:
			mistyped = append(mistyped[:at], mistyped[at+1:]...)
		case 3:
			mistyped = append(append(append([]byte{}, secret[:at]...), '0'), secret[at:]...)
		}
		require.ErrorIs(t, only.Err2(domain.CheckKey(string(mistyped))), domain.ErrKey, "%s", mistyped)
	})
}

func TestWhatLooksLikeAKey(t *testing.T) {
	for token, want := range map[string]bool{
		"milaan_live_": true, "milaan_live_x": true, "milaan_sandbox_x": true,
		"": false, "milaan": false, "MILAAN_LIVE_x": false, "eyJhbGciOiJIUzI1NiJ9.e30.x": false,
	} {
		require.Equal(t, want, domain.LooksLikeKey(token), token)
	}
}

func TestHashesAreCompared(t *testing.T) {
	a, b := domain.KeyHash{1}, domain.KeyHash{1}
	require.True(t, domain.SameHash(a, b))
	b[31] = 1
	require.False(t, domain.SameHash(a, b))
}

func FuzzCheckKey(f *testing.F) {
	f.Add("milaan_live_")
	f.Add(mint(make([]byte, 32)))
	f.Fuzz(func(t *testing.T, secret string) {
		if _, kind, err := domain.CheckKey(secret); err == nil {
			require.True(t, domain.LooksLikeKey(secret))
			require.Len(t, secret, len("milaan_")+len(kind)+len("_")+49)
		}
	})
}
