package httpapi

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// crowdedItems knows how many callers it has had at once. Each stays until there is another, or for long.
type crowdedItems struct {
	ports.KeepingItems
	now, most atomic.Int32
}

func (k *crowdedItems) MarkItems(context.Context, domain.Account, string, []ports.ItemChange) error {
	now := k.now.Add(1)
	defer k.now.Add(-1)
	for range 20_000 {
		if k.most.Store(max(k.most.Load(), now)); k.now.Load() > 1 {
			return nil
		}
		runtime.Gosched()
	}
	return nil
}

// TestItemsAreMarkedOneAtATime holds that an account marks its kept open items once at a time, however many requests come.
func TestItemsAreMarkedOneAtATime(t *testing.T) {
	s, items := start(t, nil), &crowdedItems{}
	s.server.params.Items = items
	var all sync.WaitGroup
	for range 8 {
		mark := `[{"order_id":"#1","state":"disputed"}]`
		r := s.postTo(t, "/app/api/connections/c/open-items/marks", text(`{"marks":`+mark+`,"was":`+mark+`}`))
		r.Header.Del("Authorization")
		r.Header.Set("Cookie", "milaan="+signedIn)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		all.Go(func() {
			if got, err := attempt(r); err != nil || got.status != http.StatusNoContent {
				t.Errorf("%d %s %v", got.status, got.body, err)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 1, items.most.Load())
}

// keptItems are read and compared once end is closed.
type keptItems struct {
	ports.KeepingItems
	s     *service
	reads atomic.Int32 // that have begun
	end   chan struct{}
}

func (k *keptItems) DisputeItems(context.Context, domain.Account, string, string) (*ports.Document, error) {
	k.reads.Add(1)
	<-k.end
	return &ports.Document{FinishedRun: k.s.outcome(""), Format: domain.FormatDispute, Write: func(create func(string) (io.Writer, error)) ([]domain.Warning, error) {
		_, err := create("letter.txt")
		return nil, err
	}}, nil
}

// TestDisputesOfKeptItemsAreReadWithPlaces holds that of the requests for dispute packs only as many read the open items at once
// as there are cores: each has up to 50,000 orders in memory. The others wait, and have theirs then.
func TestDisputesOfKeptItemsAreReadWithPlaces(t *testing.T) {
	s := &service{}
	items := &keptItems{s: s, end: make(chan struct{})}
	params := s.params(nil)
	params.Items = items
	var err error
	s.server, err = New(params)
	require.NoError(t, err)
	s.server.transport.loopback = true
	cores := runtime.GOMAXPROCS(0)
	answers := make(chan *httptest.ResponseRecorder, 3*cores)
	for range cap(answers) {
		r := httptest.NewRequest(http.MethodGet, "/app/api/connections/c1/open-items/dispute?courier=dtdc", nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("Cookie", "milaan="+signedIn)
		go func() {
			w := httptest.NewRecorder()
			s.server.public.Handler.ServeHTTP(w, r)
			answers <- w
		}()
	}
	require.Eventually(t, func() bool { return figure(t, s.server.figures, "milaan_body_waiting") == float64(2*cores) }, time.Minute, time.Millisecond)
	require.EqualValues(t, cores, items.reads.Load())
	close(items.end)
	for range cap(answers) {
		w := <-answers
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.Equal(t, "application/zip", w.Header().Get("Content-Type"))
	}
	require.EqualValues(t, 3*cores, items.reads.Load())
}
