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

// acceptedBatch is the contract's answer to POST /reconcile/batch (guide: batches).
type acceptedBatch struct {
	OK                    bool              `json:"ok"`
	BatchID               string            `json:"batch_id"`
	Jobs                  int               `json:"jobs"`
	Status                domain.BatchState `json:"status"`
	EstimatedCompletionMS int64             `json:"estimated_completion_ms"`
}

// submitBatch is POST /reconcile/batch. It makes the checks of POST /reconcile in the same
// order, and counts as one request for the rate.
func (s *Server) submitBatch(c *gin.Context) error {
	if err := demandJSONOrPacked(c); err != nil {
		return err
	}
	caller, b, err := s.takeIn(c, func(account string) (intake.Arrival, error) {
		return readUnpacked(c.Request, func(r *http.Request) (intake.Arrival, error) { return s.intake.ReadBatch(r, account) })
	})
	if err != nil {
		if errors.Is(err, intake.ErrTooLarge) {
			err = errBatchSize
		}
		return err
	}
	defer b.Release()
	submitted, err := readBatch(b)
	if err != nil {
		return err
	}
	key, faults := requestKey(c.Request.Header)
	caller.RequestKey, submitted.Misread = key, append(submitted.Misread, faults...)
	batch, err := s.params.Batching.Submit(c.Request.Context(), caller, submitted)
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

// milliseconds rounds up, so that work that is still to be done never takes 0 ms.
func milliseconds(d time.Duration) int64 {
	return max(0, int64((d+time.Millisecond-1)/time.Millisecond))
}

// batchStatus is GET /status/{job_id}: the state of a batch of the caller's, with its
// results if it is complete (guide: batches). A text that is no batch id is
// answered like an unknown id, without a look into the storage.
func (s *Server) batchStatus(c *gin.Context) error {
	caller, err := s.admit(c, s.params.Gate.AdmitPoll)
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
		// One whole result is in memory at a time while the client reads, which may be
		// slowly. So the report is charged like a body in flight of the account.
		giveBack, err := s.intake.Reserve(c.Request.Context(), caller.Account.ID)
		if err != nil {
			return err
		}
		defer giveBack()
	}
	return s.stream(c, status.Write)
}

// batchID returns the id of a batch as it is stored. ok is false if the text is not a UUID
// in its usual form, in upper or lower case.
func batchID(text string) (id string, ok bool) {
	parsed, err := uuid.Parse(text)
	return parsed.String(), err == nil && len(text) == len(uuid.Nil.String())
}
