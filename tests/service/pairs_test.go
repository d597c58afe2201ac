package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// pairsDir holds a folder per pair of files: orders.csv, report.csv, request.json
// with further fields of the request, if there are any, and expected.json.
const pairsDir = "testdata/pairs"

// expected is what a careful accountant would make of a pair. What is absent is
// not looked at.
type expected struct {
	Why             string           `json:"why"`
	Status          int              `json:"status"`
	Error           []string         `json:"error"` // parts of the message
	Results         []expectedResult `json:"results"`
	Warnings        *[]Warning       `json:"warnings"` // all of them, in any order
	WarningsContain []string         `json:"warnings_contain"`
	WarningsNot     []string         `json:"warnings_not"`
	Guidance        map[string]any   `json:"guidance"`
}

// expectedResult is fields of a result; of flag_reason, the parts that it must have
// (reason) and must not have (reason_not).
type expectedResult map[string]any

// TestPairs holds the service against pairs of files that were written from the
// decisions and from what real files look like, without a look at the code.
func TestPairs(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	folders := only.Value(filepath.Glob(filepath.Join(pairsDir, "*", "expected.json")))(t)
	require.NotEmpty(t, folders)
	for _, file := range folders {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want expected
			decodeKnown(t, read(t, file), &want)
			body := Body{}
			if text, err := os.ReadFile(filepath.Join(dir, "request.json")); err == nil {
				require.NoError(t, json.Unmarshal(text, &body))
			}
			body["shopify"], body["courier"] = read(t, filepath.Join(dir, "orders.csv")), read(t, filepath.Join(dir, "report.csv"))
			s.Clock.Advance(time.Minute) // past the window of duplicates and of the rate
			if faults := want.differences(t, c.Reconcile(t, body)); len(faults) > 0 {
				t.Errorf("%s\n%s", want.Why, strings.Join(faults, "\n"))
			}
		})
	}
}

// decodeKnown decodes JSON that may hold nothing else than v has.
func decodeKnown(t testing.TB, text string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	require.NoError(t, d.Decode(v))
}

// differences lists in what an answer is not as expected.
func (want *expected) differences(t testing.TB, a Answer) (faults []string) {
	t.Helper()
	if a.Status != want.Status {
		return []string{fmt.Sprintf("status %d, want %d: %.500s", a.Status, want.Status, a.Body)}
	}
	if a.Status != 200 {
		return lacking("the message", a.Message(), want.Error)
	}
	run := a.Run(t)
	left := slices.Clone(run.Results)
	for _, w := range want.Results {
		i := slices.IndexFunc(left, func(r Result) bool { return r.OrderID == w["order_id"] })
		if i < 0 {
			faults = append(faults, fmt.Sprint("there is no result of ", w["order_id"]))
			continue
		}
		faults = append(faults, w.differences(t, left[i])...)
		left = slices.Delete(left, i, i+1) // two orders may have one name
	}
	faults = append(faults, want.warningDifferences(run)...)
	var all struct {
		Guidance map[string]any `json:"cycle_guidance"`
	}
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	require.NoError(t, d.Decode(&all))
	for field, value := range want.Guidance {
		if got := all.Guidance[field]; got != value {
			faults = append(faults, fmt.Sprintf("cycle_guidance.%s is %v, want %v", field, got, value))
		}
	}
	return faults
}

func (want expectedResult) differences(t testing.TB, got Result) (faults []string) {
	text := only.Value(json.Marshal(got))(t)
	var values map[string]any
	decodeKnown(t, string(text), &values)
	for field, wanted := range want {
		switch value, known := values[field]; {
		case field == "reason":
			faults = append(faults, lacking("flag_reason", got.FlagReason, parts(wanted))...)
		case field == "reason_not":
			for _, part := range parts(wanted) {
				if says(got.FlagReason, part) {
					faults = append(faults, fmt.Sprintf("flag_reason says %q", part))
				}
			}
		case !known:
			faults = append(faults, "a result has no field "+field)
		case !same(value, wanted):
			faults = append(faults, fmt.Sprintf("%s is %v, want %v", field, value, wanted))
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%v: %s\n  (%s: %s)", want["order_id"], strings.Join(faults, ", "), got.Flag, got.FlagReason)}
}

// parts are the texts of a JSON array.
func parts(array any) (texts []string) {
	for _, part := range array.([]any) {
		texts = append(texts, part.(string))
	}
	return texts
}

// same compares two values of JSON; numbers as such.
func same(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, alsoNumber := b.(json.Number)
	return a == b || isNumber && alsoNumber && sameNumber(x, y)
}

func (want *expected) warningDifferences(run Run) (faults []string) {
	codes := run.codes()
	for _, code := range want.WarningsContain {
		if !slices.Contains(codes, code) {
			faults = append(faults, fmt.Sprintf("warnings are %v, without %s", codes, code))
		}
	}
	for _, code := range want.WarningsNot {
		if slices.Contains(codes, code) {
			faults = append(faults, fmt.Sprintf("warnings are %v, with %s", codes, code))
		}
	}
	if want.Warnings == nil {
		return faults
	}
	left := slices.Clone(run.Warnings)
	for _, w := range *want.Warnings {
		i := slices.IndexFunc(left, func(got Warning) bool { return got.Code == w.Code })
		if i < 0 {
			faults = append(faults, fmt.Sprintf("warnings are %v, without %s", codes, w.Code))
			continue
		}
		got := left[i]
		left = slices.Delete(left, i, i+1)
		if w.Count != nil && (got.Count == nil || *got.Count != *w.Count) {
			faults = append(faults, fmt.Sprintf("the count of %s is not %d: %s", w.Code, *w.Count, got.Message))
		}
		if w.Amount != "" && (got.Amount == "" || !sameNumber(got.Amount, w.Amount)) {
			faults = append(faults, fmt.Sprintf("the amount of %s is not %s: %s", w.Code, w.Amount, got.Message))
		}
	}
	for _, w := range left {
		faults = append(faults, fmt.Sprintf("it warns of %s: %s", w.Code, w.Message))
	}
	return faults
}

// lacking lists the parts that a text should have and has not.
func lacking(name, text string, parts []string) (faults []string) {
	for _, part := range parts {
		if !says(text, part) {
			faults = append(faults, fmt.Sprintf("%s lacks %q: %s", name, part, text))
		}
	}
	return faults
}

// says finds a part of a text whatever its case: the two files have DELIVERED.
func says(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// sameNumber compares numbers as such: 1000 is 1000.00.
func sameNumber(a, b json.Number) bool {
	x, isNumber := new(big.Rat).SetString(string(a))
	y, alsoNumber := new(big.Rat).SetString(string(b))
	return isNumber && alsoNumber && x.Cmp(y) == 0
}
