package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What the library that reads the command line says of it, in our words.

// flagsOnly is for commands that take nothing but flags. The commonest slip is
// a switch with its value as a word of its own.
func flagsOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if phone := cmd.Flags().Lookup("phone-verified"); phone != nil && phone.Changed {
		if _, err := strconv.ParseBool(args[0]); err == nil {
			return usagef("write --phone-verified=%s, with an equals sign", args[0])
		}
	}
	return usagef("%s takes flags only: leave %q out", cmd.CommandPath(), args[0])
}

// noCommand is for those that have commands below them. A word there that is
// none of them may be a slip of the finger.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q", args[0])
	cmd.SuggestionsMinimumDistance = 2 // letters
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += ": did you mean " + cmd.CommandPath() + " " + strings.Join(near, " or ") + "?"
	}
	return usageError{text}
}

// twoFiles is for the commands that compare. Standard input is one file only.
func twoFiles(_ *cobra.Command, args []string) error {
	switch {
	case len(args) != 2:
		return usagef("give two files, the orders export and then the courier's report; %d given", len(args))
	case args[0] == standardInput && args[1] == standardInput:
		return usagef("only one of the two files can be read from standard input: give the other one's path")
	}
	return nil
}

func atMostOneFile(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("give one file, or none for the catalogue; %d given", len(args))
	}
	return nil
}

// wanted is what a flag of a type takes.
var wanted = map[string]string{
	"int":      "a whole number",
	"duration": "a duration such as 15m or 24h",
	"bool":     "true or false",
}

// flagFault says what a flag takes, where one was given something else.
func flagFault(_ *cobra.Command, err error) error {
	e, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return usageError{err.Error()}
	}
	flag := e.GetFlag()
	if want := wanted[flag.Value.Type()]; want != "" {
		return usagef("--%s is %q and must be %s", flag.Name, e.GetValue(), want)
	}
	return usagef("--%s is %q: %v", flag.Name, e.GetValue(), errors.Unwrap(e))
}

// quoted is a word as a POSIX shell takes it.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
