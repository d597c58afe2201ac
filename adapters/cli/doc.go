// Package cli owns the command line: its words, what it prints and its exit
// codes. It asks the same use cases as HTTP does, and is handed them command by
// command, so that the commands that need no database open none.
//
// Exit codes: 0 done, 1 it failed, 2 the command was not understood. What a
// reconciliation finds does not change the code.
package cli
