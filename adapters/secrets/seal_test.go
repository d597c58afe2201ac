package secrets

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/config"
	"milaan/domain"
	"milaan/ports/peers"
	"milaan/tests/only"
)

// opens demands that a seal is opened in its place, and gives a text.
func opens(t *testing.T, by peers.Sealer, text string, sealed []byte, place ...string) {
	t.Helper()
	opened := only.Value(by.Open(sealed, place...))(t)
	require.True(t, text == string(opened), "%.60q", opened)
}

func TestASealIsOpenedInItsPlaceAlone(t *testing.T) {
	s := New(counting(0))
	text := []byte("whsec_a secret")
	sealed := s.Seal(text, "webhooks", "secret", "account 1")
	opens(t, New(counting(0)), "whsec_a secret", sealed, "webhooks", "secret", "account 1") // by another instance
	require.Equal(t, "whsec_a secret", string(text), "the text stays as it was")
	require.False(t, bytes.Contains(sealed, []byte("whsec_")))

	for _, place := range [][]string{
		nil, {""}, {"webhooks", "secret", "account 2"}, {"webhooks", "endpoint", "account 1"}, {"webhooks", "secret"},
		{"webhooks", "secret", "account 1", ""}, {"webhook", "ssecret", "account 1"}, {"webhookssecretaccount 1"},
		{"secret", "webhooks", "account 1"},
	} {
		require.ErrorIs(t, only.Err(s.Open(sealed, place...)), errSeal, "%q", place)
	}
	require.ErrorIs(t, only.Err(New(counting(1)).Open(sealed, "webhooks", "secret", "account 1")), errSeal, "another secret")
}

func TestADamagedSealIsNotOpened(t *testing.T) {
	s := New(counting(0))
	sealed := s.Seal([]byte("text"), "place")
	for i := range sealed {
		for _, bit := range []byte{1, 128} {
			damaged := bytes.Clone(sealed)
			damaged[i] ^= bit
			require.ErrorIs(t, only.Err(s.Open(damaged, "place")), errSeal, "byte %d", i)
		}
		require.ErrorIs(t, only.Err(s.Open(sealed[:i], "place")), errSeal, "cut to %d bytes", i)
	}
	require.ErrorIs(t, only.Err(s.Open(append(bytes.Clone(sealed), 0), "place")), errSeal, "lengthened")
	opens(t, s, "text", sealed, "place") // the seal itself is good
}

func TestSealsOfAnySize(t *testing.T) {
	s := New(counting(0))
	large := bytes.Repeat([]byte("0123456789abcdef"), 25<<20/16)
	for _, text := range [][]byte{{}, {0}, large} {
		sealed := s.Seal(text, "place")
		require.Len(t, sealed, len(text)+29)
		opens(t, s, string(text), sealed, "place")
	}
	opens(t, s, "", s.Seal(nil)) // no text in no place
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
	opens(t, New(counting(0)), "from the first version", sealed, "webhooks", "secret", "account 1")
	// The secret of the seal is the older one meanwhile.
	opens(t, New(counting(1), counting(0)), "from the first version", sealed, "webhooks", "secret", "account 1")
}

// While the secret is changed, seals by either are opened wherever both are
// known, and resealing leaves none that needs the old one.
func TestSealsWhileTheSecretIsChanged(t *testing.T) {
	old, fresh := New(counting(0)), New(counting(1))
	prepared, changed := New(counting(0), counting(1)), New(counting(1), counting(0))
	text := []byte("text")
	for name, seal := range map[string][]byte{"before": old.Seal(text, "place"), "prepared": prepared.Seal(text, "place"), "changed": changed.Seal(text, "place")} {
		for _, both := range []*Secrets{prepared, changed} {
			opens(t, both, "text", seal, "place")
			require.ErrorIs(t, only.Err(both.Open(seal, "elsewhere")), errSeal)
			require.ErrorIs(t, only.Err(both.Reseal(seal, "elsewhere")), errSeal, "nor is it moved to another place")
		}
		afresh := only.Value(changed.Reseal(seal, "place"))(t)
		if name == "changed" {
			require.Nil(t, afresh, "it is by the first secret")
			afresh = seal
		} else {
			require.ErrorIs(t, only.Err(fresh.Open(seal, "place")), errSeal)
		}
		opens(t, fresh, "text", afresh, "place")
		require.Nil(t, only.Value(changed.Reseal(afresh, "place"))(t))
	}
	require.ErrorIs(t, only.Err(changed.Reseal(New(counting(2)).Seal(text, "place"), "place")), errSeal, "a lost secret")
	require.ErrorIs(t, only.Err(changed.Reseal(nil, "place")), errSeal)
}

// What another instance can open is not taken for lost.
func TestAMissingSecretIsNoLostOne(t *testing.T) {
	f := newFacts()
	old := loaded(t, config.Secrets{Keys: config.SecretKeys{counting(0)}}, f)
	sealer := sharedSealer{old, NewAgreement(old, f)}
	own := sealer.Seal([]byte("text"), "place")
	foreign := New(counting(1)).Seal([]byte("text"), "place")
	_, err := sealer.Open(foreign, "place")
	require.ErrorIs(t, err, errSeal, "nobody seals with that one")

	// Another instance was given a new secret, and this one was passed over.
	loaded(t, config.Secrets{Keys: config.SecretKeys{counting(1), counting(0)}}, f)
	for _, seal := range [][]byte{foreign, []byte("damaged")} {
		_, err = sealer.Open(seal, "place")
		require.ErrorIs(t, err, domain.ErrMissingSecret)
		require.NotErrorIs(t, err, errSeal)
	}
	opens(t, sealer, "text", own, "place")
	require.ErrorIs(t, NewAgreement(old, f).renew(t.Context()), domain.ErrMissingSecret, "the log tells of it")

	f.fault = errors.New("database away")
	_, err = sealer.Open(foreign, "place")
	require.ErrorIs(t, err, domain.ErrMissingSecret, "as long as nobody can tell")
	require.ErrorIs(t, err, f.fault)
}

func TestTheModuleSeals(t *testing.T) {
	var sealer peers.Sealer
	app := fx.New(Module(), fx.NopLogger, fx.Supply(config.Secrets{Keys: config.SecretKeys{counting(0)}}, quiet),
		fx.Provide(func() peers.Facts { return newFacts() }), fx.Populate(&sealer))
	require.NoError(t, app.Err())
	opens(t, New(counting(0)), "text", sealer.Seal([]byte("text"), "place"), "place")
}
