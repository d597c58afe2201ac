package storage

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"milaan/domain"
	"milaan/ports"
)

// input is what a job was asked, in the form in which it is sealed. A field may
// be added, never altered: a copy of the service may read what a former version
// has written.
type input struct {
	Storefront, Courier []byte
	CourierName, Brand  string
	Columns             map[string]string
	OverdueDays         optional
	MinorGap            optional
	Source              string
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

func encoded(req ports.Request) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(req.Bytes()) + 1<<10) // the texts, and the rest
	err := gob.NewEncoder(&b).Encode(input{Storefront: req.Storefront, Courier: req.Courier, CourierName: req.CourierName, Brand: req.Brand,
		Columns: req.Columns, OverdueDays: optionally(req.OverdueDays), MinorGap: optionally(req.MinorGap), Source: string(req.Source)})
	if err != nil {
		return nil, fmt.Errorf("encode what a job was asked: %w", err)
	}
	return b.Bytes(), nil
}

func decoded(text []byte) (ports.Request, error) {
	var in input
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&in); err != nil {
		return ports.Request{}, fmt.Errorf("decode what a job was asked: %w", err)
	}
	return ports.Request{Storefront: in.Storefront, Courier: in.Courier, CourierName: in.CourierName, Brand: in.Brand,
		Columns: in.Columns, OverdueDays: in.OverdueDays.pointer(), MinorGap: in.MinorGap.pointer(), Source: domain.Source(in.Source)}, nil
}

// labels are the part of it that stands beside it too, so that a job whose files
// must not be read ends under them.
type labels struct{ Brand, CourierName string }

func encodedLabels(req ports.Request) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(labels{Brand: req.Brand, CourierName: req.CourierName}); err != nil {
		return nil, fmt.Errorf("encode the labels of a job: %w", err)
	}
	return b.Bytes(), nil
}

func decodedLabels(text []byte) (l labels, err error) {
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&l); err != nil {
		return labels{}, fmt.Errorf("decode the labels of a job: %w", err)
	}
	return l, nil
}
