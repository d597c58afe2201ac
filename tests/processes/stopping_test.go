package processes_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// heldRun is a request whose body is half sent: in flight until it is let go.
type heldRun struct {
	rest   func()
	answer chan answer
}

// hold sends a run's header and the first half of its body. It returns once
// the service has let the request in and asks for the body.
func (r *replica) hold(t *testing.T, key, brand string) *heldRun {
	t.Helper()
	body := runBody(brand)
	begun, rest := body[:len(body)/2], body[len(body)/2:]
	reader, writer := io.Pipe()
	asked := make(chan struct{})
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(asked) }})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/reconcile", reader)
	require.NoError(t, err)
	request.ContentLength = int64(len(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Expect", "100-continue")
	held := &heldRun{answer: make(chan answer, 1), rest: func() {
		_, _ = io.Copy(writer, bytes.NewReader(rest)) // a lost connection shows in the answer
		_ = writer.Close()
	}}
	go func() { held.answer <- send(request) }()
	select {
	case <-asked:
	case a := <-held.answer:
		t.Fatalf("the run was not let in: %d %s %v", a.status, a.body, a.err)
	}
	_, err = writer.Write(begun)
	require.NoError(t, err)
	return held
}

// refusesConnections says that nobody listens at the replica's address.
func (r *replica) refusesConnections(t *testing.T) bool {
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		return true
	}
	_ = c.Close()
	return false
}

// A replica that is told to stop finishes what it has begun, takes nothing new
// and ends in order; the other one notices nothing.
func TestStoppingFinishesRunsInFlight(t *testing.T) {
	const inFlight = 8
	onBoth(t, func(t *testing.T, in *installation) {
		accounts := in.accounts(t, inFlight+1, -1)
		both := in.pair(t)
		var held []*heldRun
		for i := range inFlight {
			held = append(held, both[0].hold(t, accounts[i].key, brandOf(i)))
		}
		both[0].signal(syscall.SIGTERM)
		await(t, "new connections to be refused", func() bool { return both[0].refusesConnections(t) })
		outcomeOf(t, both[1].reconcile(t, accounts[inFlight].key, "elsewhere"))
		select {
		case <-both[0].ended:
			t.Fatal("it did not wait for the requests in flight")
		default:
		}

		var wait sync.WaitGroup
		for _, h := range held {
			wait.Go(h.rest)
		}
		wait.Wait()
		for _, h := range held {
			outcomeOf(t, <-h.answer)
		}
		require.Zero(t, both[0].exitCode(t), both[0].journal.text())
		require.Equal(t, inFlight+1, in.count(t, "SELECT COUNT(*) FROM runs"))
		outcomeOf(t, both[1].reconcile(t, accounts[inFlight].key, "afterwards"))
		both[1].stop(t)
	})
}
