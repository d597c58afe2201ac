package autopilot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// TestBoundsOfPasses holds how many passes connect to one host and are made for one account at
// the same time in one instance.
func TestBoundsOfPasses(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	b.sources.places["north"], b.sources.places["south"] = &place{}, &place{}
	for _, name := range []string{"b", "c", "d", "e"} {
		other := storage.ProAccount()
		other.ID, other.Email = "account-"+name, name+"@shop.example"
		require.NoError(t, b.Accounts.Create(t.Context(), other))
	}
	b.sell("#1", 500, 25)
	jobOf := func(accountID, brand, shop, source string) ports.Job {
		change := b.changeOf(brand, source)
		change.Shop.Settings["shop"] = shop
		c := only.Value(b.managing.Save(t.Context(), accountID, "", domain.ByDashboard, change))(t)
		p := only.Value(b.managing.Run(t.Context(), accountID, c.ID))(t)
		return ports.Job{Kind: ports.PassJob, AccountID: accountID, Pass: p.ID}
	}
	hang, inside := make(chan struct{}), make(chan struct{}, 10)
	during := func() { inside <- struct{}{}; <-hang }
	b.sources.places["north"].during, b.sources.places["south"].during = during, during
	done := make(chan error, 10)
	begin := func(job ports.Job) {
		go func() {
			_, err := b.passing.Make(context.WithoutCancel(t.Context()), job, ports.JobAttempt{})
			done <- err
		}()
		<-inside
	}
	waits := func(job ports.Job, why string) ports.Job {
		require.Positive(t, only.Value(b.passing.Make(t.Context(), job, ports.JobAttempt{}))(t), why)
		return job
	}
	begin(jobOf(b.Account.ID, "1", "one", "north"))
	waits(jobOf(b.Account.ID, "2", "two", "north"), "the account has a pass at the host")
	begin(jobOf(b.Account.ID, "3", "three", "south"))
	waits(jobOf(b.Account.ID, "4", "four", "east"), "the account has two under way")
	begin(jobOf("account-b", "1", "five", "north"))
	begin(jobOf("account-c", "1", "six", "north"))
	begin(jobOf("account-d", "1", "seven", "north"))
	fifth := waits(jobOf("account-e", "1", "eight", "north"), "four are connected to the host")
	close(hang)
	for range 5 {
		require.NoError(t, <-done)
	}
	b.sources.places["north"].during = nil
	require.NoError(t, only.Err(b.passing.Make(t.Context(), fifth, ports.JobAttempt{})))
	require.Len(t, b.RunIDs(), 6)
}

// TestASlowShopKeepsNobodyFromAMailbox has as many passes as one host may have wait for their
// shops, and then another one with its reports on that host.
func TestASlowShopKeepsNobodyFromAMailbox(t *testing.T) {
	t.Parallel()
	const ofHost = 4
	b := newPassBench(t, storage.ProAccount())
	o := b.sell("#1", 500, 25)
	var jobs []ports.Job
	for i := range ofHost + 1 {
		account := storage.ProAccount()
		account.ID, account.Email = fmt.Sprint("account-", i+10), fmt.Sprint(i, "@shop.example")
		require.NoError(t, b.Accounts.Create(t.Context(), account))
		box := fmt.Sprint("box-", i)
		b.sources.places[box], b.sources.hosts[box] = new(place), "mail:993"
		b.put(box, "a.csv", domain.DayOf(b.Now), o).settled = true
		change := b.changeOf("Asha", box)
		change.Shop.Settings["shop"] = box
		c := only.Value(b.managing.Save(t.Context(), account.ID, "", domain.ByDashboard, change))(t)
		p := only.Value(b.managing.Run(t.Context(), account.ID, c.ID))(t)
		jobs = append(jobs, ports.Job{Kind: ports.PassJob, AccountID: account.ID, Pass: p.ID})
	}
	hang, inside := make(chan struct{}), make(chan struct{}, 10)
	b.shop.during = func() { inside <- struct{}{}; <-hang }
	done := make(chan error, 10)
	for _, job := range jobs[:ofHost] {
		go func() {
			_, err := b.passing.Make(context.WithoutCancel(t.Context()), job, ports.JobAttempt{})
			done <- err
		}()
		<-inside
	}
	b.shop.during = nil
	require.Zero(t, only.Value(b.passing.Make(t.Context(), jobs[ofHost], ports.JobAttempt{}))(t))
	require.Len(t, b.RunIDs(), 1)
	close(hang)
	for range ofHost {
		require.NoError(t, <-done)
	}
	require.Len(t, b.RunIDs(), ofHost+1, "and those go on when their shops have answered")
}

// TestOneHostGetsOneConnectionOfAPass holds that sources of one connection on one host are
// opened one after the other.
func TestOneHostGetsOneConnectionOfAPass(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north", "north", "north")
	o := b.sell("#1", 500, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), o).settled = true
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, 1, b.sources.places["north"].mostOpen)
	require.Len(t, pass.Sources, 3)

	lists := 0
	b.sources.places["north"].during = func() {
		if lists++; lists == 4 { // the first list for reading
			b.sources.places["north"].files[0].version++
		}
	}
	b.sell("#2", 500, 25)
	require.Equal(t, domain.ConnGrowing, b.make(b.due(c)).Failure.Rule, "a file that changes between list and download")
}

// TestTooManyLinesNamesTheWindow holds that a pass with too many lines says which window
// would do.
func TestTooManyLinesNamesTheWindow(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	change := b.changeOf("Asha", "north/delhivery")
	change.WindowDays = 60
	c := only.Value(b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, change))(t)
	b.sell("#1", 500, 25)
	many := make([]soldOrder, 20_000)
	for i := range many {
		many[i] = soldOrder{awb: time.Duration(1e15 + i).String(), rupees: 1}
	}
	for i, days := range []int{50, 35, 1} {
		f := b.put("north", string(rune('a'+i))+".csv", domain.DayOf(b.Now), many...)
		f.modified, f.settled = b.Now.AddDate(0, 0, -days), true
	}
	require.Equal(t, &domain.ConnectorError{Rule: domain.ConnManyLines, Limit: domain.MaxRows, Days: 49}, b.make(b.due(c)).Failure)
	b.sources.places["north"].files[1].modified = b.Now.AddDate(0, 0, -20)
	b.sources.places["north"].files[0].modified = b.Now.AddDate(0, 0, -21)
	require.Zero(t, b.make(b.due(c)).Failure.Days, "no window that may be set would do")
}

// newTwoConnections makes a bench with connections of two shops.
func newTwoConnections(t *testing.T) (b *passBench, first, second domain.Connection) {
	b = newPassBench(t, storage.ProAccount())
	change := b.changeOf("second", "south")
	first = b.connect("first", "north")
	change.Shop.Settings["shop"] = "other"
	second = only.Value(b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, change))(t)
	b.sell("#1", 500, 25)
	return b, first, second
}

// TestAPassWaitsForMemory holds that passes share the memory of the instance, and that one of
// them always goes on.
func TestAPassWaitsForMemory(t *testing.T) {
	t.Parallel()
	b, first, second := newTwoConnections(t)
	big := fileInMemory{name: "a.csv", content: delhiveryHead + strings.Repeat("\n", 30<<20), version: 1, modified: b.Now, settled: true}
	b.sources.places["north"].files, b.sources.places["south"].files = []fileInMemory{big}, []fileInMemory{big}
	b.shop.grown = 60 << 20
	waiting := b.ask(second)
	b.lacksMemory(t, b.ask(first), waiting)
	require.Zero(t, b.pass(waiting).EndedAt)
}

// lacksMemory makes a pass while another one stores its run, and demands that it waits for the memory that this one
// has. It returns what is done from then on.
func (b *passBench) lacksMemory(t *testing.T, first, second ports.Job) (done []string) {
	t.Helper()
	var again time.Duration
	var err error
	nested := false
	b.Fault = func(operation string) error {
		if nested {
			done = append(done, operation)
		} else if operation == "store run" {
			nested, b.shop.grown = true, 0
			again, err = b.passing.Make(context.Background(), second, ports.JobAttempt{})
			return errors.New("stop here")
		}
		return nil
	}
	require.ErrorContains(t, only.Err(b.passing.Make(t.Context(), first, ports.JobAttempt{})), "stop here", b.log.String())
	require.NoError(t, err)
	require.Positive(t, again)
	return done
}

// fullMemory is free only for who waits for it; waits counts these.
type fullMemory struct{ waits int }

func (m *fullMemory) Take(context.Context, int64) (func(), error) {
	m.waits++
	return func() {}, nil
}

func (*fullMemory) TryTake(int64) (func(), bool) { return nil, false }

// TestAWaitForMemoryBlamesNoHost holds that a shop which was left waiting while the pass waited
// for memory does not count as slow, and that one which is slow without that does.
func TestAWaitForMemoryBlamesNoHost(t *testing.T) {
	t.Parallel()
	b, memory := newPassBench(t, storage.ProAccount()), &fullMemory{}
	b.memory = memory
	b.restart()
	c := b.connect("first", "north")
	b.sell("#1", 500, 25)
	b.shop.grown, b.shop.fault = 1<<20, &domain.ConnectorError{Rule: domain.ConnSlow, Connector: "stall"}
	job := b.ask(c)
	again := only.Value(b.passing.Make(t.Context(), job, ports.JobAttempt{}))(t)
	require.Positive(t, again)
	require.Equal(t, 1, memory.waits)
	require.Zero(t, b.pass(job).EndedAt)
	b.Now = b.Now.Add(again)
	b.shop.grown = 0
	require.Equal(t, domain.ConnSlow, b.make(job).Failure.Rule)
	require.Equal(t, 1, memory.waits)
}

// TestMemoryIsReservedBeforeAFileIsRead holds that a pass reads no file for which there is no
// memory: an archive is small until it is unpacked.
func TestMemoryIsReservedBeforeAFileIsRead(t *testing.T) {
	t.Parallel()
	b, first, second := newTwoConnections(t)
	b.sources.places["north"].files = []fileInMemory{{name: "a.csv", content: delhiveryHead + strings.Repeat("\n", 60<<20), version: 1, modified: b.Now, settled: true}}
	b.sources.places["south"].files = []fileInMemory{{name: "a.zip", content: delhiveryHead, most: domain.MaxPassBytes, version: 1, modified: b.Now, settled: true}}
	b.shop.grown = 63 << 20
	require.NotContains(t, b.lacksMemory(t, b.ask(first), b.ask(second)), "read file")
}

// countedMemory is free, and knows how many bytes are taken.
type countedMemory struct{ bytes int64 }

func (m *countedMemory) Take(_ context.Context, bytes int64) (func(), error) {
	give, _ := m.TryTake(bytes)
	return give, nil
}

func (m *countedMemory) TryTake(bytes int64) (func(), bool) {
	m.bytes += bytes
	return func() { m.bytes -= bytes }, true
}

// TestFilesThatComeWithTheListAreCounted holds that memory is reserved for what a list has brought, while
// the orders are fetched and besides what is read.
func TestFilesThatComeWithTheListAreCounted(t *testing.T) {
	t.Parallel()
	b, memory := newPassBench(t, storage.ProAccount()), &countedMemory{}
	b.memory = memory
	b.restart()
	c := b.connect("Asha", "north/delhivery")
	const size = 9 << 20
	f := b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#1", 500, 25))
	f.settled, f.content = true, f.content+strings.Repeat("\n", size)
	b.shop.grown = 1
	fetching, storing := int64(0), int64(0)
	b.shop.during = func() { fetching = memory.bytes }
	b.Fault = func(operation string) error {
		if operation == "store run" {
			storing = memory.bytes
		}
		return nil
	}
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.Zero(t, fetching)
	read := storing
	b.sell("#2", 500, 25)
	f.inline = true
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.GreaterOrEqual(t, fetching, int64(size))
	require.GreaterOrEqual(t, storing, read+size-4<<20, "it is reserved in parts of 4 MB")
	require.Zero(t, memory.bytes)
}
