package couriers

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"milaan/domain"
)

// header is a line that may be a report's header.
type header struct {
	words []string
	keys  []string
	at    map[string]int // by key: the first column of that name
}

// usualColumns is how many columns few reports exceed.
const usualColumns = 64

func newHeader(cells [][]byte) *header {
	// A file of thousands of columns that are named alike needs no map of thousands.
	h := &header{words: make([]string, len(cells)), keys: make([]string, len(cells)), at: make(map[string]int, min(len(cells), usualColumns))}
	for i, cell := range cells {
		if len(cell) > domain.MaxColumnName {
			h.words[i] = domain.Quotable(cell) // for messages alone: no key goes with it
			continue
		}
		h.words[i] = string(cell)
		h.keys[i] = domain.HeaderKey(h.words[i])
		if _, twice := h.at[h.keys[i]]; !twice && h.keys[i] != "" {
			h.at[h.keys[i]] = i
		}
	}
	return h
}

// hash is the same for headers with the same names of columns, case and signs aside. Ledgers have it, so it must not change.
func (h *header) hash() uint64 {
	sum := sha256.Sum256([]byte(strings.Join(h.keys, "\x00")))
	return binary.LittleEndian.Uint64(sum[:])
}

// tellsOfCharges says that a header has a column of charges, weights or claims where the report's own has none. Another
// header's names may be the report's own in other words.
func (h *header) tellsOfCharges(own *header) bool {
	isBesideMoney := func(word string) bool { return slices.Contains(besideMoney, word) }
	tells := func(name string) bool {
		return readChargeName(name).is || slices.ContainsFunc(domain.ColumnWords(name), isBesideMoney)
	}
	for i, name := range h.words {
		if tells(name) && (i >= len(own.words) || !tells(own.words[i])) {
			return true
		}
	}
	return false
}

// besideMoney are words of columns in tables that tell nothing of what was remitted.
var besideMoney = []string{"freight", "charge", "charges", "weight", "claim", "claims", "lost", "damaged"}

type columns [domain.RoleCount]int

// absent stands for a role that no column plays.
const absent = -1

func noColumns() columns {
	var none columns
	for role := range none {
		none[role] = absent
	}
	return none
}

func (c *columns) roleAt(column int) (domain.Role, bool) {
	role := slices.Index(c[:], column)
	return domain.Role(max(role, 0)), role >= 0
}

func (c *columns) rolesAt(column int) (roles []domain.Role) {
	for role, at := range c {
		if at == column {
			roles = append(roles, domain.Role(role))
		}
	}
	return roles
}

// after returns the columns with those that are given in their place. What a given column is, it
// is for no other role.
func (c columns) after(given columns) columns {
	for role, column := range c {
		if _, taken := given.roleAt(column); taken {
			c[role] = absent
		}
		if given[role] != absent {
			c[role] = given[role]
		}
	}
	return c
}

// fill gives each role that has no column yet the first column that has one of the
// role's names, unless one of that name plays a role: that one was chosen. It fills all roles from one list of names
// before it uses the next list.
func (h *header) fill(c *columns, lists ...*nameKeys) {
	for _, names := range lists {
		for role := range domain.RoleCharges {
			for _, key := range names[role] {
				if c[role] != absent {
					break
				}
				i, found := h.at[key]
				if found && !slices.ContainsFunc(c[:], func(other int) bool { return other != absent && h.keys[other] == key }) {
					c[role] = i
				}
			}
		}
	}
}

// mapping returns the names of the columns and of those of charges, as the header writes
// them.
func (h *header) mapping(c columns, charges ...int) domain.Mapping {
	var m domain.Mapping
	names := make([]string, len(charges))
	for i, column := range charges {
		names[i] = h.words[column]
	}
	m[domain.RoleCharges] = domain.JoinColumns(names)
	for role, column := range c {
		if column != absent {
			m[role] = h.words[column]
		}
	}
	return m
}

// find returns the columns with a name that a person gave.
func (h *header) find(name string) []int { return domain.FindColumns(h.words, h.keys, name) }

// namedLike returns the columns with the name of one of them, itself among them.
func (h *header) namedLike(column int) (found []int) {
	for i, key := range h.keys {
		if key == h.keys[column] {
			found = append(found, i)
		}
	}
	return found
}

// checkUnique returns an error if the name of a column stands twice in the header:
// nothing says which of the two is meant. It does not check given columns. A person
// has named them, and may have chosen between two spellings.
func (h *header) checkUnique(c, given columns) error {
	for role, column := range c {
		if column == absent || given[role] == column {
			continue
		}
		if same := h.namedLike(column); len(same) > 1 {
			return h.standsTwice(domain.Role(role), same)
		}
	}
	return nil
}
