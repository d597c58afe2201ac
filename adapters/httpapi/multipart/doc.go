// Package multipart splits the body of a request of multipart/form-data (RFC 7578) that is in
// memory as a whole. Nothing is copied or written to disk: the contents of the parts
// are slices of the body. The time is linear in the length of the body, whatever it holds.
//
// It takes what browsers and programs send, and refuses what two readers could read
// differently: text before the first part or after the last one, parts in parts, parts
// that are encoded, headers over several lines. Whatever it accepts, package
// mime/multipart splits into the same parts.
package multipart
