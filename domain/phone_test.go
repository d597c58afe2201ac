package domain_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/tests/only"
)

var badPhone = domain.Faults{{Field: domain.FieldPhoneNumber, Rule: domain.RulePhone}}

func TestNumbersAreReadAsPeopleWriteThem(t *testing.T) {
	for _, text := range []string{
		"+919876543210", "+91 98765 43210", "+91-98765-43210", "9876543210", " 98765 43210 ", "09876543210", "0 98765-43210",
		"919876543210", "91 9876 543 210", "00919876543210", "+91 (0) 98765 43210", "(+91) 98765.43210", "+91\u00a098765\u201143210",
		"\u202a+91 98765 43210\u202c",
	} {
		number, err := domain.ParsePhone(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, "+919876543210", number.Reveal(), "%q", text)
	}
	ninetyOne := only.Value(domain.ParsePhone("9198765432"))(t)
	require.Equal(t, "+919198765432", ninetyOne.Reveal(), "ten digits have no country in front of them")
	for _, text := range []string{
		"", " ", "+", "+91", "98765", "987654321", "98765432100", "5876543210", "+915876543210", "0000000000", "+9876543210", "+19876543210",
		"+929876543210", "929876543210", "9876543210x", "98765+43210", "++919876543210", "०९८७६५४३२१०", "98765,43210", "9876543210;ext=1",
		"+9198765432101", "+91919876543210", strings.Repeat(" ", 100) + "9876543210",
	} {
		_, err := domain.ParsePhone(text)
		require.Equal(t, badPhone, domain.FaultsOf(err), "%q", text)
	}
}

func TestEveryNumberIsReadInEverySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ten := rapid.StringMatching(`[6-9][0-9]{9}`).Draw(t, "number")
		text := rapid.SampledFrom([]string{"", "+91", "91", "0", "+91 0", "0091"}).Draw(t, "prefix")
		for _, digit := range ten {
			text += rapid.SampledFrom([]string{"", "", " ", "-", ".", "\u2013"}).Draw(t, "separator") + string(digit)
		}
		number, err := domain.ParsePhone(text)
		require.NoError(t, err, text)
		require.Equal(t, "+91"+ten, number.Reveal())
		require.Equal(t, number, only.Value(domain.ParsePhone(number.Reveal()))(t))
	})
}

func FuzzParsePhone(f *testing.F) {
	for _, text := range []string{"+91 98765 43210", "09876543210", "+1 202 555 0100", "", "+", "\u202a91", "९"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		number, err := domain.ParsePhone(text)
		if err != nil {
			require.Equal(t, badPhone, domain.FaultsOf(err))
			require.Empty(t, number)
			return
		}
		require.Regexp(t, `^\+91[6-9][0-9]{9}$`, number.Reveal())
		require.Equal(t, number, only.Value(domain.ParsePhone(number.Reveal()))(t))
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, text)
		require.True(t, strings.HasSuffix(digits, number.Reveal()[3:]), "%q became %s", text, number.Reveal())
	})
}

// OWASP ASVS 5.0, 6.5.3 (a CSPRNG, which the application gives) and 6.5.4 (six random
// digits): no code is likelier than another.
func TestEachCodeIsEquallyLikely(t *testing.T) {
	draw := func(numbers ...uint32) string {
		t.Helper()
		var random bytes.Buffer
		for _, n := range numbers {
			require.NoError(t, binary.Write(&random, binary.BigEndian, n))
		}
		code := only.Value(domain.DrawPhoneCode(&random))(t)
		require.Zero(t, random.Len(), "no more is read than is needed")
		return code.Reveal()
	}
	require.Equal(t, "000000", draw(0))
	require.Equal(t, "000042", draw(42))
	require.Equal(t, "967295", draw(4_294_000_000-32_705), "the largest numbers that count are whole rounds of a million")
	require.Equal(t, "999999", draw(4_293_999_999))
	require.Equal(t, "000007", draw(4_294_000_000, 1<<32-1, 7), "the rest of the numbers would favour small codes")
	require.Error(t, only.Err(domain.DrawPhoneCode(iotest.ErrReader(errors.New("no random bytes")))))
	require.Error(t, only.Err(domain.DrawPhoneCode(strings.NewReader("abc"))))
}

func TestCodesAreReadAsPeopleTypeThem(t *testing.T) {
	for _, text := range []string{"012345", " 012345\n", "012 345", "012-345", "\u202a012345\u202c"} {
		code, err := domain.ParsePhoneCode(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, "012345", code.Reveal())
	}
	for _, text := range []string{"", "12345", "0123456", "01234x", "०१२३४५", "+12345", strings.Repeat(" ", 95) + "012345"} {
		_, err := domain.ParsePhoneCode(text)
		require.Equal(t, domain.Faults{{Field: domain.FieldPhoneCode, Rule: domain.RulePhoneCode, Max: 6}}, domain.FaultsOf(err), "%q", text)
	}
}

// OWASP ASVS 5.0, 6.6.2: a code is bound to the request for which it was made.
func TestAHashIsOfOneCodeNumberAndAccount(t *testing.T) {
	sent := domain.SentCode{ID: "id", AccountID: "account", Number: "+919876543210"}
	key := [32]byte{1}
	hash := sent.HashOf("123456", key)
	require.True(t, domain.SameHash(hash, sent.HashOf("123456", key)))
	for name, other := range map[string]domain.PhoneCodeHash{
		"code":    sent.HashOf("123457", key),
		"key":     sent.HashOf("123456", [32]byte{2}),
		"request": domain.SentCode{ID: "id2", AccountID: "account", Number: "+919876543210"}.HashOf("123456", key),
		"account": domain.SentCode{ID: "id", AccountID: "account2", Number: "+919876543210"}.HashOf("123456", key),
		"number":  domain.SentCode{ID: "id", AccountID: "account", Number: "+919876543211"}.HashOf("123456", key),
		"border":  domain.SentCode{ID: "tid", AccountID: "accoun", Number: "+919876543210"}.HashOf("123456", key),
	} {
		require.False(t, domain.SameHash(hash, other), name)
	}
}

func TestNumbersAndCodesArePrintedByNothing(t *testing.T) {
	number, code := domain.PhoneNumber("+919876543210"), domain.PhoneCode("123456")
	var log bytes.Buffer
	timeless := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey { // its nanoseconds may have the digits of the number
			return slog.Attr{}
		}
		return a
	}}
	slog.New(slog.NewJSONHandler(&log, timeless)).Info("x", "number", number, "code", code, "sent", domain.SentCode{Number: number})
	slog.New(slog.NewTextHandler(&log, timeless)).Info("x", "number", number, "code", code, "sent", domain.SentCode{Number: number})
	text := only.Value(json.Marshal(map[string]any{"number": number, "code": code, "phone": domain.Phone{Number: number}}))(t)
	all := log.String() + string(text)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		all += fmt.Sprintf(verb+verb+verb, number, code, domain.SentCode{Number: number})
	}
	require.NotContains(t, all, "9876")
	require.NotContains(t, all, "543210")
	require.NotContains(t, all, "123456")
	require.NotContains(t, all, fmt.Sprintf("%x", "123456"))
	require.Equal(t, "+91 ••••• ••210", number.Masked())
	require.Empty(t, domain.PhoneNumber("").Masked())
}

func TestOneCodeInAMinuteAndFiveInADay(t *testing.T) {
	start := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	var w domain.RateWindow
	ask := func(after time.Duration) time.Duration {
		next, wait, changed := domain.AdmitPhoneCode(w, start.Add(after))
		require.Equal(t, wait == 0, changed)
		w = next
		return wait
	}
	require.Zero(t, ask(0))
	require.Equal(t, time.Minute, ask(0))
	require.Equal(t, time.Nanosecond, ask(time.Minute-1))
	require.Zero(t, ask(time.Minute), "what was refused does not count")
	for i := range 3 {
		require.Zero(t, ask(time.Duration(i+1)*time.Hour))
	}
	require.Equal(t, 24*time.Hour-3*time.Hour-time.Second, ask(3*time.Hour+time.Second), "the longer wait counts")
	require.Equal(t, time.Nanosecond, ask(24*time.Hour-1))
	require.Zero(t, ask(24*time.Hour))
	require.Equal(t, time.Minute, ask(24*time.Hour))
	require.Zero(t, ask(24*time.Hour+time.Minute))
}

func TestTheRatesOfCodesAgreeWithNaiveOnes(t *testing.T) {
	steps := []time.Duration{0, 1, time.Second, time.Minute - 1, time.Minute, time.Minute + 1, time.Hour, 12 * time.Hour, 24*time.Hour - 1, 24 * time.Hour}
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
		var w domain.RateWindow
		var asked, sent []time.Time // sent: not refused
		since := func(all []time.Time, span time.Duration) (n int) {
			for _, at := range all {
				if now.Sub(at) < span {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now = now.Add(rapid.SampledFrom(steps).Draw(t, "step"))
			if len(sent) > 0 && rapid.Bool().Draw(t, "refused") {
				at := rapid.IntRange(0, len(sent)-1).Draw(t, "which")
				w = domain.ReturnPhoneWait(w, sent[at])
				sent = slices.Delete(sent, at, at+1)
			}
			allowed := since(sent, time.Minute) < 1 && since(asked, 24*time.Hour) < 5
			next, wait, changed := domain.AdmitPhoneCode(w, now)
			require.Equal(t, allowed, wait == 0)
			require.Equal(t, allowed, changed)
			require.LessOrEqual(t, len(next.Admitted), 5)
			if w = next; allowed {
				asked, sent = append(asked, now), append(sent, now)
				continue
			}
			_, still, _ := domain.AdmitPhoneCode(w, now.Add(wait-1))
			require.Positive(t, still, "no wait is too long")
			_, still, _ = domain.AdmitPhoneCode(w, now.Add(wait))
			require.Zero(t, still, "and none too short")
		}
	})
}

// What a clock that was ahead has written does not lock anybody out.
func TestAClockThatWasAheadLeavesNoCodes(t *testing.T) {
	now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	ahead := domain.RateWindow{Admitted: []time.Time{now.Add(time.Hour), now.Add(2 * time.Hour)}}
	next, wait, changed := domain.AdmitPhoneCode(ahead, now)
	require.Zero(t, wait)
	require.True(t, changed)
	require.Equal(t, []time.Time{now}, next.Admitted)
	next, wait, changed = domain.AdmitPhoneCode(domain.RateWindow{Admitted: []time.Time{now, now.Add(time.Hour)}}, now.Add(time.Second))
	require.Equal(t, 59*time.Second, wait)
	require.True(t, changed, "the correction is stored")
	require.Equal(t, []time.Time{now}, next.Admitted)
}

func TestACodeHasFiveChecksAndTenMinutes(t *testing.T) {
	at := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	require.Equal(t, at.Add(10*time.Minute), domain.SentCode{SentAt: at}.Until(), "OWASP ASVS 5.0, 6.5.5: ten minutes at most")
	require.Equal(t, 5, domain.SentCode{}.ChecksLeft())
	require.Zero(t, domain.SentCode{Checks: 5}.ChecksLeft())
	require.Zero(t, domain.SentCode{Checks: 6}.ChecksLeft())
	require.Equal(t, domain.ErrPhoneCode, domain.ErrPhoneGuess(0))
	require.ErrorIs(t, domain.ErrPhoneGuess(3), domain.ErrPhoneCode)
	require.Equal(t, 3, domain.ErrPhoneGuess(3).Limit)
}
