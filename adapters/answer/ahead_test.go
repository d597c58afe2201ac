package answer_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/answer"
	"milaan/adapters/wording"
	"milaan/domain"
)

// TestAnAnswerIsTheSameIfItIsBegunAhead holds it for answers that fit a buffer and for one that does not.
func TestAnAnswerIsTheSameIfItIsBegunAhead(t *testing.T) {
	onCores(t, 2)
	w := answer.New(wording.New(), nil)
	names, awbs, lines := ordinary(500)
	for _, long := range []string{"", string(bytes.Repeat([]byte("é\""), 300))} {
		names[1] += long
		for i := range names {
			names[i] += long
		}
		for _, duplicate := range []bool{false, true} {
			run := finishedRun(names, awbs, lines...)
			run.Include = domain.IncludeOrders | domain.IncludePayouts
			var early string
			w.Begin(run, func(answer []byte) { early = string(answer) })
			require.NotNil(t, run.Begun)
			run.Run.ID, run.Duplicate = "run-1", duplicate
			var ahead, alone bytes.Buffer
			require.NoError(t, w.Write(&ahead, run, false))
			if long == "" && !duplicate {
				require.Equal(t, ahead.String(), early)
			}
			require.Nil(t, run.Begun)
			require.NoError(t, w.Write(&alone, run, false))
			require.Equal(t, alone.String(), ahead.String())
		}
	}
}

func TestALongAnswerIsNotBegun(t *testing.T) {
	onCores(t, 2)
	run := varied()
	run.Memory = 1 << 20
	answer.New(wording.New(), nil).Begin(run, func([]byte) {})
	require.Nil(t, run.Begun)
}

// TestADroppedAnswerIsNotMadeAnyMore holds that nobody reads a run that was released: its memory is then another run's.
func TestADroppedAnswerIsNotMadeAnyMore(t *testing.T) {
	onCores(t, 2)
	names, awbs, lines := ordinary(500)
	run := finishedRun(names, awbs, lines...)
	for range 20 {
		words := &watchedWords{Wording: wording.New(), panicsFor: -1}
		answer.New(words, nil).Begin(run, func([]byte) {})
		require.NotNil(t, run.Begun)
		run.Release()
		words.over.Store(true)
		require.NoError(t, answer.New(wording.New(), nil).Write(io.Discard, run, false)) // which takes a while
		require.False(t, words.late.Load())
	}
}

// TestAPanicAheadIsTheWriters holds that it is a panic of whoever writes the answer, if anybody does.
func TestAPanicAheadIsTheWriters(t *testing.T) {
	onCores(t, 2)
	w := answer.New(&watchedWords{Wording: wording.New(), panicsFor: 1050}, nil)
	names, awbs, lines := ordinary(500)
	run := finishedRun(names, awbs, lines...)
	for range 2 { // the second answer has a helper too
		for _, end := range []func(){
			func() {
				require.Regexp(t, `(?s)^no words for ₹10\.50\n.*watchedWords`, panicOf(func() { _ = w.Write(io.Discard, run, false) }))
			},
			run.Release,
		} {
			w.Begin(run, func([]byte) {})
			require.NotNil(t, run.Begun)
			end()
			require.Nil(t, run.Begun)
		}
	}
}
