package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/compress"
	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
	"milaan/ports"
)

// reconcile is POST /reconcile. Its checks are in the order of guide: limits 2. With
// the header alone it checks the media type, key, phone, subscription, plan and rate; then
// the size of the body, its JSON and its fields; then it calls the use case.
func (s *Server) reconcile(c *gin.Context) error {
	var decoder jsonbody.Decoder
	caller, b, err := s.receive(c, &decoder)
	if err != nil {
		return err
	}
	defer b.Release()
	run, err := s.reconcileAs(c, caller, b, func() (ports.Request, error) { return readRequest(b.Text, &decoder) })
	return s.answerRun(c, run, err)
}

// answerRun counts a run and writes its answer, and then releases the run; or it returns
// why there is none.
func (s *Server) answerRun(c *gin.Context, run *ports.FinishedRun, err error) error {
	s.figures.countRun(c, run, err)
	if err != nil {
		return err
	}
	defer run.Release()
	s.nameRun(c, run)
	return s.stream(c, func(w io.Writer) error { return s.params.Answers.Write(w, run, false) })
}

// nameRun gives the line of the access log its run, and the answer if it has a new one: the
// body of a duplicate's answer names the first run.
func (*Server) nameRun(c *gin.Context, run *ports.FinishedRun) {
	c.Set(runKey, run.Run.ID)
	if run.Run.ID != "" && !run.Duplicate {
		c.Header("X-Run-Id", run.Run.ID)
	}
}

// receive makes the checks that need the header alone, and then takes the body in. The
// caller of receive must release it. decoder decodes what has arrived so far.
func (s *Server) receive(c *gin.Context, decoder *jsonbody.Decoder) (ports.Caller, intake.Arrival, error) {
	if err := demandJSONOrPacked(c); err != nil {
		return ports.Caller{}, intake.Arrival{}, err
	}
	return s.takeIn(c, func(account string) (intake.Arrival, error) {
		return readUnpacked(c.Request, func(r *http.Request) (intake.Arrival, error) {
			return s.intake.ReadRun(r, account, decoder.Arrived, func(body []byte) ports.WorkbookMemory {
				if ledger := decoder.Previous(body); len(ledger) > 0 {
					return ports.LedgerMemory(int64(len(body)), ledger)
				}
				return ports.WorkbookMemory{}
			})
		})
	})
}

// soonEnough is how long a body may take to arrive without its caller being admitted anew.
const soonEnough = time.Second

// takeIn admits the caller of a request and has read take its body in, for an account. A body may be a minute and longer in
// coming. Meanwhile the key may have been replaced or the account's plan have ended, so the caller is admitted anew then.
func (s *Server) takeIn(c *gin.Context, read func(account string) (intake.Arrival, error)) (ports.Caller, intake.Arrival, error) {
	caller, err := s.admit(c, s.params.Gate.Admit)
	if err != nil {
		return ports.Caller{}, intake.Arrival{}, err
	}
	began, receiving := time.Now(), ports.SpanOf(c.Request.Context()).Step(ports.StepReceive)
	b, err := read(caller.Account.ID)
	receiving.End(err)
	if err == nil && time.Since(began) > soonEnough {
		if caller, err = s.admit(c, s.params.Gate.AdmitAgain); err != nil {
			b.Release()
		}
	}
	return caller, b, err
}

// admit asks the gate whether the request's key may send the request.
func (s *Server) admit(c *gin.Context, gate func(ctx context.Context, secret string) (ports.Caller, error)) (ports.Caller, error) {
	key, ok := dashboard.Bearer(c.Request.Header)
	if !ok {
		return ports.Caller{}, domain.ErrKey
	}
	caller, err := gate(c.Request.Context(), key)
	c.Set(accountKey, caller.Account.ID)
	if errors.Is(err, domain.ErrKey) {
		s.params.Gate.LogRevokedKey(c.Request.Context(), key, s.transport.Address(c.Request))
	}
	return caller, err
}

// reconcileAs reconciles the files of a body, of which read makes a request. The use case
// gives the body's buffer back as soon as all files are read, and what was charged for the
// work, except for the results, before it stores the run. So neither a slow database nor a
// slow client holds them.
func (s *Server) reconcileAs(
	c *gin.Context, caller ports.Caller, b intake.Arrival, read func() (ports.Request, error),
) (*ports.FinishedRun, error) {
	request, err := read()
	if err != nil {
		return nil, err
	}
	request.Read, request.Claim = b.Free, b.Claim
	request.Made = func(run *ports.FinishedRun) {
		keepResults(c, b, run)
		packs, packed := compress.Accepted(c.Request), new(packedAnswer)
		c.Set(packedKey, packed)
		s.params.Ahead.Begin(run, func(answer []byte) {
			if packs {
				packed.size, packed.text = len(answer), compress.Fast(answer)
			}
		})
	}
	key, faults := requestKey(c.Request.Header)
	caller.RequestKey, request.Misread = key, append(request.Misread, faults...)
	run, err := s.params.Reconciling.Reconcile(c.Request.Context(), caller, request)
	return run, onlyFirst(byKey(key, err))
}

// keepResults keeps of a body's memory what the results of a run take, and compressing their answer.
func keepResults(c *gin.Context, b intake.Arrival, run *ports.FinishedRun) {
	bytes := run.Memory
	if compress.Accepted(c.Request) {
		bytes += compress.Memory
	}
	b.Keep(bytes)
}

// stream answers 200 with what write writes, compressed if the client accepts that. If the
// client goes away meanwhile, that is no error. If write fails, stream returns its error,
// which is answered as usual if nothing was written yet; else the answer is broken off.
func (s *Server) stream(c *gin.Context, write func(io.Writer) error) error {
	c.Header("Content-Type", jsonType)
	c.Header("Cache-Control", "no-store")
	c.Writer.Header().Add("Vary", "Accept-Encoding")
	c.Status(http.StatusOK)
	w := &watched{to: c.Writer, packs: compress.Accepted(c.Request)}
	w.early, _ = c.Value(packedKey).(*packedAnswer)
	defer w.drop()
	answering := ports.SpanOf(c.Request.Context()).Step(ports.StepAnswer)
	err := write(w)
	if err == nil {
		err = w.close()
	}
	answering.End(err)
	if w.failed {
		s.params.Log.LogAttrs(c.Request.Context(), slog.LevelDebug, "the client went away before the end of its answer",
			slog.String(requestIDKey, c.GetString(requestIDKey)))
		return nil
	}
	return err
}

// streamWhole is stream for an answer that is there.
func (s *Server) streamWhole(c *gin.Context, answer []byte) error {
	return s.stream(c, func(w io.Writer) error {
		w.(*watched).Size(len(answer))
		_, err := w.Write(answer)
		return err
	})
}

// packedAnswer is a whole answer of a size that was compressed while its run was stored. That of a duplicate is longer.
type packedAnswer struct {
	size int // 0: it was not
	text []byte
}

// watched remembers whether a write to the client has failed. It compresses what is
// written, if the client accepts that.
type watched struct {
	to     gin.ResponseWriter
	failed bool
	packs  bool
	whole  bool             // the next write has the whole answer
	early  *packedAnswer    // nil: none
	packed *compress.Writer // nil until the first byte
}

// Size tells the length of the answer, which is then not sent in chunks; that saves a
// system call. A short one is not compressed.
func (w *watched) Size(n int) {
	if w.whole, w.packs = true, w.packs && n >= compress.Least; !w.packs {
		w.to.Header().Set("Content-Length", strconv.Itoa(n))
	}
}

func (w *watched) Write(p []byte) (int, error) {
	switch {
	case !w.packs:
		return client{w}.Write(p)
	case w.whole: // the compressor does not wait for the client
		w.to.Header().Set("Content-Encoding", "gzip")
		packed := w.early
		if packed == nil || packed.size != len(p) {
			packed = &packedAnswer{text: compress.Fast(p)}
		}
		_, err := client{w}.Write(packed.text)
		return len(p), err
	case w.packed == nil:
		w.to.Header().Set("Content-Encoding", "gzip")
		w.packed = compress.New(client{w})
	}
	return w.packed.Write(p)
}

// close ends a whole answer.
func (w *watched) close() error {
	if w.packed == nil {
		return nil
	}
	return w.packed.Close()
}

// drop ends any answer. If nothing of it was sent, an error can still be answered, which
// is not compressed.
func (w *watched) drop() {
	if w.packed == nil {
		return
	}
	w.packed.Drop()
	if !w.to.Written() {
		w.to.Header().Del("Content-Encoding")
	}
}

// client writes to the client of an answer.
type client struct{ *watched }

func (c client) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.failed = c.failed || err != nil
	return n, err
}
