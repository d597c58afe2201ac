package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"milaan/adapters/guide"
)

// addGuide makes a help topic of each chapter of the guide, so that milaan help lists them, and milaan
// help TOPIC prints one. Where a command has the chapter's name, its help is followed by the chapter.
func addGuide(root *cobra.Command) {
	named := map[string]*cobra.Command{}
	for _, c := range root.Commands() {
		named[c.Name()] = c
	}
	usual := root.HelpFunc()
	for _, chapter := range guide.Chapters() {
		c, isCommand := named[chapter.Topic]
		if !isCommand {
			c = &cobra.Command{Use: chapter.Topic, Short: chapter.Title}
			root.AddCommand(c)
		}
		c.SetHelpFunc(func(cmd *cobra.Command, args []string) {
			if isCommand {
				usual(cmd, args)
				_, _ = fmt.Fprintln(cmd.OutOrStdout())
			}
			_, _ = fmt.Fprint(cmd.OutOrStdout(), chapter.Markdown())
		})
	}
}

// checkHelp has milaan help refuse what is neither a command nor a chapter.
func checkHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		if found, _, err := root.Find(args); err == nil && found != root {
			return nil
		}
		return noCommand(root, args)
	}
}
