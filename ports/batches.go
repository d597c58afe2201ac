package ports

import (
	"io"

	"milaan/domain"
)

// BatchAnswers writes what is said of batches, as JSON.
type BatchAnswers interface {
	// JobResult is one element of results: brand, courierName and the fields of
	// POST /reconcile's answer.
	JobResult(w io.Writer, brand, courierName string, o *FinishedRun) error
	// JobFault is the element of a job that ended with an error: one that
	// domain.KindOf knows.
	JobFault(w io.Writer, brand, courierName string, fault error) error
	// Status is the report on a batch. results gives the elements; nil unless
	// the batch is complete.
	Status(w io.Writer, b domain.Batch, results func(yield func([]byte, error) bool)) error
}
