package storefront_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// update writes what the samples become now over what they must become. Read the
// difference before committing it.
var update = flag.Bool("update", false, "write the golden files of the samples anew")

// golden is what a sample must become.
type golden struct {
	Rows     int      `json:"rows"`
	Warnings []string `json:"warnings,omitempty"` // their codes
	Orders   []order  `json:"orders"`
}

// order is a verdict.Order as a person reads it; amounts are paise.
type order struct {
	Name        string        `json:"name"`
	Status      string        `json:"status"`
	Fulfilment  string        `json:"fulfilment"`
	Financial   string        `json:"financial,omitempty"`
	Payment     string        `json:"payment,omitempty"`
	PartPrepaid bool          `json:"part_prepaid,omitempty"`
	Method      string        `json:"method,omitempty"`
	Total       *domain.Paise `json:"total,omitempty"`
	Outstanding *domain.Paise `json:"outstanding,omitempty"`
	OrderedOn   string        `json:"ordered_on,omitempty"`
	FulfilledOn string        `json:"fulfilled_on,omitempty"`
	Currency    string        `json:"currency,omitempty"` // if it is not the rupee
	AWBs        string        `json:"awbs,omitempty"`
}

var (
	fulfilments = []string{"unfulfilled", "other", "fulfilled", "restocked"}
	financials  = []string{"", "other", "pending", "paid", "partly paid", "voided"}
	payments    = []string{"", "cash on delivery", "prepaid", "unknown", "manual", "cash"}
)

// TestSamplesBecomeWhatTheyMust holds of every storefront that it has a sample, that
// each is known as its own, and that it is read as it must be.
func TestSamplesBecomeWhatTheyMust(t *testing.T) {
	registry := storefront.New(table.New())
	paths := only.Value(filepath.Glob("testdata/*/*.csv"))(t)
	var sampled []string
	for _, path := range paths {
		id := filepath.Base(filepath.Dir(path))
		sampled = append(sampled, id)
		t.Run(id+"/"+filepath.Base(path), func(t *testing.T) {
			text := only.Value(os.ReadFile(path))(t)
			require.Equal(t, id, registry.Whose(slices.Clone(text)))
			got := only.Value(json.MarshalIndent(sample(t, registry, text), "", "  "))(t)
			promise := strings.TrimSuffix(path, ".csv") + ".golden.json"
			if *update {
				require.NoError(t, os.WriteFile(promise, append(got, '\n'), 0o644))
			}
			want, err := os.ReadFile(promise)
			require.NoError(t, err, "a new sample: run `go test ./adapters/storefront -update` and check what it wrote")
			require.Equal(t, string(want), string(got)+"\n")
		})
	}
	require.Equal(t, registry.IDs(), slices.Compact(sampled), "each storefront has a folder of samples, and each folder a storefront")
}

func sample(t *testing.T, registry *storefront.Registry, text []byte) golden {
	t.Helper()
	var orders verdict.Orders
	orders.Reset()
	require.NoError(t, registry.Orders(ports.Content{Bytes: text}).Read(&orders))
	g := golden{Rows: orders.Rows}
	for _, w := range orders.Warnings {
		g.Warnings = append(g.Warnings, string(w.Code))
	}
	for i := range orders.Len() {
		o := orders.At(i)
		read := order{
			Name: string(o.Name), Status: o.Status(), Fulfilment: fulfilments[o.Fulfilment], Financial: financials[o.Financial],
			Payment: payments[o.Payment], PartPrepaid: o.PartPrepaid, Method: string(orders.Text(o.Method)),
			OrderedOn: o.OrderedOn().String(), FulfilledOn: o.FulfilledOn.String(), Currency: string(orders.Text(o.Currency)), AWBs: string(orders.AWBs(nil, o)),
		}
		if o.HasTotal {
			read.Total = &o.Total
		}
		if o.HasOutstanding {
			read.Outstanding = &o.Outstanding
		}
		g.Orders = append(g.Orders, read)
	}
	return g
}
