package processes_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// Processes that make passes of the autopilot are killed at random instants, while shops and
// reports change. Every pass ends with one run or none, a run is of whole inputs, and each run
// is announced under one id. The open items that some connections keep are those of their last run.
func TestAutopilotKilled(t *testing.T) {
	soaking(t)
	program := only.Value(hurried())(t)
	onBoth(t, func(t *testing.T, in *installation) {
		const connections = 16
		in.program = program
		in.excused = "a job at which the service died again and again is given up" // such a pass ends without a run
		kills := size(0, 10, 100)
		speed := pace{period: 2 * time.Second, timeouts: 10, takeover: time.Second, each: 200 * time.Millisecond}
		stage := newStage(t, mostOrders)
		endpoint := newReceiver(t)
		accounts := in.accounts(t, connections/2, -1)
		in.watch(t, endpoint, accounts...)
		stored, done := in.connectionsOf(t)
		for i := range connections {
			c, name := &staged{manner: healthy}, fmt.Sprintf("shop-%d", i)
			shop, settings := stage.shop(t, name, mostOrders)
			c.shop = shop
			first, putFirst := stage.bucketSource(t, i, name+"-a")
			second, putSecond := stage.bucketSource(t, sharing+i, name+"-b") // on another server
			c.put = append(c.put, putFirst, putSecond)
			stage.change(c, 0)
			stage.change(c, 1)
			sources := []domain.ReportSource{first, second}
			if hasThird(i) {
				third, put := stage.folderSource(t, i, name+"-c")
				put(stage.report(0, thirdLines))
				sources = append(sources, third)
			}
			stage.add(t, stored, c, accounts[i%len(accounts)].id, settings, sources, time.Now())
		}
		done()
		in.exec(t, "INSERT INTO connection_ledgers (connection_id, since_us, version) SELECT id, 1, 0 FROM connections WHERE brand LIKE '%5' OR brand LIKE '%8'")
		changed := stage.changing(t)
		took := killDuringPasses(t, in, speed, kills)
		changed()

		// The last processes end what is under way.
		r := in.start(t, speed.environment()...)
		time.Sleep(2 * speed.period)
		in.exec(t, "UPDATE connections SET state = 'paused'")
		awaitWithin(t, domain.SnapshotInterval+waitLimit, "every pass to end", func() bool { return in.count(t, "SELECT COUNT(*) FROM passes WHERE ended_at_us IS NULL") == 0 })
		await(t, "every run to be announced", func() bool { return in.count(t, "SELECT COUNT(*) FROM deliveries WHERE settled_at_us IS NULL") == 0 })
		r.stop(t)
		outcomes := stage.checkPasses(t, in, endpoint)
		t.Logf("%d kills in %v: %v", kills, took.Round(time.Second), outcomes)
	})
}

// The numbers of orders and lines that the inputs may have. Each source's lines are told from
// the sum.
const (
	leastOrders = 260 // more than one page
	mostOrders  = 269
	firstMost   = 9    // lines of the first source: 1 to 9
	secondMost  = 3    // hundreds of lines of the second source: 1 to 3
	thirdLines  = 1000 // lines of the third source, where there is one
)

// hasThird says whether a connection has a third source. It is one whose files are looked at
// twice, a minute apart, so there is none in the short form.
func hasThird(connection int) bool { return connection%8 == 7 && size(0, 0, 1) == 1 }

// change changes one of the inputs of a connection: the first report, the second, or the
// orders.
func (s *autopilotStage) change(c *staged, part int) {
	switch part {
	case 0:
		c.put[0](s.report(dice(50), 1+dice(firstMost)))
	case 1:
		c.put[1](s.report(dice(50), 100*(1+dice(secondMost))))
	default:
		c.shop.SetOrders(s.orders[:leastOrders+dice(mostOrders-leastOrders+1)])
	}
}

// changing changes inputs all the time, until ended.
func (s *autopilotStage) changing(t *testing.T) (end func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case <-time.After(25 * time.Millisecond):
				s.change(s.connections[dice(len(s.connections))], dice(3))
			}
		}
	}()
	end = sync.OnceFunc(func() {
		close(over)
		<-ended
	})
	t.Cleanup(end)
	return end
}

// killDuringPasses runs one process on SQLite and two on PostgreSQL, and kills one of them
// again and again.
func killDuringPasses(t *testing.T, in *installation, speed pace, kills int) time.Duration {
	began := time.Now()
	replicas := []*replica{in.start(t, speed.environment()...)}
	if in.database != "" {
		replicas = append(replicas, in.start(t, speed.environment()...))
	}
	for range kills {
		time.Sleep(100*time.Millisecond + rand.N(1200*time.Millisecond))
		at := dice(len(replicas))
		replicas[at].kill()
		replicas[at] = in.start(t, speed.environment()...)
	}
	took := time.Since(began)
	for _, r := range replicas {
		r.kill()
	}
	return took
}

// checkPasses compares the passes, the runs and the webhooks with each other. It returns how
// many passes there were of each outcome.
func (s *autopilotStage) checkPasses(t *testing.T, in *installation, endpoint *receiver) map[string]int {
	t.Helper()
	require.Zero(t, in.count(t, "SELECT COUNT(*) FROM (SELECT connection_id FROM passes GROUP BY connection_id, slot_us HAVING COUNT(*) > 1) AS twice"), "passes in one slot")
	outcomes, ended := map[string]int{}, map[string]string{} // pass by run
	for _, row := range in.query(t, "SELECT id, outcome, COALESCE(run_id, '') FROM passes", 3) {
		outcomes[row[1]]++
		if row[1] != string(domain.PassStored) {
			continue
		}
		require.NotContains(t, ended, row[2], "two passes have one run")
		ended[row[2]] = row[0]
	}
	runs := in.query(t, "SELECT id, CAST(storefront_rows AS TEXT), CAST(courier_rows AS TEXT), source, brand FROM runs", 5)
	require.Len(t, runs, len(ended), "every run is of a pass")
	for _, row := range runs {
		require.Contains(t, ended, row[0], "a run without a pass")
		require.Equal(t, "autopilot", row[3])
		requireWhole(t, row[4], row[1], row[2])
	}
	announced := map[string]string{}
	for event, posts := range endpoint.seen() {
		run := summaryOf(t, posts[0]).RunID
		require.Contains(t, ended, run, "a run was announced that is not stored")
		require.NotContains(t, announced, run, "a run was announced under two ids")
		announced[run] = event
	}
	require.Len(t, announced, len(ended), "every run is announced")
	require.NotZero(t, outcomes[string(domain.PassStored)])
	kept := in.query(t, "SELECT CAST(l.version AS TEXT), CAST(COALESCE(l.written_at_us, 0) AS TEXT), CAST(MAX(p.ended_at_us) AS TEXT), CAST(COUNT(*) AS TEXT) "+
		"FROM connection_ledgers l JOIN passes p ON p.connection_id = l.connection_id WHERE p.outcome = 'stored' GROUP BY l.connection_id, l.version, l.written_at_us", 4)
	require.NotEmpty(t, kept)
	for _, row := range kept {
		require.Equal(t, row[2], row[1], "the open items that are kept are those of the last run")
		require.Equal(t, row[3], row[0], "each run has written them once")
	}
	return outcomes
}

// requireWhole holds that a run is of all orders and of all lines of every source.
func requireWhole(t *testing.T, brand, orders, lines string) {
	t.Helper()
	var connection, n, of int
	require.NoError(t, only.Err(fmt.Sscanf(brand+" "+orders+" "+lines, "brand-%d %d %d", &connection, &n, &of)))
	require.True(t, leastOrders <= n && n <= mostOrders, "a run has %d orders", n)
	third := 0
	if hasThird(connection) {
		third = thirdLines
	}
	first, second := (of-third)%100, (of-third)/100
	require.True(t, 1 <= first && first <= firstMost && 1 <= second && second <= secondMost, "a run has %d lines", of)
}

// awaitWithin is await with a limit of its own.
func awaitWithin(t *testing.T, most time.Duration, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(most); !so(); time.Sleep(10 * glance) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
