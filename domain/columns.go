package domain

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Columns are the names of columns by the name of the role that they have. As JSON, the
// columns of charges are a list, and every other one is a text.
type Columns map[string]string

func (c Columns) MarshalJSON() ([]byte, error) {
	if c == nil {
		return []byte("null"), nil
	}
	all := make(map[string]any, len(c))
	for role, name := range c {
		if all[role] = name; role == RoleCharges.String() {
			all[role] = SplitColumns(name)
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON fills json.Unmarshaler. A single column of charges may be a text too.
func (c *Columns) UnmarshalJSON(text []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil || all == nil {
		*c = nil
		return err
	}
	*c = make(Columns, len(all))
	for role, value := range all {
		var name string
		err := json.Unmarshal(value, &name)
		if err != nil && role == RoleCharges.String() {
			var names []string
			err = json.Unmarshal(value, &names)
			name = JoinColumns(names)
		}
		if err != nil {
			wrong, is := errors.AsType[*json.UnmarshalTypeError](err)
			if _, known := ParseRole(role); known && is {
				wrong.Field = role // or it would be said of all columns
			}
			return err
		}
		(*c)[role] = name
	}
	return nil
}

// ColumnSeparator stands between the names of several columns that have one role. No
// name of a column in a file has this control character.
const ColumnSeparator = "\x1f"

// JoinColumns returns the names of several columns with one role, as a Mapping has them.
func JoinColumns(names []string) string { return strings.Join(names, ColumnSeparator) }

// SplitColumns returns the names that JoinColumns has joined; none of a blank text.
func SplitColumns(joined string) []string { return splitJoined(joined, ColumnSeparator) }

// NamedColumns are columns by the names of their roles.
func NamedColumns(byRole map[Role]string) Columns {
	named := Columns{}
	for role, name := range byRole {
		named[role.String()] = name
	}
	return named
}

// Roles returns the columns by their roles.
func (c Columns) Roles() (map[Role]string, error) {
	byRole := make(map[Role]string, len(c))
	for name, column := range c {
		role, known := ParseRole(name)
		if !known {
			return nil, fmt.Errorf("unknown role %q", name)
		}
		byRole[role] = column
	}
	return byRole, nil
}

// ByRole returns the columns of a mapping by the names of their roles, without those that
// the file has not.
func (m Mapping) ByRole() Columns {
	columns := Columns{}
	for role, name := range m {
		if name != "" {
			columns[Role(role).String()] = name
		}
	}
	return columns
}

func (m Mapping) Charges() []string { return SplitColumns(m[RoleCharges]) }

var spelledOut = strings.NewReplacer("+", " plus ", "&", " and ")

// ColumnWords returns the words of a column's name, in small letters and without digits. A capital begins a word in
// CODFee and codFee.
func ColumnWords(name string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	letters := []rune(spelledOut.Replace(name))
	for i, r := range letters {
		begins := i > 0 && unicode.IsUpper(r) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins || !unicode.IsLetter(r) {
			end()
		}
		if unicode.IsLetter(r) {
			word = append(word, r)
		}
	}
	end()
	return words
}
