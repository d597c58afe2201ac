package couriers_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// update writes what the samples become now over what they must become. Read
// the difference before committing it.
var update = flag.Bool("update", false, "write the golden files of the samples anew")

const custom = domain.CustomCourier

// golden is what a sample must become.
type golden struct {
	Mapping      domain.Columns `json:"mapping"`       // role to header
	RecognisedBy []string       `json:"recognised_by"` // the couriers that know the header best
	Rows         int            `json:"rows"`
	Warnings     []string       `json:"warnings,omitempty"` // their codes
	Remittances  []remittance   `json:"remittances"`
}

// remittance is a verdict.Remittance as a person reads it; amounts are paise.
type remittance struct {
	AWB         string `json:"awb,omitempty"`
	OrderID     string `json:"order_id,omitempty"`
	Listed      int64  `json:"listed,omitempty"` // where it is not what was collected
	Collected   int64  `json:"collected"`
	Remitted    int64  `json:"remitted"`
	RemittedOn  string `json:"remitted_on,omitempty"`
	DeliveredOn string `json:"delivered_on,omitempty"`
	UTR         string `json:"utr,omitempty"`
	Rounded     bool   `json:"awb_rounded,omitempty"`
	Returned    bool   `json:"returned,omitempty"`
	NeverLeft   bool   `json:"never_left,omitempty"`

	Charges map[string]int64 `json:"charges,omitempty"` // by header
}

func TestSamplesBecomeWhatTheyMust(t *testing.T) {
	registry := couriers.New(table.New())
	for _, s := range samples(t) {
		t.Run(s.courier+"/"+s.shape, func(t *testing.T) {
			got := read(t, registry, s)
			var want golden
			text, err := os.ReadFile(s.golden())
			if err == nil {
				require.NoError(t, json.Unmarshal(text, &want))
			}
			if *update && !reflect.DeepEqual(want, got.asKnownBy(want.RecognisedBy)) {
				write(t, s.golden(), got)
				return
			}
			require.NoError(t, err, "a new sample: run `go test ./couriers -update` and check what it wrote")
			require.Equal(t, want, got.asKnownBy(want.RecognisedBy))
		})
	}
}

// asKnownBy leaves out the couriers that a golden file does not name, if those
// that it names still know the sample: one that is added may know it as well, so
// long as it reads it alike. What custom reads may come to have a courier of
// its own.
func (g golden) asKnownBy(ids []string) golden {
	for _, id := range ids {
		if !slices.Contains(g.RecognisedBy, id) && id != custom {
			return g
		}
	}
	g.RecognisedBy = ids
	return g
}

// read reads a sample in the way of a run, and checks that `milaan couriers` would
// say the same of it. The sample must be known by the courier in whose folder it
// lies, and nobody may know it better; but one that custom reads may come to have a
// courier of its own. All who know it equally well must read it alike.
func read(t *testing.T, registry *couriers.Registry, s sample) golden {
	t.Helper()
	text := only.Value(os.ReadFile(s.path))(t)
	recognitions, recognised, err := registry.Recognise(ports.Content{Bytes: slices.Clone(text)})
	require.NoError(t, err, "`go run . couriers couriers/%s` says which column is missing, and what the header has", s.path)
	for i, id := range best(recognitions) {
		require.Equal(t, recognised, recognitions[i].Mapping, "as %s reads it", id)
	}
	if s.courier == custom {
		require.Equal(t, custom, recognitions[len(recognitions)-1].Courier.ID)
	} else {
		require.Contains(t, best(recognitions), s.courier)
	}

	export, err := os.ReadFile(s.orders())
	require.NoError(t, err, "beside a report is an export of about the same orders")
	var orders verdict.Orders
	orders.Reset()
	require.NoError(t, storefront.New(table.New()).Orders(ports.Content{Bytes: export}).Read(&orders))
	var lines verdict.Remittances
	mapping, err := registry.Remittances(ports.Content{Bytes: text}, ports.MappingChoice{}).Read(func() *verdict.Orders { return &orders }, &lines)
	require.NoError(t, err)
	require.Equal(t, mapping, recognised)

	g := golden{Mapping: mapping.ByRole(), RecognisedBy: best(recognitions), Rows: lines.Rows, Remittances: []remittance{}}
	for _, w := range lines.Warnings {
		g.Warnings = append(g.Warnings, string(w.Code))
	}
	for i := range lines.Len() {
		line := lines.At(i)
		listed := int64(line.Listed)
		if line.Listed == line.Collected {
			listed = 0
		}
		var charges map[string]int64
		for _, charge := range lines.ChargesOf(line) {
			if charges == nil {
				charges = map[string]int64{}
			}
			charges[lines.Reports()[0].Charges[charge.Column]] += int64(charge.Amount)
		}
		g.Remittances = append(g.Remittances, remittance{Charges: charges,
			AWB: string(line.AWB), OrderID: string(line.OrderID), UTR: string(line.UTR),
			Listed: listed, Collected: int64(line.Collected), Remitted: int64(line.Remitted),
			RemittedOn: line.RemittedOn.String(), DeliveredOn: line.DeliveredOn.String(),
			Rounded: line.AWBRounded, Returned: line.Returned, NeverLeft: line.NeverLeft,
		})
	}
	return g
}

// best are the ids of the couriers that know a header best.
func best(recognitions []ports.Recognition) []string {
	var ids []string
	for _, r := range recognitions {
		if r.Exact == recognitions[0].Exact && (r.Courier.ID != custom || len(ids) == 0) {
			ids = append(ids, r.Courier.ID)
		}
	}
	return ids
}

// write writes a golden file with one line for each remittance.
func write(t *testing.T, path string, g golden) {
	t.Helper()
	lines := g.Remittances
	g.Remittances = nil
	text := only.Value(json.MarshalIndent(g, "", "  "))(t)
	text = bytes.TrimSuffix(text, []byte("null\n}"))
	text = append(text, '[')
	for i, line := range lines {
		one := only.Value(json.Marshal(line))(t)
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, "\n    "...), one...)
	}
	text = append(text, "\n  ]\n}\n"...)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return
	}
	require.NoError(t, os.WriteFile(path, text, 0o644))
	t.Log("wrote", path)
}

// A golden file whose sample is gone proves nothing.
func TestGoldenFilesHaveSamples(t *testing.T) {
	known := map[string]bool{}
	for _, s := range samples(t) {
		known[s.golden()] = true
	}
	for _, path := range only.Value(filepath.Glob("testdata/*/*.golden.json"))(t) {
		require.True(t, known[path], "%s has no sample", path)
	}
}

// One sample shows that a courier's reports are read. The contract's couriers
// and custom stand for many shapes: they show two at least.
func TestEveryCourierHasSamples(t *testing.T) {
	count := map[string]int{}
	for _, s := range samples(t) {
		count[s.courier]++
	}
	known := map[string]bool{}
	for _, info := range couriers.New(table.New()).Catalogue() {
		known[info.ID] = true
		least := 1
		if _, contracts := contractsCouriers[info.ID]; contracts || info.ID == custom {
			least = 2
		}
		require.GreaterOrEqual(t, count[info.ID], least, "samples in testdata/%s", info.ID)
	}
	for id := range count {
		require.True(t, known[id], "testdata/%s is the folder of no courier", id)
	}
}

// contractsCouriers are the six couriers of the contract and their columns
// (guide: files).
var contractsCouriers = map[string][]string{
	"delhivery":    {"AWB No", "COD Amount", "Remittance Date"},
	"shiprocket":   {"AWB Code", "Total Amount", "Payment Date"},
	"xpressbees":   {"Waybill Number", "COD Collected", "Settlement Date"},
	"ecom_express": {"AWB Number", "COD Amount", "Remittance Date"},
	"dtdc":         {"AWB Number", "COD Amount (INR)", "Remittance Date"},
	"shadowfax":    {"AWB Number", "COD Amount (INR)", "Remittance Date"},
}

func TestCatalogue(t *testing.T) {
	infos := couriers.New(table.New()).Catalogue()
	signatures := map[string][]string{}
	var ids []string
	for _, info := range infos {
		require.NotEmpty(t, info.Name)
		signatures[info.ID] = info.Signature
		ids = append(ids, info.ID)
	}
	require.Subset(t, signatures, contractsCouriers)
	last := len(ids) - 1
	require.True(t, slices.IsSorted(ids[:last]))
	require.Equal(t, custom, ids[last])
	require.Empty(t, infos[last].Signature)
}
