package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports/peers"
)

// The keys of what is known about a request while it is served. The log uses the same
// names.
const (
	requestIDKey = "request_id"
	accountKey   = "account_id" // once the account is known
	runKey       = "run_id"     // of the run that is answered
	batchKey     = "batch_id"   // of the batch that is answered
	codeKey      = "code"       // of the error that is answered
)

// namesKey is the key of the peers.Names of the route, if it has other names than Names.
const namesKey = "names"

// packedKey is the key of the packedAnswer of the request.
const packedKey = "packed"

// namesOf returns the names that the clients of a route know.
func namesOf(c *gin.Context) peers.Names {
	if names, ok := c.Value(namesKey).(peers.Names); ok {
		return names
	}
	if dashboard.ForPrograms(c.Request.URL.Path) {
		return AccountNames{}
	}
	return Names{}
}

const longestRequestID = 64

var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// setRequestID gives the answer an X-Request-Id: the one that the caller sent, if it may
// stand in a log, or else a new one.
func setRequestID(c *gin.Context) {
	id := c.GetHeader("X-Request-Id")
	if len(id) > longestRequestID || !goodRequestID.MatchString(id) {
		id = uuid.Must(uuid.NewV7()).String()
	}
	c.Set(requestIDKey, id)
	c.Header("X-Request-Id", id)
}

// observe counts a request and writes its line of the access log. The line has the
// route's pattern and not the path, nothing of the header, only the ids of the account,
// the run and the batch, and of an error its code and not its text.
func (s *Server) observe(c *gin.Context) {
	start := time.Now()
	traced := s.trace(c)
	defer func() {
		took := time.Since(start)
		s.figures.countRequest(c, took)
		attrs := []slog.Attr{
			slog.String("method", methodLabel(c.Request.Method)),
			slog.String("route", routeLabel(c)),
			slog.Int("status", c.Writer.Status()),
			slog.Duration("took", took),
			slog.Int("bytes", max(0, c.Writer.Size())),
			slog.String(requestIDKey, c.GetString(requestIDKey)),
		}
		for _, key := range []string{accountKey, runKey, batchKey, codeKey} {
			if value := c.GetString(key); value != "" {
				attrs = append(attrs, slog.String(key, value))
			}
		}
		s.params.Log.LogAttrs(c.Request.Context(), slog.LevelInfo, "request", attrs...)
		traced(c.Writer.Status())
	}()
	c.Next()
}

// trace begins the span of a request, if traces are collected. Those of probes, which come every
// few seconds, would hide the others.
func (s *Server) trace(c *gin.Context) (end func(status int)) {
	switch route := routeLabel(c); {
	case s.params.Tracing == nil, route == "/healthz", route == "/readyz", route == "/metrics":
		return func(int) {}
	default:
		ctx, end := s.params.Tracing.Request(c.Request.Context(), methodLabel(c.Request.Method), route, c.GetHeader)
		c.Request = c.Request.WithContext(ctx)
		return end
	}
}

// setBrowserHeaders sets the headers with which browsers neither guess the type of an
// answer, nor run or embed it. The pages replace the policy by their own.
func (s *Server) setBrowserHeaders(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	if s.transport.OverHTTPS(c.Request) {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// noteSandbox marks every answer to a sandbox key, whatever it is.
func (s *Server) noteSandbox(c *gin.Context) {
	if token, ok := dashboard.Bearer(c.Request.Header); ok && bool(s.params.Sandbox) && domain.IsSandboxKey(token) {
		c.Header(domain.SandboxHeader, "true")
	}
}

func isSandbox(c *gin.Context) bool { return c.Writer.Header().Get(domain.SandboxHeader) != "" }

// demandStorable refuses ids of connections and people that none can have: PostgreSQL fails on a text with a character 0, for example.
func demandStorable(c *gin.Context) {
	if !slices.ContainsFunc(c.Params, func(p gin.Param) bool { return !domain.IsStorable(p.Value) }) {
		return
	}
	missing := domain.ErrNoConnection
	switch route := c.FullPath(); {
	case strings.Contains(route, "/people/:id"):
		missing = domain.ErrNoMember
	case !strings.Contains(route, "/connections/:id"): // its use case looks
		return
	}
	_ = c.Error(missing)
	c.Abort()
}

// demandQuery refuses the query of a resource that cannot be read, or gives a parameter twice: a part of what is asked for would be
// passed over in silence. Pages are shown whatever follows their address.
func demandQuery(c *gin.Context) {
	route := c.FullPath()
	if !dashboard.ForPrograms(route) && !strings.HasPrefix(route, dashboard.Path+"/api/") && !strings.HasPrefix(route, "/connections/") {
		return
	}
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		err = errQuery.Caused(err)
	}
	for name, values := range query {
		if len(values) > 1 && err == nil {
			err = &domain.Error{Kind: domain.KindInvalid, Code: domain.CodeQuery, Detail: domain.DetailTwice, Value: domain.Shortened(name)}
		}
	}
	if err != nil {
		_ = c.Error(err)
		c.Abort()
	}
}

// demandHTTPS refuses requests over plain HTTP.
func (s *Server) demandHTTPS(c *gin.Context) {
	if !s.transport.secure(c.Request) {
		_ = c.Error(errInsecure)
		c.Abort()
	}
}

// answerErrors answers with the last error that a handler attached, or because of its
// panic. If the answer has begun already, answerErrors breaks the connection off, so that
// no client takes a part of an answer for the whole.
func (s *Server) answerErrors(c *gin.Context) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case p == http.ErrAbortHandler:
			panic(p)
		default:
			_ = c.Error(&panicked{value: p, stack: debug.Stack()})
			s.answerError(c)
		}
	}()
	c.Next()
	if len(c.Errors) > 0 {
		s.answerError(c)
	}
}

type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// refuseTo is refuse for the client of a request, who may have left: then that is why it failed.
func refuseTo(c *gin.Context, err error) refusal {
	r := refuse(err)
	if r.status >= http.StatusInternalServerError && c.Request.Context().Err() != nil {
		return refuse(intake.ErrClientGone)
	}
	return r
}

func (s *Server) answerError(c *gin.Context) {
	err := c.Errors.Last().Err
	r := refuseTo(c, err)
	c.Set(codeKey, string(r.code))
	s.logFailure(c, r, err)
	if c.Writer.Written() {
		panic(http.ErrAbortHandler)
	}
	if r.code == domain.CodeRate {
		s.figures.limited.WithLabelValues(routeLabel(c)).Inc()
	}
	h := c.Writer.Header()
	if r.wait > 0 {
		h.Set("Retry-After", strconv.FormatInt(seconds(r.wait), 10))
	}
	h.Set("Cache-Control", "no-store")
	if dashboard.Covers(c.Request.URL.Path) {
		c.Data(r.status, jsonType, s.dashboard.ErrorBody(c.Request, r.err, r.code))
		return
	}
	if r.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	c.Data(r.status, jsonType, errorBody(s.params.Wording.Message(r.err, namesOf(c))))
}

const jsonType = "application/json; charset=utf-8"

// logFailure logs why the service failed. It logs no error that the caller caused, because
// its text may quote the request; and none because the service is stopping, which is no
// failure and which probes meet often.
func (s *Server) logFailure(c *gin.Context, r refusal, err error) {
	if r.status < http.StatusInternalServerError || errors.Is(err, errDraining) {
		return
	}
	times, due := s.remarkOn(r)
	if !due {
		return
	}
	attrs := []slog.Attr{
		slog.String(requestIDKey, c.GetString(requestIDKey)),
		slog.String("route", routeLabel(c)),
		slog.String(codeKey, string(r.code)),
		slog.String("cause", err.Error()),
	}
	if times > 1 {
		attrs = append(attrs, slog.Int("times", times))
	}
	if p, ok := errors.AsType[*panicked](err); ok {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	level := slog.LevelError
	switch {
	case errors.Is(err, domain.ErrSimulated):
		level = slog.LevelInfo // nothing has failed
	case r.status == http.StatusServiceUnavailable:
		level = slog.LevelWarn
	}
	s.params.Log.LogAttrs(c.Request.Context(), level, "request failed", attrs...)
}

// remarkOn says whether to log a failure, and how many times there was such a one since the last
// line. While the database or its disk is away all requests fail alike, and the log would fill
// what is left of the disk twice as fast. A fault of the program is always logged.
func (s *Server) remarkOn(r refusal) (times int, due bool) {
	if r.status != http.StatusServiceUnavailable {
		return 1, true
	}
	return s.failures.Due(string(r.code), time.Now())
}

// routeLabel returns the route's pattern, or none. There are only few patterns, as labels
// of metrics must be.
func routeLabel(c *gin.Context) string { return cmp.Or(c.FullPath(), "none") }

// methodLabel returns the method, or other if it is none of HTTP: a client can invent any
// number.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}
