// Package prototext stands in for messages of Protocol Buffers as text.
package prototext

import "google.golang.org/protobuf/proto"

func Format(proto.Message) string { return proto.ErrUnlinked.Error() }
