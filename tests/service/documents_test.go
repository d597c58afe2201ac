package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// plainReporter writes the figures of a run and its branding, in as many files as it is
// told.
type plainReporter struct {
	format domain.Format
	files  int
	err    error // after the first byte, unless nothing is written
}

func (r plainReporter) Format() domain.Format { return r.format }

func (r plainReporter) Write(create func(string) (io.Writer, error), run *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	for i := range r.files {
		w, err := create(fmt.Sprintf("%d.txt", i))
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(w, "%d %d orders, %v %q %q", i, run.Len(), b.Colour, b.Name, b.Footer); err != nil {
			return nil, err
		}
	}
	return nil, r.err
}

// plainReporters has one that fails before it writes, and one that writes two files where
// one is answered.
var plainReporters = fx.Decorate(func([]ports.Reporter) []ports.Reporter {
	return []ports.Reporter{plainReporter{format: domain.FormatDispute, files: 2}, plainReporter{format: domain.FormatPDF, files: 1},
		plainReporter{format: domain.FormatXLSX, err: errors.New("out of ink")}, plainReporter{format: domain.FormatCSV, files: 2, err: errors.New("out of paper")}}
})

// Document sends POST /report with the customer's key. It may be called from any goroutine.
func (c *Customer) Document(t testing.TB, b Body) Answer {
	t.Helper()
	return c.service.Post(t, "/report", c.Key, b.Text(t))
}

// asPDF is a body that asks for a PDF.
func asPDF(b Body) Body { return b.With("format", "pdf") }

// TestDocuments holds what POST /report answers.
func TestDocuments(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Broken: plainReporters, FaultsExpected: true})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	t.Run("a document of one file is answered as it is", func(t *testing.T) {
		a := c.Document(t, asPDF(Small()))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.Equal(t, "application/pdf", a.Header.Get("Content-Type"))
		require.Equal(t, `attachment; filename="milaan-2026-10-01.pdf"`, a.Header.Get("Content-Disposition"))
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		require.NotEmpty(t, a.Header.Get("X-Run-Id"))
		require.Equal(t, `0 1 orders, #000000 "" ""`, string(a.Body))
	})
	t.Run("a document is compressed by itself, and not once more", func(t *testing.T) {
		text := only.Value(json.Marshal(asPDF(Small())))(t)
		a := s.Post(t, "/report", c.Key, text, "Accept-Encoding", "gzip")
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.Empty(t, a.Header.Get("Content-Encoding"))
		require.Equal(t, `0 1 orders, #000000 "" ""`, string(a.Body))
	})
	t.Run("one of several files is an archive", func(t *testing.T) {
		a := c.Document(t, Small().With("format", "dispute"))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.Equal(t, "application/zip", a.Header.Get("Content-Type"))
		require.Equal(t, `attachment; filename="milaan-2026-10-01-dispute.zip"`, a.Header.Get("Content-Disposition"))
		require.Equal(t, map[string]string{"0.txt": `0 1 orders, #000000 "" ""`, "1.txt": `1 1 orders, #000000 "" ""`}, only.Value(zips.Files(a.Body))(t))
	})
	t.Run("an error before the first byte is answered as everywhere", func(t *testing.T) {
		for _, format := range []string{"xlsx", "csv"} { // an archive gathers its first bytes
			a := c.Document(t, Small().With("format", format))
			a.Refused(t, 500, "unexpected error in the service")
			require.Empty(t, a.Header.Get("Content-Disposition"))
		}
	})
	t.Run("the fields are checked as everywhere", func(t *testing.T) {
		c.Document(t, Small()).Refused(t, 400, "format is missing: name the format of the document, one of xlsx, csv, pdf, dispute")
		c.Document(t, Small().With("format", "docx")).Refused(t, 400, "format must be xlsx, csv, pdf or dispute")
		c.Document(t, Small().With("format", 7)).Refused(t, 400, "format must be a string, not a number")
		c.Document(t, asPDF(Small()).With("branding_name", strings.Repeat("x", 101))).Refused(t, 400, "branding_name must be at most 100 characters")
	})
	t.Run("the account's branding is used, under another name if one is given", func(t *testing.T) {
		s.Clock.Advance(time.Minute)
		own := s.Customer(t)
		name, colour, footer := "Asha & Co", "#1A4F8B", "one line"
		_, err := s.Branding.SetBranding(t.Context(), own.Stored(t), domain.ByCommandLine, ports.BrandingChange{Name: &name, Colour: &colour, Footer: &footer})
		require.NoError(t, err)
		require.Equal(t, `0 1 orders, #1A4F8B "Asha & Co" "one line"`, string(own.Document(t, asPDF(Small())).Body))
		require.Equal(t, `0 1 orders, #1A4F8B "आशा" "one line"`, string(own.Document(t, asPDF(Small()).With("branding_name", " आशा ")).Body))
		require.Equal(t, `0 1 orders, #1A4F8B "Asha & Co" "one line"`, string(own.Document(t, asPDF(Small()).With("branding_name", nil)).Body))
	})
}

// slowReporter writes documents of 16 MB, and counts how many are written at once.
type slowReporter struct {
	begun, end    chan struct{}
	writing, most *atomic.Int32
}

func (slowReporter) Format() domain.Format { return domain.FormatPDF }

func (r slowReporter) Write(create func(string) (io.Writer, error), _ *ports.FinishedRun, _ domain.Branding) ([]domain.Warning, error) {
	w, err := create("slow.pdf")
	if err != nil {
		return nil, err
	}
	r.most.Store(max(r.most.Load(), r.writing.Add(1)))
	defer r.writing.Add(-1)
	r.begun <- struct{}{}
	<-r.end
	for range 16 {
		if _, err = w.Write(make([]byte, 1<<20)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// TestDocumentsAtOnce holds that as many documents are written at once as there are cores,
// and that clients which do not read theirs, or go away, keep no other from being written.
func TestDocumentsAtOnce(t *testing.T) {
	t.Parallel()
	r := slowReporter{begun: make(chan struct{}), end: make(chan struct{}), writing: new(atomic.Int32), most: new(atomic.Int32)}
	s := Start(t, Options{Broken: fx.Decorate(func([]ports.Reporter) []ports.Reporter { return []ports.Reporter{r} })})
	cores := runtime.GOMAXPROCS(0)
	stuck := make([]net.Conn, 2*cores)
	for i := range stuck {
		text := only.Value(json.Marshal(asPDF(Small())))(t)
		connection := only.Value((&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://")))(t)
		defer func() { _ = connection.Close() }()
		_, err := fmt.Fprintf(connection, "POST /report HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s",
			s.Customer(t).Key, len(text), text)
		require.NoError(t, err)
		stuck[i] = connection
	}
	for range cores {
		<-r.begun
	}
	for range stuck[cores:] {
		r.end <- struct{}{}
		<-r.begun // nobody has read a byte
	}
	for range cores {
		r.end <- struct{}{}
	}
	require.EqualValues(t, cores, r.most.Load())
	require.NoError(t, stuck[0].Close())
	go func() { <-r.begun; r.end <- struct{}{} }()
	a := s.Customer(t).Document(t, asPDF(Small()))
	require.Equal(t, http.StatusOK, a.Status)
	require.Len(t, a.Body, 16<<20)
	require.Equal(t, fmt.Sprint(16<<20), a.Header.Get("Content-Length"))
}

// TestDocumentsAndTheCap holds which documents are runs.
func TestDocumentsAndTheCap(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t), Broken: plainReporters})
		made := func(t *testing.T, c *Customer, b Body, counted bool) {
			t.Helper()
			before := s.Runs(t)
			a := c.Document(t, b)
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			require.Equal(t, counted, a.Header.Get("X-Run-Id") != "")
			if counted {
				before++
			}
			require.Equal(t, before, s.Runs(t))
			s.Clock.Advance(time.Minute) // past the rate's window and that of duplicates
		}
		t.Run("a document of a run that was made is free, even at the cap", func(t *testing.T) {
			c := s.Customer(t, Capped(1))
			c.Run(t, Small())
			s.Clock.Advance(time.Minute)
			made(t, c, asPDF(Small()), false)
			made(t, c, Small().With("format", "dispute"), false)
			c.Document(t, asPDF(Named("another"))).Refused(t, 429, "Run limit of 1/month reached")
		})
		t.Run("a document of no run is one", func(t *testing.T) {
			c := s.Customer(t, Capped(2))
			made(t, c, asPDF(Small()), true)
			made(t, c, asPDF(Small()), false)
			made(t, c, asPDF(Small()).With("minor_gap_threshold", 5), true)
			c.Document(t, asPDF(Named("a third"))).Refused(t, 429, "Run limit of 2/month reached")
		})
		t.Run("a run of the former cycle, or of another account, does not make it free", func(t *testing.T) {
			c := s.Customer(t)
			made(t, c, asPDF(Small()), true)
			made(t, s.Customer(t), asPDF(Small()), true)
			s.Clock.Set(s.Clock.Now().AddDate(0, 1, 1))
			made(t, c, asPDF(Small()), true)
		})
		t.Run("a duplicate finds the first run", func(t *testing.T) {
			c := s.Customer(t, Capped(1))
			c.Run(t, Small())
			other := Small().With("courier", Small()["courier"].(string)+" ") // the same counts, of other files
			a := c.Document(t, asPDF(other))
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			require.Empty(t, a.Header.Get("X-Run-Id"))
		})
		t.Run("the cap is exact when many ask at once, and what is the same is one run", func(t *testing.T) {
			const limit = 3
			accounts := make([]*Customer, 6)
			for i := range accounts {
				accounts[i] = s.Customer(t, Capped(limit))
			}
			before := s.Runs(t)
			answers := sendAtOnce(len(accounts)*10, func(i int) Answer {
				if c, brand := accounts[i/10], i%10/2; i%2 == 0 { // two of the same, by either route
					return c.Document(t, asPDF(Named(brand)))
				} else {
					return c.Reconcile(t, Named(brand))
				}
			})
			require.Equal(t, before+limit*len(accounts), s.Runs(t))
			require.Equal(t, map[int]int{200: 2 * limit * len(accounts), 429: (10 - 2*limit) * len(accounts)}, statuses(answers))
		})
		t.Run("a request key stands for a document", func(t *testing.T) {
			c := s.Customer(t, Capped(1))
			first := c.Keyed(t, "/report", "one", asPDF(Small()))
			require.Equal(t, http.StatusOK, first.Status, string(first.Body))
			again := c.Keyed(t, "/report", "one", asPDF(Small()))
			require.Equal(t, first.Body, again.Body)
			require.Empty(t, again.Header.Get("X-Run-Id"))
			c.Keyed(t, "/report", "one", Small().With("format", "dispute")).Refused(t, 409, "this Idempotency-Key stands for another request")
			c.Keyed(t, "/reconcile", "one", Small()).Refused(t, 409, "this Idempotency-Key stands for another request")
		})
	})
}
