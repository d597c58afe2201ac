package cli

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// booked is ports.ManagingAccounts in memory.
type booked struct {
	named

	stored domain.Books
	closed int
}

func (b *booked) SetBooks(_ context.Context, _ string, _ domain.Actor, change func(*domain.Books)) (domain.Books, error) {
	changed := b.stored
	if change(&changed); domain.CheckBooks(changed) != nil {
		return domain.Books{}, domain.CheckBooks(changed).Err()
	}
	b.stored = changed
	return changed, nil
}

func (b *booked) ShowBooks(context.Context, string) (domain.Books, error) { return b.stored, nil }

func TestBooksCommands(t *testing.T) {
	b := &booked{}
	books := func(args ...string) ran {
		return run(Deps{Open: opens(&b.closed, as[ports.ManagingAccounts](b))}, append(append([]string{"account", "books"}, args...), "--email", "a@shop.example")...)
	}
	got := books("set", "--bank", "HDFC Bank", "--cod-charges", "COD fees", "--by-order")
	require.Equal(t, ExitDone, got.code, got.stderr)
	require.Equal(t, domain.Books{Bank: "HDFC Bank", CODCharges: "COD fees", ByOrder: true}, b.stored)
	got = books("set", "--bank", "", "--by-order=false")
	require.Equal(t, domain.Books{CODCharges: "COD fees"}, b.stored, "what is not named stays")
	require.Equal(t, got.stdout, books("show").stdout)
	require.Contains(t, strings.Join(strings.Fields(got.stdout), " "), `{ "key": "cod_charges", "name": "COD fees", "usual": "COD charges" }`)
	books("set", "--not-credited", strings.Repeat("x", 101)).refused(t, ExitUsage, "--not-credited must be at most 100 characters")
	require.Contains(t, books("set", "--bank=-Suspense").stderr, "--bank must not begin with =, +, - or @")
	require.Contains(t, books("set").stderr, "--by-order")
}

// TestReportNamesLedgers holds that the report command reads what books show prints.
func TestReportNamesLedgers(t *testing.T) {
	p := newPrinters(t)
	b := &booked{stored: domain.Books{Bank: "HDFC Bank", Difference: "Suspense", ByOrder: true}}
	shown := run(Deps{Open: opens(&b.closed, as[ports.ManagingAccounts](b))}, "account", "books", "show", "--email", "a@shop.example")
	require.NoError(t, os.WriteFile("books.json", []byte(shown.stdout), 0o600))
	require.Equal(t, ExitDone, p.report("--tally", "a.xml", "--books", "books.json").code)
	require.Equal(t, b.stored, p.tally.books)
	require.Equal(t, ExitDone, p.report("--tally", "b.xml").code)
	require.Zero(t, p.tally.books)

	for text, want := range map[string]string{
		"no JSON": "books.json is not as milaan account books show prints it", `{"ledgers":[{"key":"cash"}]}`: `there is no ledger "cash"`,
		`{"ledgers":[{"key":"freight","name":"a\nb"}]}`: "--freight must be at most 100 characters",
	} {
		require.NoError(t, os.WriteFile("books.json", []byte(text), 0o600))
		got := p.report("--tally", "c.xml", "--books", "books.json")
		got.refused(t, ExitUsage, want)
	}
	require.Contains(t, p.report("--tally", "c.xml", "--books", "-").stderr, "give the path of a file")
	require.NoFileExists(t, "c.xml")
}
