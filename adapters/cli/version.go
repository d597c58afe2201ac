package cli

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"milaan/config"
)

func versionCommand(Deps) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Long: `Print the version, the commit that it was built from with its date, where they are
known, and the compiler. milaan --version does the same.`,
		Example: "  milaan version",
		Args:    flagsOnly,
		RunE:    printVersion,
	}
}

func printVersion(cmd *cobra.Command, _ []string) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), versionOf(config.ThisBuild()))
	return err
}

func versionOf(b config.Build) string {
	known := strings.Join(strings.Fields(b.Version+" "+b.Revision+" "+b.Date), " ")
	return fmt.Sprintf("milaan %s, %s %s/%s", known, b.GoVersion, runtime.GOOS, runtime.GOARCH)
}
