package httpapi

import (
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"milaan/adapters/httpapi/intake"
	"milaan/domain"
)

// acceptedBatch is the contract's answer to POST /reconcile/batch (section
// 2.8).
type acceptedBatch struct {
	OK                    bool              `json:"ok"`
	BatchID               string            `json:"batch_id"`
	Jobs                  int               `json:"jobs"`
	Status                domain.BatchState `json:"status"`
	EstimatedCompletionMS int64             `json:"estimated_completion_ms"`
}

// submitBatch is POST /reconcile/batch. Its checks are those of POST /reconcile,
// in the same order, and it counts as one request towards the rate.
func (s *Server) submitBatch(c *gin.Context) error {
	caller, b, err := s.receive(c, func([]byte) {})
	if err != nil {
		if errors.Is(err, intake.ErrTooLarge) {
			err = errBatchSize
		}
		return err
	}
	defer b.Release()
	asked, err := batchFrom(b)
	if err != nil {
		return err
	}
	key, faults := requestKey(c.Request.Header)
	caller.RequestKey, asked.Misread = key, append(asked.Misread, faults...)
	batch, err := s.params.Batching.Submit(c.Request.Context(), caller, asked)
	if err != nil {
		if caller.RequestKey == "" && errors.Is(err, domain.ErrUnsettled) {
			err = errBatchUnsettled.Caused(err)
		}
		return byKey(caller.RequestKey, err)
	}
	c.Set(batchKey, batch.ID)
	c.Header("Cache-Control", "no-store")
	c.Header("Location", "/status/"+batch.ID)
	c.JSON(http.StatusAccepted, acceptedBatch{
		OK: true, BatchID: batch.ID, Jobs: batch.Jobs, Status: batch.State(), EstimatedCompletionMS: milliseconds(batch.Estimate),
	})
	return nil
}

// milliseconds rounds a time up: work that is to be done takes more than none.
func milliseconds(d time.Duration) int64 {
	return max(0, int64((d+time.Millisecond-1)/time.Millisecond))
}

// batchStatus is GET /status/{job_id}: how a batch of the caller's stands, with
// its results once it is complete (contract, section 4.4). What is no batch id
// is answered as an unknown one is, and the storage is not asked.
func (s *Server) batchStatus(c *gin.Context) error {
	caller, err := admit(c, s.params.Gate.AdmitPoll)
	if err != nil {
		return err
	}
	id, ok := batchID(c.Param("job_id"))
	if !ok {
		return domain.ErrNoBatch
	}
	status, err := s.params.Batching.Status(c.Request.Context(), caller, id)
	if err != nil {
		return err
	}
	c.Set(batchKey, id)
	if status.State() == domain.BatchComplete {
		// The report holds a whole result while the client reads, which may be
		// slow: it takes its place among the bodies in flight, and counts as
		// one of the account's.
		giveBack, err := s.intake.Reserve(c.Request.Context(), caller.Account.ID)
		if err != nil {
			return err
		}
		defer giveBack()
	}
	return s.stream(c, status.Write)
}

// batchID is a batch's id as it is stored, if the text is one: a UUID in its
// usual form, in letters of either case.
func batchID(text string) (id string, ok bool) {
	parsed, err := uuid.Parse(text)
	return parsed.String(), err == nil && len(text) == len(uuid.Nil.String())
}
