//go:build !linux

package worked

import "time"

var began = time.Now()

// For counts the time of others too.
func For() time.Duration { return time.Since(began) }
