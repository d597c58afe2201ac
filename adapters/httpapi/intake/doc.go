// Package intake limits what a request may use of the service: connections, the memory
// for bodies and for the work on them, a limit for large bodies at once, and the time in which a
// body arrives and an answer is read. It also reads the rest of a body that was refused.
// It knows bytes, time and the ids of accounts, and nothing about JSON, routes or answers.
// Its errors are values; httpapi answers them.
package intake
