package razorpay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sethvargo/go-retry"

	"milaan/domain"
	"milaan/ports"
)

const address = "https://api.razorpay.com"

const (
	timeout   = 15 * time.Second // of one request
	retries   = 2                // of a request that may be repeated
	pause     = 500 * time.Millisecond
	mostBytes = 4 << 20 // of one answer

	clocks      = time.Hour   // how far Razorpay's clock may be from this one
	agreeBefore = time.Minute // how long before a subscription begins its customer may agree to it at the latest
)

// Settings are the operator's account at Razorpay. The zero Settings sell nothing.
type Settings struct {
	KeyID, KeySecret string
	WebhookSecrets   []string            // one of them has signed each notice
	Plans            []ports.BillingPlan // ID and Plan, in the order in which they are offered
	URL              string              // scheme, host and port; blank: Razorpay's own
	Pause            time.Duration       // before a request is repeated; 0: half a second
}

// Client is a client of Razorpay's API. It is safe for concurrent use.
type Client struct {
	settings Settings
	http     *http.Client
	clock    ports.Clock
	notices  *prometheus.CounterVec

	mu      sync.Mutex
	plans   []ports.BillingPlan // with what Razorpay says of them
	plansAt time.Time           // when that was asked for; zero: never
}

// New makes a client.
func New(s Settings, clock ports.Clock) *Client {
	s.URL, s.Pause = cmp.Or(s.URL, address), cmp.Or(s.Pause, pause)
	return &Client{settings: s, clock: clock, notices: newCounter(), http: &http.Client{Timeout: timeout,
		// The credentials are for this host alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (c *Client) Enabled() bool { return c.settings.KeyID != "" }

func (c *Client) Fetch(ctx context.Context, id string) (domain.BilledSubscription, error) {
	s, err := c.subscription(ctx, http.MethodGet, id, "", nil)
	if errors.Is(err, domain.ErrBillingRefused) { // how Razorpay answers an unknown id
		err = domain.ErrNoSubscription.Caused(err)
	}
	return s, err
}

// Subscribe looks for the subscription by its notes if the answer is lost. Any answer but one of a
// server that has failed says that none was made, and so does a connection that was never there.
func (c *Client) Subscribe(ctx context.Context, s ports.NewSubscription) (domain.BilledSubscription, error) {
	if !c.Enabled() {
		return domain.BilledSubscription{}, domain.ErrNoBilling
	}
	body := map[string]any{"plan_id": s.Plan.ID, "total_count": charges(s.Plan), "quantity": 1, "customer_notify": 1,
		"notes": map[string]string{accountNote: s.AccountID, attemptNote: s.Attempt}}
	if !s.BeginsAt.IsZero() {
		// Who agrees later would be charged from another day on.
		body["start_at"], body["expire_by"] = s.BeginsAt.Unix(), s.BeginsAt.Add(-agreeBefore).Unix()
	}
	asked := c.clock()
	var answer json.RawMessage
	err := c.ask(ctx, http.MethodPost, "subscriptions", body, &answer)
	var made domain.BilledSubscription
	if err == nil {
		made, err = c.read(answer, "")
	}
	refused, answered := errors.AsType[*errStatus](err)
	dial, unsent := errors.AsType[*net.OpError](err)
	if err == nil || answered && refused.status < http.StatusInternalServerError || unsent && dial.Op == "dial" {
		return made, err
	}
	if found, lookErr := c.list(ctx, asked.Add(-clocks), s.Attempt); lookErr == nil && len(found) > 0 {
		return found[0], nil
	}
	return made, domain.ErrBillingLost.Caused(err)
}

func (c *Client) Change(ctx context.Context, id, planID string) (domain.BilledSubscription, error) {
	return c.subscription(ctx, http.MethodPatch, id, "", map[string]any{"plan_id": planID, "schedule_change_at": "now", "customer_notify": 1})
}

func (c *Client) Cancel(ctx context.Context, id string, atOnce bool) (domain.BilledSubscription, error) {
	atEnd := 1
	if atOnce {
		atEnd = 0
	}
	s, err := c.subscription(ctx, http.MethodPost, id, "/cancel", map[string]any{"cancel_at_cycle_end": atEnd})
	if errors.Is(err, domain.ErrBillingRefused) { // it may have ended
		now, fetchErr := c.Fetch(ctx, id)
		if fetchErr == nil && !now.Open() {
			now.Ending = !atOnce && now.Status == domain.BilledCancelled // by an answer that was lost
			return now, nil
		}
		if errors.Is(fetchErr, domain.ErrNoSubscription) {
			return s, fetchErr
		}
		return s, cmp.Or(passing(fetchErr), err)
	}
	s.Ending = err == nil && !atOnce
	return s, err
}

// passing returns an error that may pass by itself; nil for any other.
func passing(err error) error {
	if errors.Is(err, domain.ErrBilling) {
		return err
	}
	return nil
}

const (
	page      = 100 // the most that Razorpay lists at once
	mostPages = 100
)

// Since lists the latest 10,000 at most, latest first. One that cannot be read is left
// out.
func (c *Client) Since(ctx context.Context, t time.Time) ([]domain.BilledSubscription, error) {
	return c.list(ctx, t, "")
}

// list lists subscriptions since a time; with an attempt, those that name it in their notes.
func (c *Client) list(ctx context.Context, t time.Time, attempt string) ([]domain.BilledSubscription, error) {
	var all []domain.BilledSubscription
	for n := range mostPages {
		query := url.Values{"from": {fmt.Sprint(t.Unix())}, "count": {fmt.Sprint(page)}, "skip": {fmt.Sprint(n * page)}}
		var listed struct {
			Items []json.RawMessage `json:"items"`
		}
		if err := c.ask(ctx, http.MethodGet, "subscriptions?"+query.Encode(), nil, &listed); err != nil {
			return nil, err
		}
		for _, item := range listed.Items {
			if attempt != "" && noteOf(item, attemptNote) != attempt {
				continue
			}
			if s, err := c.read(item, ""); err == nil {
				all = append(all, s)
			}
		}
		if len(listed.Items) < page {
			break
		}
	}
	return all, nil
}

// subscription makes a request about one subscription, which may be repeated.
func (c *Client) subscription(ctx context.Context, method, id, action string, body any) (domain.BilledSubscription, error) {
	if c.Enabled() && !isID(id) {
		return domain.BilledSubscription{}, domain.ErrNoSubscription
	}
	var answer json.RawMessage
	if err := c.ask(ctx, method, "subscriptions/"+id+action, body, &answer); err != nil {
		return domain.BilledSubscription{}, err
	}
	return c.read(answer, id)
}

// isID says whether a text may be an id of Razorpay: it becomes a part of a path.
func isID(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// ask makes a request, and repeats it while it fails in a way that may pass; but not one that
// makes something, because Razorpay would make it twice.
func (c *Client) ask(ctx context.Context, method, path string, body, answer any) error {
	if !c.Enabled() {
		return domain.ErrNoBilling
	}
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	backoff := retry.WithMaxRetries(retries, retry.NewExponential(c.settings.Pause))
	return retry.Do(ctx, backoff, func(ctx context.Context) error {
		err := c.askOnce(ctx, method, path, text, answer)
		if passing(err) != nil && (method != http.MethodPost || strings.HasSuffix(path, "/cancel")) {
			return retry.RetryableError(err)
		}
		return err
	})
}

var (
	errAnswer = errors.New("razorpay: the answer is not what its documentation says")
	errLarge  = errors.New("razorpay: the answer is too large")
)

// errStatus is an answer that states an error. Its description is not kept, because it may
// repeat what was sent.
type errStatus struct {
	status       int
	code, reason string
}

func (e *errStatus) Error() string {
	return fmt.Sprintf("razorpay: status %d, code %q, reason %q", e.status, e.code, e.reason)
}

func (c *Client) askOnce(ctx context.Context, method, path string, body []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.settings.URL+"/v1/"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.SetBasicAuth(c.settings.KeyID, c.settings.KeySecret)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return domain.ErrBilling.Caused(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	switch {
	case err != nil:
		return domain.ErrBilling.Caused(err)
	case len(text) > mostBytes:
		return domain.ErrBilling.Caused(errLarge)
	}
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		if err := json.Unmarshal(text, answer); err != nil {
			return domain.ErrBilling.Caused(errAnswer)
		}
		return nil
	case status == http.StatusBadRequest, status == http.StatusNotFound, status == http.StatusConflict,
		status == http.StatusUnprocessableEntity:
		return domain.ErrBillingRefused.Caused(stated(status, text))
	default: // also refused credentials: only the operator can do something about them
		return domain.ErrBilling.Caused(stated(status, text))
	}
}

// stated reads what an answer says of an error.
func stated(status int, text []byte) error {
	var answer struct {
		Error struct {
			Code   string `json:"code"`
			Reason string `json:"reason"`
		} `json:"error"`
	}
	_ = json.Unmarshal(text, &answer) // the status is enough
	return &errStatus{status, domain.Shortened(answer.Error.Code), domain.Shortened(answer.Error.Reason)}
}
