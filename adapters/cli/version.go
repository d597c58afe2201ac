package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"milaan/config"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Say which version this is",
		Long:    "Print the version, the commit it was built from where that is known, and the compiler.",
		Example: "  milaan version",
		Args:    flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionOf(config.ThisBuild()))
			return err
		},
	}
}

// versionOf describes a build in one line.
func versionOf(b config.Build) string {
	revision := ""
	if b.Revision != "" {
		revision = " " + b.Revision
	}
	return fmt.Sprintf("milaan %s%s, %s %s/%s", b.Version, revision, b.GoVersion, runtime.GOOS, runtime.GOARCH)
}
