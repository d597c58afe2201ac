// Package worked tells work that is slow from a machine that is busy.
package worked

import (
	"time"

	"golang.org/x/sys/unix"
)

// For is for how long processors have worked for this thread.
func For() time.Duration {
	var at unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at) // Linux has this clock
	return time.Duration(at.Nano())
}
