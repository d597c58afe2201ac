package shops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"milaan/domain"
)

// errCost says that a query costs more than a single one may.
var errCost = errors.New("the query costs too much")

// The codes of errors in answers of Shopify that are told apart.
const (
	codeThrottled = "THROTTLED"
	codeCost      = "MAX_COST_EXCEEDED"
	codeDenied    = "ACCESS_DENIED"
	codeInternal  = "INTERNAL_SERVER_ERROR"
	codeInactive  = "SHOP_INACTIVE"
)

// graphQLAnswer is an answer to a query. An answer with errors may have data too: then they
// are not complete, and are not looked at.
type graphQLAnswer struct {
	Data       json.RawMessage   `json:"data"`
	Errors     few[graphQLError] `json:"errors"`
	Extensions struct {
		Cost struct {
			Requested float64 `json:"requestedQueryCost"`
			Status    struct {
				Most      float64 `json:"maximumAvailable"`
				Available float64 `json:"currentlyAvailable"`
				Restored  float64 `json:"restoreRate"` // a second
			} `json:"throttleStatus"`
		} `json:"cost"`
	} `json:"extensions"`
}

type graphQLError struct {
	Extensions struct {
		Code string `json:"code"`
	} `json:"extensions"`
}

func (a *graphQLAnswer) has(code string) bool {
	return slices.ContainsFunc(a.Errors, func(e graphQLError) bool { return e.Extensions.Code == code })
}

// wait is how long it takes until the query can be paid for.
func (a *graphQLAnswer) wait() time.Duration {
	cost := a.Extensions.Cost
	missing := cost.Requested - cost.Status.Available
	if missing <= 0 || cost.Status.Restored <= 0 {
		return 0
	}
	const longest = 3600 // seconds, which is longer than any limit
	return time.Duration(min(missing/cost.Status.Restored, longest) * float64(time.Second))
}

// query asks Shopify a question and reads the data of its answer. It returns errCost if the
// question must be a smaller one.
func (s *openShop) query(ctx context.Context, text string, variables map[string]any, data any) error {
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	if err != nil {
		return err
	}
	if err := s.client.payFirst(ctx, text); err != nil {
		return err
	}
	again := s.client.repeating()
	for {
		a, err := s.post(ctx, body)
		if err != nil {
			return err
		}
		switch {
		case len(a.Errors) == 0 && len(a.Data) > 0:
			s.client.remember(text, a)
			if json.Unmarshal(a.Data, data) != nil {
				return badAnswer(http.StatusOK)
			}
			return nil
		case a.has(codeThrottled) && a.Extensions.Cost.Requested > a.Extensions.Cost.Status.Most && a.Extensions.Cost.Status.Most > 0:
			return errCost // it can never be paid for
		case a.has(codeThrottled):
			err = again.asked(ctx, a.wait())
		case a.has(codeInternal):
			err = again.failed(ctx, badAnswer(http.StatusOK))
		default:
			err = a.failure()
		}
		if err != nil {
			return err
		}
	}
}

// failure is the error of an answer whose question cannot be asked again.
func (a *graphQLAnswer) failure() error {
	switch {
	case a.has(codeCost):
		return errCost
	case a.has(codeDenied):
		return &domain.ConnectorError{Rule: domain.ConnScope, Value: scopeOrders}
	case a.has(codeInactive):
		return &domain.ConnectorError{Rule: domain.ConnAnswer, Status: http.StatusOK, Setting: settingShop}
	}
	return badAnswer(http.StatusOK)
}

// post sends a question. A token that was kept and is refused is replaced once.
func (s *openShop) post(ctx context.Context, body []byte) (*graphQLAnswer, error) {
	for {
		token, kept, err := s.token(ctx)
		if err != nil {
			return nil, err
		}
		got, err := s.client.ask(ctx, func(ctx context.Context) (*http.Request, error) {
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.client.address.url(shopifyGraphQL), bytes.NewReader(body))
			if err != nil {
				return nil, err
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Shopify-Access-Token", token)
			return r, nil
		})
		switch {
		case err != nil:
			return nil, err
		case got.status == http.StatusUnauthorized:
			s.tokens.forget(s.tokenKey(), token)
			if !kept {
				return nil, s.refused()
			}
		case got.status == http.StatusForbidden:
			return nil, &domain.ConnectorError{Rule: domain.ConnScope, Value: scopeOrders}
		case got.status != http.StatusOK:
			return nil, badAnswer(got.status)
		default:
			a := new(graphQLAnswer)
			if json.Unmarshal(got.body, a) != nil {
				return nil, badAnswer(http.StatusOK)
			}
			return a, nil
		}
	}
}

// refused is the error of a token that Shopify does not accept.
func (s *openShop) refused() error {
	e := &domain.ConnectorError{Rule: domain.ConnRefused}
	if s.settings[settingID] == "" {
		e.Setting = settingToken
	}
	return e
}

// paying is what the last answers said of costs.
type paying struct {
	costs     map[string]float64 // of each question, before it is asked
	available float64
	restored  float64
	at        time.Time // zero: nothing is known
}

func (c *client) remember(question string, a *graphQLAnswer) {
	if c.paying.costs == nil {
		c.paying.costs = map[string]float64{}
	}
	cost := a.Extensions.Cost
	c.paying.costs[question] = cost.Requested
	c.paying.available, c.paying.restored, c.paying.at = cost.Status.Available, cost.Status.Restored, c.limits.Now()
}

// payFirst waits until a question can be paid for, as far as the last answer tells, so that
// Shopify need not refuse it.
func (c *client) payFirst(ctx context.Context, question string) error {
	p := &c.paying
	if p.at.IsZero() || p.restored <= 0 {
		return nil
	}
	missing := p.costs[question] - p.available - c.limits.Now().Sub(p.at).Seconds()*p.restored
	if missing <= 0 {
		return nil
	}
	return c.limits.Sleep(ctx, min(time.Duration(missing/p.restored*float64(time.Second)), c.limits.Wait))
}

// response makes an answer one of net/http again.
func (a *answer) response(to *http.Request) *http.Response {
	return &http.Response{StatusCode: a.status, Status: http.StatusText(a.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: to}
}
