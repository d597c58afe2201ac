// Package garbage lets the garbage of tests wait.
package garbage

import (
	"flag"
	"runtime/debug"
)

// Waits runs the tests of a TestMain, which are a *testing.M. To collect their garbage as often as a service does takes up to a
// quarter of their time. Benchmarks count it.
func Waits(m interface{ Run() int }) (code int) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	return m.Run()
}
