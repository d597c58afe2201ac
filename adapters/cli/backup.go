package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/ports/peers"
)

func backupCommand(deps Deps) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the embedded database and its secret to a file, while the service runs",
		Long: `Copy the embedded database, as it is at one moment, and secret.key to one file, while the
service runs. The copy is checked, and what was written is read again, before the file
has its name. The file is for its owner only: whoever has it can read what is sealed, and
sign session tokens. If MILAAN_SECRET_KEY is set, the secret is not in the file.

The file is a tar archive. Beside it there must be free space for the database twice.`,
		Example: `  milaan backup /var/backups/milaan-$(date +%F).tar`,
		Args:    oneFile,
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace the file if it is there")
	return opening(cmd, deps, func(cmd *cobra.Command, backups peers.Backups) error {
		began := deps.Clock()
		made, err := backups.Write(cmd.Context(), cmd.Flags().Arg(0), force)
		if err != nil {
			return err
		}
		secret := "and its secret. Whoever has the file can read what is sealed and sign session tokens: keep it as safe as the service."
		if !made.Secret {
			secret = "and no secret, because MILAAN_SECRET_KEY is set: keep a copy of that elsewhere."
		}
		return say(cmd, nil, "%s, checked: %s, %s, %s.\nIt has the database %s", terminal.PrintableText(cmd.Flags().Arg(0)), rowsOf(made),
			megabytes(made.Bytes), deps.Clock().Sub(began).Round(10*time.Millisecond), secret)
	})
}

func restoreCommand(deps Deps) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup of milaan backup into the data directory, held",
		Long: `Put a backup of milaan backup into the data directory, the database and its secret.
Nothing is changed before the whole file was checked. No service may use the
directory, and it must have no data; with --force, what it has is kept there under
other names.

The service that is started on it is held: it serves, and sends nothing until milaan
resume. milaan help backup says when to say that.`,
		Example: `  MILAAN_DATA_DIR=/var/lib/milaan milaan restore /var/backups/milaan-2026-03-31.tar`,
		Args:    oneFile,
	}
	cmd.Flags().BoolVar(&force, "force", false, "keep what the directory has under other names")
	return opening(cmd, deps, func(cmd *cobra.Command, backups peers.Backups) error {
		done, err := backups.Restore(cmd.Context(), cmd.Flags().Arg(0), force)
		for _, name := range done.Kept {
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "Kept what was there as %s.\n", terminal.PrintableText(name)); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		secret := ""
		switch {
		case !done.Backup.Secret:
			secret = "The backup has no secret: set MILAAN_SECRET_KEY as the service had it.\n"
		case done.SecretLeft:
			secret = "MILAAN_SECRET_KEY is set, so the secret of the backup was left in it: the key must be the same.\n"
		}
		return say(cmd, nil, "%s%s has the backup of %s again: %s.\nA service that is started there is held: it sends nothing until "+
			"milaan resume, or milaan resume --discard. milaan help backup says which.", secret, terminal.PrintableText(done.Folder),
			momentText(done.Backup.MadeAt), rowsOf(done.Backup))
	})
}

func rowsOf(b peers.Backup) string {
	return countOf(int(b.Accounts), "account") + ", " + countOf(int(b.Runs), "run")
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
