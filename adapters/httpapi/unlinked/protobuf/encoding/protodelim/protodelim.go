// Package protodelim stands in for messages of Protocol Buffers one after the other.
package protodelim

import (
	"io"

	"google.golang.org/protobuf/proto"
)

type Reader interface {
	io.Reader
	io.ByteReader
}

type UnmarshalOptions struct{ MaxSize int64 }

func (UnmarshalOptions) UnmarshalFrom(Reader, proto.Message) error { return proto.ErrUnlinked }

func MarshalTo(io.Writer, proto.Message) (int, error) { return 0, proto.ErrUnlinked }
