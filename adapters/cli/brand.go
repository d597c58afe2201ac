package cli

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func brandCommand(deps Deps) *cobra.Command {
	return group(&cobra.Command{
		Use:   "brand",
		Short: "Manage how an account's documents are marked (Pro and Enterprise)",
		Long: `Manage how the documents of an account are marked as its own: a name, a logo, a colour and
a footer line, in place of Milaan's. POST /report uses them. The commands work while the
service runs.`,
		Example: `  milaan account brand set --email accounts@shop.example --logo logo.png
  milaan account brand show --email accounts@shop.example`,
	}, brandSetCommand(deps), brandShowCommand(deps), brandRemoveCommand(deps))
}

// brandingParts are the flags of brand set, each of which leaves its part as it is if it is
// not given.
var brandingParts = []string{"name", "logo", "colour", "footer"}

func brandSetCommand(deps Deps) *cobra.Command {
	var given brandFlags
	cmd := &cobra.Command{
		Use:   "set --email E",
		Short: "Change how documents are marked",
		Long: fmt.Sprintf(`Change what the flags name and nothing else, and print the branding as JSON. A blank value
removes a part. The logo is decoded and kept as a PNG with nothing but the picture; it may
have %d KiB and %d pixels, width times height. The colour must be dark enough to
be read on white paper.`, domain.MaxLogoBytes>>10, domain.MaxLogoPixels),
		Example: `  milaan account brand set --email accounts@shop.example --name "Sample Agency"
  milaan account brand set --email accounts@shop.example --logo logo.png --colour '#1A4F8B'
  milaan account brand set --email accounts@shop.example --logo ""`,
	}
	given.addTo(cmd, "name")
	cmd.Flags().SetNormalizeFunc(spellBrandFlags)
	cmd.PreRunE = anyOf(brandingParts)
	return forAccount(cmd, deps, func(cmd *cobra.Command, brandings ports.ManagingAccounts, account domain.Account) error {
		change, err := given.change(cmd)
		if err != nil {
			return err
		}
		b, err := brandings.SetBranding(cmd.Context(), account, domain.ByCommandLine, change)
		return printBranding(cmd, account.Email, b, err)
	})
}

// brandFlags are how documents are marked.
type brandFlags struct{ name, logo, colour, footer string }

func (f *brandFlags) addTo(cmd *cobra.Command, name string) {
	flags := cmd.Flags()
	flags.StringVar(&f.name, name, "", "name on documents in place of Milaan's, at most 100 characters")
	flags.StringVar(&f.logo, "logo", "", "path of a PNG or JPEG")
	flags.StringVar(&f.colour, "colour", "", "colour of headings, such as #1A4F8B; dark enough to be read on white paper")
	flags.StringVar(&f.footer, "footer", "", "one line at the foot of each page, at most 200 characters")
}

// change is what the flags that are given say.
func (f *brandFlags) change(cmd *cobra.Command) (change ports.BrandingChange, err error) {
	for flag, part := range map[string]struct {
		value *string
		into  **string
	}{"brand-name": {&f.name, &change.Name}, "colour": {&f.colour, &change.Colour}, "footer": {&f.footer, &change.Footer}} {
		if cmd.Flags().Changed(flag) {
			*part.into = part.value
		}
	}
	if change.NoLogo = cmd.Flags().Changed("logo") && f.logo == ""; f.logo != "" {
		change.Logo, err = readSavedLogo(cmd, f.logo)
	}
	return change, err
}

// spellBrandFlags accepts --brand-name for --name: it is called so where it stands beside
// other flags, and in messages.
func spellBrandFlags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == flags[domain.FieldBrandingName] {
		name = "name"
	}
	return pflag.NormalizedName(name)
}

// readSavedLogo reads the file of a logo. A file that is too large is not read to its end; the
// use case says how large it may be.
func readSavedLogo(cmd *cobra.Command, path string) ([]byte, error) {
	in := cmd.InOrStdin()
	if path != standardInput {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	logo, err := readUpTo(in, 0, domain.MaxLogoBytes)
	if errors.Is(err, errTooLarge) {
		return make([]byte, domain.MaxLogoBytes+1), nil
	}
	return logo, err
}

func brandShowCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:     "show --email E",
		Short:   "Print how documents are marked, as JSON",
		Long:    "Print how the account's documents are marked, as JSON. A part that is null is Milaan's.",
		Example: "  milaan account brand show --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, brandings ports.ManagingAccounts, account domain.Account) error {
		b, err := brandings.ShowBranding(cmd.Context(), account.ID)
		return printBranding(cmd, account.Email, b, err)
	})
}

func brandRemoveCommand(deps Deps) *cobra.Command {
	return forAccount(&cobra.Command{
		Use:     "remove --email E",
		Short:   "Mark documents as Milaan's again",
		Long:    "Delete the account's branding, so that its documents are marked as Milaan's again.",
		Example: "  milaan account brand remove --email accounts@shop.example",
	}, deps, func(cmd *cobra.Command, brandings ports.ManagingAccounts, account domain.Account) error {
		return say(cmd, brandings.RemoveBranding(cmd.Context(), account.ID, domain.ByCommandLine), "The branding is removed.")
	})
}

func printBranding(cmd *cobra.Command, email string, b domain.Branding, err error) error {
	if err != nil {
		return err
	}
	var logo *view.ListedLogo
	if len(b.Logo) > 0 {
		logo = &view.ListedLogo{Bytes: len(b.Logo)}
		if size, err := png.DecodeConfig(bytes.NewReader(b.Logo)); err == nil {
			logo.Width, logo.Height = size.Width, size.Height
		}
	}
	return printJSON(cmd.OutOrStdout(), view.NewListedBranding(email, &b, logo))
}
