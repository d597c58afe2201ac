//go:build !race

package jobs_test

// atOnce is how many tests go on at once. They wait most of the time, for engines that look at their queues, so
// these are more than there are cores.
const atOnce = "20"
