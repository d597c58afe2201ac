package service

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/cli"
	"milaan/domain"
	"milaan/tests/only"
)

// samplesDir holds a folder per courier.
const samplesDir = "../../couriers/testdata"

// TestSamples holds that the service and the command line give the same
// results, byte for byte, for every sample of every courier.
func TestSamples(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	reports := only.Value(filepath.Glob(filepath.Join(samplesDir, "*", "*.csv")))(t)
	engine := func() (cli.Offline, error) {
		return cli.Offline{Reconciling: s.Reconciling, Couriers: s.Couriers, Answers: s.Answers, Foresee: func(int64) {}}, nil
	}
	seen := map[string]bool{}
	for _, report := range reports {
		if strings.HasSuffix(report, ".orders.csv") {
			continue
		}
		seen[filepath.Base(filepath.Dir(report))] = true
		name := only.Value(filepath.Rel(samplesDir, report))(t)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			orders := strings.TrimSuffix(report, ".csv") + ".orders.csv"
			var stdout, stderr bytes.Buffer
			code := cli.Execute(t.Context(), cli.Deps{Offline: engine}, []string{"reconcile", "--json", orders, report}, &stdout, &stderr)
			require.Equal(t, cli.ExitDone, code, stderr.String())
			s.Clock.Advance(time.Minute)
			a := c.Reconcile(t, Body{"shopify": read(t, orders), "courier": read(t, report)})
			require.NotEmpty(t, a.Run(t).Results)
			require.Equal(t, stdout.String(), string(a.Body))
		})
	}
	for _, courier := range s.Couriers.Catalogue() {
		require.True(t, seen[courier.ID], "there is no sample of %s", courier.ID)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(only.Value(os.ReadFile(path))(t))
}
