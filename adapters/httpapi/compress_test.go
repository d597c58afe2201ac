package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/compress"
	"milaan/tests/only"
)

func TestAccepted(t *testing.T) {
	for _, c := range []struct {
		want   bool
		header []string
	}{
		{false, nil},
		{false, []string{""}},
		{true, []string{"gzip"}},
		{true, []string{"GZIP"}},
		{true, []string{"x-gzip"}},
		{true, []string{"deflate, gzip;q=1.0, *;q=0.5"}},
		{true, []string{"br", "gzip"}},
		{true, []string{"*"}},
		{true, []string{"identity;q=0, *"}},
		{true, []string{"gzip;q=0.001"}},
		{true, []string{" gzip ; q=0.5 , identity;q=0.5"}},
		{false, []string{"gzip;q=0"}},
		{false, []string{"gzip;q=0, *"}},
		{false, []string{"gzip;Q=0.000"}},
		{false, []string{"*;q=0"}},
		{false, []string{"gzip;q=0.5, identity"}},
		{false, []string{"identity"}},
		{false, []string{"br, deflate"}},
		{false, []string{"gzip;q=x"}},
		{false, []string{"gzip;q="}},
		{false, []string{"gzip;q=NaN"}},
		{false, []string{"gzip;q=-1"}},
		{false, []string{"gzip;q=2"}},
		{false, []string{"gzipped"}},
	} {
		r := &http.Request{Method: http.MethodGet, Header: http.Header{"Accept-Encoding": c.header}}
		require.Equal(t, c.want, compress.Accepted(r), "%q", c.header)
		r.Method = http.MethodHead
		require.False(t, compress.Accepted(r), "an answer to HEAD has no body")
	}
}

// TestWriter writes answers one after the other, as Writers are used again.
func TestWriter(t *testing.T) {
	for _, pieces := range [][]string{{}, {"a"}, {strings.Repeat("answer ", 100_000), "", "end"}, {"b"}} {
		var out bytes.Buffer
		w := compress.New(&out)
		for _, p := range pieces {
			require.Equal(t, len(p), only.Value(w.Write([]byte(p)))(t))
		}
		require.NoError(t, w.Close())
		w.Drop()
		require.Equal(t, strings.Join(pieces, ""), unpacked(t, out.String()))
	}
	text := strings.Repeat("document ", 1000)
	require.Equal(t, text, unpacked(t, string(compress.Fast([]byte(text)))))
	require.Equal(t, text, unpacked(t, string(compress.Small([]byte(text)))))
}

// TestAnAnswerThatIsNotClosedIsBrokenOff holds that a client can tell.
func TestAnAnswerThatIsNotClosedIsBrokenOff(t *testing.T) {
	var out bytes.Buffer
	w := compress.New(&out)
	text := make([]byte, 1<<20)
	_, _ = rand.Read(text) // it never fails
	require.NoError(t, only.Err(w.Write(text)))
	w.Drop()
	r := only.Value(gzip.NewReader(&out))(t)
	require.ErrorIs(t, only.Err(io.ReadAll(r)), io.ErrUnexpectedEOF)
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

var errBroken = errors.New("the client went away")

func TestErrorsOfTheClientAreReturned(t *testing.T) {
	w := compress.New(broken{})
	defer w.Drop()
	require.NoError(t, only.Err(w.Write([]byte("x"))), "it is not sent yet")
	require.ErrorIs(t, w.Close(), errBroken)
}
