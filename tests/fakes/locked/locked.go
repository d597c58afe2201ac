// Package locked does one thing while a lock is held.
package locked

import "sync"

// Do does it.
func Do(mu *sync.Mutex, do func()) {
	mu.Lock()
	defer mu.Unlock()
	do()
}

// Get returns what it gets.
func Get[T any](mu *sync.Mutex, get func() T) T {
	mu.Lock()
	defer mu.Unlock()
	return get()
}
