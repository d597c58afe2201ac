//go:build race

package service

// atOnce is how many tests run at once. The race detector makes each several times as slow,
// and a request that waits too long for its turn is refused.
const atOnce = "3"
