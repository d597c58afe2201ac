package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"milaan/domain"
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

// flagName finds the flag in the library's error, which does not tell it in
// another way without its own types.
var flagName = regexp.MustCompile(`for "(?:-\w, )?--([\w-]+)" flag`)

// wanted is what a flag of a type takes.
var wanted = map[string]string{
	"int":      "a whole number",
	"duration": "a duration such as 15m or 24h",
	"bool":     "true or false",
}

// flagFault says what a flag takes, where one was given something else.
func flagFault(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[interface {
		error
		GetValue() string
	}](err); ok {
		if name := flagName.FindStringSubmatch(err.Error()); name != nil {
			want := wanted[cmd.Flags().Lookup(name[1]).Value.Type()]
			if want == "" {
				return usagef("--%s is %q: %v", name[1], e.GetValue(), errors.Unwrap(e))
			}
			return usagef("--%s is %q and must be %s", name[1], e.GetValue(), want)
		}
	}
	return usageError{err.Error()}
}

// quoted is a word as a POSIX shell takes it.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// requestFault says by their flags which fields of a request are wrong.
func requestFault(err error) error {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || e.Code != domain.CodeField {
		return err
	}
	field, problem, _ := strings.Cut(e.Text, " ")
	switch field {
	case "courierName":
		return usagef("--courier %s", problem)
	case "columns":
		return usagef("--column role=Header %s", strings.Replace(problem, `courierName "custom"`, "--courier custom", 1))
	}
	return usagef("--%s %s", field, problem)
}
