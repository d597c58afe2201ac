// Package measuring holds what a request may make the service allocate, whatever is sent, and
// that a stop leaves no goroutine. Both are counted for the whole process, so these tests are
// alone in theirs, one after the other.
package measuring
