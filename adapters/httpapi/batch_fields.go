package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"milaan/adapters/httpapi/body"
	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports"
)

// batchFrom reads a batch from its body. The buffer goes as soon as it is read, and
// of what is charged for the work as much stays as the jobs' copies of their texts
// take: neither the database nor a webhook_url whose host has to be found keeps more.
func batchFrom(b intake.Arrival) (ports.BatchRequest, error) {
	batch, err := decodeBatch(b.Text)
	if err != nil {
		return ports.BatchRequest{}, err
	}
	var texts int64
	for _, r := range batch.Jobs {
		texts += r.Bytes() // more than the body, where some are not UTF-8
	}
	kept := max(int64(len(b.Text)), texts)
	b.Free()
	b.Keep(kept)
	return batch, nil
}

// decodeBatch takes a body apart (contract, section 2.8). Of too many jobs it
// returns one more than are allowed, which is not looked at. Of fields of one name
// the last counts. The error is errBatchExpanded or one with CodeBody.
func decodeBatch(buf []byte) (batch ports.BatchRequest, err error) {
	if isNull(buf) {
		return batch, domain.ErrBody(domain.DetailNoObject, "null")
	}
	if !json.Valid(buf) {
		var anything any
		return batch, bodyError(buf, domain.DetailEmptyBatch, positioned(json.Unmarshal(buf, &anything)))
	}
	if expanded(buf) > body.MaxTexts {
		return batch, errBatchExpanded
	}
	text := bytes.TrimSpace(buf)
	if text[0] != '{' {
		return batch, domain.ErrBody(domain.DetailNoObject, body.TypeOf(text))
	}
	var array []byte
	var wrong string
	var webhookURL tolerantText
	body.Members(text, func(name, value []byte) bool {
		switch {
		case body.Is(name, "jobs"):
			switch body.TypeOf(value) {
			case "null":
				array = nil
			case "array":
				array = value
			default:
				wrong = cmp.Or(wrong, body.TypeOf(value))
			}
		case body.Is(name, "webhook_url"):
			webhookURL.read(value)
		}
		return true
	})
	jobs := domain.Fault{Field: domain.FieldJobs, Rule: domain.RuleType, Value: wrong, Min: 1, Max: domain.MaxBatch}
	batch.Misread.Add(wrong != "", jobs)
	jobs.Rule = domain.RuleMissing
	batch.Misread.Add(array == nil, jobs)
	batch.WebhookURL = webhookURL.text()
	batch.Misread.Add(webhookURL.wrong != "", mistyped(domain.FieldWebhookURL, webhookURL.wrong))
	if array != nil && wrong == "" {
		body.Elements(array, func(value []byte) bool {
			if len(batch.Jobs) == domain.MaxBatch {
				batch.Jobs = append(batch.Jobs, ports.Request{})
				return false
			}
			batch.Jobs = append(batch.Jobs, readJob(value))
			return true
		})
	}
	return batch, nil
}

// expanded is how many bytes a body has once U+FFFD stands for each byte that is
// not UTF-8. Its jobs are held to the size of all together: each by itself could
// grow to that.
func expanded(buf []byte) int {
	size := len(buf)
	if utf8.Valid(buf) {
		return size
	}
	for i := 0; i < len(buf); {
		if buf[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(buf[i:])
		if r == utf8.RuneError && n == 1 {
			size += len("\ufffd") - 1
		}
		i += n
	}
	return size
}

// positioned makes an error of encoding/json one of package body, which says
// where the fault is.
func positioned(err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &body.SyntaxError{Offset: syntax.Offset, Text: syntax.Error()}
	}
	return err
}

// readJob reads a job as POST /reconcile reads its body.
func readJob(data []byte) ports.Request {
	if data[0] != '{' {
		return ports.Request{Misread: domain.Faults{mistyped(domain.FieldJob, body.TypeOf(data))}}
	}
	var f body.Fields
	if err := body.Decode(bytes.Clone(data), &f); err != nil {
		f, wrong := readTolerantly(data)
		return requestOf(f, wrong, domain.SourceBatch)
	}
	return requestOf(f, nil, domain.SourceBatch)
}

// readTolerantly reads the fields of a job in which one has the wrong type, and
// gives with them the faults of those that have. Of the two files it says only
// whether they are there: the job is refused.
func readTolerantly(object []byte) (body.Fields, domain.Faults) {
	var shopify, courier presence
	var courierName, brand tolerantText
	var columns tolerant[map[string]string]
	var overdueDays, minorGap tolerant[*float64]
	fields := map[domain.Field]interface {
		read(value []byte)
		wrongType() string
	}{
		domain.FieldStorefront: &shopify, domain.FieldCourier: &courier, domain.FieldCourierName: &courierName, domain.FieldBrand: &brand,
		domain.FieldColumns: &columns, domain.FieldOverdueDays: &overdueDays, domain.FieldMinorGap: &minorGap,
	}
	body.Members(object, func(name, value []byte) bool {
		for field, into := range fields {
			if body.Is(name, fieldNames[field]) {
				into.read(value)
			}
		}
		return true
	})
	var faults domain.Faults
	for field, read := range fields {
		faults.Add(read.wrongType() != "", mistyped(field, read.wrongType()))
	}
	return body.Fields{
		Shopify: shopify.text, Courier: courier.text, CourierName: courierName.text(), Brand: brand.text(),
		Columns: columns.value, OverdueDays: overdueDays.value, MinorGap: minorGap.value,
	}, faults
}

// presence is whether a string has something in it.
type presence struct {
	text  []byte
	wrong string // as of tolerant
}

func (p *presence) wrongType() string { return p.wrong }

func (p *presence) read(value []byte) {
	p.text = nil
	switch kind := body.TypeOf(value); kind {
	case "string":
		p.text = value[1 : len(value)-1]
	case "null":
	default:
		p.wrong = cmp.Or(p.wrong, kind)
	}
}

// tolerant is a value that may turn out to be of another type. That is noted,
// and the rest of the body is read all the same.
type tolerant[T any] struct {
	value T
	wrong string // JSON type of the first value that was of a wrong one; blank: none was
}

func (t *tolerant[T]) wrongType() string { return t.wrong }

func (t *tolerant[T]) read(value []byte) {
	err := json.Unmarshal(value, &t.value)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		t.wrong = cmp.Or(t.wrong, typeIn(wrong))
	}
}

// tolerantText is a string, or none.
type tolerantText struct{ tolerant[*string] }

func (t tolerantText) text() string {
	if t.value == nil {
		return ""
	}
	return *t.value
}
