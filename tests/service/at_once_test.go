//go:build !race

package service

// atOnce is how many tests run at once: many wait for deliveries, heartbeats and databases, so
// more than there are cores.
const atOnce = "8"
