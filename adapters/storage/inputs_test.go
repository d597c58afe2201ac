package storage

import (
	"bytes"
	"encoding/gob"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// firstInput is what the first version of the program has read and written.
type firstInput struct {
	Storefront, Courier []byte
	CourierName, Brand  string
	Columns             map[string]string
	OverdueDays         optional
	MinorGap            optional
	Source              string
}

// TestInputsDuringAnUpgrade holds that an instance of the first version reads the jobs that
// it can make, fails at others, and that this version reads its jobs.
func TestInputsDuringAnUpgrade(t *testing.T) {
	first := func(text []byte) (in firstInput, err error) {
		err = gob.NewDecoder(bytes.NewReader(text)).Decode(&in)
		return in, err
	}
	plain := ports.Request{Storefront: []byte("o"), Courier: []byte("r"), Brand: "b", OverdueDays: new(0), Source: domain.SourceBatch}
	in := only.Value(first(encodeInput(plain)))(t)
	require.Equal(t, firstInput{Storefront: []byte("o"), Courier: []byte("r"), Brand: "b", OverdueDays: optional{true, 0}, Source: "batch"}, in)

	var old bytes.Buffer
	require.NoError(t, gob.NewEncoder(&old).Encode(in))
	require.Equal(t, plain, only.Value(decodeInput(old.Bytes()))(t).request())

	for name, change := range map[string]func(*ports.Request){
		"reports": func(r *ports.Request) {
			r.Courier, r.Reports = nil, []ports.Report{{Courier: []byte("r"), CourierName: "dtdc"}}
		},
		"statement": func(r *ports.Request) { r.Statement = []byte("") },
		"ledger":    func(r *ports.Request) { r.Previous = []byte("") },
		"items":     func(r *ports.Request) { r.Include = domain.IncludeOpenItems },
		"include":   func(r *ports.Request) { r.Include = domain.IncludeLines },
		"workbooks": func(r *ports.Request) { r.Workbooks = true },
		"charges":   func(r *ports.Request) { r.Charges = domain.FlagCharges },
		"mapping":   func(r *ports.Request) { r.Mapping = "Express" },
		"sheets":    func(r *ports.Request) { r.Sheets = []string{"s"} },
		"large": func(r *ports.Request) {
			r.Storefront, r.Courier = bytes.Repeat([]byte("order\n"), 1<<20), bytes.Repeat([]byte("line\n"), 1<<20)
		},
	} {
		req := plain
		change(&req)
		require.Error(t, only.Err(first(encodeInput(req))), name)
		read, err := decodeInput(encodeInput(req))
		require.NoError(t, err, name)
		require.Equal(t, req, read.request(), name)
	}
	var before struct{ Later firstInput } // what the version before Charges reads, as long as it knows no more
	accepting := plain
	accepting.Charges = domain.AcceptCharges
	require.Error(t, gob.NewDecoder(bytes.NewReader(encodeInput(accepting))).Decode(&before))
	var latest struct{ Latest firstInput } // what the version before Previous reads, as long as it knows no more
	accepting.Previous = []byte("ledger")
	require.Error(t, gob.NewDecoder(bytes.NewReader(encodeInput(accepting))).Decode(&latest))
	require.ErrorContains(t, only.Err(decodeInput([]byte("x"))), "decode the storage.input of a job")
	require.ErrorContains(t, only.Err(decodeInput(append(slices.Clone(frame), 'x'))), "decompress the input of a job")
}

// TestWhatIsDecompressedIsForgotten holds that nobody has the files of a job any more once it has ended.
func TestWhatIsDecompressedIsForgotten(t *testing.T) {
	packed := compressed(bytes.Repeat([]byte("order\n"), compressedFrom))
	text := only.Value(decompressed(packed))(t)
	of := []weak.Pointer[byte]{weak.Make(&packed[0]), weak.Make(&text[0])}
	runtime.GC()
	for _, p := range of {
		require.Nil(t, p.Value())
	}
}
