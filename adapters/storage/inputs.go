package storage

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"milaan/domain"
	"milaan/ports"
)

// input is the request of a job in the form in which it is sealed. A field may be added
// but never changed, because an instance may read what an earlier version has written.
type input struct {
	Storefront, Courier []byte
	CourierName, Brand  string
	Columns             map[string]string
	OverdueDays         optional
	MinorGap            optional
	Source              string
	Reports             []inputReport
	Statement           optionalText
	Include             uint8
	Workbooks           bool
	Sheets              []string
	Charges             string
	Mapping             string
	Previous            optionalText
}

type inputReport struct {
	Courier     []byte
	CourierName string
	Columns     map[string]string
	Mapping     string
}

// optionalText is a text that may not be given. gob cannot tell an empty one from none.
type optionalText struct {
	Given bool
	Text  []byte
}

func (o optionalText) bytes() []byte {
	if o.Given && o.Text == nil {
		return []byte{}
	}
	return o.Text
}

// optional is a number that may not be given. gob cannot tell a pointer to zero
// from none.
type optional struct {
	Given bool
	Value int
}

func optionally(n *int) optional {
	if n == nil {
		return optional{}
	}
	return optional{true, *n}
}

func (o optional) pointer() *int {
	if !o.Given {
		return nil
	}
	return &o.Value
}

func inputOf(req ports.Request) input {
	in := input{Storefront: req.Storefront, Courier: req.Courier, CourierName: req.CourierName, Brand: req.Brand,
		Columns: req.Columns, OverdueDays: optionally(req.OverdueDays), MinorGap: optionally(req.MinorGap), Source: string(req.Source),
		Statement: optionalText{req.Statement != nil, req.Statement}, Include: uint8(req.Include), Workbooks: req.Workbooks, Sheets: req.Sheets,
		Charges: string(req.Charges), Mapping: req.Mapping, Previous: optionalText{req.Previous != nil, req.Previous}}
	for _, r := range req.Reports {
		in.Reports = append(in.Reports, inputReport(r))
	}
	return in
}

func (in input) request() ports.Request {
	req := ports.Request{Storefront: in.Storefront, Courier: in.Courier, CourierName: in.CourierName, Brand: in.Brand,
		Columns: in.Columns, OverdueDays: in.OverdueDays.pointer(), MinorGap: in.MinorGap.pointer(), Source: domain.Source(in.Source),
		Statement: in.Statement.bytes(), Include: domain.Include(in.Include), Workbooks: in.Workbooks, Sheets: in.Sheets,
		Charges: domain.Charges(in.Charges), Mapping: in.Mapping, Previous: in.Previous.bytes()}
	for _, r := range in.Reports {
		req.Reports = append(req.Reports, ports.Report(r))
	}
	return req
}

// labels are the part of the request that is also stored apart from the files, so that a
// job whose files must not be read still ends under its labels.
type labels struct{ Brand, CourierName string }

// laterInput holds an input with fields that the first version of the program does not
// know. Without it an instance of that version, which may run beside this one during an
// upgrade, would read the fields that it knows and make another run of the job. So it
// finds none that it knows, fails, and the job is tried again, by this one in the end.
type laterInput struct{ Later input }

// latestInput is the same for the versions that know laterInput, and neither Charges nor Mapping.
type latestInput struct{ Latest input }

// rememberingInput is the same for the versions that know latestInput, and no ledgers.
type rememberingInput struct{ Remembering input }

// compressedFrom is how many bytes a request with its files, or a ledger, has at least that is
// compressed. The embedded database has one writer, for which all other requests wait while it
// stores 25 MB. A version that does not know of this fails at the job, as at laterInput.
const compressedFrom = 256 << 10

// compressor is made once, because it has tables.
var compressor = sync.OnceValue(func() *zstd.Encoder {
	made, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // an option is wrong
	}
	return made
})

// frame is how what compressor has compressed begins, and a gob never does.
var frame = []byte{0x28, 0xb5, 0x2f, 0xfd}

func encodeInput(req ports.Request) []byte {
	in := inputOf(req)
	var versioned any = in
	switch {
	case in.Previous.Given || req.Include.Has(domain.IncludeOpenItems):
		versioned = rememberingInput{in}
	case in.Charges != "" || req.NamesMapping():
		versioned = latestInput{in}
	case len(in.Reports) > 0 || in.Statement.Given || in.Include != 0 || in.Workbooks || len(in.Sheets) > 0:
		versioned = laterInput{in}
	}
	return compressed(encode(versioned, int(req.Bytes())))
}

// compressed returns a text that decompressed knows: itself, or compressed if it is long. One that
// begins as what is compressed must not be taken for it, and is compressed too.
func compressed(text []byte) []byte {
	if len(text) < compressedFrom && !bytes.HasPrefix(text, frame) {
		return text
	}
	return compressor().EncodeAll(text, nil)
}

// decompressed reads what compressed has returned. What decompresses is made for it alone: it holds its last text, and so
// would keep the files of a job in memory.
func decompressed(text []byte) ([]byte, error) {
	if !bytes.HasPrefix(text, frame) {
		return text, nil
	}
	made, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err) // an option is wrong
	}
	return made.DecodeAll(text, nil)
}

// decodeInput reads what encodeInput of this or an earlier version has returned.
func decodeInput(text []byte) (input, error) {
	text, err := decompressed(text)
	if err != nil {
		return input{}, fmt.Errorf("decompress the input of a job: %w", err)
	}
	in, err := decode[input](text)
	if err == nil {
		return in, nil
	}
	if held, err := decode[struct{ Later, Latest, Remembering *input }](text); err == nil {
		return *cmp.Or(held.Later, held.Latest, held.Remembering), nil // one of them is there, or else decode has an error
	}
	return input{}, err
}

// encode returns an input or labels as bytes. fileBytes is how many of them are files.
func encode(v any, fileBytes int) []byte {
	var b bytes.Buffer
	b.Grow(fileBytes + 1<<10) // the files, and the rest
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(fmt.Sprintf("gob refuses %T: %v", v, err))
	}
	return b.Bytes()
}

func decode[T any](text []byte) (v T, err error) {
	if err = gob.NewDecoder(bytes.NewReader(text)).Decode(&v); err != nil {
		err = fmt.Errorf("decode the %T of a job: %w", v, err)
	}
	return v, err
}
