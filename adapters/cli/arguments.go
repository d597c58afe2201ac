package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagsOnly is the check of commands that take only flags. The most common mistake is a
// space instead of the equals sign before the value of a switch.
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

// noCommand is the check of commands that have subcommands. An unknown word may be a
// misspelt subcommand.
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

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("give one file; %d given", len(args))
	}
	if args[0] == standardInput {
		return usagef("the file cannot be - for standard output or input: it is read more than once; give a path")
	}
	return nil
}

func atMostOneFile(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("give one file, or none for the catalogue; %d given", len(args))
	}
	return nil
}

// wanted says, by type, what a flag must be.
var wanted = map[string]string{
	"int":      "a whole number",
	"duration": "a duration such as 15m or 24h",
	"bool":     "true or false",
}

func flagFault(_ *cobra.Command, err error) error {
	if short, is := errors.AsType[*pflag.NotExistError](err); is && len(short.GetSpecifiedShortnames()) > 1 {
		return usagef("%v; flags have two dashes, as in --%s", err, short.GetSpecifiedShortnames())
	}
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

// quoted returns a word in the quotation marks of a POSIX shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
