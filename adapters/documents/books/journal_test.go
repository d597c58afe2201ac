package books_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/documents/books"
	"milaan/domain"
)

// readJournal reads a journal as programs do: rows with one number are one entry, which must have one date and add up.
func readJournal(t require.TestingT, document string) (numbers []string, byAccount map[string]domain.Paise) {
	require.True(t, strings.HasPrefix(document, "\ufeff"))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(document, "\ufeff"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"Journal Date", "Journal Number", "Reference Number", "Notes", "Account", "Debit", "Credit"}, rows[0])
	byAccount = map[string]domain.Paise{}
	sums, heads := map[string]domain.Paise{}, map[string][]string{}
	for _, row := range rows[1:] {
		number := row[1]
		if heads[number] == nil {
			heads[number] = row[:4]
			numbers = append(numbers, number)
		}
		require.Equal(t, heads[number], row[:4])
		require.LessOrEqual(t, len(number), 21)
		debit, given := domain.ReadPaise([]byte(row[5]))
		credit, alsoGiven := domain.ReadPaise([]byte(row[6]))
		require.ElementsMatch(t, []domain.Reading{domain.Given, domain.Blank}, []domain.Reading{given, alsoGiven})
		require.Positive(t, debit+credit)
		sums[number] += debit - credit
		byAccount[row[4]] += debit - credit
	}
	for number, sum := range sums {
		require.Zero(t, sum, number)
	}
	return numbers, byAccount
}

func TestTheJournalHasTheVouchers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		run := runOf(t, d.reports, d.statement)
		numbers, byAccount := readJournal(t, write(t, books.JournalCSV{Couriers: couriers}, run))
		var want []string
		sums := map[string]domain.Paise{}
		for _, v := range vouchersOf(run) {
			want = append(want, v.Number)
			for _, l := range v.Lines {
				sums[l.Ledger] += l.Amount
			}
		}
		require.Equal(t, want, numbers)
		require.Equal(t, sums, byAccount)
	})
}

func TestTheJournalRunsNoFormula(t *testing.T) {
	run := runOf(t, map[string][]line{"delhivery": {{order: "#1", utr: "=cmd()", collected: 100_05, paid: 100_05, on: march(9)},
		{order: "#2", utr: "00123456789012", collected: 5, paid: 5, on: march(9)}}}, nil)
	run.Books.NotCredited = "=1+1"
	rows := strings.Split(write(t, books.JournalCSV{Couriers: couriers}, run), "\r\n")
	require.Len(t, rows, 6)
	require.Regexp(t, `^2026-03-09,COD-[0-9A-F]{10},'=cmd\(\),"COD payout of Delhivery, UTR =cmd\(\), remitted 9 Mar 2026, 1 line",'=1\+1,100\.05,$`, rows[1])
	require.Regexp(t, `^2026-03-09,COD-[0-9A-F]{10},00123456789012,.*,Delhivery COD receivable,,0\.05$`, rows[4])
}
