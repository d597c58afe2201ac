// Package intake owns what a request may take before anybody knows what it is
// worth: connections, the memory for bodies and for the work on them, turns, the
// pace at which bodies come and answers are taken, and the end of a refused body.
// It knows bytes, time and accounts' ids, and nothing of JSON, routes or answers.
// Its errors are values; whoever answers has the words for them.
package intake
