package answer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/answer"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports/peers"
)

// parrot words every reason as a file's bytes.
type parrot string

func (p parrot) AppendReason(dst []byte, r *domain.Reason) []byte {
	r.Other = []byte(p) // so that it is known for a file's
	return append(dst, p...)
}

func (p parrot) AppendDispute(dst []byte, _ *verdict.Dispute) []byte  { return append(dst, p...) }
func (p parrot) Guidance(*domain.Guidance, int, peers.Names) []string { return []string{string(p)} }
func (p parrot) Message(error, peers.Names) string                    { return string(p) }
func (p parrot) Warning(*domain.Warning, peers.Names) string          { return string(p) }

// reasonOf writes one result with a reason, and reads it again.
func reasonOf(t *testing.T, reason string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, answer.New(parrot(reason), nil).Write(&b, finishedRun([]string{"#1"}, []string{"A1"}), false))
	got := decoded[reply](t, b.Bytes())
	require.Equal(t, "unfulfilled", got.Results[0].Status, "what follows is whole")
	return got.Results[0].FlagReason
}

// TestReasonsAreEscaped holds that a reason may repeat whatever a file holds.
func TestReasonsAreEscaped(t *testing.T) {
	for _, text := range append(oddTexts, "₹650 as “RTO”", "Ünïcode", "\x00\x1f\x7f", "a\"", "\"a", "\\", "ßß\xc3", "\xc3ß\xc3x", "\xc1\xbf", "अ\xe0\x9f\xbf", "\xed\xa0\x80अ", "\xed\x9f\xbf", "\xe0\xa4", "\xe2\x82", "₹\xff\"₹", "<b>&amp;") {
		require.Equal(t, asJSON(t, text), reasonOf(t, text))
	}
}

// asJSON is what encoding/json makes of a text.
func asJSON(t *testing.T, text string) (read string) {
	t.Helper()
	whole, err := json.Marshal(text)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(whole, &read))
	return read
}

func FuzzReasonsAreEscaped(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		require.Equal(t, asJSON(t, text), reasonOf(t, text))
	})
}

// FuzzFilesCannotBreakTheAnswer puts a text of a file where reasons repeat one:
// names, payment methods and AWBs.
func FuzzFilesCannotBreakTheAnswer(f *testing.F) {
	f.Add([]byte(`"},{"flag":"RECONCILED`), []byte("\xff\u2028\x00"))
	f.Fuzz(func(t *testing.T, name, method []byte) {
		reason := domain.Reason{Flag: domain.Overdue, Cause: domain.CauseListedByOther, Notes: 1<<20 - 1, Other: name, Method: method,
			CourierStatus: name, MoneyStatus: method, HintID: name}
		words := string(wording.New().AppendReason(nil, &reason))
		require.Equal(t, words, reasonOf(t, words), "it is UTF-8 already")
		warning := domain.Warning{Code: domain.WarnRoundedAWBs, Column: string(name), Examples: []string{string(method)}}
		words = wording.New().Warning(&warning, nil)
		require.Equal(t, words, reasonOf(t, words))
	})
}

// ordinary returns the given number of orders and their lines: paid, short, late and awaiting.
func ordinary(n int) ([]string, []string, []verdict.Remittance) {
	var names, awbs []string
	var lines []verdict.Remittance
	for i := range n {
		names, awbs = append(names, fmt.Sprintf("#%d", i)), append(awbs, fmt.Sprintf("149026%08d", i))
		line := verdict.Remittance{AWB: []byte(awbs[i]), Collected: 1050, Remitted: 1050, RemittedOn: asOf}
		switch i % 10 {
		case 0:
			continue
		case 1:
			line.Remitted = 0
		case 2:
			line.Remitted = 700
		}
		lines = append(lines, line)
	}
	return names, awbs, lines
}

// TestRowsTakeNoMemory holds that an answer allocates no more for many rows than
// for few.
func TestRowsTakeNoMemory(t *testing.T) {
	w := answer.New(wording.New(), nil)
	allocations := func(rows int) float64 {
		names, awbs, lines := ordinary(rows)
		o := finishedRun(names, awbs, lines...)
		return testing.AllocsPerRun(5, func() { require.NoError(t, w.Write(io.Discard, o, false)) })
	}
	require.InDelta(t, allocations(10), allocations(3000), 10)
}
