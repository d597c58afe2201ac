// Package codec stands in for MessagePack, which gin imports and Milaan does not use.
package codec

import (
	"errors"
	"io"
)

var errUnlinked = errors.New("Milaan has no MessagePack")

type (
	MsgpackHandle struct{}
	Encoder       struct{}
	Decoder       struct{}
)

func NewEncoder(io.Writer, *MsgpackHandle) Encoder { return Encoder{} }
func NewDecoder(io.Reader, *MsgpackHandle) Decoder { return Decoder{} }

func (Encoder) Encode(any) error { return errUnlinked }
func (Decoder) Decode(any) error { return errUnlinked }
