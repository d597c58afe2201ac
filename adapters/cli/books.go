package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func booksCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "books",
		Short: "Say how an account's vouchers are written",
		Long: `Say which names the ledgers of an account have in its accounting program. Vouchers of
POST /report and of the pages use them. The commands work while the service runs.`,
		Example: `  milaan account books set --email accounts@shop.example --bank "HDFC Bank"
  milaan account books show --email accounts@shop.example`,
	}, booksSetCommand(deps), booksShowCommand(deps))
}

// ledgerFlags say what each ledger is for, by its key.
var ledgerFlags = map[string]string{
	"bank": "into which couriers pay", "not_credited": "what was paid out, and no bank statement shows yet",
	"receivable": "what a courier owes; {courier} stands for its name", "cod_charges": "for collecting cash",
	"freight": "for carrying parcels", "charges_tax": "tax on charges, such as GST", "tax_deducted": "tax deducted, such as TDS",
	"other_charges": "all other charges", "difference": "what was deducted, and no charge explains",
}

func booksSetCommand(deps Deps) *cobra.Command {
	given, byOrder := map[string]*string{}, false
	cmd := &cobra.Command{
		Use:   "set --email E",
		Short: "Change how vouchers are written",
		Long: `Change the names that the flags give and nothing else, and print all of them as JSON. A
blank name is the usual one again. Ids of vouchers do not change with the names.`,
		Example: `  milaan account books set --email accounts@shop.example --bank "HDFC Bank"
  milaan account books set --email accounts@shop.example --receivable "Sundry Debtors {courier}"
  milaan account books set --email accounts@shop.example --by-order`,
	}
	usual := domain.DefaultBooks()
	parts := []string{"by-order"}
	for _, ledger := range usual.Ledgers() {
		flag := strings.ReplaceAll(ledger.Key, "_", "-")
		given[flag] = new(string)
		cmd.Flags().StringVar(given[flag], flag, "", ledgerFlags[ledger.Key])
		parts = append(parts, flag)
	}
	cmd.Flags().BoolVar(&byOrder, "by-order", false, "settle what a courier owes order by order, by bill references")
	cmd.PreRunE = anyOf(parts)
	return forAccount(cmd, deps, func(cmd *cobra.Command, accounts ports.ManagingAccounts, account domain.Account) error {
		b, err := accounts.SetBooks(cmd.Context(), account.ID, domain.ByCommandLine, func(b *domain.Books) {
			for _, ledger := range b.Ledgers() {
				if flag := strings.ReplaceAll(ledger.Key, "_", "-"); cmd.Flags().Changed(flag) {
					*ledger.Name = *given[flag]
				}
			}
			if cmd.Flags().Changed("by-order") {
				b.ByOrder = byOrder
			}
		})
		return printView(cmd, b, err, view.NewBooks)
	})
}

func booksShowCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:     "show --email E",
		Short:   "Print how vouchers are written, as JSON",
		Long:    "Print how the account's vouchers are written, as JSON. A blank name is the usual one.",
		Example: "  milaan account books show --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, accounts ports.ManagingAccounts, account domain.Account) error {
		b, err := accounts.ShowBooks(cmd.Context(), account.ID)
		return printView(cmd, b, err, view.NewBooks)
	})
}

// readBooks reads how vouchers are written from a file that is as milaan account books show prints it; a blank path is the usual way.
func readBooks(cmd *cobra.Command, path string) (b domain.Books, err error) {
	if path == "" {
		return b, nil
	}
	if path == standardInput {
		return b, usagef("--books -: give the path of a file")
	}
	text, err := readFile(cmd, path)
	if err != nil {
		return b, err
	}
	shown := terminal.PrintableText(path)
	var read view.Books
	if err := json.Unmarshal(text, &read); err != nil {
		return b, usagef("%s is not as milaan account books show prints it: give a file that this command has printed", shown)
	}
	b.ByOrder = read.ByOrder
	for _, ledger := range read.Ledgers {
		at := slices.IndexFunc(b.Ledgers(), func(of domain.BookLedger) bool { return of.Key == ledger.Key })
		if at < 0 {
			return b, usagef("%s: there is no ledger %q", shown, terminal.PrintableText(ledger.Key))
		}
		*b.Ledgers()[at].Name = strings.TrimSpace(ledger.Name)
	}
	return b, domain.CheckBooks(b).Err()
}
