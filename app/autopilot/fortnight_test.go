package autopilot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

var errKilled = errors.New("the process was killed")

// killedAt makes every operation fail from the n-th one on, as if the process had died there:
// before the operation, or after it has been done.
func killedAt(n int, after bool) func(string) error {
	var mu sync.Mutex
	seen := 0
	return func(operation string) error {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(operation, "after ") == after {
			seen++
		}
		if seen > n {
			return errKilled
		}
		return nil
	}
}

// TestAPassKilledAnywhereIsOneRun holds that a pass whose process dies at any call of any port
// ends in one run, one event, and one count of the orders that have left.
func TestAPassKilledAnywhereIsOneRun(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{Endpoint: "https://hooks.shop.example/x", Secret: "whsec"})
	b.sources.places["north"], b.sources.places["south"] = &place{}, &place{}
	for i := 0; ; i++ {
		b.shop.orders, b.sources.places["north"].files, b.sources.places["south"].files = nil, nil, nil
		c := b.connect(fmt.Sprint("Asha ", i), "north", "south")
		paid := b.sell("#1", 500, 20)
		b.sell("#2", 700, 29)
		b.put("north", "a.csv", domain.DayOf(b.Now), paid).settled = true
		require.Equal(t, domain.PassStored, b.make(b.ask(c)).Outcome)
		b.Now = b.Now.AddDate(0, 0, 2)
		b.put("south", "b.csv", domain.DayOf(b.Now), paid)
		runs, events := len(b.RunIDs()), len(storage.Column[string](b.Store, "SELECT id FROM deliveries"))

		job, killed := b.ask(c), false
		b.Fault = killedAt(i/2, i%2 == 1)
		for range 3 {
			again, err := b.passing.Make(t.Context(), job, ports.JobAttempt{})
			if killed = err != nil; killed {
				require.ErrorIs(t, err, errKilled)
				break
			}
			b.Now = b.Now.Add(again)
		}
		b.Fault = storage.Failing("", nil)
		b.restart()
		require.NoError(t, only.Err(b.passing.Make(t.Context(), job, ports.JobAttempt{Deaths: 1})))
		pass := b.make(job)
		require.Equal(t, domain.PassStored, pass.Outcome, "killed at operation %d: %v", i, pass.Failure)
		require.Len(t, b.RunIDs(), runs+1, "killed at operation %d", i)
		require.Len(t, storage.Column[string](b.Store, "SELECT id FROM deliveries"), events+1, "killed at operation %d", i)
		require.Equal(t, domain.OrderSum{Orders: 1, Amount: 700 * domain.Rupee}, b.status(c).Left, "killed at operation %d", i)
		require.Equal(t, pass.RunID, b.status(c).LastRunID)
		require.NoError(t, b.managing.Remove(t.Context(), b.Account.ID, c.ID, domain.ByDashboard))
		if !killed {
			require.Greater(t, i, 20)
			return
		}
	}
}

// fortnight is two weeks of a shop, its couriers and its autopilot, in which anything happens.
type fortnight struct {
	*passBench
	*rand.Rand
	connection domain.Connection
	sold       int

	inputs  string          // of the last stored run, as the shop and the sources have them
	unpaid  map[string]bool // its orders that are unpaid
	gone    map[string]bool // orders that have left the window
	left    int             // how many of them were unpaid
	runs    int             // stored
	entered map[string]time.Time
}

// TestAFortnight lets anything happen in any order, and holds for every pass: it ends in one
// run or in none; a run has all orders of the window and all lines of all files; unchanged
// inputs store nothing, and changed ones are never called unchanged; orders that leave the
// window unpaid are counted once.
func TestAFortnight(t *testing.T) {
	t.Parallel()
	seeds, days := 2, 14
	if os.Getenv("MILAAN_SOAK") != "" {
		seeds = 100
	}
	left := 0
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := newPassBench(t, storage.EnterpriseAccount())
			f := &fortnight{passBench: b, Rand: rand.New(rand.NewPCG(uint64(seed), 1)), unpaid: map[string]bool{}, gone: map[string]bool{}, entered: map[string]time.Time{}} //nolint:gosec // a test that can be repeated
			f.connection = b.connect("Asha", "north/delhivery", "south")
			for day := range 30 {
				f.sellAt(b.Now.AddDate(0, 0, -day))
			}
			for end := b.Now.AddDate(0, 0, days); b.Now.Before(end); {
				for range f.IntN(4) {
					f.happen()
				}
				f.letPass()
			}
			require.Positive(t, f.runs)
			left += f.left
		})
	}
	require.Positive(t, left, "in some fortnights orders leave the window unpaid")
}

func (f *fortnight) sellAt(at time.Time) {
	f.sold++
	o := f.sell(fmt.Sprint("#", 1000+f.sold), 100+f.IntN(900), 0)
	f.shop.orders[len(f.shop.orders)-1].at = at
	f.entered[o.name] = at
}

// happen lets one thing happen.
func (f *fortnight) happen() {
	north, south := f.sources.places["north"], f.sources.places["south"]
	at := []*place{north, south}[f.IntN(2)]
	name := []string{"north", "south"}[f.IntN(2)]
	switch f.IntN(12) {
	case 0, 1:
		f.sellAt(f.Now.Add(-time.Duration(f.IntN(3)) * time.Hour))
	case 2, 3: // a report comes, perhaps one that came before
		file := f.put(name, fmt.Sprint("r", f.IntN(12), ".csv"), domain.DayOf(f.Now)-domain.Day(f.IntN(10)), f.someOrders()...)
		file.settled, file.version = f.IntN(3) == 0, 1+f.IntN(1e9)
		p := f.sources.places[name]
		twice := slices.IndexFunc(p.files, func(o fileInMemory) bool { return o.name == file.name })
		if last := len(p.files) - 1; twice < last {
			p.files[twice], p.files = *file, p.files[:last]
		}
	case 4: // a file grows or is replaced
		if len(at.files) > 0 {
			file := &at.files[f.IntN(len(at.files))]
			if f.IntN(2) == 0 {
				file.content += strings.TrimPrefix(reportOf(domain.DayOf(f.Now), f.someOrders()...), delhiveryHead)
			} else {
				file.content = reportOf(domain.DayOf(f.Now), f.someOrders()...)
			}
			file.version, file.modified = file.version+1, f.Now
		}
	case 5: // one vanishes
		if len(at.files) > 0 {
			i := f.IntN(len(at.files))
			at.files = slices.Delete(at.files, i, i+1)
		}
	case 6: // an order is deleted in the shop
		if i := f.IntN(len(f.shop.orders)); f.IntN(3) == 0 {
			f.shop.orders = slices.Delete(f.shop.orders, i, i+1)
		}
	case 7:
		at.fault = &domain.ConnectorError{Rule: []domain.ConnectorRule{domain.ConnUnreachable, domain.ConnRefused, domain.ConnSlow}[f.IntN(3)]}
	case 8:
		f.shop.fault = &domain.ConnectorError{Rule: []domain.ConnectorRule{domain.ConnThrottled, domain.ConnPages, domain.ConnScope}[f.IntN(3)], Connector: "stall"}
	case 9:
		at.fault, f.shop.fault = nil, nil
	case 10:
		change := f.changeOf("Asha", "north/delhivery", "south")
		change.WindowDays = []int{30, 45}[f.IntN(2)]
		for i := range change.Sources {
			change.Sources[i].ID = f.connection.Sources[i].ID
		}
		require.NoError(f.T, only.Err(f.managing.Save(context.Background(), f.Account.ID, f.connection.ID, domain.ByDashboard, change)))
	case 11:
		f.restart()
	}
}

func (f *fortnight) someOrders() (some []soldOrder) {
	for range 1 + f.IntN(5) {
		some = append(some, f.shop.orders[f.IntN(len(f.shop.orders))])
	}
	return some
}

// letPass lets a pass happen some hours later: one that is due, or that a person asks for. It is
// disturbed, killed or made twice at the same time.
func (f *fortnight) letPass() {
	f.Now = f.Now.Add(time.Duration(f.IntN(12)) * time.Hour)
	var job ports.Job
	if f.IntN(4) == 0 || f.status(f.connection).State != domain.ConnectionActive {
		f.Now = f.Now.Add(time.Hour) // the rate of people
		job = f.ask(f.connection)
	} else {
		job = f.due(f.connection)
	}
	defer func() { f.sources.places["north"].fault, f.sources.places["south"].fault, f.shop.fault = nil, nil, nil }()
	for step := range 20 {
		switch f.IntN(6) {
		case 0:
			f.Fault = killedAt(f.IntN(14), f.IntN(2) == 0)
		case 1:
			if step < 2 {
				f.happen()
			}
		}
		makers := 1
		if f.IntN(5) == 0 {
			makers = 2
		}
		again := make([]time.Duration, makers)
		var race sync.WaitGroup
		for i := range makers {
			race.Go(func() {
				var err error
				if again[i], err = f.passing.Make(context.Background(), job, ports.JobAttempt{}); err != nil {
					require.ErrorIs(f.T, err, errKilled)
					again[i] = time.Second
				}
			})
		}
		race.Wait()
		if f.Fault("") != nil || f.IntN(3) == 0 {
			f.restart()
		}
		f.Fault = storage.Failing("", nil)
		if pass := f.pass(job); !pass.EndedAt.IsZero() {
			f.check(pass)
			return
		}
		f.Now = f.Now.Add(slices.Max(again))
	}
	require.Fail(f.T, "the pass does not end")
}

// check holds what a pass has left against what the shop and the sources have.
func (f *fortnight) check(pass domain.Pass) {
	t, stored := f.T, f.status(f.connection)
	from := stored.WindowStart(pass.StartedAt)
	orders, lines, inputs := 0, 0, fmt.Sprint(stored.Brand)
	inWindow := map[string]bool{}
	for _, o := range f.shop.orders {
		if !o.at.Before(from.Start()) && o.at.Before(pass.EndedAt) {
			orders++
			inWindow[o.name] = true
			inputs += fmt.Sprint(o)
		}
	}
	paid := map[string]int{}
	for _, name := range []string{"north", "south"} {
		files := slices.Clone(f.sources.places[name].files)
		slices.SortFunc(files, func(a, b fileInMemory) int { return strings.Compare(a.name, b.name) })
		for _, file := range files {
			if file.modified.Before(from.Start()) {
				continue
			}
			inputs += fmt.Sprint(name, file.name, file.version)
			for line := range strings.Lines(strings.TrimPrefix(file.content, delhiveryHead)) {
				lines++
				awb, _, _ := strings.Cut(line, ",")
				paid[awb]++
			}
		}
	}
	require.Len(t, f.RunIDs(), f.runs+btoi(pass.Outcome == domain.PassStored))
	switch pass.Outcome {
	case domain.PassUnchanged:
		require.Equal(t, f.inputs, inputs, "changed inputs are called unchanged")
		require.Zero(t, pass.Left)
	case domain.PassFailed:
		require.NotNil(t, pass.Failure)
		require.NotEqual(t, domain.ConnFault, pass.Failure.Rule)
		return
	case domain.PassStored:
		require.NotEqual(t, f.inputs, inputs, "unchanged inputs are stored again")
		run := only.Value(f.History.Run(context.Background(), f.Account.ID, pass.RunID))(t)
		require.Equal(t, orders, run.Tally.Orders, "a run of a part of the orders")
		require.Equal(t, lines, run.Tally.CourierRows, "a run of a part of the lines")
		f.runs, f.inputs = f.runs+1, inputs
	default:
		require.Fail(t, "a pass was skipped")
	}
	left := 0
	for name, at := range f.entered {
		if domain.DayOf(at) >= from || f.gone[name] {
			continue
		}
		f.gone[name] = true
		if f.unpaid[name] {
			left++
		}
	}
	f.left += left
	require.Equal(t, left, pass.Left.Orders)
	require.Equal(t, f.left, stored.Left.Orders, "orders that left are counted once")
	if pass.Outcome == domain.PassStored {
		clear(f.unpaid)
		for _, o := range f.shop.orders {
			if inWindow[o.name] && paid[o.awb] == 0 {
				f.unpaid[o.name] = true
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
