// Package protoreflect stands in for descriptions of messages.
package protoreflect

type (
	Message        any
	EnumNumber     int32
	EnumType       any
	EnumDescriptor any
	FileDescriptor any
)
