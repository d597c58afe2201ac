package processes_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestCostOfKeptItems measures how much of a processor passes take of connections that keep their open items, and of others that
// have the same orders and reports: with all that a pass does, from requests to the shop to storing the run.
func TestCostOfKeptItems(t *testing.T) {
	soaking(t)
	program, err := hurried()
	require.NoError(t, err)
	const (
		stored    = true
		unchanged = false
	)
	onBoth(t, func(t *testing.T, in *installation) {
		in.program = program
		for _, orders := range []int{300, 3000} {
			c := newCosts(t, in, orders, size(0, 3, 5))
			c.round(t, "keeping", stored)
			c.round(t, "plain", stored)
			for _, changes := range []bool{stored, unchanged} {
				spent := map[string]time.Duration{}
				rounds := size(0, 2, 4)
				for i := range 2 * rounds {
					kind := []string{"keeping", "plain"}[i%2]
					spent[kind] += c.round(t, kind, changes)
				}
				each := func(kind string) float64 { return 1000 * spent[kind].Seconds() / float64(rounds*c.each) }
				ratio := spent["keeping"].Seconds() / spent["plain"].Seconds()
				t.Logf("%d orders, stored: %v: a pass takes %.1f ms of a processor, and %.1f ms if open items are kept: %.2f times as much", orders, changes == stored, each("plain"), each("keeping"), ratio)
				if size(0, 0, 1) == 1 {
					require.Less(t, ratio, 1.3)
				}
			}
			c.replica.stop(t)
		}
	})
}

// costs are connections of two kinds, of each kind as many.
type costs struct {
	*installation
	stage   *autopilotStage
	replica *replica
	each    int
	made    int // rounds so far
}

func newCosts(t *testing.T, in *installation, orders, each int) *costs {
	c := &costs{installation: in, stage: newStage(t, orders), each: each}
	kinds := []string{"keeping", "plain"}
	accounts := in.accounts(t, len(kinds)*each, -1)
	stored, done := in.connectionsOf(t)
	defer done()
	for i, account := range accounts {
		name := fmt.Sprintf("shop-%d", i)
		shop, settings := c.stage.shop(t, name, orders)
		of := &staged{manner: healthy, shop: shop}
		var sources []domain.ReportSource
		for part := range 2 {
			source, put := c.stage.bucketSource(t, i, fmt.Sprintf("%s-%d", name, part))
			sources, of.put = append(sources, source), append(of.put, put)
		}
		c.stage.add(t, stored, of, account.id, settings, sources, time.Now().Add(24*time.Hour))
		if i%2 == 0 {
			in.exec(t, "INSERT INTO connection_ledgers (connection_id, since_us, version) VALUES ('"+of.id+"', 1, 0)")
		}
	}
	speed := pace{period: 24 * time.Hour, timeouts: 10, each: 100 * time.Millisecond}
	c.replica = in.start(t, speed.environment()...)
	return c
}

// round has all connections of a kind make a pass, and returns how much of the processors the service has used.
func (c *costs) round(t *testing.T, kind string, changes bool) time.Duration {
	c.made++
	ids := ""
	for i, of := range c.stage.connections {
		if (i%2 == 0) != (kind == "keeping") {
			continue
		}
		ids += fmt.Sprintf(", '%s'", of.id)
		if changes {
			n := len(c.stage.orders)
			of.put[0](c.stage.report(n/30, n/3))
			of.put[1](c.stage.report(n/2, n/3-c.made))
		}
	}
	outcome := map[bool]domain.PassOutcome{true: domain.PassStored, false: domain.PassUnchanged}[changes]
	ended := func(extra string) int {
		return c.count(t, "SELECT COUNT(*) FROM passes WHERE ended_at_us IS NOT NULL AND connection_id IN (''"+ids+")"+extra)
	}
	before, made, cpu := ended(" AND outcome = '"+string(outcome)+"'"), ended(""), c.replica.processorTime(t)
	c.exec(t, fmt.Sprintf("UPDATE passes SET slot_us = %d WHERE slot_us > 0", -c.made)) // a period has one pass
	c.exec(t, fmt.Sprintf("UPDATE connections SET next_pass_at_us = %d WHERE id IN (''%s)", time.Now().UnixMicro(), ids))
	awaitWithin(t, 2*time.Minute, "the passes of a round", func() bool { return ended("") == made+c.each })
	spent := c.replica.processorTime(t) - cpu
	require.Equal(t, before+c.each, ended(" AND outcome = '"+string(outcome)+"'"))
	return spent
}
