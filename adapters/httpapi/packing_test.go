package httpapi

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// asking is a request that accepts what encoding says. The client does not unpack by
// itself.
func asking(r *http.Request, encoding string) *http.Request {
	r.Header.Set("Accept-Encoding", encoding)
	return r
}

func unpacked(t *testing.T, text string) string {
	t.Helper()
	r := only.Value(gzip.NewReader(strings.NewReader(text)))(t)
	return string(only.Value(io.ReadAll(r))(t))
}

func TestAnswersAreCompressed(t *testing.T) {
	s := start(t, nil)
	var answer string
	s.write = func(w writer, _ *outcome, _ bool) error {
		if sized, ok := w.(interface{ Size(n int) }); ok && len(answer) < 100_000 {
			sized.Size(len(answer))
		}
		for text := []byte(answer); len(text) > 0; {
			n, err := w.Write(text[:min(len(text), 60_000)])
			if err != nil {
				return err
			}
			text = text[n:]
		}
		return nil
	}
	s.status = func(context.Context, caller, string) (ports.BatchStatus, error) {
		return ports.BatchStatus{Write: func(w writer) error { return s.write(w, nil, false) }}, nil
	}
	routes := map[string]func() *http.Request{
		"/reconcile": func() *http.Request { return s.post(t, text(goodBody)) },
		"/demo":      func() *http.Request { return s.getting(t, "/demo") },
		"/status":    func() *http.Request { return s.getting(t, "/status/"+someBatch) },
	}
	for route, request := range routes {
		for _, length := range []int{10, 1023, 1024, 50_000, 3_000_000} {
			answer = `{"results":["` + strings.Repeat("order ", length/6) + strings.Repeat("x", length%6) + `"]}`
			answer = answer[len(answer)-length:]
			got := do(t, asking(request(), "br, gzip"))
			require.Equal(t, 200, got.status)
			require.Equal(t, "Accept-Encoding", got.header.Get("Vary"), route)
			require.Empty(t, got.header.Get("ETag"))
			if isSized := route != "/demo" && length < 100_000; isSized && length < 1024 {
				require.Empty(t, got.header.Get("Content-Encoding"), "%s %d", route, length)
				require.Equal(t, answer, got.body)
			} else {
				require.Equal(t, "gzip", got.header.Get("Content-Encoding"), "%s %d", route, length)
				require.Equal(t, answer, unpacked(t, got.body))
				require.Equal(t, jsonType, got.header.Get("Content-Type"))
			}
			for _, encoding := range []string{"identity", "gzip;q=0", ""} {
				plain := do(t, asking(request(), encoding))
				require.Equal(t, answer, plain.body)
				require.Empty(t, plain.header.Get("Content-Encoding"))
				require.Equal(t, "Accept-Encoding", plain.header.Get("Vary"))
			}
		}
	}
	head := s.getting(t, "/demo")
	head.Method = http.MethodHead
	got := do(t, asking(head, "gzip"))
	require.Equal(t, 200, got.status)
	require.Empty(t, got.header.Get("Content-Encoding"))

	refused := do(t, asking(s.post(t, text("{")), "gzip"))
	demandError(t, refused, 400, "the request body is not valid JSON: unexpected end of JSON input (at byte 1)")
	require.Empty(t, refused.header.Get("Content-Encoding"))
	key := do(t, asking(s.postTo(t, "/generate-api-key", text("{}")), "gzip"))
	require.Empty(t, key.header.Get("Content-Encoding"), "it has a secret")
}

func (s *service) getting(t *testing.T, path string) *http.Request {
	t.Helper()
	r := only.Value(http.NewRequestWithContext(t.Context(), http.MethodGet, s.url(path), nil))(t)
	r.Header.Set("Authorization", "Bearer "+goodKey)
	return r
}

// TestCompressedAnswersFailAsOthersDo breaks answers before and after their first byte.
func TestCompressedAnswersFailAsOthersDo(t *testing.T) {
	s := start(t, nil)
	s.write = func(w writer, _ *outcome, _ bool) error {
		_, err := w.Write([]byte("the beginning"))
		return errors.Join(err, errors.New("the workspace is broken"))
	}
	demandError(t, do(t, asking(s.post(t, text(goodBody)), "gzip")), 500, said(domain.ErrFault))

	s.write = func(w writer, _ *outcome, _ bool) error {
		_, err := io.CopyN(w, rand.NewChaCha8([32]byte{}), 1<<20) // no smaller when compressed
		return errors.Join(err, errors.New("the workspace is broken"))
	}
	_, err := attempt(asking(s.post(t, text(goodBody)), "gzip"))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "no client takes a part for the whole")
}

// TestDocumentsAreCompressed holds that the two forms of a document are told apart.
func TestDocumentsAreCompressed(t *testing.T) {
	s := start(t, nil)
	for _, path := range []string{"/openapi.json", "/openapi.yaml", "/docs"} {
		plain := do(t, asking(s.getting(t, path), "identity"))
		packed := do(t, asking(s.getting(t, path), "gzip"))
		require.Equal(t, "gzip", packed.header.Get("Content-Encoding"))
		require.Equal(t, plain.body, unpacked(t, packed.body))
		require.Less(t, len(packed.body), len(plain.body)/3)
		require.NotEqual(t, plain.header.Get("ETag"), packed.header.Get("ETag"))
		for encoding, first := range map[string]reply{"identity": plain, "gzip": packed} {
			require.Equal(t, "Accept-Encoding", first.header.Get("Vary"))
			head := asking(s.getting(t, path), encoding)
			head.Method = http.MethodHead
			of := do(t, head).header
			for _, name := range []string{"ETag", "Content-Encoding", "Content-Length"} {
				require.Equal(t, first.header.Get(name), of.Get(name), "as GET has it")
			}
			again := asking(s.getting(t, path), encoding)
			again.Header.Set("If-None-Match", first.header.Get("ETag"))
			got := do(t, again)
			require.Equal(t, http.StatusNotModified, got.status)
			require.Equal(t, first.header.Get("ETag"), got.header.Get("ETag"))
			require.Empty(t, got.header.Get("Content-Encoding"))
		}
	}
}

// TestAnAnswerIsCompressedEarly holds that what was compressed while the run was stored is sent, unless the answer is another one by then.
func TestAnAnswerIsCompressedEarly(t *testing.T) {
	s := start(t, nil)
	s.reconcile = func(_ context.Context, _ caller, r request) (*outcome, error) {
		run := s.outcome(storedRun)
		r.Made(run)
		return run, nil
	}
	answer := strings.Repeat("answer", 1000)
	s.write = func(w writer, _ *outcome, _ bool) error {
		w.(interface{ Size(n int) }).Size(len(answer))
		_, err := io.WriteString(w, answer)
		return err
	}
	s.early = strings.Repeat("early ", 1000) // of the same length, so that the test sees which of them is sent
	require.Equal(t, s.early, unpacked(t, do(t, asking(s.post(t, text(goodBody)), "gzip")).body))
	require.Equal(t, answer, do(t, asking(s.post(t, text(goodBody)), "identity")).body)
	answer += " of a duplicate"
	require.Equal(t, answer, unpacked(t, do(t, asking(s.post(t, text(goodBody)), "gzip")).body))
}
