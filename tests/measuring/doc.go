// Package measuring holds what a request may make the service allocate, whatever is sent. The
// runtime counts the bytes of the whole process, so these tests are alone in theirs, one after
// the other.
package measuring
