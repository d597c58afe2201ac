// Package panics makes errors of panics.
package panics

import (
	"fmt"
	"runtime/debug"
)

// RecoverInto makes a panic the error of the function that defers it, with the stack for the
// log. Otherwise a panic in a goroutine would end the process, and one in a job would not end
// the job.
func RecoverInto(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
