package app_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"milaan/adapters/httpapi"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
)

// post is a POST as a receiver sees it.
type post struct {
	endpoint string
	headers  map[string]string
	body     string
	at       time.Time
}

// receivers stands for everybody's endpoints. answer says how one answers the
// n-th POST, from 1; it may take its time. A nil answer is a 200.
type receivers struct {
	mu     sync.Mutex
	clock  ports.Clock
	posts  []post
	answer func(endpoint string, n int) domain.Attempt
	during func(ctx context.Context) // of a POST
	step   func() error
	refuse domain.Rule // of Check
}

func (r *receivers) Check(_ context.Context, field domain.Field, endpoint string) domain.Faults {
	if r.refuse != "" {
		return domain.Faults{{Field: field, Rule: r.refuse}}
	}
	return r.CheckText(field, endpoint)
}

func (r *receivers) CheckText(field domain.Field, endpoint string) domain.Faults {
	if !strings.HasPrefix(endpoint, "https://") {
		return domain.Faults{{Field: field, Rule: domain.RuleHTTPS}}
	}
	return nil
}

func (r *receivers) Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt {
	if r.step != nil {
		if err := r.step(); err != nil {
			return domain.Attempt{Outcome: domain.OutcomeUnreachable, Failure: err.Error()}
		}
	}
	p := post{endpoint: endpoint, body: string(body), headers: map[string]string{}}
	for _, h := range headers {
		p.headers[h.Name] = h.Value
	}
	r.mu.Lock()
	p.at = r.clock()
	r.posts = append(r.posts, p)
	n := len(r.posts)
	r.mu.Unlock()
	if r.during != nil {
		r.during(ctx)
	}
	answer := domain.Attempt{Outcome: domain.OutcomeDelivered, Status: 200}
	if r.answer != nil {
		answer = r.answer(endpoint, n)
	}
	if r.step != nil {
		_ = r.step()
	}
	return answer
}

// plainAnswers writes what webhooks and batches carry, in words.
type plainAnswers struct{}

func (plainAnswers) Summary(run domain.Run) []byte {
	return fmt.Appendf(nil, "%s %s %s", run.ID, run.Brand, run.At.Format(time.RFC3339))
}

func (plainAnswers) JobResult(w io.Writer, brand, courierName string, o *ports.FinishedRun) error {
	_, err := fmt.Fprintf(w, "%s/%s: %d orders, duplicate %t", brand, courierName, o.Len(), o.Duplicate)
	return err
}

func (plainAnswers) JobFault(w io.Writer, brand, courierName string, fault error) error {
	_, err := fmt.Fprintf(w, "%s/%s: %s", brand, courierName, wording.New().AppendError(nil, fault, httpapi.Names{}))
	return err
}

func (plainAnswers) Status(w io.Writer, b domain.Batch, results func(yield func([]byte, error) bool)) (err error) {
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

func enterpriseAccount() domain.Account {
	a := proAccount()
	a.Plan = domain.Enterprise
	return a
}
