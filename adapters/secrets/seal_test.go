package secrets

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
)

func TestASealIsOpenedInItsPlaceAlone(t *testing.T) {
	s := New(counting(0))
	text := []byte("whsec_a secret")
	sealed := s.Seal(text, "webhooks", "secret", "account 1")
	opened, err := New(counting(0)).Open(sealed, "webhooks", "secret", "account 1")
	require.NoError(t, err, "by another copy of the service")
	require.Equal(t, text, opened)
	require.Equal(t, "whsec_a secret", string(text), "the text stays as it was")
	require.False(t, bytes.Contains(sealed, []byte("whsec_")))

	for _, place := range [][]string{
		nil, {""}, {"webhooks", "secret", "account 2"}, {"webhooks", "endpoint", "account 1"}, {"webhooks", "secret"},
		{"webhooks", "secret", "account 1", ""}, {"webhook", "ssecret", "account 1"}, {"webhookssecretaccount 1"},
		{"secret", "webhooks", "account 1"},
	} {
		_, err := s.Open(sealed, place...)
		require.ErrorIs(t, err, errSeal, "%q", place)
	}
	_, err = New(counting(1)).Open(sealed, "webhooks", "secret", "account 1")
	require.ErrorIs(t, err, errSeal, "another secret")
}

func TestADamagedSealIsNotOpened(t *testing.T) {
	s := New(counting(0))
	sealed := s.Seal([]byte("text"), "place")
	for i := range sealed {
		for _, bit := range []byte{1, 128} {
			damaged := bytes.Clone(sealed)
			damaged[i] ^= bit
			_, err := s.Open(damaged, "place")
			require.ErrorIs(t, err, errSeal, "byte %d", i)
		}
		_, err := s.Open(sealed[:i], "place")
		require.ErrorIs(t, err, errSeal, "cut to %d bytes", i)
	}
	_, err := s.Open(append(bytes.Clone(sealed), 0), "place")
	require.ErrorIs(t, err, errSeal, "lengthened")
	_, err = s.Open(sealed, "place")
	require.NoError(t, err, "and the seal itself is good")
}

func TestSealsOfAnySize(t *testing.T) {
	s := New(counting(0))
	large := bytes.Repeat([]byte("0123456789abcdef"), 25<<20/16)
	for _, text := range [][]byte{{}, {0}, large} {
		sealed := s.Seal(text, "place")
		require.Len(t, sealed, len(text)+29)
		opened, err := s.Open(sealed, "place")
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, opened))
	}
	sealed := s.Seal(nil)
	opened, err := s.Open(sealed)
	require.NoError(t, err, "no text in no place")
	require.Empty(t, opened)
}

func TestTwoSealsOfATextDiffer(t *testing.T) {
	s := New(counting(0))
	first, second := s.Seal([]byte("text"), "place"), s.Seal([]byte("text"), "place")
	require.Equal(t, first[:1], second[:1], "the version")
	require.NotEqual(t, first[1:13], second[1:13], "the nonces")
	require.NotEqual(t, first[13:], second[13:], "and so all the rest")
}

// A program of today opens what is in the database since the first one.
func TestOldSealsAreStillOpened(t *testing.T) {
	sealed, err := hex.DecodeString("011a4a034d82339b20fbd4c449e2955f9f59f0e2d6be4958a19e7cc70fff604f7e1a91c63a18486a815d223ed0274d34e95a7c")
	require.NoError(t, err)
	opened, err := New(counting(0)).Open(sealed, "webhooks", "secret", "account 1")
	require.NoError(t, err)
	require.Equal(t, "from the first version", string(opened))
}

func TestTheModuleSeals(t *testing.T) {
	var sealer ports.Sealer
	app := fx.New(Module, fx.NopLogger, fx.Supply(config.Secrets{Key: counting(0)}, quiet),
		fx.Provide(func() ports.Facts { return newFacts() }), fx.Populate(&sealer))
	require.NoError(t, app.Err())
	opened, err := New(counting(0)).Open(sealer.Seal([]byte("text"), "place"), "place")
	require.NoError(t, err)
	require.Equal(t, "text", string(opened))
}
