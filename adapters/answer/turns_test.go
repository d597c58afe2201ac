package answer_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/answer"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// onCores runs with so many cores for the rest of the test.
func onCores(t *testing.T, n int) {
	t.Helper()
	usual := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(usual) })
}

// varied returns a run about 9,000 orders of which many have much to say: several lines, shared
// AWBs, lines with other AWBs, hints, charges, and names so long that some turns do not fit a buffer.
func varied() *ports.FinishedRun {
	names, awbs, lines := ordinary(9000)
	for i := range names {
		line := verdict.Remittance{AWB: []byte(awbs[i]), Listed: 1050, Collected: 1050, Remitted: 300, RemittedOn: asOf}
		switch i % 11 {
		case 0:
			awbs[i] = "3806000001" // shared by all these
		case 1:
			names[i] += "-" + strings.Repeat("é\"", i%700)
		case 2:
			lines = append(lines, line)
		case 3:
			line.HasStatus, line.Stated = true, 900
			lines = append(lines, line)
		case 4:
			line.AWB, line.OrderID = []byte("7"+awbs[i]), []byte(names[i][1:]) // beside, or another AWB
			lines = append(lines, line)
		case 5:
			line.AWB, line.OrderID = []byte(awbs[i]+"-x"), []byte(names[i][1:]+"-R1") // looks like the order's
			lines = append(lines, line)
		case 6:
			line.OrderID = []byte(names[(i+1)%len(names)][1:]) // names another one
			lines = append(lines, line)
		}
	}
	lines = append(lines, verdict.Remittance{AWB: []byte("3806000001"), Listed: 99_000, Remitted: 99_000, RemittedOn: asOf})
	return finishedRun(names, awbs, lines...)
}

func TestTwoGoroutinesMakeTheSameAnswer(t *testing.T) {
	run, w := varied(), answer.New(wording.New(), nil)
	var alone, together bytes.Buffer
	onCores(t, 2)
	require.NoError(t, w.Write(&together, run, false))
	runtime.GOMAXPROCS(1)
	require.NoError(t, w.Write(&alone, run, false))
	require.Greater(t, alone.Len(), 3<<20)
	require.True(t, bytes.Equal(alone.Bytes(), together.Bytes()))
	for _, says := range []string{"is also that of", "names it", "hint: ", "charges", "the export has AWB"} {
		require.NotEqual(t, -1, strings.Index(alone.String(), says), says)
	}
}

// watchedWords notes whether reasons are asked for when nobody may ask any more, and panics for
// one due.
type watchedWords struct {
	peers.Wording
	over, late atomic.Bool
	panicsFor  domain.Paise
}

func (w *watchedWords) AppendReason(dst []byte, r *domain.Reason) []byte {
	if w.over.Load() {
		w.late.Store(true)
	}
	if r.Due == w.panicsFor {
		panic(fmt.Sprint("no words for ", r.Due))
	}
	return w.Wording.AppendReason(dst, r)
}

// TestBrokenAnswerEndsItsHelper holds that nobody reads a run after its answer has failed: its
// memory is then another run's.
func TestBrokenAnswerEndsItsHelper(t *testing.T) {
	run := varied()
	onCores(t, 2)
	for range 20 {
		words := &watchedWords{Wording: wording.New(), panicsFor: -1}
		require.ErrorIs(t, answer.New(words, nil).Write(brokenPipe{}, run, false), errBroken)
		words.over.Store(true)
		require.NoError(t, answer.New(wording.New(), nil).Write(io.Discard, run, true)) // which takes a while
		require.False(t, words.late.Load())
	}
}

// panicOf is the text of a panic.
func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

// TestHelperPanics holds that a panic of the helper is one of the caller, who answers for it, and that it tells where it was.
func TestHelperPanics(t *testing.T) {
	names, awbs, _ := ordinary(9000)
	var orders verdict.Orders
	orders.Reset()
	for i, name := range names {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn = domain.Paise(1050+i), true, asOf
		orders.Track(o, []byte(awbs[i]))
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, new(verdict.Remittances), domain.TermsFor(nil, 0, nil, "")))
	onCores(t, 2)
	w := answer.New(&watchedWords{Wording: wording.New(), panicsFor: 1050 + 1500}, nil)
	run := ports.NewFinishedRun(&r, domain.Run{}, domain.Mapping{}, nil)
	for range 2 { // the second answer has a helper too
		require.Regexp(t, `(?s)^no words for ₹25\.50\n.*watchedWords`, panicOf(func() { _ = w.Write(io.Discard, run, false) }))
	}
}
