package ports

import (
	"io"

	"milaan/domain"
)

// BatchAnswers writes the results and the reports of batches as JSON.
type BatchAnswers interface {
	// JobResult writes one element of results: brand, courierName and the fields of
	// POST /reconcile's answer.
	JobResult(w io.Writer, brand, courierName string, run *FinishedRun) error
	// JobFault writes the element of a job that ended with an error, which
	// domain.KindOf must know.
	JobFault(w io.Writer, brand, courierName string, fault error) error
	// Status writes the report on a batch. results yields the elements; it is nil
	// unless the batch is complete.
	Status(w io.Writer, b domain.Batch, results func(yield func([]byte, error) bool)) error
}
