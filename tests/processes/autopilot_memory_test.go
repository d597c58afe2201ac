package processes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milaan/domain"

	"github.com/stretchr/testify/require"
)

// As many passes as an instance makes at once, each with as many bytes and lines of reports as
// a pass may have. Long: 32 passes of 55 MB,
// short: 6.
func TestMemoryOfPasses(t *testing.T) {
	soaking(t)
	const lines, most = 50_000, 640 * mebibyte
	in := newInstallation(t, "")
	s := newStage(t, 5_000)
	wide := wideReport(s, lines)
	require.Greater(t, len(wide), 55<<20)
	n := size(0, 6, 32)
	connections, done := in.connectionsOf(t)
	for i, account := range in.accounts(t, n, -1) {
		_, shop := s.shop(t, fmt.Sprintf("shop-%d", i), len(s.orders))
		source, put := s.bucketSource(t, i*sharing, "large") // on a server of its own
		put(wide)
		s.add(t, connections, &staged{}, account.id, shop, []domain.ReportSource{source}, time.Now())
	}
	done()
	r := in.start(t, "MILAAN_CONNECTION_ALLOW_LOOPBACK=true")
	awaitWithin(t, 10*time.Minute, "the passes to end", func() bool {
		return in.count(t, "SELECT COUNT(*) FROM passes WHERE ended_at_us IS NOT NULL") == n
	})
	require.Equal(t, n, in.count(t, "SELECT COUNT(*) FROM passes WHERE outcome = 'stored'"))
	peak := r.peakMemory(t)
	t.Logf("%d passes of %d MB of reports each: at most %d MiB of memory", n, len(wide)>>20, peak/mebibyte)
	require.Less(t, peak, int64(most))
	r.stop(t)
}

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
