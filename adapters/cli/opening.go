package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Opener starts as much of the program as part needs, opens the database if that needs it, and
// sets part, which is a pointer to a port or to a struct with fx.In. It returns a function that
// stops all of it. The options change settings.
type Opener func(ctx context.Context, part any, options ...fx.Option) (closeAll func() error, err error)

// opening completes a command that works with a part of the application, and closes it again. It
// takes flags only, unless it says otherwise.
func opening[T any](cmd *cobra.Command, deps Deps, do func(_ *cobra.Command, part T) error, options ...fx.Option) *cobra.Command {
	if cmd.Args == nil {
		cmd.Args = flagsOnly
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var part T
		switch any(&part).(type) {
		case *ports.ManagingAccounts, *ofAccount[ports.ManagingAccounts]:
			options = append(options, fx.Replace(fx.Annotate(noSecret{}, fx.As(new(peers.Sealer)))))
		}
		closeAll, err := deps.Open(cmd.Context(), &part, options...)
		if err != nil {
			return err
		}
		return errors.Join(do(cmd, part), closeAll())
	}
	return cmd
}

// noSecret takes the place of what seals in commands about an account alone, which work before the
// service has a secret, and agree on none with the database. They seal nothing: the entries that
// they add to the security log name no person.
type noSecret struct{}

func (noSecret) Seal([]byte, ...string) []byte { panic("a command that has no secret seals a text") }

func (noSecret) Open([]byte, ...string) ([]byte, error) {
	return nil, errors.New("a command that has no secret opens a seal")
}

// group completes a command that only has others below it.
func group(cmd *cobra.Command, others ...*cobra.Command) *cobra.Command {
	var names []string
	for _, other := range others {
		names = append(names, other.Name())
	}
	last := len(names) - 1
	cmd.Args = noCommand
	cmd.RunE = func(*cobra.Command, []string) error {
		return usagef("say %s or %s", strings.Join(names[:last], ", "), names[last])
	}
	cmd.AddCommand(others...)
	return cmd
}

// byEmail completes a command about the account that --email names, which is checked before the
// other flags.
func byEmail[T any](cmd *cobra.Command, deps Deps, do func(_ *cobra.Command, part T, email string) error) *cobra.Command {
	email := cmd.Flags().String("email", "", "e-mail address that names the account (required)")
	others := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if *email == "" {
			return usagef("--email is required")
		}
		if others == nil {
			return nil
		}
		return others(cmd, args)
	}
	return opening(cmd, deps, func(cmd *cobra.Command, part T) error { return do(cmd, part, *email) })
}

// ofAccount is a part of the application for commands that need the account itself.
type ofAccount[T any] struct {
	fx.In

	Accounts ports.ManagingAccounts
	Part     T
}

// forAccount is byEmail for work that needs the account itself.
func forAccount[T any](cmd *cobra.Command, deps Deps, do func(_ *cobra.Command, part T, account domain.Account) error) *cobra.Command {
	return byEmail(cmd, deps, func(cmd *cobra.Command, of ofAccount[T], email string) error {
		account, err := of.Accounts.Show(cmd.Context(), email)
		if err != nil {
			return err
		}
		return do(cmd, of.Part, account)
	})
}

func requiredFlag(cmd *cobra.Command, flag, usage, more string) *string {
	value := cmd.Flags().String(flag, "", usage+" (required)")
	required(cmd, flag, more)
	return value
}

// required makes a flag required; more is the rest of the sentence for people who left it out.
func required(cmd *cobra.Command, flag, more string) {
	others := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if others != nil {
			if err := others(cmd, args); err != nil {
				return err
			}
		}
		if cmd.Flag(flag).Value.String() == "" {
			return usagef("--%s is required%s", flag, more)
		}
		return nil
	}
}

// anyOf returns a check that one of the flags, which change something, was given.
func anyOf(flags []string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		if !slices.ContainsFunc(flags, cmd.Flags().Changed) {
			return usagef("nothing to change: give one or more of --%s", strings.Join(flags, ", --"))
		}
		return nil
	}
}

// say prints a line, unless the command failed.
func say(cmd *cobra.Command, err error, format string, args ...any) error {
	if err == nil {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...)
	}
	return err
}
