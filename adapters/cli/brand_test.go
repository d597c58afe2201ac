package cli

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// named has an account of each e-mail address, which is its id too.
type named struct{ ports.ManagingAccounts }

func (named) Show(_ context.Context, email string) (domain.Account, error) {
	return domain.Account{ID: email, Email: email}, nil
}

// branded is ports.ManagingAccounts in memory.
type branded struct {
	named

	asked  []ports.BrandingChange
	ways   []domain.Actor
	stored domain.Branding
	fault  error
	closed int
}

func (b *branded) SetBranding(_ context.Context, _ domain.Account, by domain.Actor, change ports.BrandingChange) (domain.Branding, error) {
	b.asked, b.ways = append(b.asked, change), append(b.ways, by)
	return b.stored, b.fault
}

func (b *branded) ShowBranding(context.Context, string) (domain.Branding, error) {
	return b.stored, b.fault
}

func (b *branded) RemoveBranding(_ context.Context, _ string, by domain.Actor) error {
	b.ways = append(b.ways, by)
	return b.fault
}

func (b *branded) deps() Deps {
	return Deps{Open: opens(&b.closed, as[ports.ManagingAccounts](b))}
}

func TestBrandCommands(t *testing.T) {
	var logo bytes.Buffer
	require.NoError(t, png.Encode(&logo, image.NewGray(image.Rect(0, 0, 3, 2))))
	path := filepath.Join(t.TempDir(), "logo.png")
	require.NoError(t, os.WriteFile(path, logo.Bytes(), 0o600))
	b := &branded{stored: domain.Branding{Name: "Asha & Co", Logo: logo.Bytes(), Colour: domain.Colour{0x1a, 0x4f, 0x8b}, Footer: "one line"}}

	got := run(b.deps(), "account", "brand", "set", "--email", "a@shop.example", "--name", "Asha & Co", "--logo", path, "--colour", "#1a4f8b", "--footer", "")
	require.Equal(t, ExitDone, got.code, got.stderr)
	require.JSONEq(t, `{"email": "a@shop.example", "name": "Asha & Co", "logo": {"bytes": 75, "width": 3, "height": 2}, "colour": "#1A4F8B", "footer": "one line"}`, got.stdout)
	require.Equal(t, ports.BrandingChange{Name: new("Asha & Co"), Colour: new("#1a4f8b"), Footer: new(""), Logo: logo.Bytes()}, b.asked[0])

	require.Equal(t, ExitDone, run(b.deps(), "account", "brand", "set", "--email", "a@shop.example", "--brand-name", "x", "--logo", "").code)
	require.Equal(t, ports.BrandingChange{Name: new("x"), NoLogo: true}, b.asked[1])

	b.stored = domain.Branding{}
	got = run(b.deps(), "account", "brand", "show", "--email", "a@shop.example")
	require.JSONEq(t, `{"email": "a@shop.example", "name": null, "logo": null, "colour": null, "footer": null}`, got.stdout)
	require.Equal(t, "The branding is removed.\n", run(b.deps(), "account", "brand", "remove", "--email", "a@shop.example").stdout)
	require.Equal(t, []domain.Actor{domain.ByCommandLine, domain.ByCommandLine, domain.ByCommandLine}, b.ways)
	require.Equal(t, 4, b.closed)
}

func TestBrandCommandsFail(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.png")
	require.NoError(t, os.WriteFile(large, make([]byte, 1<<20), 0o600))
	b := &branded{fault: domain.ErrBrandingPlan}
	got := run(b.deps(), "account", "brand", "set", "--email", "a@shop.example", "--logo", large)
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: documents of one's own brand need the Pro or the Enterprise plan: upgrade the account\n"}, got)
	require.Len(t, b.asked[0].Logo, domain.MaxLogoBytes+1, "it is read no further")

	b.fault = domain.Faults{{Field: domain.FieldBrandingName, Rule: domain.RuleLabel, Max: 100}, {Field: domain.FieldBrandingColour, Rule: domain.RuleColour}}.Err()
	got = run(b.deps(), "account", "brand", "set", "--email", "a@shop.example", "--colour", "red")
	got.refused(t, ExitUsage, "--brand-name must be at most 100 characters, none of them a control character; --colour must be a colour such as #1A4F8B")

	run(b.deps(), "account", "brand", "set", "--email", "a@shop.example", "--logo", "nowhere.png").refused(t, ExitFailed, "nowhere.png")
	b.fault = domain.ErrNoBranding
	for _, command := range []string{"show", "remove"} {
		got = run(b.deps(), "account", "brand", command, "--email", "a@shop.example")
		require.Equal(t, "milaan: the account has no branding of its own, so documents are marked as Milaan's: set one with milaan account brand set\n", got.stderr)
	}
}
