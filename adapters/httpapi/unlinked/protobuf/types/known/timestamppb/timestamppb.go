// Package timestamppb stands in for times, which the client of Prometheus keeps.
package timestamppb

import "time"

type Timestamp struct {
	Seconds int64
	Nanos   int32
}

func New(t time.Time) *Timestamp {
	return &Timestamp{t.Unix(), int32(t.Nanosecond())} //nolint:gosec // below a billion
}

func (t *Timestamp) AsTime() time.Time { return time.Unix(t.Seconds, int64(t.Nanos)).UTC() }
func (*Timestamp) CheckValid() error   { return nil }
func (t *Timestamp) IsValid() bool     { return t != nil }
