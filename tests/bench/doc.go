// Package bench measures the engine, from the body of a request to the body of
// its answer, against the plain way of doing the same in the same run, and holds
// that both say the same of every order.
//
//	go test ./tests/bench -bench .
package bench
