package processes_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// slowWay is how a client is slow: what it does with its connection until it is
// over, which a closed channel says.
type slowWay func(conn net.Conn, key string, over <-chan struct{})

// A header that never ends, a byte a second.
func slowHeader(conn net.Conn, _ string, over <-chan struct{}) {
	if _, err := io.WriteString(conn, "POST /reconcile HTTP/1.1\r\nHost: milaan\r\nX-Filler: "); err == nil {
		trickle(conn, over)
	}
}

// A body of a megabyte, a byte a second.
func slowBody(conn net.Conn, key string, over <-chan struct{}) {
	if _, err := fmt.Fprintf(conn, slowHead, key, mebibyte); err == nil {
		trickle(conn, over)
	}
}

// A body of which the first part comes at once, and the rest a byte a second.
func stalledBody(conn net.Conn, key string, over <-chan struct{}) {
	part := strings.Repeat(" ", 300<<10)
	if _, err := fmt.Fprintf(conn, slowHead+"%s", key, largestBody, part); err == nil {
		trickle(conn, over)
	}
}

const slowHead = "POST /reconcile HTTP/1.1\r\nHost: milaan\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"

// ask sends a whole request. Its body is not formatted: 400 copies of a large one would make the
// test itself what others wait for.
func ask(conn net.Conn, key string, body []byte) error {
	if _, err := fmt.Fprintf(conn, slowHead, key, len(body)); err != nil {
		return err
	}
	_, err := conn.Write(body)
	return err
}

// trickle writes a byte a second until the service ends the connection.
func trickle(conn net.Conn, over <-chan struct{}) {
	for aSecond(over) {
		if _, err := conn.Write([]byte{' '}); err != nil {
			return
		}
	}
}

// aSecond waits for one, unless it is over.
func aSecond(over <-chan struct{}) bool {
	select {
	case <-time.After(time.Second):
		return true
	case <-over:
		return false
	}
}

// A large request that is sent at once, and its answer read a byte a second.
func slowReader(body []byte) slowWay {
	return func(conn net.Conn, key string, over <-chan struct{}) {
		if err := ask(conn, key, body); err != nil {
			return
		}
		var one [1]byte
		for aSecond(over) {
			if _, err := conn.Read(one[:]); err != nil {
				return
			}
		}
	}
}

// Requests whose small body makes a large answer, which is read at a steady 300
// KiB/s: far faster than the slowest rate. After each comes the next.
func steadyReader(body []byte) slowWay {
	return func(conn net.Conn, key string, _ <-chan struct{}) { // the end of the connection ends it
		for {
			if err := ask(conn, key, body); err != nil {
				return
			}
			steady := &steadily{conn: conn, began: time.Now()}
			answer, err := http.ReadResponse(bufio.NewReader(steady), nil)
			if err != nil {
				return
			}
			_, err = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if err != nil {
				return
			}
		}
	}
}

// steadily reads at 300 KiB/s.
type steadily struct {
	conn  net.Conn
	began time.Time
	read  int
}

func (s *steadily) Read(p []byte) (int, error) {
	time.Sleep(time.Until(s.began.Add(time.Duration(s.read) * time.Second / (300 << 10))))
	n, err := s.conn.Read(p[:min(len(p), 10<<10)])
	s.read += n
	return n, err
}

// manyRows is a body of 0.9 MB whose answer is twelve times as long.
func manyRows() []byte {
	var export strings.Builder
	export.WriteString(`{"shopify":"Name,Total,Created at,AWB\n0,1,2026-01-01,999\n`)
	for i := range 47_000 {
		fmt.Fprintf(&export, `%07d,1,,%07d\n`, i, i+1_000_000)
	}
	export.WriteString(`","courier":"AWB No,COD Amount,Remittance Date\n1,1,2026-01-01\n","courierName":"delhivery"}`)
	return []byte(export.String())
}

// attack opens connections and is slow on each. They all end with the test.
func attack(t *testing.T, r *replica, conns int, keys []account, way slowWay) {
	t.Helper()
	address := strings.TrimPrefix(r.url, "http://")
	var open []net.Conn
	for range conns {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
		open = append(open, conn)
	}
	var wait sync.WaitGroup
	over := make(chan struct{})
	for i, conn := range open {
		wait.Go(func() { way(conn, keys[i%len(keys)].key, over) })
	}
	t.Cleanup(func() {
		close(over)
		for _, conn := range open {
			_ = conn.Close()
		}
		wait.Wait()
	})
}

// Slow clients hurt themselves. Whatever way they are slow in, and however many
// connections they have, the small and the large requests of another account
// are answered soon, and right. Soon is half of how long a request may wait for memory,
// and what a busy machine needs for a large request, three times over.
func TestSlowClientsHurtNobodyElse(t *testing.T) {
	heavy(t)
	asked := size(1, 8, 8) // by accounts that are not slow, of either size one after the other
	// Two dozen of these fill the memory for bodies.
	large := newCargo(size(12_000, 27_000, 27_000), true)
	for _, c := range []struct {
		name            string
		conns, accounts int
		way             slowWay
		long            bool   // needs MILAAN_SOAK: others show nearly the same
		wait            string // MILAAN_BODY_WAIT; blank: as shipped
	}{
		{"36 connections of four accounts, in the body", 36, 4, slowBody, true, ""},
		{"36 connections of two accounts, in the header", 36, 2, slowHeader, true, ""},
		{"36 connections of two accounts, in the body", 36, 2, slowBody, true, ""},
		{"36 connections of two accounts, in a large body", 36, 2, stalledBody, true, ""},
		{"36 connections of two accounts, in reading the answer", 36, 2, slowReader(large.body), false, ""},
		{"400 connections of two accounts, in the header", 400, 2, slowHeader, false, ""},
		{"400 connections of two accounts, in the body", 400, 2, slowBody, true, ""},
		{"400 connections of two accounts, in a large body", 400, 2, stalledBody, false, ""},
		{"400 connections of two accounts, in reading the answer", 400, 2, slowReader(large.body), true, ""},
		{"400 connections of 40 accounts, in the body", 400, 40, slowBody, false, ""},
		{"4 connections of one account, in large answers to small bodies", 4, 1, steadyReader(manyRows()), false, "3s"},
	} {
		if c.long && !longAsked() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			alongside(t) // the others of this test
			in := newInstallation(t, "")
			accounts := in.accounts(t, c.accounts+2, -1)
			var settings []string
			if c.wait != "" {
				settings = []string{"MILAAN_BODY_WAIT=" + c.wait}
			}
			r := in.start(t, settings...)
			slow, other := accounts[:c.accounts], accounts[c.accounts:]
			small := smallCargo()
			quiet := large.haul(t, r, other[1].key, "quiet")
			require.Equal(t, http.StatusOK, quiet.status, "before the attack: %.200s", quiet.body)
			soon := 5*time.Second + 3*quiet.took
			attack(t, r, c.conns, slow, c.way)
			time.Sleep(time.Second)

			var light, heavy []time.Duration
			for i := range asked {
				a := small.haul(t, r, other[0].key, brandOf(i))
				require.NoError(t, a.err)
				require.Equal(t, http.StatusOK, a.status, "a small request: %.200s", a.body)
				require.Less(t, a.took, soon, "a small request")
				light = append(light, a.took)
				a = large.haul(t, r, other[1].key, brandOf(i))
				require.NoError(t, a.err)
				require.Equal(t, http.StatusOK, a.status, "a large request: %.200s", a.body)
				require.Less(t, a.took, soon, "a large request")
				heavy = append(heavy, a.took)
			}
			t.Logf("%d small requests took %v, %d large ones %v", asked, waits(light), asked, waits(heavy))
		})
	}
}
