package processes_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// An hour of the autopilot, compressed: all that takes time in it is as much shorter, namely
// the period, the timeouts of the connectors and how fast shops restore what a query costs.
// One shop or server in ten says nothing or answers slowly. Long: 2,000 connections in six
// minutes on either database; short: 50 in half a minute.
func TestAutopilotUnderLoad(t *testing.T) {
	soaking(t)
	program := only.Value(hurried())(t)
	onBoth(t, func(t *testing.T, in *installation) {
		in.program = program
		period := time.Duration(size(0, 30, 360)) * time.Second
		l := &load{installation: in, autopilotStage: newStage(t, 300), compressed: int(domain.PassPeriod / period), connections: size(0, 50, 2000)}
		speed := pace{period: period, timeouts: l.compressed, schedule: 5 * time.Second / time.Duration(l.compressed)}
		if l.compressed > 10 { // else no connection of this machine could be so quick
			speed.timeouts = 10
		}
		l.bucket, l.restored = 2000, 100*float64(l.compressed)
		l.connect(t)
		r := in.start(t, speed.environment()...)

		// The first passes of all connections are due at once.
		began := time.Now()
		firstLimit := 4*period + 2*domain.SnapshotInterval
		awaitWithin(t, firstLimit, "the first passes to end", func() bool {
			return in.count(t, "SELECT COUNT(DISTINCT connection_id) FROM passes WHERE ended_at_us IS NOT NULL") == l.connections
		})
		t.Logf("the first passes of %d connections, all due at once: %v, %v", l.connections, time.Since(began).Round(time.Second), l.outcomes(t, time.Time{}, time.Now()))

		// Of a healthy connection in ten a report changes before its next pass.
		for i, c := range l.autopilotStage.connections {
			if i%10 == 5 && len(c.put) > 0 {
				c.put[0](l.report(i, 80))
			}
		}
		from, cpu, asked := time.Now(), r.processorTime(t), l.requests()
		to := from.Add(period)
		time.Sleep(time.Until(to))
		spent, requests := r.processorTime(t)-cpu, l.requests()-asked
		due := fmt.Sprintf("due_at_us >= %d AND due_at_us < %d AND NOT asked", from.UnixMicro(), to.UnixMicro())
		awaitWithin(t, period, "the passes of the period to end", func() bool {
			return in.count(t, "SELECT COUNT(*) FROM passes WHERE ended_at_us IS NOT NULL AND "+due) >= l.connections
		})
		t.Logf("%d connections in a period of %v: %v", l.connections, period, l.outcomes(t, from, to))
		late := l.checkPeriod(t, due)
		for _, m := range slices.Sorted(maps.Keys(late)) {
			slices.Sort(late[m])
			at := func(percent int) time.Duration {
				return late[m][(len(late[m])-1)*percent/100].Round(time.Millisecond)
			}
			t.Logf("lateness of %d passes, %s: p50 %v, p95 %v, p99 %v, at most %v", len(late[m]), m, at(50), at(95), at(99), at(100))
		}
		t.Logf("%.1f requests/s of the service to shops and sources; %.1f s of processor time in %v, which is %.1f ms a pass; at most %d MiB of memory since the start",
			float64(requests)/period.Seconds(), spent.Seconds(), period, 1000*spent.Seconds()/float64(l.connections), r.peakMemory(t)/mebibyte)
		r.stop(t)
	})
}

// load is an installation under load.
type load struct {
	*installation
	*autopilotStage
	compressed  int // how many times as fast as usual all is
	connections int
}

// connect stores the connections. Each is an account's only one, and each shop is a host of
// its own. Reports are on servers that twenty connections use, half of them S3 and half SFTP;
// where a period is not much longer than the time between two snapshots, all are S3.
func (l *load) connect(t *testing.T) {
	accounts := l.accounts(t, l.connections, -1)
	stored, done := l.connectionsOf(t)
	defer done()
	for i, account := range accounts {
		c, name := &staged{manner: healthy}, fmt.Sprintf("shop-%d", i)
		shop, settings := l.shop(t, name, len(l.orders))
		c.shop = shop
		var sources []domain.ReportSource
		place := l.bucketSource
		if i%2 == 1 && l.compressed <= 10 {
			place = l.folderSource
		}
		for part := range 2 {
			source, put := place(t, i/2, fmt.Sprintf("%s-%d", name, part))
			put(l.report(part*100, 100))
			sources, c.put = append(sources, source), append(c.put, put)
		}
		switch i % 20 {
		case 3: // of twenty, one shop says nothing
			c.manner, c.shop, c.put = deadShop, nil, nil
			settings["base_url"] = "http://" + l.silent(t)
		case 11: // of forty, one source says nothing, and one shop is slow
			c.manner = slowShop
			shop.Intercept(slowly(20 * time.Second / time.Duration(l.compressed)))
			if i%40 == 11 {
				shop.Intercept(nil)
				c.manner, c.put, sources = deadSource, nil, append(sources, l.silentSource(t))
			}
		}
		l.add(t, stored, c, account.id, settings, sources, time.Now())
	}
}

// checkPeriod holds that each connection had one pass in the period, and that no pass of a
// healthy one failed or was late by half a period. It returns how late passes began.
func (l *load) checkPeriod(t *testing.T, due string) (late map[manner][]time.Duration) {
	t.Helper()
	of := map[string]*staged{}
	for _, c := range l.autopilotStage.connections {
		of[c.id] = c
	}
	late = map[manner][]time.Duration{}
	seen := map[string]int{}
	for _, row := range l.query(t, "SELECT connection_id, outcome, CAST(COALESCE(started_at_us, ended_at_us) - due_at_us AS TEXT) FROM passes WHERE "+due, 3) {
		c := of[row[0]]
		seen[c.id]++
		micros := only.Value(strconv.ParseInt(row[2], 10, 64))(t)
		late[c.manner] = append(late[c.manner], max(time.Duration(micros)*time.Microsecond, 0))
		if c.manner == healthy || c.manner == slowShop {
			require.Contains(t, []string{string(domain.PassStored), string(domain.PassUnchanged)}, row[1], "a pass of a %s connection", c.manner)
		} else {
			require.Equal(t, string(domain.PassFailed), row[1], "a pass of a connection with a %s", c.manner)
		}
	}
	require.Len(t, seen, l.connections, "every connection has a pass")
	for id, n := range seen {
		require.Equal(t, 1, n, "passes of %s in one period", id)
	}
	period := domain.PassPeriod / time.Duration(l.compressed)
	require.Less(t, slices.Max(late[healthy]), period/2, "a healthy connection has waited for others")
	return late
}

// outcomes counts the passes that were due in a span by their outcomes.
func (l *load) outcomes(t *testing.T, from, to time.Time) string {
	t.Helper()
	var all []string
	for _, row := range l.query(t, fmt.Sprintf("SELECT outcome, CAST(COUNT(*) AS TEXT) FROM passes WHERE due_at_us >= %d AND due_at_us < %d GROUP BY outcome ORDER BY outcome",
		from.UnixMicro(), to.UnixMicro()), 2) {
		all = append(all, row[1]+" "+row[0])
	}
	return strings.Join(all, ", ")
}

// processorTime is how much of the processors the replica has used so far. It is 0 where only
// Linux could tell.
func (r *replica) processorTime(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", r.process.Process.Pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	user := only.Value(strconv.Atoi(fields[11]))(t)
	return time.Duration(user+only.Value(strconv.Atoi(fields[12]))(t)) * 10 * time.Millisecond // a hundred ticks a second on every Linux
}
