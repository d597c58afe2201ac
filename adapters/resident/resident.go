// Package resident gives the system memory back that the process does not need any more.
package resident

import "runtime/debug"

// GiveBackStart is called once the process has started.
func GiveBackStart() {
	debug.FreeOSMemory() // the start leaves more garbage than an idle service has in use
	unmapFile()
}
