//go:build race

package jobs_test

// atOnce is how many tests go on at once. The race detector makes SQLite, which is translated from C, eight times
// as slow, and river gives up the start of an engine that takes ten seconds.
const atOnce = "4"
