package processes_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestMemoryOfPasses has as many passes as an instance makes at once, each with as many bytes
// and lines of reports as a pass may have, in a container of 512 MB, in which eight accounts
// make documents and upload files meanwhile: passes are stored all the same. Long: 32 passes of 55 MB,
// short: 6.
func TestMemoryOfPasses(t *testing.T) {
	soaking(t)
	const lines, limit, attackers = 50_000, 512 * mebibyte, 8
	in := newInstallation(t, "")
	s := newStage(t, 5_000)
	wide := wideReport(s, lines)
	require.Greater(t, len(wide), 55<<20)
	n := size(0, 6, 32)
	connections, done := in.connectionsOf(t)
	accounts := in.accounts(t, n+attackers, -1)
	for i, account := range accounts[:n] {
		_, shop := s.shop(t, fmt.Sprintf("shop-%d", i), len(s.orders))
		source, put := s.bucketSource(t, i*sharing, "large") // on a server of its own
		put(wide)
		s.add(t, connections, &staged{}, account.id, shop, []domain.ReportSource{source}, time.Now())
	}
	done()
	crowd := accounts[n:]
	people := in.people(t, crowd...)
	c := newContainer(t, limit)
	r := c.start(t, in, "MILAAN_CONNECTION_ALLOW_LOOPBACK=true")
	watched := r.watchMemory()
	ended, attacking := make(chan struct{}), sync.WaitGroup{}
	names := []string{"document dispute", "document pdf", "upload UTF-16", "document xlsx"}
	for i, account := range crowd {
		attacking.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
					_ = attacks()[names[i%len(names)]].send(t, r, account, people[i].cookie)
				}
			}
		})
	}
	awaitWithin(t, 10*time.Minute, "the passes to end", func() bool {
		return in.count(t, "SELECT COUNT(*) FROM passes WHERE ended_at_us IS NOT NULL") == n || c.killed(t) > 0
	})
	close(ended)
	attacking.Wait()
	peak := watched()
	require.Zero(t, c.killed(t))
	// On a busy machine a pass may fail, because a source counts as slow or the database as busy:
	// the next one comes by itself, and the log says why.
	stored := in.count(t, "SELECT COUNT(*) FROM passes WHERE outcome = 'stored'")
	for _, line := range passLine.FindAllString(r.journal.text(), -1) {
		t.Log(line)
	}
	require.Greater(t, stored, n/2)
	t.Logf("%d of %d passes of %d MB of reports each are stored: at most %d MiB of memory", stored, n, len(wide)>>20, peak/mebibyte)
	require.Less(t, peak, c.limit)
	r.stop(t)
}

// passLine is the line of the log about a pass that failed.
var passLine = regexp.MustCompile(`.*"msg":"pass".*"failed".*`)

// wideReport has lines with as many bytes of remarks as fit.
func wideReport(s *autopilotStage, lines int) string {
	var b strings.Builder
	b.WriteString("AWB No,COD Amount,Remitted Amount,Remittance Date,Remarks\n")
	remarks := strings.Repeat("handed over at the door; ", 46)
	for i := range lines {
		o := s.orders[i%len(s.orders)]
		fmt.Fprintf(&b, "%s,1499.00,1499.00,%d-11-%02d,%s\n", o.Fulfilments[0].Tracking[0].Number, s.began.Year(), 1+i%9, remarks)
	}
	return b.String()
}
