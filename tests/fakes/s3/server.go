// Package s3 is a server of buckets on this machine for tests: gofakes3, behind a check of
// signatures, which it lacks. It misbehaves as a test says.
package s3

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"io"
	"log"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/locked"
	"milaan/tests/fakes/network"
	"milaan/tests/only"
)

// What New's servers have and whom they let in.
const (
	Bucket    = "acme-remittances"
	Region    = "ap-south-1"
	AccessKey = "AKIDEXAMPLE"
	SecretKey = "a secret key/of+no worth"
)

// Server is a server that runs until the test ends. It is safe for concurrent use.
type Server struct {
	*network.Unruly
	backend *s3mem.Backend

	mu       sync.Mutex
	clock    time.Time // of what is put
	requests int
	answer   func(*http.Request) (status int, code string)
	before   func(request *http.Request)
}

// New starts a server with an empty bucket.
func New(t testing.TB) *Server {
	s := &Server{Unruly: network.NewUnruly(t), clock: time.Now()}
	s.backend = s3mem.New(s3mem.WithTimeSource(s))
	require.NoError(t, s.backend.CreateBucket(Bucket))
	server := &http.Server{Handler: s.check(gofakes3.New(s.backend, gofakes3.WithoutVersioning()).Server()), ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	network.Serve(t, server.Serve, s.Unruly, server, s.Unruly)
	return s
}

// Endpoint returns its URL, by plain http.
func (s *Server) Endpoint() string { return "http://" + s.Addr().String() }

// Settings returns how milaan connects to it.
func (s *Server) Settings() map[string]string {
	return map[string]string{"endpoint": s.Endpoint(), "region": Region, "bucket": Bucket, "access_key": AccessKey, "secret_key": SecretKey}
}

// Put stores an object.
func (s *Server) Put(t testing.TB, key string, content []byte, modified time.Time) {
	s.mu.Lock()
	s.clock = modified
	s.mu.Unlock()
	// gofakes3 itself states the time of what is put by HTTP.
	stated := map[string]string{"Last-Modified": modified.UTC().Format(http.TimeFormat)}
	require.NoError(t, only.Err(s.backend.PutObject(Bucket, key, stated, bytes.NewReader(content), int64(len(content)), nil)))
}

// Remove deletes an object.
func (s *Server) Remove(t testing.TB, key string) {
	require.NoError(t, only.Err(s.backend.DeleteObject(Bucket, key)))
}

// Now fills gofakes3.TimeSource.
func (s *Server) Now() time.Time { return locked.Get(&s.mu, func() time.Time { return s.clock }) }

// Since fills gofakes3.TimeSource.
func (s *Server) Since(t time.Time) time.Duration { return s.Now().Sub(t) }

// Before calls a function before each request whose signature is right. The function may
// change the server.
func (s *Server) Before(do func(*http.Request)) { locked.Do(&s.mu, func() { s.before = do }) }

// Answer makes the server answer with an error: a status, and the code of an S3 error, which
// may be blank. A status of 0: as usual.
func (s *Server) Answer(do func(*http.Request) (status int, code string)) {
	locked.Do(&s.mu, func() { s.answer = do })
}

// Requests counts the requests so far.
func (s *Server) Requests() int { return locked.Get(&s.mu, func() int { return s.requests }) }

// check lets requests through whose signature is right.
func (s *Server) check(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests++
		answer, before := s.answer, s.before
		s.mu.Unlock()
		if code := fault(r); code != "" {
			refuse(w, http.StatusForbidden, code)
			return
		}
		if answer != nil {
			if status, code := answer(r); status != 0 {
				refuse(w, status, code)
				return
			}
		}
		if before != nil {
			before(r)
		}
		next.ServeHTTP(w, r)
	})
}

// refuse answers with an error of S3.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	if code == "" {
		return
	}
	_ = xml.NewEncoder(w).Encode(struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
		Message string
	}{Code: code, Message: "as the test says"})
}

// fault returns the code of what is wrong with the signature of a request (AWS Signature
// Version 4); blank: nothing.
func fault(r *http.Request) string {
	fields, found := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	if !found {
		return "AccessDenied"
	}
	given := map[string]string{}
	for field := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		given[name] = value
	}
	scope := strings.Split(given["Credential"], "/") // key, day, region, service, aws4_request
	if len(scope) != 5 || scope[0] != AccessKey {
		return "InvalidAccessKeyId"
	}
	if scope[2] != Region {
		return "AuthorizationHeaderMalformed"
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(given["SignedHeaders"], ";") {
		value := strings.Join(r.Header.Values(name), ",")
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	// Amazon escapes all but letters, digits and -_.~, whatever the client did.
	path := strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(r.URL.Path))
	query := strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20")
	request := strings.Join([]string{r.Method, path, query, headers.String(), given["SignedHeaders"], r.Header.Get("X-Amz-Content-Sha256")}, "\n")
	digest := sha256.Sum256([]byte(request))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), strings.Join(scope[1:], "/"), hex.EncodeToString(digest[:])}, "\n")
	key := []byte("AWS4" + SecretKey)
	for _, part := range append(scope[1:], text) {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	if given["Signature"] != hex.EncodeToString(key) {
		return "SignatureDoesNotMatch"
	}
	return ""
}
