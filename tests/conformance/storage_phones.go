package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

const aNumber, anotherNumber domain.PhoneNumber = "+919876543210", "+916123456789"

// aCode is a code that is sent at noon.
func aCode(account domain.Account, name string) domain.SentCode {
	c := domain.SentCode{ID: "code-" + account.ID + name, AccountID: account.ID, Number: aNumber, SentAt: noon}
	c.Hash = c.HashOf("123456", [32]byte{1})
	return c
}

// putCode stores a code that is sent at noon.
func putCode(t *testing.T, s Storage, account domain.Account, name string) domain.SentCode {
	t.Helper()
	code := aCode(account, name)
	require.NoError(t, s.Phones.Put(t.Context(), code, domain.SecurityEvent{}))
	return code
}

// verifiedPhone verifies the account's number at noon.
func verifiedPhone(t *testing.T, s Storage, account domain.Account) domain.Phone {
	t.Helper()
	code := putCode(t, s, account, "verified")
	require.NoError(t, s.Phones.MarkVerified(t.Context(), account.ID, code.ID, noon, domain.SecurityEvent{}))
	return domain.Phone{Number: aNumber, VerifiedAt: noon}
}

// requirePhone holds what is stored of the account's phone.
func requirePhone(t *testing.T, s Storage, account domain.Account, phone domain.Phone, code domain.SentCode) {
	t.Helper()
	gotPhone, gotCode := only.Both(s.Phones.Of(t.Context(), account.ID, noon))(t)
	require.Equal(t, phone, gotPhone)
	require.Equal(t, code, gotCode)
}

// unverified stores an account whose phone is not verified.
func unverified(t *testing.T, s Storage, name string) domain.Account {
	t.Helper()
	a := anAccount(name)
	a.PhoneVerified = false
	require.NoError(t, s.Accounts.Create(t.Context(), a))
	return a
}

var _ = promises.add("a phone code comes back as it was stored", func(t *testing.T, one, other Storage) {
	account, neighbour := unverified(t, one, "phone"), unverified(t, one, "neighbour")
	requirePhone(t, one, account, domain.Phone{}, domain.SentCode{})
	require.ErrorIs(t, only.Err(one.Phones.Check(t.Context(), account.ID, noon)), domain.ErrPhoneCode, "there is none")

	code := putCode(t, one, account, "code")
	requirePhone(t, other, account, domain.Phone{}, code)
	requirePhone(t, other, neighbour, domain.Phone{}, domain.SentCode{})
	for i := range domain.PhoneCodeChecks {
		code.Checks = i + 1
		require.Equal(t, code, only.Value(other.Phones.Check(t.Context(), account.ID, noon))(t))
	}
	require.ErrorIs(t, only.Err(one.Phones.Check(t.Context(), account.ID, noon)), domain.ErrPhoneCode, "its checks are used up")
	requirePhone(t, one, account, domain.Phone{}, domain.SentCode{})
	require.False(t, AccountOf(t, one, account.Email).PhoneVerified)
	require.ErrorIs(t, only.Err(one.Phones.Check(t.Context(), neighbour.ID, noon)), domain.ErrPhoneCode)
})

var _ = promises.add("a phone code is valid for its time", func(t *testing.T, one, other Storage) {
	account := unverified(t, one, "time")
	code := putCode(t, one, account, "code")
	for _, at := range []time.Time{code.Until(), code.Until().Add(time.Hour), noon.Add(-domain.ClockSkew - time.Microsecond)} {
		require.ErrorIs(t, only.Err(other.Phones.Check(t.Context(), account.ID, at)), domain.ErrPhoneCode)
		require.ErrorIs(t, other.Phones.MarkVerified(t.Context(), account.ID, code.ID, at, domain.SecurityEvent{}), domain.ErrPhoneCode)
		_, open := only.Both(other.Phones.Of(t.Context(), account.ID, at))(t)
		require.Empty(t, open)
	}
	for i, at := range []time.Time{code.Until().Add(-time.Microsecond), noon, noon.Add(-domain.ClockSkew)} {
		code.Checks = i + 1
		got := only.Value(other.Phones.Check(t.Context(), account.ID, at))(t)
		require.Equal(t, code, got, "guesses in vain were not counted")
	}
	require.NoError(t, other.Phones.MarkVerified(t.Context(), account.ID, code.ID, code.Until().Add(-time.Microsecond), domain.SecurityEvent{}))
})

var _ = promises.add("a phone code replaces the one before it", func(t *testing.T, one, other Storage) {
	account := unverified(t, one, "replaced")
	first := putCode(t, one, account, "first")
	for range domain.PhoneCodeChecks {
		require.NoError(t, only.Err(one.Phones.Check(t.Context(), account.ID, noon)))
	}
	second := putCode(t, other, account, "second")
	requirePhone(t, one, account, domain.Phone{}, second)
	require.ErrorIs(t, one.Phones.MarkVerified(t.Context(), account.ID, first.ID, noon, domain.SecurityEvent{}), domain.ErrPhoneCode)
	got := only.Value(one.Phones.Check(t.Context(), account.ID, noon))(t)
	require.Equal(t, second.ID, got.ID)
	require.Equal(t, 1, got.Checks, "each code has its own checks")
})

var _ = promises.add("a phone is verified by its code, once", func(t *testing.T, one, other Storage) {
	account, neighbour := unverified(t, one, "confirmed"), unverified(t, one, "neighbour")
	code := putCode(t, one, account, "code")
	for range domain.PhoneCodeChecks {
		require.NoError(t, only.Err(one.Phones.Check(t.Context(), account.ID, noon)))
	}
	require.ErrorIs(t, other.Phones.MarkVerified(t.Context(), neighbour.ID, code.ID, noon, domain.SecurityEvent{}), domain.ErrPhoneCode, "it is another account's")

	taken := anEvent("taken", noon, domain.SecurityAccount)
	taken.AccountID = account.ID
	require.NoError(t, one.Events.Add(t.Context(), taken))
	require.Error(t, other.Phones.MarkVerified(t.Context(), account.ID, code.ID, noon, taken), "the event cannot be stored")
	requirePhone(t, one, account, domain.Phone{}, domain.SentCode{})
	require.Equal(t, account, AccountOf(t, one, account.Email), "nothing was stored")

	require.NoError(t, other.Phones.MarkVerified(t.Context(), account.ID, code.ID, noon, anEvent("event", noon, domain.SecurityPhone)), "the fifth check was this one's")
	verified := domain.Phone{Number: aNumber, VerifiedAt: noon}
	requirePhone(t, one, account, verified, domain.SentCode{})
	want := account
	want.PhoneVerified = true
	require.Equal(t, want, AccountOf(t, one, account.Email), "and nothing else of the account has changed")
	require.Equal(t, []string{"event", "taken"}, eventIDs(t, one, account))
	require.False(t, AccountOf(t, one, neighbour.Email).PhoneVerified)

	require.ErrorIs(t, one.Phones.MarkVerified(t.Context(), account.ID, code.ID, noon, domain.SecurityEvent{}), domain.ErrPhoneCode)
	require.ErrorIs(t, only.Err(one.Phones.Check(t.Context(), account.ID, noon)), domain.ErrPhoneCode)

	next := aCode(account, "next")
	next.Number = anotherNumber
	require.NoError(t, one.Phones.Put(t.Context(), next, domain.SecurityEvent{}))
	requirePhone(t, other, account, verified, next)
	require.NoError(t, one.Phones.MarkVerified(t.Context(), account.ID, next.ID, noon.Add(time.Minute), domain.SecurityEvent{}))
	requirePhone(t, other, account, domain.Phone{Number: anotherNumber, VerifiedAt: noon.Add(time.Minute)}, domain.SentCode{})
})

// OWASP ASVS 5.0, 6.6.3: guesses are limited, however many are made at the same time.
var _ = promises.add("five of many guesses are judged", func(t *testing.T, one, other Storage) {
	account := unverified(t, one, "guesses")
	putCode(t, one, account, "code")
	checks := make([]int, many)
	judged := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		code, err := s.Phones.Check(t.Context(), account.ID, noon)
		checks[i] = code.Checks
		return err
	}), domain.ErrPhoneCode)
	require.Len(t, judged, domain.PhoneCodeChecks)
	seen := map[int]bool{}
	for _, i := range judged {
		seen[checks[i]] = true
	}
	require.Equal(t, map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true}, seen, "no two are the same check")
})

// OWASP ASVS 5.0, 6.5.1: a code can be used once.
var _ = promises.add("one of many right codes verifies", func(t *testing.T, one, other Storage) {
	account := unverified(t, one, "once")
	code := putCode(t, one, account, "code")
	confirmed := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		return s.Phones.MarkVerified(t.Context(), account.ID, code.ID, noon, anEvent(runID(i), noon, domain.SecurityPhone))
	}), domain.ErrPhoneCode)
	require.Len(t, confirmed, 1)
	require.Equal(t, []string{runID(confirmed[0])}, eventIDs(t, one, account))
	requirePhone(t, one, account, domain.Phone{Number: aNumber, VerifiedAt: noon}, domain.SentCode{})
})

// However codes are sent between guesses: each code has five, and what was compared with one
// code does not confirm another.
var _ = promises.add("a new code does not let a guess in", func(t *testing.T, one, other Storage) {
	account := unverified(t, one, "crossing")
	putCode(t, one, account, "before")
	of := make([]string, many)
	errs := InParallel(one, other, func(s Storage, i int) error {
		if i%8 == 0 {
			return s.Phones.Put(t.Context(), aCode(account, runID(i)), domain.SecurityEvent{})
		}
		code, err := s.Phones.Check(t.Context(), account.ID, noon)
		of[i] = code.ID
		return err
	})
	judged := map[string]int{}
	for i, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, domain.ErrPhoneCode)
		}
		judged[of[i]]++
	}
	delete(judged, "")
	for id, n := range judged {
		require.LessOrEqual(t, n, domain.PhoneCodeChecks, id)
	}
	putCode(t, one, account, "last")
	for id := range judged {
		require.ErrorIs(t, one.Phones.MarkVerified(t.Context(), account.ID, id, noon, domain.SecurityEvent{}), domain.ErrPhoneCode, "what was compared with it is of no use")
	}
})

var _ = promises.add("a phone code that was not sent is dropped", func(t *testing.T, one, other Storage) {
	account, neighbour := unverified(t, one, "dropped"), unverified(t, one, "neighbour")
	code := putCode(t, one, account, "code")
	require.NoError(t, other.Phones.Drop(t.Context(), neighbour.ID, code.ID))
	require.NoError(t, other.Phones.Drop(t.Context(), account.ID, "another"))
	requirePhone(t, one, account, domain.Phone{}, code)
	for range 2 {
		require.NoError(t, other.Phones.Drop(t.Context(), account.ID, code.ID))
		requirePhone(t, one, account, domain.Phone{}, domain.SentCode{})
	}
})

var _ = promises.add("a phone needs an account", func(t *testing.T, one, other Storage) {
	nobody := anAccount("nobody")
	require.ErrorIs(t, one.Phones.Put(t.Context(), aCode(nobody, "code"), domain.SecurityEvent{}), domain.ErrNoAccount)
	require.ErrorIs(t, other.Phones.MarkVerified(t.Context(), nobody.ID, "code", noon, domain.SecurityEvent{}), domain.ErrNoAccount)
	require.ErrorIs(t, only.Err(one.Phones.Check(t.Context(), nobody.ID, noon)), domain.ErrPhoneCode)
	requirePhone(t, one, nobody, domain.Phone{}, domain.SentCode{})
	account := unverified(t, one, "refused")
	taken := anEvent("taken", noon, domain.SecurityAccount)
	taken.AccountID = account.ID
	require.NoError(t, one.Events.Add(t.Context(), taken))
	require.Error(t, one.Phones.Put(t.Context(), aCode(account, "code"), taken))
	requirePhone(t, other, account, domain.Phone{}, domain.SentCode{})
	require.NoError(t, one.Phones.Put(t.Context(), aCode(account, "code"), anEvent("sent", noon, domain.SecurityPhoneCode)))
	require.Equal(t, []string{"sent", "taken"}, eventIDs(t, one, account))
})

var _ = promises.add("old phone codes are swept away", func(t *testing.T, one, other Storage) {
	account, kept := unverified(t, one, "swept"), unverified(t, one, "kept")
	old := aCode(account, "old")
	old.SentAt = noon.Add(-time.Microsecond)
	require.NoError(t, one.Phones.Put(t.Context(), old, domain.SecurityEvent{}))
	code, phone := putCode(t, one, kept, "kept"), verifiedPhone(t, one, account)
	require.NoError(t, one.Phones.Put(t.Context(), old, domain.SecurityEvent{}))
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{}))
	requirePhone(t, one, account, phone, old)
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{PhoneCodes: noon}))
	requirePhone(t, one, account, phone, domain.SentCode{})
	requirePhone(t, one, kept, domain.Phone{}, code)
})

var _ = promises.add("a phone of a lost secret is not known", func(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	account := unverified(t, one, "lost")
	verifiedPhone(t, one, account)
	code := putCode(t, one, account, "code")
	requirePhone(t, lost, account, domain.Phone{VerifiedAt: noon}, domain.SentCode{})
	require.ErrorIs(t, only.Err(lost.Phones.Check(t.Context(), account.ID, noon)), domain.ErrPhoneCode)
	require.ErrorIs(t, lost.Phones.MarkVerified(t.Context(), account.ID, code.ID, noon, domain.SecurityEvent{}), domain.ErrPhoneCode)
	next := putCode(t, lost, account, "next")
	requirePhone(t, lost, account, domain.Phone{VerifiedAt: noon}, next)
	require.NoError(t, lost.Phones.MarkVerified(t.Context(), account.ID, next.ID, noon, domain.SecurityEvent{}))
	requirePhone(t, lost, account, domain.Phone{Number: aNumber, VerifiedAt: noon}, domain.SentCode{})
})

var _ = promises.add("a phone code of a missing secret is not lost", func(t *testing.T, one, _ Storage) {
	missing := one.MissingSecret(t)
	account := unverified(t, one, "missing")
	code := putCode(t, one, account, "code")
	require.ErrorIs(t, only.Err2(missing.Phones.Of(t.Context(), account.ID, noon)), domain.ErrMissingSecret)
	require.ErrorIs(t, only.Err(missing.Phones.Check(t.Context(), account.ID, noon)), domain.ErrMissingSecret)
	require.ErrorIs(t, missing.Phones.MarkVerified(t.Context(), account.ID, code.ID, noon, domain.SecurityEvent{}), domain.ErrMissingSecret)
	code.Checks = 1
	requirePhone(t, one, account, domain.Phone{}, code)
})
