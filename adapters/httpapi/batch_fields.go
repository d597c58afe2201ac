package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"milaan/adapters/httpapi/body"
	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports"
)

// batchFrom reads a batch from its body and checks the fields of every job. All
// that is wrong with them is one error with CodeField, which names each job by
// its index; a body that is no object is an error with CodeBody. The buffer goes
// as soon as it is read, and of what is charged for the work as much stays as the
// jobs' copies of their texts take: neither the database nor a webhook_url whose
// host has to be found keeps more.
func (s *Server) batchFrom(ctx context.Context, b intake.Arrival) (requests []ports.Request, webhookURL string, err error) {
	jobs, endpoint, faults, err := decodeBatch(b.Text)
	if err != nil {
		return nil, "", err
	}
	for i := range jobs {
		if err := jobs[i].ask(s.reconciling.Check); err != nil {
			return nil, "", err
		}
		for _, f := range jobs[i].faults {
			faults = append(faults, f.of(i))
		}
		requests = append(requests, jobs[i].request)
	}
	var texts int64
	for _, r := range requests {
		texts += r.Bytes() // more than the body, where some are not UTF-8
	}
	kept := max(int64(len(b.Text)), texts)
	b.Free()
	b.Keep(kept)
	if endpoint.wrong != "" {
		faults = append(faults, "webhook_url "+mistyped("webhook_url", endpoint.wrong))
	}
	if len(faults) > 0 && endpoint.text() != "" {
		// Without other faults, it is judged when the batch is submitted.
		if fault, ok := errors.AsType[*domain.Error](s.batching.CheckURL(ctx, endpoint.text())); ok && fault.Code == domain.CodeField {
			faults = append(faults, fault.Text)
		}
	}
	if len(faults) > 0 {
		return nil, "", &domain.Error{Kind: domain.KindInvalid, Code: domain.CodeField, Text: strings.Join(faults, "; ")}
	}
	return requests, endpoint.text(), nil
}

// decodeBatch takes a body apart (contract, section 2.8). faults are those of jobs
// as a whole; of too many jobs it returns as many as are allowed, and does not
// look at the others. Of fields of one name the last counts. The error is
// errBatchExpanded or one with CodeBody.
func decodeBatch(buf []byte) (jobs []job, webhookURL tolerantText, faults []string, err error) {
	if isNull(buf) {
		return nil, webhookURL, nil, errNotObject("null")
	}
	if !json.Valid(buf) {
		var anything any
		return nil, webhookURL, nil, bodyError(buf, "jobs", positioned(json.Unmarshal(buf, &anything)))
	}
	if expanded(buf) > body.MaxTexts {
		return nil, webhookURL, nil, errBatchExpanded
	}
	text := bytes.TrimSpace(buf)
	if text[0] != '{' {
		return nil, webhookURL, nil, errNotObject(body.TypeOf(text))
	}
	var array []byte
	var wrong string
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
	if wrong != "" {
		fault := fmt.Sprintf("jobs must be an array of 1 to %d jobs, not %s", domain.MaxBatch, article(wrong))
		return nil, webhookURL, []string{fault}, nil
	}
	more := false
	if array != nil {
		body.Elements(array, func(value []byte) bool {
			if more = len(jobs) == domain.MaxBatch; !more {
				jobs = append(jobs, readJob(value))
			}
			return !more
		})
	}
	switch {
	case array == nil:
		faults = []string{fmt.Sprintf("jobs is missing: send an array of 1 to %d jobs", domain.MaxBatch)}
	case len(jobs) == 0:
		faults = []string{fmt.Sprintf("jobs must have 1 to %d entries: send at least one job", domain.MaxBatch)}
	case more:
		faults = []string{fmt.Sprintf("jobs has more than %d entries: send the others in another batch", domain.MaxBatch)}
	}
	return jobs, webhookURL, faults, nil
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

// job is one job of a batch, with all that is wrong with it.
type job struct {
	request ports.Request
	faults  []fault // of its fields, in the order of fieldOrder
}

// fault is what is wrong with a field of a job, or with the job itself.
type fault struct{ field, problem string }

// of names the fault for the job with an index.
func (f fault) of(index int) string {
	if f.field == "" {
		return fmt.Sprintf("jobs[%d] %s", index, f.problem)
	}
	return fmt.Sprintf("jobs[%d].%s %s", index, f.field, f.problem)
}

// fieldOrder is the order in which the faults of a job are named.
var fieldOrder = []string{"shopify", "courier", "courierName", "brand", "overdue_threshold_days", "minor_gap_threshold", "columns"}

// readJob reads a job as POST /reconcile reads its body. What is wrong is in
// faults.
func readJob(data []byte) (j job) {
	if data[0] != '{' {
		j.faults = []fault{{"", "must be a JSON object, not " + article(body.TypeOf(data))}}
		return j
	}
	var f body.Fields
	var wrong map[string]string
	if err := body.Decode(bytes.Clone(data), &f); err != nil {
		f, wrong = readTolerantly(data)
	}
	names := broken(f)
	for _, name := range fieldOrder {
		switch {
		case wrong[name] != "":
			j.faults = append(j.faults, fault{name, mistyped(name, wrong[name])})
		case slices.Contains(names, name):
			j.faults = append(j.faults, fault{name, sentences[name]})
		case name == "brand" && strings.TrimSpace(f.Brand) == "":
			j.faults = append(j.faults, fault{name, "is missing: name the brand that the job is for"})
		}
	}
	j.request = requestOf(f, domain.SourceBatch)
	return j
}

// ask has the use case judge the fields that HTTP knows no rule of, or that
// keep theirs. It names one fault at a time, so it is asked about columns apart,
// and as if courierName were right. The error is any that is not about a field.
func (j *job) ask(check func(ports.Request) error) error {
	asked := j.request
	for _, f := range j.faults {
		switch f.field {
		case "":
			return nil
		case "courierName":
			asked.CourierName = domain.CustomCourier
		case "brand":
			asked.Brand = ""
		case "overdue_threshold_days":
			asked.OverdueDays = nil
		case "minor_gap_threshold":
			asked.MinorGap = nil
		case "columns":
			asked.Columns = nil
		}
	}
	columns := asked.Columns
	asked.Columns = nil
	refused, err := j.note(check(asked))
	if err != nil || columns == nil {
		return err
	}
	if asked.Columns = columns; refused {
		asked.CourierName = domain.CustomCourier
	}
	_, err = j.note(check(asked))
	return err
}

// note keeps an error about a field as a fault, and returns any other.
func (j *job) note(err error) (refused bool, _ error) {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || e.Code != domain.CodeField {
		return false, err
	}
	field, problem, _ := strings.Cut(e.Text, " ")
	j.faults = append(j.faults, fault{field, problem})
	slices.SortStableFunc(j.faults, func(a, b fault) int { return slices.Index(fieldOrder, a.field) - slices.Index(fieldOrder, b.field) })
	return true, nil
}

// readTolerantly reads the fields of a job in which one has the wrong type, and
// gives with them the JSON types of those that have, by name. Of the two files it
// says only whether they are there: the job is refused.
func readTolerantly(object []byte) (body.Fields, map[string]string) {
	var shopify, courier presence
	var courierName, brand tolerantText
	var columns tolerant[map[string]string]
	var overdueDays, minorGap tolerant[*float64]
	body.Members(object, func(name, value []byte) bool {
		for field, read := range map[string]func([]byte){
			"shopify": shopify.read, "courier": courier.read, "courierName": courierName.read, "brand": brand.read,
			"columns": columns.read, "overdue_threshold_days": overdueDays.read, "minor_gap_threshold": minorGap.read,
		} {
			if body.Is(name, field) {
				read(value)
			}
		}
		return true
	})
	f := body.Fields{
		Shopify: shopify.text, Courier: courier.text, CourierName: courierName.text(), Brand: brand.text(),
		Columns: columns.value, OverdueDays: overdueDays.value, MinorGap: minorGap.value,
	}
	return f, map[string]string{
		"shopify": shopify.wrong, "courier": courier.wrong, "courierName": courierName.wrong, "brand": brand.wrong,
		"columns": columns.wrong, "overdue_threshold_days": overdueDays.wrong, "minor_gap_threshold": minorGap.wrong,
	}
}

// presence is whether a string has something in it.
type presence struct {
	text  []byte
	wrong string // as of tolerant
}

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
