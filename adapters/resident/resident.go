// Package resident gives the system memory back that the process does not need any more, and has
// it give memory in large pages.
package resident

import (
	"runtime"
	"runtime/debug"
)

// GiveBackStart is called once the process has started.
func GiveBackStart() {
	debug.FreeOSMemory() // the start leaves more garbage than an idle service has in use
	unmapFile()
}

// EnlargePages makes room for so many bytes in the heap, for which the system gives pages of 2 MB if it has
// any. By default Linux gives 4 kB at a time where nobody asks for more, and a run on the spot of 50,000
// orders would wait for 6,000 pages. Go has no means to ask for it. So the room is allocated as one
// object, in which the system is asked, and then collected: nothing touches the object, and so it takes no
// memory itself.
func EnlargePages(room int64) {
	if askForLargePages(make([]byte, room)) == nil {
		runtime.GC()
	}
}
