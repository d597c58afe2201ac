// Package protoimpl stands in for what generated code calls. The client of Prometheus has such
// code for its structs, and uses them as structs.
package protoimpl

import (
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	MinVersion    = 20
	MaxVersion    = 20
	UnsafeEnabled = true // it leaves out code for the other case
)

type (
	EnforceVersion uint
	Pointer        any
	SizeCache      struct{}
	UnknownFields  struct{}
	MessageState   struct{}

	EnumInfo    struct{}
	MessageInfo struct{ Exporter func(any, int) any }

	DescBuilder struct {
		GoPackagePath                                     string
		RawDescriptor                                     []byte
		NumEnums, NumMessages, NumExtensions, NumServices int32
	}
	TypeBuilder struct {
		File              DescBuilder
		GoTypes           []any
		DependencyIndexes []int32
		EnumInfos         []EnumInfo
		MessageInfos      []MessageInfo
	}
	built struct{ File protoreflect.FileDescriptor }

	export struct{}
)

var X export

func (TypeBuilder) Build() (b built)                                { return b }
func (*EnumInfo) Descriptor() protoreflect.EnumDescriptor           { return nil }
func (*MessageInfo) MessageOf(any) protoreflect.Message             { return nil }
func (*MessageState) StoreMessageInfo(*MessageInfo)                 {}
func (*MessageState) LoadMessageInfo() *MessageInfo                 { return nil }
func (export) MessageStateOf(Pointer) *MessageState                 { return nil }
func (export) MessageStringOf(any) string                           { return proto.ErrUnlinked.Error() }
func (export) CompressGZIP([]byte) []byte                           { return nil }
func (export) EnumStringOf(_ any, n protoreflect.EnumNumber) string { return strconv.Itoa(int(n)) }

func (export) UnmarshalJSONEnum(any, []byte) (protoreflect.EnumNumber, error) {
	return 0, proto.ErrUnlinked
}
