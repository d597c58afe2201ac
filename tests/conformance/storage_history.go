package conformance

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func runIDs(runs []domain.Run) (ids []string) {
	for _, run := range runs {
		ids = append(ids, run.ID)
	}
	return ids
}

func listed(t *testing.T, s Storage, account domain.Account, f ports.RunFilter) []domain.Run {
	t.Helper()
	f.Limit = cmp.Or(f.Limit, many)
	return only.Value(s.History.List(t.Context(), account.ID, f))(t)
}

var _ = promises.add("runs are listed in pages", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "listed"), created(t, one, "neighbour")
	require.Empty(t, listed(t, one, account, ports.RunFilter{}))
	var want []string
	for i := range 10 { // three of each time
		run := aRun(account, runID(i), noon.Add(time.Duration(i/3)*time.Second))
		settle(t, one, account, run)
		want = append([]string{run.ID}, want...)
	}
	settle(t, one, neighbour, aRun(neighbour, "theirs", noon))
	whole := listed(t, other, account, ports.RunFilter{})
	require.Equal(t, want, runIDs(whole))
	require.Equal(t, aRun(account, runID(9), noon.Add(3*time.Second)), whole[0])
	for size := 1; size <= len(want)+1; size++ {
		var got []string
		for after := ""; ; after = got[len(got)-1] {
			page := listed(t, other, account, ports.RunFilter{After: after, Limit: size})
			require.LessOrEqual(t, len(page), size)
			if len(page) == 0 {
				break
			}
			got = append(got, runIDs(page)...)
		}
		require.Equal(t, want, got, "pages of %d", size)
	}

	first := listed(t, one, account, ports.RunFilter{Limit: 4})
	settle(t, one, account, aRun(account, "meanwhile", noon.Add(time.Hour)))
	require.Equal(t, want[4:], runIDs(listed(t, one, account, ports.RunFilter{After: first[3].ID})), "a new run moves no page")
	require.Empty(t, listed(t, one, account, ports.RunFilter{After: "theirs"}), "another account's run is no place")
	require.Empty(t, listed(t, one, account, ports.RunFilter{After: "unknown"}))
})

var _ = promises.add("runs are listed by their labels and times", func(t *testing.T, one, other Storage) {
	account := created(t, one, "filtered")
	for i, labels := range [][3]string{
		{"Asha", "delhivery", "api"},
		{"Asha", "delhivery+xpressbees", "dashboard"},
		{"asha", "dtdc+ecom_express+xpressbees", "batch"},
		{"A_ha", "ecomxexpress", "api"},
		{"Asha", "", "api"},
		{"%", "xpress", "dashboard"},
		{"₹ + ?", "Delhivery", "api"},
	} {
		run := aRun(account, fmt.Sprint(i), noon.Add(time.Duration(i)*time.Second))
		run.Brand, run.CourierName, run.Source = labels[0], labels[1], domain.Source(labels[2])
		settle(t, one, account, run)
	}
	at := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }
	for _, c := range []struct {
		filter ports.RunFilter
		want   []string
	}{
		{ports.RunFilter{Brand: "Asha"}, []string{"4", "1", "0"}},
		{ports.RunFilter{Brand: "asha"}, []string{"2"}},
		{ports.RunFilter{Brand: "A_ha"}, []string{"3"}},
		{ports.RunFilter{Brand: "%"}, []string{"5"}},
		{ports.RunFilter{Brand: "₹ + ?"}, []string{"6"}},
		{ports.RunFilter{Brand: "nobody's"}, nil},
		{ports.RunFilter{Courier: "delhivery"}, []string{"1", "0"}},
		{ports.RunFilter{Courier: "xpressbees"}, []string{"2", "1"}},
		{ports.RunFilter{Courier: "ecom_express"}, []string{"2"}},
		{ports.RunFilter{Courier: "xpress"}, []string{"5"}},
		{ports.RunFilter{Courier: "express"}, nil},
		{ports.RunFilter{Courier: "%"}, nil},
		{ports.RunFilter{Courier: "delhivery+xpressbees"}, nil},
		{ports.RunFilter{Courier: "+"}, nil},
		{ports.RunFilter{Source: domain.SourceDashboard}, []string{"5", "1"}},
		{ports.RunFilter{Source: domain.SourceBatch, Courier: "dtdc", Brand: "asha"}, []string{"2"}},
		{ports.RunFilter{Source: domain.SourceBatch, Courier: "delhivery"}, nil},
		{ports.RunFilter{From: at(4)}, []string{"6", "5", "4"}},
		{ports.RunFilter{To: at(2)}, []string{"1", "0"}},
		{ports.RunFilter{From: at(1), To: at(4), Courier: "xpressbees"}, []string{"2", "1"}},
		{ports.RunFilter{From: at(4), To: at(4)}, nil},
		{ports.RunFilter{Source: domain.SourceAPI, After: "4"}, []string{"3", "0"}},
		{ports.RunFilter{Source: domain.SourceAPI, After: "4", Limit: 1}, []string{"3"}},
		{ports.RunFilter{Source: domain.SourceAPI, After: "2"}, []string{"0"}},
	} {
		require.Equal(t, c.want, runIDs(listed(t, other, account, c.filter)), "%+v", c.filter)
	}
})

var _ = promises.add("the labels of runs are listed", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "labels"), created(t, one, "neighbour")
	labels := func(a domain.Account) ports.RunLabels {
		return only.Value(other.History.Labels(t.Context(), a.ID))(t)
	}
	require.Equal(t, ports.RunLabels{}, labels(account))
	for i, label := range [][3]string{{"b", "xpressbees+delhivery", "api"}, {"a ₹", "delhivery", "dashboard"}, {"b", "", "api"}, {"A", "dtdc+xpressbees", "api"}} {
		run := aRun(account, runID(i), noon)
		run.Brand, run.CourierName, run.Source = label[0], label[1], domain.Source(label[2])
		settle(t, one, account, run)
	}
	settle(t, one, neighbour, aRun(neighbour, "theirs", noon))
	require.Equal(t, ports.RunLabels{Brands: []string{"A", "a ₹", "b"}, Couriers: []string{"delhivery", "dtdc", "xpressbees"},
		Sources: []domain.Source{domain.SourceAPI, domain.SourceDashboard}}, labels(account))
	require.Equal(t, ports.RunLabels{Brands: []string{"Brand ₹"}, Couriers: []string{"delhivery"}, Sources: []domain.Source{domain.SourceAPI}}, labels(neighbour))
})

var _ = promises.add("a run is its account's", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "found"), created(t, one, "neighbour")
	settle(t, one, account, aRun(account, "run", noon))
	require.Equal(t, aRun(account, "run", noon), only.Value(other.History.Run(t.Context(), account.ID, "run"))(t))
	require.ErrorIs(t, only.Err(other.History.Run(t.Context(), neighbour.ID, "run")), domain.ErrNoRun)
	require.ErrorIs(t, only.Err(other.History.Run(t.Context(), account.ID, "unknown")), domain.ErrNoRun)
})

var _ = promises.add("old runs are swept away", func(t *testing.T, one, other Storage) {
	account := created(t, one, "swept")
	settle(t, one, account, aRun(account, "old", noon.Add(-time.Microsecond)), aRun(account, "kept", noon), aRun(account, "fresh", noon.Add(time.Hour)))
	before := RunsSince(t, one, account.ID, noon)
	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{}))
	require.Len(t, listed(t, one, account, ports.RunFilter{}), 3, "a zero time deletes nothing")
	for range 2 {
		require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Runs: noon}))
		require.Equal(t, []string{"fresh", "kept"}, runIDs(listed(t, one, account, ports.RunFilter{})))
	}
	require.Equal(t, before, RunsSince(t, one, account.ID, noon), "the runs of the cycle are counted as before")
})

// A delivery of a run that is deleted stays in the log, and is not made any more.
var _ = promises.add("a swept run drops its deliveries", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "swept")
	pending, settled := announced(t, one, account, "pending"), announced(t, one, account, "settled")
	attempted(t, one, settled.ID, noon)
	require.NoError(t, one.Deliveries.Complete(t.Context(), settled.ID, goodAttempt(1), domain.DeliveryDelivered))
	attempted(t, one, pending.ID, noon)

	claim := aClaim(account, "claimed", "holder")
	require.NoError(t, only.Err(one.Claims.Take(t.Context(), claim)))
	claim.RunID = "claimed"
	require.NoError(t, one.Write(t.Context(), account.ID, ports.Entry{Run: aRun(account, "claimed", noon), Claim: claim}))
	kept := aDelivery(account, "kept")
	require.NoError(t, one.Write(t.Context(), account.ID, ports.Entry{Run: aRun(account, kept.RunID, noon.Add(time.Hour)), Event: kept}))

	require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Runs: noon.Add(time.Minute)}))
	require.Equal(t, []string{kept.RunID}, runIDs(listed(t, one, account, ports.RunFilter{})))
	for _, d := range []domain.Delivery{pending, settled} {
		require.Empty(t, DeliveryOf(t, one, account.ID, d.ID).RunID)
	}
	require.Equal(t, domain.DeliveryDelivered, DeliveryOf(t, one, account.ID, settled.ID).State)
	require.NoError(t, one.Deliveries.Complete(t.Context(), pending.ID, failedAttempt(1), domain.DeliveryPending), "an attempt under way completes")
	requireSettled(t, one, pending, domain.DeliveryDropped)
	require.Equal(t, aRun(account, kept.RunID, noon.Add(time.Hour)), attempted(t, one, kept.ID, noon).Run)

	again := settled
	again.ID = "again"
	require.ErrorIs(t, one.Deliveries.Add(t.Context(), again), domain.ErrNoRun)
	again.RunID = ""
	require.ErrorIs(t, one.Deliveries.Add(t.Context(), again), domain.ErrNoRun)
	stands := only.Value(one.Claims.Take(t.Context(), aClaim(account, "claimed", "holder")))(t)
	require.Empty(t, stands.RunID, "the key is free again")
})

var _ = promises.add("mappings are listed and removed", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "mapped"), created(t, one, "neighbour")
	save := func(a domain.Account, at time.Time, all ...ports.SavedMapping) {
		require.NoError(t, one.Write(t.Context(), a.ID, ports.Entry{Mappings: all, SavedAt: at}))
	}
	list := func(s Storage, a domain.Account) []ports.StoredMapping {
		return only.Value(s.Mappings.List(t.Context(), a.ID))(t)
	}
	require.Empty(t, list(one, account))
	dtdc := ports.SavedMapping{CourierName: "dtdc", Mapping: domain.Mapping{domain.RoleAWB: "Waybill ₹"}}
	custom := ports.SavedMapping{CourierName: "custom", Mapping: domain.Mapping{domain.RoleUTR: "UTR"}}
	save(account, noon, dtdc, custom)
	save(account, noon.Add(time.Hour), dtdc)
	save(neighbour, noon, dtdc)
	require.Equal(t, []ports.StoredMapping{{SavedMapping: custom, SavedAt: noon}, {SavedMapping: dtdc, SavedAt: noon.Add(time.Hour)}}, list(other, account))

	removed := anEvent("removed", noon, domain.SecurityMappingGone)
	require.NoError(t, other.Mappings.Remove(t.Context(), account.ID, "dtdc", removed))
	require.Equal(t, []ports.StoredMapping{{SavedMapping: custom, SavedAt: noon}}, list(one, account))
	require.Len(t, list(one, neighbour), 1)
	require.Equal(t, []string{"removed"}, eventIDs(t, one, account))
	for _, courier := range []string{"dtdc", "", "CUSTOM"} {
		require.ErrorIs(t, other.Mappings.Remove(t.Context(), account.ID, courier, anEvent("none", noon, domain.SecurityMappingGone)), domain.ErrNoMapping)
	}
	require.Equal(t, []string{"removed"}, eventIDs(t, one, account))
	require.Len(t, list(one, account), 1)
	require.ErrorIs(t, one.Mappings.Remove(t.Context(), "nobody", "dtdc", removed), domain.ErrNoAccount)
	_, found := only.Both(one.Runs.Mapping(t.Context(), account.ID, "dtdc"))(t)
	require.False(t, found)
})

func aNamedMapping(name string) domain.NamedMapping {
	return domain.NamedMapping{Name: name, Header: domain.HashHeader([]string{"Docket", name}), SavedAt: noon,
		Mapping: domain.Mapping{domain.RoleAWB: "Docket", domain.RoleRemittedAmount: "राशि ₹", domain.RoleCharges: domain.JoinColumns([]string{"Fee", "GST"})}}
}

var _ = promises.add("named mappings are saved, renamed and removed", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "named"), created(t, one, "neighbour")
	list := func(s Storage, a domain.Account) []domain.NamedMapping {
		return only.Value(s.Mappings.ListNamed(t.Context(), a.ID))(t)
	}
	none := domain.SecurityEvent{}
	require.Empty(t, list(one, account))
	bharat, speedy := aNamedMapping("Bharat  Express"), aNamedMapping("speedy")
	require.NoError(t, one.Mappings.Save(t.Context(), account.ID, speedy, false, anEvent("saved", noon, domain.SecurityMapping)))
	require.NoError(t, other.Mappings.Save(t.Context(), account.ID, bharat, true, none))
	require.NoError(t, one.Mappings.Save(t.Context(), neighbour.ID, speedy, false, none))
	require.Equal(t, []domain.NamedMapping{bharat, speedy}, list(other, account))
	require.Equal(t, []string{"saved"}, eventIDs(t, one, account))

	again := aNamedMapping("SPEEDY")
	again.SavedAt = noon.Add(time.Hour)
	taken := anEvent("taken", noon, domain.SecurityMapping)
	require.ErrorIs(t, one.Mappings.Save(t.Context(), account.ID, again, false, taken), domain.ErrMappingTaken)
	require.Equal(t, []domain.NamedMapping{bharat, speedy}, list(other, account))
	require.NoError(t, one.Mappings.Save(t.Context(), account.ID, again, true, none))
	require.Equal(t, []domain.NamedMapping{bharat, again}, list(other, account))
	require.Equal(t, []domain.NamedMapping{speedy}, list(other, neighbour))

	require.ErrorIs(t, one.Mappings.Rename(t.Context(), account.ID, "speedy", "bharat express", taken), domain.ErrMappingTaken)
	for _, to := range []string{"x", "speedy"} {
		require.ErrorIs(t, one.Mappings.Rename(t.Context(), account.ID, "nobody's", to, taken), domain.ErrNoNamedMapping)
	}
	require.NoError(t, other.Mappings.Rename(t.Context(), account.ID, "Speedy", "Speedy!", none))
	require.NoError(t, other.Mappings.Rename(t.Context(), account.ID, "speedy!", "SPEEDY!", none), "in other letters")
	again.Name = "SPEEDY!"
	require.Equal(t, []domain.NamedMapping{bharat, again}, list(one, account))
	require.Equal(t, []domain.NamedMapping{speedy}, list(other, neighbour))

	require.ErrorIs(t, one.Mappings.RemoveNamed(t.Context(), account.ID, "speedy", taken), domain.ErrNoNamedMapping)
	require.NoError(t, one.Mappings.RemoveNamed(t.Context(), account.ID, " speedy! ", anEvent("removed", noon, domain.SecurityMappingGone)))
	require.Equal(t, []domain.NamedMapping{bharat}, list(other, account))
	require.Len(t, list(one, neighbour), 1)
	require.ElementsMatch(t, []string{"removed", "saved"}, eventIDs(t, one, account))
	for _, err := range []error{
		one.Mappings.Save(t.Context(), "nobody", bharat, true, none), one.Mappings.Rename(t.Context(), "nobody", "a", "b", none),
		one.Mappings.RemoveNamed(t.Context(), "nobody", "a", none),
	} {
		require.ErrorIs(t, err, domain.ErrNoAccount)
	}
})

// The last two are saved at the same time.
var _ = promises.add("named mappings have a limit, exactly", func(t *testing.T, one, other Storage) {
	account := created(t, one, "many")
	save := func(s Storage, i int) error {
		return s.Mappings.Save(t.Context(), account.ID, aNamedMapping(fmt.Sprintf("mapping %d", i)), false, domain.SecurityEvent{})
	}
	for i := range domain.MaxNamedMappings - 1 {
		require.NoError(t, save(one, i))
	}
	errs := make(chan error, 2)
	go func() { errs <- save(one, 1001) }()
	go func() { errs <- save(other, 1002) }()
	require.ElementsMatch(t, []error{nil, domain.ErrManyMappings}, []error{<-errs, <-errs})
	require.NoError(t, one.Mappings.Save(t.Context(), account.ID, aNamedMapping("Mapping 7"), true, domain.SecurityEvent{}), "it replaces one")
})
