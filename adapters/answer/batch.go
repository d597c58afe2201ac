package answer

import (
	"io"
	"strconv"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// timestamp is ISO 8601 in UTC with exactly three decimals, as of webhooks.
// Fractions of a millisecond are cut off.
const timestamp = "2006-01-02T15:04:05.000Z"

// JobResult writes one JSON object without a line end, because the object becomes an
// element of a list.
func (w *Writer) JobResult(out io.Writer, brand, courierName string, o *ports.FinishedRun) error {
	return w.stream(out, func(s *stream) error {
		s.b = append(appendJob(s.b, brand, courierName), ',')
		err := s.run(o, false)
		s.b = append(s.b, '}')
		return err
	})
}

// JobFault writes an object as JobResult does.
func (w *Writer) JobFault(out io.Writer, brand, courierName string, fault error) error {
	return w.stream(out, func(s *stream) error {
		s.b = appendText(append(appendJob(s.b, brand, courierName), `,"error":`...), []byte(w.words.Message(fault, w.names)))
		s.b = append(s.b, '}')
		return nil
	})
}

// appendJob begins the element of a job.
func appendJob(b []byte, brand, courierName string) []byte {
	b = appendText(append(b, `{"brand":`...), []byte(brand))
	return appendText(append(b, `,"courierName":`...), []byte(courierName))
}

// Status writes nothing if reading the results fails before the first chunk is full, so
// that the caller can still answer with the error.
func (w *Writer) Status(out io.Writer, batch domain.Batch, results func(yield func([]byte, error) bool)) error {
	return w.stream(out, func(s *stream) error {
		s.b = appendStatus(s.b, batch)
		if results != nil {
			if err := s.results(results); err != nil {
				return err
			}
		}
		s.b = append(s.b, '}', '\n')
		return nil
	})
}

func appendStatus(b []byte, batch domain.Batch) []byte {
	b = appendText(append(b, `{"batch_id":`...), []byte(batch.ID))
	b = append(append(b, `,"status":"`...), batch.State()...)
	b = strconv.AppendInt(append(b, `","jobs":`...), int64(batch.Jobs), 10)
	b = strconv.AppendInt(append(b, `,"completed":`...), int64(batch.Completed), 10)
	b = appendTime(append(b, `,"submitted_at":`...), batch.SubmittedAt)
	b = appendTime(append(b, `,"started_at":`...), batch.StartedAt)
	return appendTime(append(b, `,"completed_at":`...), batch.CompletedAt)
}

// results appends the elements as they are: each is JSON already. A large element, such as
// one of 50,000 orders, is written without a copy.
func (s *stream) results(all func(yield func([]byte, error) bool)) error {
	s.b = append(s.b, `,"results":[`...)
	first := true
	for element, err := range all {
		if err != nil {
			return err
		}
		if !first {
			s.b = append(s.b, ',')
		}
		first = false
		if len(element) < chunk {
			s.b = append(s.b, element...)
		} else if err := s.through(element); err != nil {
			return err
		}
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, ']')
	return nil
}

// through writes what has been appended, and then text, without copying text.
func (s *stream) through(text []byte) error {
	if _, err := s.out.Write(s.b); err != nil {
		return err
	}
	s.b, s.partial = s.b[:0], true
	_, err := s.out.Write(text)
	return err
}

func (w *Writer) Summary(run domain.Run) []byte {
	b := make([]byte, 0, 192)
	b = appendText(append(b, `{"brand":`...), []byte(run.Brand))
	b = appendTime(append(b, `,"run_at":`...), run.At)
	b = strconv.AppendInt(append(b, `,"flagged_count":`...), int64(run.Tally.Flags.Flagged()), 10)
	b = run.Tally.AtRisk.AppendRupees(append(b, `,"amount_risk":`...))
	b = appendText(append(b, `,"run_id":`...), []byte(run.ID))
	return append(b, '}')
}

// appendTime appends a timestamp, or null for the zero time.
func appendTime(b []byte, at time.Time) []byte {
	if at.IsZero() {
		return append(b, "null"...)
	}
	b = at.UTC().AppendFormat(append(b, '"'), timestamp)
	return append(b, '"')
}
