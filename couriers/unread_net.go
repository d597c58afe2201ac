package couriers

import (
	"slices"
	"strings"
	"unicode"

	"milaan/domain"
	"milaan/ports/peers"
)

const (
	sampledLines = 200 // so many lines show what a column has
	fewestLines  = 3   // of fewer, an amount may be smaller by chance
)

// The names of columns that have other numbers, or amounts of what was bought, have one of these in them, or one of these words.
var (
	noPayout      = []string{"value", "price", "invoice", "product", "item", "taxable", "sub", "mrp", "declared", "weight", "qty"}
	noPayoutWords = []string{"id", "no", "code", "wt"}
)

// mayBeNet says whether a column may have net amounts by its name, which is none that is known.
func mayBeNet(name, key string) bool {
	isKnown := func(names []string) bool { return slices.Contains(names, key) }
	isInKey := func(part string) bool { return strings.Contains(key, part) }
	isOther := func(word string) bool { return slices.Contains(noPayoutWords, word) }
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	return name != "" && !slices.ContainsFunc(vocabularyKeys[:], isKnown) && !slices.ContainsFunc(noPayout, isInKey) &&
		!slices.ContainsFunc(words, isOther)
}

// unreadNet returns a column that is not read and may state what was paid out, where only what was collected is read; absent if there is
// none. Nine in ten dated lines have at least half of what was collected there, none has more, and some have less. Amounts that are all
// the same, while what was collected is not, are none of a payout.
func (f *finding) unreadNet(table peers.Table) int {
	gross, date := f.columns[domain.RoleCODAmount], f.columns[domain.RoleRemittanceDate]
	if gross == absent || date == absent || f.columns[domain.RoleRemittedAmount] != absent {
		return absent
	}
	read := []int{gross, date}
	for column, key := range f.header.keys {
		isRead := slices.Contains(f.columns[:], column) || slices.Contains(f.charges, column)
		if !isRead && mayBeNet(f.header.words[column], key) {
			read = append(read, column)
		}
	}
	type found struct {
		near    int // lines with at least half of the gross amount
		smaller int // those of them with less than all
		more    bool
		first   domain.Paise
		varies  bool
	}
	of, lines := make([]found, len(read)), 0 // the first is that of the gross amount
	for rows, cells := table.Rows(read), make([][]byte, len(read)); rows.Count() < sampledLines && rows.Next(cells); {
		collected, _ := domain.ReadPaise(cells[0])
		if collected <= 0 || domain.IsBlank(cells[1]) {
			continue
		}
		lines++
		for i, cell := range cells {
			paid, _ := domain.ReadPaise(cell)
			c := &of[i]
			if lines == 1 {
				c.first = paid
			}
			c.varies = c.varies || paid != c.first
			if c.more = c.more || paid > collected; paid >= collected/2 {
				c.near++
				if paid < collected {
					c.smaller++
				}
			}
		}
	}
	for i, c := range of {
		if i > 1 && lines >= fewestLines && !c.more && c.smaller > 0 && 10*c.near >= 9*lines && (c.varies || !of[0].varies) {
			return read[i]
		}
	}
	return absent
}
