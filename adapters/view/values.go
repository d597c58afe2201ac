package view

import (
	"strconv"
	"strings"
	"time"

	"milaan/domain"
)

// Instant is a time in UTC, in milliseconds, fractions cut off; null for none.
type Instant time.Time

func (i Instant) MarshalJSON() ([]byte, error) {
	return marshalTime(time.Time(i), `"2006-01-02T15:04:05.000Z"`)
}

// Second is a time in UTC, in seconds, fractions cut off; null for none.
type Second time.Time

func (s Second) MarshalJSON() ([]byte, error) {
	return marshalTime(time.Time(s), `"2006-01-02T15:04:05Z"`)
}

// IsZero says that there is no time, for members that are left out then.
func (s Second) IsZero() bool { return time.Time(s).IsZero() }

func marshalTime(t time.Time, layout string) ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.UTC().AppendFormat(nil, layout), nil
}

// Rupees is an amount in rupees, a number with two decimals at most.
type Rupees domain.Paise

func (r Rupees) MarshalJSON() ([]byte, error) { return domain.Paise(r).AppendRupees(nil), nil }

// UnmarshalJSON reads what MarshalJSON has written, to the last paisa.
func (r *Rupees) UnmarshalJSON(text []byte) error {
	whole, fraction, _ := strings.Cut(string(text), ".")
	paise, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	*r = Rupees(paise)
	return err
}

// OrNone returns a value that is null if it is the zero value.
func OrNone[T comparable](value T) *T {
	var none T
	if value == none {
		return nil
	}
	return &value
}

// OrEmpty returns a list that is empty in JSON, not null, if there is nothing in it.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Each returns the views of all elements of a list, of none an empty list.
func Each[T, V any](list []T, view func(*T) V) []V {
	views := make([]V, len(list))
	for i := range list {
		views[i] = view(&list[i])
	}
	return views
}
