package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"unicode/utf8"

	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
	"milaan/ports"
)

// readBatch reads a batch from its body, and then gives the buffer back. Of the memory
// that is charged for the work, it keeps what the jobs' copies of their texts take, so
// that no more is held while the database answers or the host of webhook_url is looked up.
func readBatch(b intake.Arrival) (ports.BatchRequest, error) {
	batch, err := decodeBatch(b.Text)
	if err != nil {
		return ports.BatchRequest{}, err
	}
	var texts int64
	for _, r := range batch.Jobs {
		texts += r.Bytes() // may be more than the body, if some are not UTF-8
	}
	kept := max(int64(len(b.Text)), texts)
	b.Free()
	b.Keep(kept)
	return batch, nil
}

// decodeBatch takes a body apart (guide: batches). Of too many jobs it returns
// one more than are allowed, which nobody looks at. Of fields with the same name the last
// counts. The error is errBatchExpanded or has CodeBody.
func decodeBatch(buf []byte) (batch ports.BatchRequest, err error) {
	if syntax := jsonbody.CheckSyntax(buf); syntax != nil {
		return batch, syntaxError(buf, domain.DetailEmptyBatch, syntax)
	}
	if expanded(buf) > jsonbody.MaxTexts {
		return batch, errBatchExpanded
	}
	text := bytes.TrimSpace(buf)
	if text[0] != '{' {
		return batch, domain.ErrBody(domain.DetailNoObject, jsonbody.TypeOf(text))
	}
	var array []byte
	var wrongJobs, wrongURL string
	jsonbody.Members(text, func(name, value []byte) bool {
		kind := jsonbody.TypeOf(value)
		switch {
		case jsonbody.Is(name, "jobs"):
			switch kind {
			case "null":
				array = nil
			case "array":
				array = value
			default:
				wrongJobs = cmp.Or(wrongJobs, kind)
			}
		case jsonbody.Is(name, "webhook_url"):
			switch kind {
			case "null":
				batch.WebhookURL = ""
			case "string":
				_ = json.Unmarshal(value, &batch.WebhookURL) // it is a valid string
			default:
				wrongURL = cmp.Or(wrongURL, kind)
			}
		}
		return true
	})
	jobs := domain.Fault{Field: domain.FieldJobs, Rule: domain.RuleType, Value: wrongJobs, Min: 1, Max: domain.MaxBatch}
	batch.Misread.Add(wrongJobs != "", jobs)
	jobs.Rule = domain.RuleMissing
	batch.Misread.Add(array == nil, jobs)
	batch.Misread.Add(wrongURL != "", mistyped(domain.FieldWebhookURL, wrongURL))
	if array != nil && wrongJobs == "" {
		jsonbody.Elements(array, func(value []byte) bool {
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

// expanded returns how many bytes a body has once U+FFFD stands for each byte that is
// not UTF-8. A batch as a whole must keep to the limit, because each of its jobs alone
// could grow to it.
func expanded(buf []byte) int {
	size := len(buf)
	if utf8.Valid(buf) {
		return size
	}
	for len(buf) > 0 {
		r, n := utf8.DecodeRune(buf)
		if r == utf8.RuneError && n == 1 {
			size += len("\ufffd") - 1
		}
		buf = buf[n:]
	}
	return size
}

// readJob reads a job as POST /reconcile reads its body, but for its faults, of which
// it keeps all.
func readJob(data []byte) ports.Request {
	if data[0] != '{' {
		return ports.Request{Misread: domain.Faults{mistyped(domain.FieldJob, jsonbody.TypeOf(data))}}
	}
	var f jsonbody.Fields
	err := jsonbody.Decode(bytes.Clone(data), &f) // the types of values are all that can be wrong
	return requestOf(f, mistypedIn(err), domain.SourceBatch)
}
