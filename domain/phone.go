package domain

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

const (
	// PhoneCodeSpan is how long a phone code is valid after it was sent.
	PhoneCodeSpan = 10 * time.Minute
	// PhoneCodeChecks is how many guesses at one phone code are judged. Any further guess
	// is refused, the right one too.
	PhoneCodeChecks = 5

	phoneCodeDigits = 6
	phoneCodes      = 1_000_000 // how many codes there are with these digits
)

// The rates of phone codes, for each account and for each number. PhoneDayRate also bounds
// the guesses: an account has at most 25 judged in 24 hours, of a million codes.
var (
	PhoneSendRate = Rate{Limit: 1, Span: time.Minute}
	PhoneDayRate  = Rate{Limit: 5, Span: 24 * time.Hour}
)

// AdmitPhoneCode is Rate.Admit by PhoneSendRate and PhoneDayRate, which share one window. What
// was admitted until BlockedUntil does not count towards PhoneSendRate: ReturnPhoneWait sets it,
// and the next code that is admitted clears it.
func AdmitPhoneCode(w RateWindow, now time.Time) (next RateWindow, wait time.Duration, changed bool) {
	next, wait, changed = PhoneDayRate.Admit(w, now)
	w, corrected := PhoneDayRate.correct(w, now)
	var recent RateWindow
	for _, at := range w.Admitted {
		if at.After(w.BlockedUntil) {
			recent.Admitted = append(recent.Admitted, at)
		}
	}
	if _, short, _ := PhoneSendRate.Admit(recent, now); short > 0 {
		return w, max(wait, short), corrected
	}
	return next, wait, changed
}

// ReturnPhoneWait returns the window after a code was refused by the service that sends codes,
// if AdmitPhoneCode has admitted it at a time: the next code need not wait for PhoneSendRate.
// The refused one still counts towards PhoneDayRate, or somebody who makes that service refuse
// could ask it without a limit. The codes before it do not matter for PhoneSendRate any more,
// because it was admitted after them; a code that was admitted after it does.
func ReturnPhoneWait(w RateWindow, at time.Time) RateWindow {
	if at.After(w.BlockedUntil) {
		w.BlockedUntil = at
	}
	return w
}

// PhoneNumber is an Indian mobile number: +91 and ten digits. Printing or logging it does
// not show it; only Reveal does.
type PhoneNumber string

// longestPhone is how many bytes of a text are looked at. It leaves room for separators.
const longestPhone = 100

// ParsePhone reads a mobile number of India as people write it: with +91, 91, 0 or nothing
// before its ten digits, the first of which is 6 to 9, and with blanks, dashes, dots and
// parentheses between them. It returns an *Error with CodeField for any other text.
func ParsePhone(text string) (PhoneNumber, error) {
	fault := Faults{{Field: FieldPhoneNumber, Rule: RulePhone}}.Err()
	if len(text) > longestPhone {
		return "", fault
	}
	digits := strings.Map(func(r rune) rune {
		// An address book wraps a number in marks of its direction, which nobody sees.
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Pd, r) || strings.ContainsRune(".()", r) {
			return -1
		}
		return r
	}, text)
	digits, international := strings.CutPrefix(digits, "+")
	if !international && len(digits) > len("9876543210") {
		digits = strings.TrimPrefix(digits, "00")
	}
	if international || len(digits) > len("09876543210") {
		var indian bool
		if digits, indian = strings.CutPrefix(digits, "91"); !indian {
			return "", fault
		}
	}
	if len(digits) == len("09876543210") {
		digits = strings.TrimPrefix(digits, "0")
	}
	if len(digits) != len("9876543210") || digits[0] < '6' || !onlyDigits(digits) {
		return "", fault
	}
	return PhoneNumber("+91" + digits), nil
}

func onlyDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func (n PhoneNumber) Reveal() string { return string(n) }

// shownOfPhone is how many of a number's last digits its own people are shown.
const shownOfPhone = 3

// Masked returns what a number's own people are shown of it; blank for no number.
func (n PhoneNumber) Masked() string {
	if len(n) < shownOfPhone {
		return ""
	}
	return "+91 ••••• ••" + string(n[len(n)-shownOfPhone:])
}

// Format keeps the number out of every verb of fmt.
func (n PhoneNumber) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[redacted]") }

// MarshalText keeps the number out of JSON and of the log.
func (n PhoneNumber) MarshalText() ([]byte, error) { return []byte("[redacted]"), nil }

// PhoneCode is the six digits that are sent to a number. Printing or logging it does not
// show it; only Reveal does.
type PhoneCode string

// DrawPhoneCode makes a code. Each of the million codes is equally likely if each byte of
// random is. It returns the error of random.
func DrawPhoneCode(random io.Reader) (PhoneCode, error) {
	const fair = 1<<32 - 1<<32%phoneCodes // the last numbers would make some codes more likely
	for {
		var bytes [4]byte
		if _, err := io.ReadFull(random, bytes[:]); err != nil {
			return "", err
		}
		if n := binary.BigEndian.Uint32(bytes[:]); n < fair {
			return PhoneCode(fmt.Sprintf("%06d", n%phoneCodes)), nil
		}
	}
}

// ParsePhoneCode reads a code as people type it: blanks and dashes do not count. It returns
// an *Error with CodeField for a text that cannot be one.
func ParsePhoneCode(text string) (PhoneCode, error) {
	var digits string
	if len(text) <= longestPhone {
		digits = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Pd, r) {
				return -1
			}
			return r
		}, text)
	}
	if len(digits) != phoneCodeDigits || !onlyDigits(digits) {
		return "", Faults{{Field: FieldPhoneCode, Rule: RulePhoneCode, Max: phoneCodeDigits}}.Err()
	}
	return PhoneCode(digits), nil
}

func (c PhoneCode) Reveal() string { return string(c) }

// Format keeps the code out of every verb of fmt.
func (c PhoneCode) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[redacted]") }

// MarshalText keeps the code out of JSON and of the log.
func (c PhoneCode) MarshalText() ([]byte, error) { return []byte("[redacted]"), nil }

// PhoneCodeHash is what is stored of a phone code: an HMAC-SHA256 with a key that the
// database does not have. Without the key, a million guesses would find the code.
type PhoneCodeHash [sha256.Size]byte

// SentCode is a phone code that was sent, or is about to be. An account has one at most.
type SentCode struct {
	ID        string // UUID
	AccountID string
	Number    PhoneNumber
	Hash      PhoneCodeHash
	Checks    int // guesses that were judged
	SentAt    time.Time
}

// Until is when the code stops being valid.
func (s SentCode) Until() time.Time { return s.SentAt.Add(PhoneCodeSpan) }

// ChecksLeft is how many guesses may still be judged.
func (s SentCode) ChecksLeft() int { return max(0, PhoneCodeChecks-s.Checks) }

// HashOf returns the hash of a code if it was sent as this one: to this number, for this
// account.
func (s SentCode) HashOf(code PhoneCode, key [32]byte) PhoneCodeHash {
	mac := hmac.New(sha256.New, key[:])
	for _, part := range []string{s.AccountID, s.ID, s.Number.Reveal(), code.Reveal()} {
		_, _ = io.WriteString(mac, part)
		_, _ = mac.Write([]byte{0})
	}
	return PhoneCodeHash(mac.Sum(nil))
}

// Phone is the verified phone number of an account.
type Phone struct {
	Number     PhoneNumber // blank: not known, or none
	VerifiedAt time.Time
}
