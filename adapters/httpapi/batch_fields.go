package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"milaan/adapters/httpapi/body"
	"milaan/domain"
	"milaan/ports"
)

// batchBody is the body of POST /reconcile/batch (contract, section 2.8). The
// array has room for one job too many; what comes after that is passed over.
type batchBody struct {
	Jobs       *[domain.MaxBatch + 1]job `json:"jobs"`
	WebhookURL tolerantText              `json:"webhook_url"`
}

// batchFrom reads a batch from its body and checks the fields of every job. All
// that is wrong with them is one error with CodeField, which names each job by
// its index; a body that is no object is an error with CodeBody.
func (s *Server) batchFrom(ctx context.Context, buf []byte) (requests []ports.Request, webhookURL string, err error) {
	jobs, endpoint, faults, err := decodeBatch(buf)
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

// decodeBatch takes a body apart. faults are those of jobs as a whole; of too
// many jobs it returns as many as are allowed. The error is one with CodeBody.
func decodeBatch(buf []byte) (jobs []job, webhookURL tolerantText, faults []string, err error) {
	if string(bytes.TrimSpace(buf)) == "null" {
		return nil, webhookURL, nil, errNotObject("null")
	}
	var b batchBody
	if err := json.Unmarshal(buf, &b); err != nil {
		wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
		if !ok || wrong.Field == "" {
			return nil, webhookURL, nil, bodyError(buf, "jobs", positioned(err))
		}
		fault := fmt.Sprintf("jobs must be an array of 1 to %d jobs, not %s", domain.MaxBatch, article(typeIn(wrong)))
		return nil, b.WebhookURL, []string{fault}, nil
	}
	if b.Jobs != nil {
		jobs = b.Jobs[:]
	}
	if end := slices.IndexFunc(jobs, func(j job) bool { return !j.sent }); end >= 0 {
		jobs = jobs[:end]
	}
	switch {
	case len(jobs) == 0:
		faults = []string{fmt.Sprintf("jobs is missing: send an array of 1 to %d jobs", domain.MaxBatch)}
	case len(jobs) > domain.MaxBatch:
		jobs = jobs[:domain.MaxBatch]
		faults = []string{fmt.Sprintf("jobs has more than %d entries: send the others in another batch", domain.MaxBatch)}
	}
	return jobs, b.WebhookURL, faults, nil
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
	sent    bool
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

// UnmarshalJSON reads a job as POST /reconcile reads its body. It never fails:
// what is wrong is in faults.
func (j *job) UnmarshalJSON(data []byte) error {
	*j = job{sent: true}
	if string(data) == "null" {
		j.faults = []fault{{"", "must be a JSON object, not null"}}
		return nil
	}
	var f body.Fields
	var wrong map[string]string
	if err := body.Decode(bytes.Clone(data), &f); err != nil {
		if f, wrong, err = readTolerantly(data); err != nil {
			j.faults = []fault{{"", "must be a JSON object, not " + article(typeOf(err))}}
			return nil
		}
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
	return nil
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

// readTolerantly reads the fields of a job that package body has refused, and
// gives with them the JSON types of those that have a wrong one, by name. It is
// slow, and for a job of a batch that is refused anyway. The error is that of a
// job that is no object.
func readTolerantly(data []byte) (body.Fields, map[string]string, error) {
	var w struct {
		Shopify     tolerantText                `json:"shopify"`
		Courier     tolerantText                `json:"courier"`
		CourierName tolerantText                `json:"courierName"`
		Brand       tolerantText                `json:"brand"`
		Columns     tolerant[map[string]string] `json:"columns"`
		OverdueDays tolerant[*float64]          `json:"overdue_threshold_days"`
		MinorGap    tolerant[*float64]          `json:"minor_gap_threshold"`
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return body.Fields{}, nil, err
	}
	f := body.Fields{
		Shopify: []byte(w.Shopify.text()), Courier: []byte(w.Courier.text()), CourierName: w.CourierName.text(), Brand: w.Brand.text(),
		Columns: w.Columns.value, OverdueDays: w.OverdueDays.value, MinorGap: w.MinorGap.value,
	}
	return f, map[string]string{
		"shopify": w.Shopify.wrong, "courier": w.Courier.wrong, "courierName": w.CourierName.wrong, "brand": w.Brand.wrong,
		"columns": w.Columns.wrong, "overdue_threshold_days": w.OverdueDays.wrong, "minor_gap_threshold": w.MinorGap.wrong,
	}, nil
}

// tolerant is a value that may turn out to be of another type. That is noted,
// and the rest of the body is read all the same.
type tolerant[T any] struct {
	value T
	wrong string // JSON type of the first value that was of a wrong one; blank: none was
}

// UnmarshalJSON reads the value. It never fails.
func (t *tolerant[T]) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &t.value); err != nil && t.wrong == "" {
		t.wrong = typeOf(err)
	}
	return nil
}

// tolerantText is a string, or none.
type tolerantText struct{ tolerant[*string] }

func (t tolerantText) text() string {
	if t.value == nil {
		return ""
	}
	return *t.value
}

// typeOf is the JSON type that an error of encoding/json complains of.
func typeOf(err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return "value" // the text has been parsed before, so nothing but types can be wrong
	}
	return typeIn(wrong)
}
