package cli

import "github.com/spf13/cobra"

func mcpCommand(deps Deps) *cobra.Command {
	var folders []string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let an assistant on this machine compare files, below folders that you name",
		Long: `Let an assistant on this machine compare files and write documents, by the Model Context
Protocol (MCP). The assistant starts this command, and talks to it over standard input and
output: put it into the configuration of the assistant, as milaan help assistant shows.

The assistant can list files below the folders, inspect them, compare them, list orders
and write documents, which overwrite nothing unless it says so. It cannot read or write
elsewhere, and this command sends nothing anywhere. But what the assistant reads, its
maker may get: see the guide. Files have the limits of a request to the service: 25 MB
together, and 50,000 rows each of the export and of all reports.`,
		Example: `  milaan mcp --folder /home/asha/remittances
  milaan mcp --folder ~/Downloads/orders --folder ~/Downloads/reports`,
		Args: flagsOnly,
	}
	cmd.Flags().StringArrayVar(&folders, "folder", nil,
		"folder whose files the assistant may read, and in which it may write; may be repeated (required)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if len(folders) == 0 {
			return usagef("--folder is required: name a folder that has the files, and nothing that the assistant must not see")
		}
		return deps.Assist(cmd.Context(), folders, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return cmd
}
