// Package cli has the command line: its texts, its output and its exit codes. It calls
// the same use cases as HTTP does. Each command gets only what it needs, so that a command
// that needs no database opens none.
//
// Exit codes: 0 done, 1 it failed, 2 the command was not understood. What a
// reconciliation finds does not change the code.
package cli
