package app

import (
	"fmt"
	"runtime/debug"
)

// recoverInto makes a panic the error of the function that defers it, with the stack for the
// log. Otherwise a panic in a goroutine would end the process, and one in a job would not end
// the job.
func recoverInto(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
