package cli

import (
	"github.com/spf13/cobra"

	"milaan/domain"
	"milaan/ports"
)

func sandboxKeyCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:   "sandbox-key --email E",
		Short: "Make the sandbox key of an account, and print it",
		Long: `Make the sandbox key of an account and print it, alone on the last line. This is the only
time that it is shown. The account's former sandbox key ends at once; its live key stays.

With a sandbox key an account tries the API on its own files. Nothing is stored of these
runs, and no plan is needed. GET /docs says what the sandbox does.`,
		Example: `  milaan sandbox-key --email accounts@shop.example
  curl -H "Authorization: Bearer $(milaan sandbox-key --email accounts@shop.example | tail -n 1)" \
    -F orders=@orders.csv -F report=@remittance.csv http://127.0.0.1:8080/reconcile/files`,
	}, deps, func(cmd *cobra.Command, keys ports.ManagingAccounts, account domain.Account) error {
		issued, err := keys.RotateSandboxKey(cmd.Context(), account, domain.ByCommandLine)
		return say(cmd, err, "%s", issued.Secret)
	})
}
