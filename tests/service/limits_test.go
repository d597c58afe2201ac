package service

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// TestSizes holds the limits of section 8 on bodies and rows, at their edges.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	orders := func(rows int) string { // one order, continued on every row
		return Export(Order{Name: "#1001", Total: "1000.00", AWB: "AWB1001"}) + strings.Repeat("#1001,,,,,,,,\n", rows-1)
	}
	lines := func(rows int) string {
		var b strings.Builder
		b.WriteString(Report(Line{AWB: "AWB1001", Remitted: "1000", RemittedOn: "2026-10-10"}))
		for i := range rows - 1 {
			fmt.Fprintf(&b, "B%d,,1,1,2026-10-10,\n", i)
		}
		return b.String()
	}
	full := Body{"shopify": orders(50_000), "courier": lines(50_000)}
	require.Equal(t, []string{"RECONCILED"}, c.Run(t, full).flags())
	c.Reconcile(t, full.With("shopify", orders(50_001))).Refused(t, 400, "storefront file (shopify)")
	a := c.Reconcile(t, full.With("courier", lines(50_001)))
	a.Refused(t, 400, "courier file (courier)")
	require.Contains(t, a.Message(), "has more than 50000 rows")
}

// codings are those by which bodies may be sent, each with what it may be called.
var codings = map[string]struct {
	names []string
	pack  func(to io.Writer) (io.WriteCloser, error)
}{
	"gzip": {[]string{"gzip", "GZIP", "x-gzip"}, func(to io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(to), nil }},
	"zstd": {[]string{"zstd", "ZSTD"}, func(to io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(to) }},
}

func TestPackedBodies(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	body := func(v any) []byte {
		return only.Value(json.Marshal(v))(t)
	}
	for coding, by := range codings {
		pack := func(t *testing.T, body []byte) []byte { // as a client that compresses sends it
			t.Helper()
			var packed bytes.Buffer
			w := only.Value(by.pack(&packed))(t)
			require.NoError(t, only.Err(w.Write(body)))
			require.NoError(t, w.Close())
			return packed.Bytes()
		}
		t.Run(coding+": they ask what they ask when they are not compressed", func(t *testing.T) {
			c := s.Customer(t, OnPlan(domain.Enterprise))
			text := body(Small())
			plain := s.Post(t, "/reconcile", c.Key, text, "Idempotency-Key", "k")
			require.NotEmpty(t, plain.Run(t).Results)
			for _, name := range by.names {
				again := s.Post(t, "/reconcile", c.Key, pack(t, text), "Idempotency-Key", "k", "Content-Encoding", name)
				require.Equal(t, plain.Run(t).Results, again.Run(t).Results)
				require.True(t, *again.Run(t).Duplicate, "the same request")
			}
			s.Post(t, "/reconcile", c.Key, pack(t, body(Small().With("brand", "other"))), "Idempotency-Key", "k", "Content-Encoding", coding).
				Refused(t, 409, "this Idempotency-Key stands for another request")
			r := s.Request(t, http.MethodPost, "/reconcile", struct{ *bytes.Reader }{bytes.NewReader(pack(t, text))},
				"Content-Type", "application/json", "Content-Encoding", coding, "Authorization", "Bearer "+c.Key)
			r.ContentLength = -1
			require.Equal(t, http.StatusOK, s.Do(t, r).Status, "of unknown length")
			document := pack(t, body(Small().With("format", "csv")))
			require.Equal(t, http.StatusOK, s.Post(t, "/report", c.Key, document, "Content-Encoding", coding).Status)
			batch := pack(t, body(Body{"jobs": []Body{Small().With("brand", "a")}}))
			require.Equal(t, http.StatusAccepted, s.Post(t, "/reconcile/batch", c.Key, batch, "Content-Encoding", coding).Status)
		})
		t.Run(coding+": they have the limits of a body when they are unpacked", func(t *testing.T) {
			c := s.Customer(t, OnPlan(domain.Enterprise))
			zeros := pack(t, make([]byte, 32<<20))
			require.Less(t, len(zeros), 200<<10)
			for _, path := range []string{"/reconcile", "/report", "/reconcile/batch"} {
				s.Post(t, path, c.Key, zeros, "Content-Encoding", coding).Refused(t, 413, "request body larger than 25 MB")
			}
		})
		t.Run(coding+": they are refused if they are not one whole stream", func(t *testing.T) {
			c := s.Customer(t, OnPlan(domain.Enterprise))
			whole := pack(t, body(Small()))
			for _, path := range []string{"/reconcile", "/reconcile/batch", "/report"} {
				s.Post(t, path, c.Key, whole[:len(whole)-1], "Content-Encoding", coding).Refused(t, 400, "the request body is not one whole "+coding+" stream")
			}
			s.Post(t, "/reconcile", "milaan_live_wrong", whole[1:], "Content-Encoding", coding).Refused(t, 401, "")
		})
	}
	c := s.Customer(t, OnPlan(domain.Enterprise))
	for window, status := range map[byte]int{0x68: http.StatusOK, 0x69: http.StatusBadRequest} { // 8 and 9 MB
		text := body(Small())
		head := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, window, byte(len(text)<<3 | 1), byte(len(text) >> 5), byte(len(text) >> 13)}
		a := s.Post(t, "/reconcile", c.Key, append(head, text...), "Content-Encoding", "zstd")
		require.Equal(t, status, a.Status)
		if status != http.StatusOK {
			a.Refused(t, status, "the zstd stream of the request body has a window of more than 8 MB")
		}
	}
}
