package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func phoneCommand(deps Deps) *cobra.Command {
	phone := &cobra.Command{
		Use:   "phone --email E",
		Short: "Show and verify the account's phone number",
		Long: fmt.Sprintf(`Print what is known of the account's phone number, as JSON. With the commands below, a
number is verified by a code, as in the dashboard; MILAAN_OTP says how codes are sent. A
code is valid for %d minutes and %d guesses. To say that a number was verified in
another way, use milaan account set --phone-verified.`, domain.PhoneCodeSpan/time.Minute, domain.PhoneCodeChecks),
		Example: `  milaan account phone --email accounts@shop.example
  milaan account phone send --email accounts@shop.example --number "+91 98765 43210"
  milaan account phone verify --email accounts@shop.example --code 123456`,
		Args: noCommand,
	}
	phone.AddCommand(phoneSendCommand(deps), phoneVerifyCommand(deps))
	return forAccount(phone, deps, func(cmd *cobra.Command, phones ports.VerifyingPhones, account domain.Account) error {
		state, err := phones.State(cmd.Context(), account)
		if err != nil {
			return err
		}
		return printJSON(cmd.OutOrStdout(), struct {
			Email string `json:"email"`
			view.Phone[view.Second]
		}{account.Email, view.NewPhone[view.Second](&state)})
	})
}

func phoneSendCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "send --email E --number N",
		Short: "Send a code to a phone number",
		Long: `Send a code to a mobile number of India, and print until when it is valid, as JSON. The
number that is verified stays so until the code is confirmed. One code is sent in a minute
and five in 24 hours, of one account and to one number.`,
		Example: `  milaan account phone send --email accounts@shop.example --number "+91 98765 43210"`,
	}
	number := requiredFlag(cmd, "number", "the number, with +91 or without", ", such as +91 98765 43210")
	return forAccount(cmd, deps, func(cmd *cobra.Command, phones ports.VerifyingPhones, account domain.Account) error {
		sent, err := phones.Send(cmd.Context(), account, *number, domain.ByCommandLine)
		if err != nil {
			return err
		}
		return printJSON(cmd.OutOrStdout(), struct {
			Email string `json:"email"`
			view.SentCode[view.Second]
		}{account.Email, view.NewSentCode[view.Second](&sent)})
	})
}

func phoneVerifyCommand(deps Deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "verify --email E --code C",
		Short:   "Verify a phone number by its code",
		Long:    "Verify the phone number to which the account's latest code was sent.",
		Example: "  milaan account phone verify --email accounts@shop.example --code 123456",
	}
	code := requiredFlag(cmd, "code", "the digits of the message", ": the digits of the message")
	return forAccount(cmd, deps, func(cmd *cobra.Command, phones ports.VerifyingPhones, account domain.Account) error {
		return say(cmd, phones.Verify(cmd.Context(), account, *code, domain.ByCommandLine), "The phone number is verified.")
	})
}
