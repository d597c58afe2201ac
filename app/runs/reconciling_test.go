package runs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// closedRuns fails to store, and notes that it was asked.
type closedRuns struct {
	ports.Runs
	steps *[]string
}

var errClosed = errors.New("closed")

func (r closedRuns) Update(context.Context, string, func(ports.RunBook) error) error {
	*r.steps = append(*r.steps, "stored")
	return errClosed
}

// dropped is what was begun of a run's results, and is called when it is dropped.
type dropped func()

func (d dropped) Drop() { d() }

// What a run has read, and how much it has made of that, is told before the
// database is asked, which may take its time. What was begun meanwhile of a run that is not stored is dropped.
func TestMemoryIsToldBeforeARunIsStored(t *testing.T) {
	t.Parallel()
	var steps []string
	tables := table.New()
	reconciling := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Runs: closedRuns{steps: &steps}, Clock: time.Now})
	request := sampleRequest(t, "b")
	request.Read = func() { steps = append(steps, "read") }
	request.Made = func(made *ports.FinishedRun) {
		steps = append(steps, "made")
		require.Positive(t, made.Memory)
		made.Begun = dropped(func() { steps = append(steps, "dropped") })
	}
	_, err := reconciling.Reconcile(t.Context(), ports.Caller{}, request)
	require.ErrorIs(t, err, errClosed)
	require.Equal(t, []string{"read", "made", "stored", "dropped"}, steps)
}

// The memory of a run is its own, not what an earlier one has left.
func TestASmallRunAfterALargeOneIsSmall(t *testing.T) {
	t.Parallel()
	tables := table.New()
	reconciling := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Clock: time.Now})
	memory := func(orders int) int64 {
		var export strings.Builder
		export.WriteString("Name,Total,Created at,AWB\n")
		for i := range orders {
			fmt.Fprintf(&export, "%0100d,1,2026-01-01,%d\n", i, 1_000_000+i)
		}
		o, err := reconciling.Preview(t.Context(), ports.Request{Storefront: []byte(export.String()), Courier: []byte("AWB No,COD Amount,Remittance Date\n1000000,1,2026-01-01\n")})
		require.NoError(t, err)
		defer o.Release()
		return o.Memory
	}
	small := memory(10)
	require.Greater(t, memory(20_000), 4*small)
	require.Equal(t, small, memory(10))
}

// oneParcel is an order and the line that pays for it, which nobody has written as a
// text.
type oneParcel struct{ ports.Couriers }

func (o oneParcel) Exported([]string) ports.Exported { return ports.ExportedNothing }

func (o oneParcel) Orders(ports.Content) ports.OrdersReader { return oneOrder{} }

func (o oneParcel) Remittances(ports.Content, ports.MappingChoice) ports.RemittancesReader {
	return oneLine{}
}

type oneOrder struct{}

func (oneOrder) Size() int64 { return 0 }

func (oneOrder) Read(orders *verdict.Orders) error {
	o, _ := orders.FindOrAdd([]byte("#1"))
	o.Total, o.HasTotal, o.CreatedOn = 500*domain.Rupee, true, 1
	orders.Track(o, []byte("A1"))
	orders.Rows++
	return nil
}

type oneLine struct{ ports.RemittancesReader }

func (oneLine) Size() int64 { return 1 << 20 } // worth a second core

func (oneLine) Read(orders func() *verdict.Orders, remittances *verdict.Remittances) (domain.Mapping, error) {
	if !orders().HasAWB([]byte("a1")) {
		return domain.Mapping{}, errClosed
	}
	remittances.Add(verdict.Remittance{AWB: []byte("a1"), Remitted: 500 * domain.Rupee, Collected: 500 * domain.Rupee, RemittedOn: 9})
	remittances.Rows++
	return domain.Mapping{}, nil
}

// A run is told orders and remittances by readers: what they read from is theirs.
func TestARunIsFedByAnyReaders(t *testing.T) {
	t.Parallel()
	o, err := runs.NewReconciling(runs.ReconcilingParams{Storefronts: oneParcel{}, Couriers: oneParcel{}, Clock: time.Now}).Preview(t.Context(), ports.Request{})
	require.NoError(t, err)
	defer o.Release()
	require.Equal(t, 1, o.Tally.Flags[domain.Reconciled])
}

// hashedRuns keeps the input hash of the run that is stored.
type hashedRuns struct {
	ports.Runs
	book hashedBook
}

type hashedBook struct {
	ports.RunBook
	hash domain.InputHash
}

func (r *hashedRuns) Update(_ context.Context, _ string, change func(ports.RunBook) error) error {
	return change(&r.book)
}

func (*hashedBook) Account() domain.Account { return domain.Account{Plan: domain.Enterprise} }

func (*hashedBook) Identical(string, time.Time) (string, error) { return "", nil }

func (r *hashedBook) Write(e ports.Entry) error {
	r.hash = e.Run.InputHash
	return nil
}

// oneKey is the only key for every purpose.
type oneKey struct{}

func (oneKey) Subkeys(string) [][32]byte { return [][32]byte{{1}} }

// The files are hashed while they are read, which takes no time here. They are hashed whole before
// they are given back, which is when the next request may overwrite them.
func TestFilesAreHashedBeforeTheyAreGivenBack(t *testing.T) {
	t.Parallel()
	hashOf := func(read func(file []byte)) domain.InputHash {
		var stored hashedRuns
		reconciling := runs.NewReconciling(runs.ReconcilingParams{Storefronts: oneParcel{}, Couriers: oneParcel{}, Runs: &stored,
			InputHashing: runs.NewInputHashing(oneKey{}), Clock: time.Now})
		file := make([]byte, 20<<20)
		request := ports.Request{Storefront: file, Courier: []byte("report"), Read: func() { read(file) }}
		run, err := reconciling.Reconcile(t.Context(), ports.Caller{}, request)
		require.NoError(t, err)
		run.Release()
		return stored.book.hash
	}
	overwrite := func(file []byte) {
		for i := range file {
			file[i] = 0xff
		}
	}
	hash := hashOf(func([]byte) {})
	require.NotEmpty(t, hash)
	require.Equal(t, hash, hashOf(overwrite))
}
