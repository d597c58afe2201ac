package service_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recorder stands between a client and the service. Call 3 of a client goes to url/CLIENT/3.
type recorder struct {
	url string

	mu      sync.Mutex
	answers map[int]answer
}

// answer is what the client got.
type answer struct {
	status int
	json   bool
	body   []byte
}

func record(t *testing.T, service string, calls []call) *recorder {
	t.Helper()
	r := &recorder{answers: map[int]answer{}}
	to, err := url.Parse(service)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			_, p.Out.URL.Path, _ = cutCall(p.In.URL.Path)
			p.SetURL(to)
			p.Out.Header.Del("Accept-Encoding") // what is recorded is what was sent
		},
		ModifyResponse: func(a *http.Response) error {
			i, err := strconv.Atoi(a.Request.Header.Get("X-Call"))
			if err != nil || i >= len(calls) {
				return fmt.Errorf("there is no call %q", a.Request.Header.Get("X-Call"))
			}
			body, err := io.ReadAll(a.Body)
			if err != nil {
				return err
			}
			isJSON := strings.HasPrefix(a.Header.Get("Content-Type"), "application/json")
			if isJSON && calls[i].mode != good {
				body = ofLater(body)
			}
			a.Body, a.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			a.Header.Set("Content-Length", strconv.Itoa(len(body)))
			r.mu.Lock()
			defer r.mu.Unlock()
			r.answers[i] = answer{a.StatusCode, isJSON, body}
			return nil
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		call, _, _ := cutCall(request.URL.Path)
		request.Header.Set("X-Call", call)
		proxy.ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// cutCall returns which call a path is of, and the path for the service.
func cutCall(path string) (call, rest string, ok bool) {
	_, after, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	call, rest, ok = strings.Cut(after, "/")
	return call, "/" + rest, ok
}

// unknown is a field that no client of today knows.
const unknown = "field_of_a_later_version"

// ofLater returns an answer as a later version may give it: with flags, codes and fields that are
// not described.
func ofLater(body []byte) []byte {
	var whole any
	if json.Unmarshal(body, &whole) != nil {
		return body
	}
	var change func(v any)
	change = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, inner := range v {
				change(inner)
			}
			if _, is := v["flag"].(string); is {
				v["flag"] = "OF_A_LATER_VERSION"
			}
			if _, warning := v["message"].(string); warning && v["code"] != nil {
				v["code"] = "of_a_later_version"
			}
			v[unknown] = "something" // members of any name may be texts only
		case []any:
			for _, inner := range v {
				change(inner)
			}
		}
	}
	change(whole)
	text, err := json.Marshal(whole)
	if err != nil {
		return body
	}
	return text
}

// same is nil if a client returned what was answered: each value of JSON that is described, amounts
// to the last paisa, and each byte of anything else.
func (a answer) same(got returned) error {
	if !a.json || got.Bytes != nil && got.JSON == nil {
		if !bytes.Equal(a.body, got.Bytes) && a.status != http.StatusNoContent && len(a.body) > 0 {
			return fmt.Errorf("%d bytes were answered, and %d returned: %.200s", len(a.body), len(got.Bytes), got.Bytes)
		}
		return nil
	}
	var sent any
	if err := json.Unmarshal(a.body, &sent); err != nil {
		return err
	}
	if !reflect.DeepEqual(plain(sent), plain(got.JSON)) {
		text, err := json.Marshal(got.JSON)
		return errors.Join(fmt.Errorf("answered %.1500s\nreturned %.1500s", a.body, text), err)
	}
	return nil
}

// plain leaves out what is not described, and writes moments in one way.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		all := map[string]any{}
		for name, inner := range v {
			if name != unknown {
				all[name] = plain(inner)
			}
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, inner := range v {
			all[i] = plain(inner)
		}
		return all
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.UTC()
		}
	}
	return v
}
