package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// identical asks the run book of an account.
func identical(t *testing.T, s Storage, account domain.Account, fingerprint string, since time.Time) (runID string) {
	t.Helper()
	require.NoError(t, s.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) (err error) {
		runID, err = b.Identical(fingerprint, since)
		return err
	}))
	return runID
}

var _ = promises.add("a run comes back as it was stored", func(t *testing.T, one, other Storage) {
	account := created(t, one, "round")
	bare := domain.Run{ID: "bare", AccountID: account.ID, Brand: domain.DefaultBrand, Source: domain.SourceAPI, At: noon}
	for _, want := range []domain.Run{aRun(account, "round-trip", noon), bare} {
		settle(t, one, account, want)
		require.Equal(t, want, only.Value(other.History.Run(t.Context(), account.ID, want.ID))(t))
	}
})

var _ = promises.add("a duplicate is the latest identical run of the time", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "identical"), created(t, one, "neighbour")
	earlier, later := aRun(account, "earlier", noon), aRun(account, "later", noon.Add(time.Second))
	unlike := aRun(account, "unlike", noon.Add(2*time.Second))
	unlike.Brand = "another"
	settle(t, one, account, later, earlier, unlike)
	mark := later.Fingerprint()

	require.Equal(t, "later", identical(t, other, account, mark, noon))
	require.Equal(t, "later", identical(t, other, account, mark, later.At), "a run at the very moment counts")
	require.Empty(t, identical(t, other, account, mark, later.At.Add(time.Microsecond)))
	require.Empty(t, identical(t, other, neighbour, mark, noon))
	// What a clock shows below the microsecond does not matter.
	require.Equal(t, "later", identical(t, other, account, mark, later.At.Add(999*time.Nanosecond)))
})

// made asks the run book of an account for a run like another one.
func made(t *testing.T, s Storage, like domain.Run, since time.Time, hashes ...domain.InputHash) (id string) {
	t.Helper()
	require.NoError(t, s.Runs.Update(t.Context(), like.AccountID, func(b ports.RunBook) (err error) {
		id, err = b.Made(like, hashes, since)
		return err
	}))
	return id
}

var _ = promises.add("a run that was made before is found by inputs", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "made"), created(t, one, "neighbour")
	like, again := aRun(account, "like", noon), aRun(account, "again", noon.Add(time.Second))
	again.InputHash = inputHashOf("first")
	bare := domain.Run{ID: "bare", AccountID: account.ID, Source: domain.SourceAPI, At: noon.Add(3 * time.Second)}
	settle(t, one, account, aRun(account, "first", noon), again, aRun(account, "second", noon.Add(2*time.Second)), bare)

	require.Equal(t, "again", made(t, other, like, noon, inputHashOf("first")), "the latest")
	require.Equal(t, "again", made(t, other, like, again.At, inputHashOf("unknown"), inputHashOf("first")), "by any of the hashes, and at the very moment")
	require.Equal(t, "second", made(t, other, like, noon, inputHashOf("first"), inputHashOf("second")))
	require.Empty(t, made(t, other, like, again.At.Add(time.Microsecond), inputHashOf("first")))
	require.Empty(t, made(t, other, like, noon, inputHashOf("unknown")))
	require.Empty(t, made(t, other, like, noon))
	require.Empty(t, made(t, other, bare, time.Time{}, domain.InputHash{}), "a run without a hash of its inputs is none that was made before")
	require.Empty(t, made(t, other, aRun(neighbour, "like", noon), noon, inputHashOf("first")))

	for i := range reflect.TypeFor[domain.Tally]().NumField() {
		unlike, later := like, aRun(account, fmt.Sprint("later", i), noon.Add(time.Minute))
		field := reflect.ValueOf(&unlike.Tally).Elem().Field(i)
		if field.Kind() == reflect.Array {
			field = field.Index(0)
		}
		field.SetInt(field.Int() + 1)
		require.Empty(t, made(t, other, unlike, noon, inputHashOf("first")), "with another tally: field %d", i)
		later.InputHash, later.Tally = inputHashOf("first"), unlike.Tally
		settle(t, one, account, later)
		require.Equal(t, "again", made(t, other, like, noon, inputHashOf("first")), "a later one with another tally")
		require.Equal(t, later.ID, made(t, other, unlike, noon, inputHashOf("first")))
	}
})

var _ = promises.add("one of many runs with the same inputs is stored", func(t *testing.T, one, other Storage) {
	requireOneStored(t, one, other, func(b ports.RunBook, run *domain.Run) (string, error) {
		run.InputHash = inputHashOf("the same")
		return b.Made(*run, []domain.InputHash{run.InputHash}, noon)
	})
})

// requireOneStored stores many runs alike at once, unless first has the id of one that was stored before.
func requireOneStored(t *testing.T, one, other Storage, first func(ports.RunBook, *domain.Run) (string, error)) {
	t.Helper()
	account := created(t, one, "once")
	answers := make([]string, many)
	requireInParallel(t, one, other, func(s Storage, i int) error {
		return s.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
			run := aRun(account, runID(i), noon)
			id, err := first(b, &run)
			if answers[i] = cmp.Or(id, run.ID); id != "" || err != nil {
				return err
			}
			return b.Write(ports.Entry{Run: run})
		})
	})
	require.Equal(t, slices.Repeat(answers[:1], many), answers)
	require.Equal(t, 1, RunsSince(t, one, account.ID, noon))
}

var _ = promises.add("runs are counted from a moment on", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "counted"), created(t, one, "neighbour")
	settle(t, one, account, aRun(account, "1", noon), aRun(account, "2", noon.Add(time.Second)), aRun(account, "3", noon.Add(2*time.Second)))
	settle(t, one, neighbour, aRun(neighbour, "4", noon))
	for since, want := range map[time.Time]int{
		{}: 3, noon: 3, noon.Add(time.Microsecond): 2, noon.Add(2 * time.Second): 1, noon.Add(3 * time.Second): 0,
	} {
		require.Equal(t, want, RunsSince(t, other, account.ID, since))
		require.NoError(t, one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
			n, err := b.RunsSince(since)
			require.Equal(t, want, n)
			return err
		}))
	}
})

var _ = promises.add("a failed settlement leaves nothing", func(t *testing.T, one, _ Storage) {
	account := created(t, one, "fails")
	refusal := errors.New("refused")
	err := one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
		require.NoError(t, b.Write(ports.Entry{Run: aRun(account, "undone", noon),
			Mappings: []ports.SavedMapping{{CourierName: "delhivery", Mapping: domain.Mapping{domain.RoleAWB: "Waybill"}}}}))
		require.Equal(t, 1, only.Value(b.RunsSince(noon))(t), "a book reads what it has written")
		return refusal
	})
	require.Same(t, refusal, err)
	requireNoRuns(t, one, account)
	_, found := only.Both(one.Runs.Mapping(t.Context(), account.ID, "delhivery"))(t)
	require.False(t, found)

	settle(t, one, account, aRun(account, "twice", noon))
	err = one.Write(t.Context(), account.ID, ports.Entry{Run: aRun(account, "twice", noon)})
	require.Error(t, err)
	_, _, known := domain.KindOf(err)
	require.False(t, known, "a run stored twice is a fault of the program")
})

func requireNoRuns(t *testing.T, s Storage, account domain.Account) {
	t.Helper()
	require.Zero(t, RunsSince(t, s, account.ID, time.Time{}))
}

var _ = promises.add("a settlement needs an account", func(t *testing.T, one, _ Storage) {
	for _, do := range []func(ports.RunBook) error{
		func(ports.RunBook) error { return nil },
		func(b ports.RunBook) error { return b.Write(ports.Entry{Run: domain.Run{ID: "of nobody"}}) },
		func(b ports.RunBook) error {
			require.Zero(t, b.Account())
			return errors.New("what it says of an account that there is not")
		},
		func(b ports.RunBook) error {
			_, err := b.Identical("", time.Time{})
			require.ErrorIs(t, err, domain.ErrNoAccount)
			return err
		},
	} {
		require.ErrorIs(t, one.Runs.Update(t.Context(), "nobody", do), domain.ErrNoAccount)
	}
})

var _ = promises.add("the cap is exact", func(t *testing.T, one, other Storage) {
	account := created(t, one, "cap")
	runs, _ := account.MonthlyCap()
	stored := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		return s.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
			n, err := b.RunsSince(noon)
			if err != nil {
				return err
			}
			if n >= runs {
				return domain.ErrRunCap(runs, account.Cycle(noon), noon)
			}
			return b.Write(ports.Entry{Run: aRun(account, runID(i), noon)})
		})
	}), &domain.Error{Code: domain.CodeRunCap})
	require.Len(t, stored, runs)
	require.Equal(t, runs, RunsSince(t, one, account.ID, noon))
})

var _ = promises.add("one of many identical runs is stored", func(t *testing.T, one, other Storage) {
	requireOneStored(t, one, other, func(b ports.RunBook, run *domain.Run) (string, error) {
		return b.Identical(run.Fingerprint(), noon.Add(-domain.DuplicateSpan))
	})
})

var _ = promises.add("a settlement sees the account as it is", func(t *testing.T, one, other Storage) {
	account := created(t, one, "sees")
	Change(t, other.Accounts, account.Email, func(a *domain.Account) { a.RunCap = nil })
	account.RunCap = nil
	require.NoError(t, one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
		require.Equal(t, account, b.Account())
		return nil
	}))
})

var _ = promises.add("a mapping is remembered per account and courier", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "mapped"), created(t, one, "neighbour")
	var full domain.Mapping
	for _, role := range domain.Roles() {
		full[role] = `Column "` + role.String() + `" ₹`
	}
	save := func(all ...ports.SavedMapping) {
		require.NoError(t, one.Write(t.Context(), account.ID, ports.Entry{Mappings: all}))
	}
	saved := func(account domain.Account, courier string) (domain.Mapping, bool) {
		m, found := only.Both(other.Runs.Mapping(t.Context(), account.ID, courier))(t)
		return m, found
	}
	save(ports.SavedMapping{CourierName: "delhivery", Mapping: domain.Mapping{domain.RoleAWB: "Waybill", domain.RoleUTR: "UTR"}})
	save(ports.SavedMapping{CourierName: "delhivery", Mapping: full}, ports.SavedMapping{CourierName: "custom"})

	m, found := saved(account, "delhivery")
	require.True(t, found)
	require.Equal(t, full, m)
	m, found = saved(account, "custom")
	require.True(t, found)
	require.Equal(t, domain.Mapping{}, m)
	_, found = saved(account, "dtdc")
	require.False(t, found)
	_, found = saved(neighbour, "delhivery")
	require.False(t, found)
})
