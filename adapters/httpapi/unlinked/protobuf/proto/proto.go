// Package proto stands in for Protocol Buffers, which gin and the client of Prometheus import.
// Milaan has its figures written as text.
package proto

import "errors"

var ErrUnlinked = errors.New("Milaan has no Protocol Buffers")

type Message any

func Marshal(Message) ([]byte, error) { return nil, ErrUnlinked }
func Unmarshal([]byte, Message) error { return ErrUnlinked }
func String(s string) *string         { return &s }
func Float64(f float64) *float64      { return &f }
func Int32(n int32) *int32            { return &n }
func Int64(n int64) *int64            { return &n }
func Uint32(n uint32) *uint32         { return &n }
func Uint64(n uint64) *uint64         { return &n }
