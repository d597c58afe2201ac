package runs_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/runs"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/fakes/storage"
)

// demoPreviews stands for the engine: it remembers what it was given and spoils
// it, as reading in place may.
type demoPreviews struct {
	ports.Reconciling
	requests []ports.Request
	err      error
}

func (f *demoPreviews) Preview(_ context.Context, req ports.Request) (*ports.FinishedRun, error) {
	f.requests = append(f.requests, ports.Request{Storefront: slices.Clone(req.Storefront), Courier: slices.Clone(req.Courier)})
	clear(req.Storefront)
	clear(req.Courier)
	if f.err != nil {
		return nil, f.err
	}
	return ports.NewFinishedRun(&verdict.Reconciliation{}, domain.Run{}, domain.Mapping{}, nil), nil
}

type demoNames struct{}

func (demoNames) Of(s string) string { return "hash of " + s }

func (demoNames) Former(string) []string { return nil }

// renamed has a secret of today and one of yesterday.
type renamed struct{}

func (renamed) Of(s string) string { return "new hash of " + s }

func (renamed) Former(s string) []string { return []string{"hash of " + s} }

type demoBench struct {
	*runs.Demo
	*storage.Store
	previews *demoPreviews
}

func newDemoBench(t *testing.T) *demoBench {
	t.Helper()
	b := &demoBench{Store: storage.New(t, domain.Account{}), previews: &demoPreviews{}}
	b.Demo = b.replica()
	return b
}

// replica is another instance of the service on the same storage.
func (b *demoBench) replica() *runs.Demo {
	return runs.NewDemo(runs.DemoParams{Reconciling: b.previews, Windows: b.Windows, Names: demoNames{}, Clock: b.Clock})
}

// wait makes one request and says for how long it was refused.
func (b *demoBench) wait(t *testing.T, d *runs.Demo, client string) time.Duration {
	t.Helper()
	outcome, err := d.Demo(t.Context(), client)
	if err == nil {
		outcome.Release()
		return 0
	}
	refusal, known := errors.AsType[*domain.Error](err)
	require.True(t, known, "%v", err)
	require.Equal(t, domain.CodeRate, refusal.Code)
	require.Nil(t, outcome)
	return refusal.RetryAfter
}

func TestDemoBlockIsRememberedWithoutStorage(t *testing.T) {
	t.Parallel()
	b := newDemoBench(t)
	for range 21 {
		b.wait(t, b.Demo, "192.0.2.7")
	}
	require.Equal(t, 21, b.Calls["window"])

	b.Now = b.Now.Add(20 * time.Second)
	require.Equal(t, 40*time.Second, b.wait(t, b.Demo, "192.0.2.7"))
	require.Equal(t, 21, b.Calls["window"], "a blocked client costs no round trip")

	other := b.replica()
	require.Equal(t, 40*time.Second, b.wait(t, other, "192.0.2.7"), "the block holds in every instance")
	require.Equal(t, 22, b.Calls["window"])
	b.wait(t, other, "192.0.2.7")
	require.Equal(t, 22, b.Calls["window"], "which then remembers it too")
}

func TestDemoBlockOfAClockThatWasAhead(t *testing.T) {
	t.Parallel()
	b := newDemoBench(t)
	b.Now = b.Now.Add(time.Hour)
	for range 21 {
		b.wait(t, b.Demo, "192.0.2.7")
	}
	b.Now = b.Now.Add(-time.Hour)
	require.Equal(t, time.Minute, b.wait(t, b.Demo, "192.0.2.7"), "no wait is longer than the block")
	b.Now = b.Now.Add(time.Minute)
	require.Zero(t, b.wait(t, b.Demo, "192.0.2.7"))
}

// A client does not begin afresh when the service's secret is changed, and copies
// before and after the change count together.
func TestDemoRateOutlivesAChangeOfSecret(t *testing.T) {
	t.Parallel()
	b := newDemoBench(t)
	changed := runs.NewDemo(runs.DemoParams{Reconciling: b.previews, Windows: b.Windows, Names: renamed{}, Clock: b.Clock})
	for i := range 20 {
		instances := []*runs.Demo{b.Demo, changed}
		require.Zero(t, b.wait(t, instances[i/10], "192.0.2.7"), "request %d", i+1)
	}
	require.Equal(t, time.Minute, b.wait(t, changed, "192.0.2.7"), "the 21st")

	for range 21 {
		b.wait(t, b.Demo, "192.0.2.8")
	}
	b.Now = b.Now.Add(10 * time.Second)
	require.Equal(t, 50*time.Second, b.wait(t, changed, "192.0.2.8"), "a block stays")
	b.Now = b.Now.Add(50 * time.Second)
	require.Zero(t, b.wait(t, changed, "192.0.2.8"))
}

func TestDemoDecisionsMayBeRepeated(t *testing.T) {
	t.Parallel()
	b := newDemoBench(t)
	b.Stale = domain.RateWindow{BlockedUntil: b.Now.Add(10 * time.Second)}
	for i := range 20 {
		require.Zero(t, b.wait(t, b.Demo, "192.0.2.7"), "request %d: the last decision counts, and it lets in", i+1)
	}
	b.Stale = domain.RateWindow{}
	require.Equal(t, time.Minute, b.wait(t, b.Demo, "192.0.2.7"), "the last decision refuses")
}

func TestDemoPassesFaultsOn(t *testing.T) {
	t.Parallel()
	b := newDemoBench(t)
	b.Fault = storage.Failing("window", domain.ErrDatabase)
	_, err := b.Demo.Demo(t.Context(), "192.0.2.7")
	require.ErrorIs(t, err, domain.ErrDatabase)
	require.Empty(t, b.previews.requests, "a request that cannot be counted is not served")

	b.Fault, b.previews.err = storage.Failing("", nil), errors.New("out of memory")
	_, err = b.Demo.Demo(t.Context(), "192.0.2.7")
	require.ErrorIs(t, err, b.previews.err)
}

func TestDemoSampleIsFreshEachTime(t *testing.T) {
	t.Parallel()
	b := newDemoBench(t)
	for range 2 {
		outcome, err := b.Sample(t.Context())
		require.NoError(t, err)
		outcome.Release()
	}
	require.Zero(t, b.Calls["window"], "our own pages are not counted")
	require.Contains(t, string(b.previews.requests[0].Storefront), "Name,Email,Financial Status")
	require.Contains(t, string(b.previews.requests[0].Courier), "AWB No,Order ID,COD Amount")
	require.Equal(t, b.previews.requests[0], b.previews.requests[1])
}
