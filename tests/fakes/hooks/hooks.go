// Package hooks stands for the endpoints of webhooks.
package hooks

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Post is a POST as a receiver sees it.
type Post struct {
	Endpoint string
	Headers  map[string]string
	Body     string
	At       time.Time
}

// Receivers stands for everybody's endpoints. Answer says how one answers the
// n-th POST, from 1; it may take its time. A nil answer is a 200.
type Receivers struct {
	mu     sync.Mutex
	Clock  ports.Clock
	Posts  []Post
	Answer func(endpoint string, n int) domain.Attempt
	During func(ctx context.Context) // of a POST
	Step   func() error
	Refuse domain.Rule // of Check
}

func (r *Receivers) Check(_ context.Context, field domain.Field, endpoint string) domain.Faults {
	if r.Refuse != "" {
		return domain.Faults{{Field: field, Rule: r.Refuse}}
	}
	return r.CheckText(field, endpoint)
}

func (r *Receivers) CheckText(field domain.Field, endpoint string) domain.Faults {
	if !strings.HasPrefix(endpoint, "https://") {
		return domain.Faults{{Field: field, Rule: domain.RuleHTTPS}}
	}
	return nil
}

func (r *Receivers) Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt {
	if r.Step != nil {
		if err := r.Step(); err != nil {
			return domain.Attempt{Outcome: domain.OutcomeUnreachable, Failure: err.Error()}
		}
	}
	p := Post{Endpoint: endpoint, Body: string(body), Headers: map[string]string{}}
	for _, h := range headers {
		p.Headers[h.Name] = h.Value
	}
	r.mu.Lock()
	p.At = r.Clock()
	r.Posts = append(r.Posts, p)
	n := len(r.Posts)
	r.mu.Unlock()
	if r.During != nil {
		r.During(ctx)
	}
	answer := domain.Attempt{Outcome: domain.OutcomeDelivered, Status: 200}
	if r.Answer != nil {
		answer = r.Answer(endpoint, n)
	}
	if r.Step != nil {
		_ = r.Step()
	}
	return answer
}

// clients read what clients of the API read, with the names that pages have for files: the API's own names would link the
// whole API into each test.
type clients struct{ peers.Names }

func (clients) Surface() peers.Surface { return peers.API }

// PlainAnswers writes what webhooks and batches carry, in words.
type PlainAnswers struct{}

func (PlainAnswers) Summary(run domain.Run) []byte {
	return fmt.Appendf(nil, "%s %s %s", run.ID, run.Brand, run.At.Format(time.RFC3339))
}

func (PlainAnswers) JobResult(w io.Writer, brand, courierName string, o *ports.FinishedRun) error {
	_, err := fmt.Fprintf(w, "%s/%s: %d orders, duplicate %t", brand, courierName, o.Len(), o.Duplicate)
	return err
}

func (PlainAnswers) JobFault(w io.Writer, brand, courierName string, fault error) error {
	_, err := fmt.Fprintf(w, "%s/%s: %s", brand, courierName, wording.New().Message(fault, clients{wording.NewLanguages().Names("en")}))
	return err
}

func (PlainAnswers) Status(w io.Writer, b domain.Batch, results func(yield func([]byte, error) bool)) (err error) {
	_, _ = fmt.Fprintf(w, "%s %d of %d", b.State(), b.Completed, b.Jobs)
	if results != nil {
		for result, fault := range results {
			if fault != nil {
				return fault
			}
			_, _ = fmt.Fprintf(w, "; %s", result)
		}
	}
	return nil
}

// Secret signs what is posted.
const Secret = domain.SigningSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")

// Refused is the answer of an endpoint that takes nothing.
func Refused(string, int) domain.Attempt {
	return domain.Attempt{Outcome: domain.OutcomeRefused, Status: 500, Failure: "500: oops"}
}
