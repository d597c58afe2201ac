package sources_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/network"
)

// slowDays asks an API that takes as long as that for an answer for the last days, and returns how long
// it took.
func slowDays(t *testing.T, answer time.Duration, days int, testing bool) (files []ports.SourceFile, took time.Duration, err error) {
	w := network.NewWire()
	w.Serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		time.Sleep(answer) // of the bubble's clock
		fmt.Fprint(rw, `{"status_code":200,"data":[{"airway_bill_no":"1","order_no":"#1","price":"5"}]}`)
	})
	r := sources.New(sources.Params{Settings: sources.Settings{AllowLoopback: true}, Guards: outbound.New(outbound.Settings{Dial: w.Dial}),
		Clock: func() time.Time { return sentAt }})
	a := access("ithink", map[string]string{"access_token": "a", "secret_key": "b", "base_url": "http://127.0.0.1:80"})
	a.Testing = testing
	began := time.Now()
	open, err := r.Open(t.Context(), a)
	require.NoError(t, err)
	files, err = open.List(t.Context(), (domain.DayOf(sentAt) - domain.Day(days)).Start())
	require.NoError(t, open.Close())
	w.HangUp()
	return files, time.Since(began), err
}

// TestIThinkThatIsSlow holds that a window for which there is time is read, and that of another one is
// said which would do: by a test at once, by a pass when half of its time is over.
func TestIThinkThatIsSlow(t *testing.T) {
	for _, c := range []struct {
		answer time.Duration
		days   int
		fits   int // 0: all of them
		test   bool
		at     time.Duration
		files  int
	}{
		{answer: 52 * time.Second, days: 45, at: 13 * 52 * time.Second, files: 46},
		{answer: 85 * time.Second, days: 45, at: 13 * 85 * time.Second, files: 46},
		{answer: 119 * time.Second, days: 36, at: 10 * 119 * time.Second, files: 37},
		{answer: 119 * time.Second, days: 45, fits: 36, at: 6 * 119 * time.Second},
		{answer: 119 * time.Second, days: 45, fits: 36, at: 119 * time.Second, test: true},
		{answer: 52 * time.Second, days: 45, at: 52 * time.Second, test: true, files: 1},
		{answer: 5 * time.Second, days: 45, at: 7 * 5 * time.Second, test: true, files: 25},
		{answer: time.Second, days: 45, at: 13 * time.Second, test: true, files: 46},
	} {
		t.Run(fmt.Sprint(c.answer, c.days, c.test), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				files, took, err := slowDays(t, c.answer, c.days, c.test)
				require.InDelta(t, c.at.Seconds(), took.Seconds(), 1)
				if c.fits == 0 {
					require.NoError(t, err)
					require.Len(t, files, c.files)
					require.NotNil(t, files[0].Content)
					return
				}
				failure := failed(t, err, domain.ConnManyDays)
				require.Equal(t, c.fits, failure.Days)
				require.EqualValues(t, c.fits, failure.Limit)
				require.InDelta(t, c.answer.Seconds(), failure.Wait.Seconds(), 1)
			})
		})
	}
}
