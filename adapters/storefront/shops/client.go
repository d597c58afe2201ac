package shops

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/sethvargo/go-retry"

	"milaan/domain"
	"milaan/ports/peers"
)

// Limits bound what a shop can take and send. A zero one is its default.
type Limits struct {
	Answer  time.Duration // of one request, from the dial to the last byte; 60 s
	Pause   time.Duration // before a request that failed is repeated, doubled every time; 1 s
	Repeats int           // of a request that failed; 3
	Wait    time.Duration // in all that one request waits because the shop asks to; 2 min
	Bytes   int64         // of one answer; 8 MiB
	All     int64         // of all answers; domain.MaxPassBytes times 4, because they have more than what is kept
	Slice   int           // orders that one list of Shopify has at most; 25,000

	// Sleep waits; nil: really. It returns the error of the context if that ends.
	Sleep func(context.Context, time.Duration) error
	Now   func() time.Time // nil: the system's
}

func (l Limits) withDefaults() Limits {
	l.Answer = cmp.Or(l.Answer, time.Minute)
	l.Pause = cmp.Or(l.Pause, time.Second)
	l.Repeats = cmp.Or(l.Repeats, 3)
	l.Wait = cmp.Or(l.Wait, 2*time.Minute)
	l.Bytes = cmp.Or(l.Bytes, 8<<20)
	l.All = cmp.Or(l.All, 4*domain.MaxPassBytes)
	l.Slice = cmp.Or(l.Slice, 25_000)
	if l.Sleep == nil {
		l.Sleep = sleep
	}
	if l.Now == nil {
		l.Now = time.Now
	}
	return l
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// client makes requests to one host. It dials nothing but what its guard allows, follows no
// redirect and knows no proxy.
type client struct {
	address address
	guard   peers.Guard
	http    *http.Client
	limits  Limits
	left    int64 // bytes that all answers may still have
	paying  paying
}

// newClient makes a client. That of a host of anybody makes a connection for each request:
// net/http logs what a server says on one that waits.
func (r *Registry) newClient(a address, anyHost bool) *client {
	c := &client{address: a, guard: r.guard, limits: r.limits, left: r.limits.All}
	own := r.guard.IsOwn(a.host)
	if own {
		c.guard = r.machine
	}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext:         c.guard.DialContext,
			TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: own}, //nolint:gosec // only for development
			TLSHandshakeTimeout: r.limits.Answer,
			DisableKeepAlives:   anyHost,
			MaxIdleConns:        1,
			IdleConnTimeout:     r.limits.Answer,
			ForceAttemptHTTP2:   true,
			// Headers are short; the body is bounded where it is read.
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask makes a request, and repeats it if the connection broke, if the shop has a fault of its
// own, or if it asks to wait. Requests only read, so they may be repeated. The answer has a
// status below 500 other than 429.
func (c *client) ask(ctx context.Context, build func(ctx context.Context) (*http.Request, error)) (*answer, error) {
	again := c.repeating()
	for {
		got, err := c.once(ctx, build)
		e, _ := errors.AsType[*domain.ConnectorError](err)
		switch {
		case err == nil && got.status == http.StatusTooManyRequests:
			err = again.asked(ctx, c.retryAfter(got.header))
		case err == nil && got.status < 500:
			return got, nil
		case err == nil:
			err = again.failed(ctx, badAnswer(got.status))
		case e != nil && e.Rule == domain.ConnUnreachable:
			err = again.failed(ctx, err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// repeating waits before one request is made again.
type repeating struct {
	limits  Limits
	backoff retry.Backoff
	waited  time.Duration // because the shop asked to
}

func (c *client) repeating() *repeating {
	return &repeating{limits: c.limits, backoff: retry.WithMaxRetries(uint64(c.limits.Repeats), retry.NewExponential(c.limits.Pause))}
}

// leastWait is how long is waited if a shop does not say how long.
const leastWait = time.Second

// asked waits because the shop asked to; it returns an error with domain.ConnThrottled if that would be too long in all.
func (r *repeating) asked(ctx context.Context, pause time.Duration) error {
	pause = max(pause, leastWait)
	if r.waited+pause > r.limits.Wait {
		return &domain.ConnectorError{Rule: domain.ConnThrottled, Wait: r.waited}
	}
	r.waited += pause
	return r.limits.Sleep(ctx, pause)
}

// failed waits because the request failed; it returns that error if it has failed too often.
func (r *repeating) failed(ctx context.Context, err error) error {
	pause, stop := r.backoff.Next()
	if stop {
		return err
	}
	return r.limits.Sleep(ctx, pause)
}

// retryAfter returns how long a header Retry-After asks to wait.
func (c *client) retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e9 { // Shopify writes 2.0
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(c.limits.Now())
	}
	return 0
}

func (c *client) once(ctx context.Context, build func(ctx context.Context) (*http.Request, error)) (*answer, error) {
	limited, cancel := context.WithTimeout(ctx, c.limits.Answer)
	defer cancel()
	got, err := c.send(limited, build)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && limited.Err() != nil {
		return nil, &domain.ConnectorError{Rule: domain.ConnSlow, Wait: c.limits.Answer}
	}
	return got, err
}

func (c *client) send(ctx context.Context, build func(ctx context.Context) (*http.Request, error)) (*answer, error) {
	request, err := build(ctx)
	if err != nil {
		return nil, &domain.ConnectorError{Rule: domain.ConnAnswer} // a mistake in an address, which was checked
	}
	request.Header.Set("User-Agent", "Milaan")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.explainNetwork(err)
	}
	defer func() { _ = response.Body.Close() }()
	most := min(c.limits.Bytes, c.left)
	var body bytes.Buffer
	n, err := io.Copy(&body, io.LimitReader(response.Body, most+1))
	c.left -= n
	switch {
	case err != nil:
		return nil, c.explainNetwork(err)
	case n > most && c.left < 0:
		return nil, &domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: domain.MaxPassBytes}
	case n > most:
		return nil, badAnswer(response.StatusCode)
	}
	return &answer{status: response.StatusCode, header: response.Header, body: body.Bytes()}, nil
}
