package resident_test

import (
	"bytes"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"milaan/adapters/resident"
	"milaan/tests/only"
)

// TestEnlargePages holds that what is allocated afterwards is in large pages, and takes no further memory.
func TestEnlargePages(t *testing.T) {
	if setting, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || bytes.Contains(setting, []byte("[never]")) {
		t.Skip("this system gives no large pages")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // as in a run on the spot
	const room = 64 << 20
	resident.EnlargePages(room)
	before := heapSize()
	list := make([]byte, room/2)
	for i := range list {
		list[i] = 1
	}
	assert.Less(t, heapSize(), before+room/8) // a stack may have grown, or have been given back
	assert.GreaterOrEqual(t, inLargePages(t), len(list)/2)
	runtime.KeepAlive(list)
}

func heapSize() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys
}

// inLargePages is how many bytes of this process are in large pages.
func inLargePages(t *testing.T) (n int) {
	t.Helper()
	mappings := only.Value(os.ReadFile("/proc/self/smaps"))(t)
	for _, line := range regexp.MustCompile(`AnonHugePages: +(\d+) kB`).FindAllSubmatch(mappings, -1) {
		kilobytes := only.Value(strconv.Atoi(string(line[1])))(t)
		n += kilobytes << 10
	}
	return n
}
