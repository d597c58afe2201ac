package domain

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Role is the meaning of a column of a report.
type Role uint8

// The roles in the order in which errors and listings name them.
const (
	RoleAWB              Role = iota // the courier's tracking number of the parcel
	RoleOrderID                      // the name of the order, as the courier repeats it
	RoleCODAmount                    // what was collected at the door, gross
	RoleRemittedAmount               // what was paid out to the shop, net
	RoleRemittanceDate               // the day the money was paid out
	RoleDeliveredDate                // the day the parcel was handed over
	RoleStatus                       // what happened to the shipment
	RoleRemittanceStatus             // what happened to the money
	RoleUTR                          // the bank's reference of the payout
	RoleCharges                      // what was deducted; several columns may have this role
	RoleCount
)

var roleNames = [RoleCount]string{
	RoleAWB:              "awb",
	RoleOrderID:          "order_id",
	RoleCODAmount:        "cod_amount",
	RoleRemittedAmount:   "remitted_amount",
	RoleRemittanceDate:   "remittance_date",
	RoleDeliveredDate:    "delivered_date",
	RoleStatus:           "status",
	RoleRemittanceStatus: "remittance_status",
	RoleUTR:              "utr",
	RoleCharges:          "charges",
}

func (r Role) String() string { return roleNames[r] }

// Roles lists every role in the order of the constants.
func Roles() []Role {
	all := make([]Role, RoleCount)
	for i := range all {
		all[i] = Role(i)
	}
	return all
}

// RoleNames lists the names of all roles for a message, as requests write them.
func RoleNames() string { return strings.Join(roleNames[:], ", ") }

// ParseRole finds the role with a name that is written as in requests and saved
// mappings.
func ParseRole(name string) (Role, bool) {
	i := slices.Index(roleNames[:], name)
	return Role(max(i, 0)), i >= 0
}

// CustomCourier is the courierName for every courier that has no profile. Only with
// it a request may name columns.
const CustomCourier = "custom"

// Mapping says which column of a report has which role: for each role the
// name in the file's header, blank if the file has no such column. RoleCharges may have
// several, in the form of JoinColumns.
type Mapping [RoleCount]string

// MissingRoles returns the first required roles of which the mapping has none. It
// returns nil if a file with these columns can be read. Such a file needs an AWB or
// an order id, an amount, and a proof of payment, which is a remittance date or a
// remitted amount (guide: verdict 1).
func (m Mapping) MissingRoles() []Role {
	switch {
	case m[RoleAWB] == "" && m[RoleOrderID] == "":
		return []Role{RoleAWB, RoleOrderID}
	case m[RoleCODAmount] == "" && m[RoleRemittedAmount] == "":
		return []Role{RoleCODAmount, RoleRemittedAmount}
	case m[RoleRemittanceDate] == "" && m[RoleRemittedAmount] == "":
		return []Role{RoleRemittanceDate}
	}
	return nil
}

// MaxColumnName is how many bytes the name of a column may have. A longer text is
// prose, and is never taken for the name of a column.
const MaxColumnName = 256

// HeaderKey reduces a column's name to its letters and digits in lower case, the
// form in which names are compared. So `AWB NO.` and `awb_no*` are the same column.
// It returns "" for a name of more than MaxColumnName bytes.
func HeaderKey(name string) string {
	if len(name) > MaxColumnName {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteByte(c)
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		}
	}
	return b.String()
}

// HeaderKeys returns the HeaderKey of each name; blank for one that is too long for a column.
func HeaderKeys[T ~string | ~[]byte](names []T) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		if len(name) <= MaxColumnName { // else it would be copied for nothing
			keys[i] = HeaderKey(string(name))
		}
	}
	return keys
}

// Misfit returns the first role whose column is not one column of a header or has another role.
// Columns of charges may be anything: a report is read without them.
func (m Mapping) Misfit(header []string) (Role, bool) {
	keys, taken := HeaderKeys(header), make([]bool, len(header))
	for role := range RoleCharges {
		if m[role] == "" {
			continue
		}
		found := FindColumns(header, keys, m[role])
		if len(found) != 1 || taken[found[0]] {
			return role, true
		}
		taken[found[0]] = true
	}
	return 0, false
}

// FindColumns returns the columns with a name that a person gave: those with exactly that text
// or, if there are none, those whose letters and digits are the same. keys are the HeaderKey of
// each name of the header, which has no letters but Latin ones: a name with others is compared
// whole, or a column would be found whose Latin letters alone are those of the name.
func FindColumns(header, keys []string, name string) (found []int) {
	name = strings.TrimSpace(name)
	for i := range header {
		if name != "" && strings.TrimSpace(header[i]) == name {
			found = append(found, i)
		}
	}
	if found != nil {
		return found
	}
	key, whole := HeaderKey(name), wholeKey(name)
	isWhole := whole != key && len(name) <= MaxColumnName
	for i := range keys {
		if isWhole && wholeKey(header[i]) == whole || !isWhole && key != "" && keys[i] == key {
			found = append(found, i)
		}
	}
	return found
}

// wholeKey reduces a column's name to its letters and digits of any script in lower case. A name
// of signs alone, such as ₹, stays as it is.
func wholeKey(name string) string {
	name = strings.TrimSpace(name)
	key := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, nuktas.Replace(name))
	return cmp.Or(key, name)
}

// nuktas writes letters of Devanagari with a dot below them as two characters. Keyboards and
// programs write them as one or as two, which look the same.
var nuktas = strings.NewReplacer(dotted...)

var dotted = []string{"\u0929", "\u0928\u093c", "\u0931", "\u0930\u093c", "\u0934", "\u0933\u093c",
	"\u0958", "\u0915\u093c", "\u0959", "\u0916\u093c", "\u095a", "\u0917\u093c", "\u095b", "\u091c\u093c",
	"\u095c", "\u0921\u093c", "\u095d", "\u0922\u093c", "\u095e", "\u092b\u093c", "\u095f", "\u092f\u093c"}

// withoutNuktas writes them as one character.
var withoutNuktas = func() *strings.Replacer {
	pairs := slices.Clone(dotted)
	slices.Reverse(pairs)
	return strings.NewReplacer(pairs...)
}()

// NamedMapping is a mapping that a person has saved under a name. It holds for reports with
// exactly the header of the one for which it was saved (guide: verdict 1).
type NamedMapping struct {
	Name    string
	Header  HeaderHash
	Mapping Mapping
	SavedAt time.Time
}

// MaxNamedMappings is how many named mappings an account may have.
const MaxNamedMappings = 100

// GoodMappingName says whether a text can be the name of a mapping: a label that is not blank.
func GoodMappingName(name string) bool { return IsStorable(name) && MappingKey(name) != "" }

// MappingKey is the form in which names of mappings are compared: case and blanks do not matter.
func MappingKey(name string) string {
	return strings.ToLower(nuktas.Replace(strings.Join(strings.Fields(name), " ")))
}

// FindNamedMapping finds the mapping with a name.
func FindNamedMapping(all []NamedMapping, name string) (NamedMapping, bool) {
	key := MappingKey(name)
	i := slices.IndexFunc(all, func(m NamedMapping) bool { return MappingKey(m.Name) == key })
	if i < 0 {
		return NamedMapping{}, false
	}
	return all[i], true
}

// HeaderHash is a hash of the names of all columns of a header. The order of the columns does
// not matter, and of a name only its letters and digits in lower case do.
type HeaderHash [sha256.Size]byte

// HashHeader returns the hash of a header. Columns without a name do not count. Unlike
// HeaderKey, it tells names in Devanagari apart.
func HashHeader(names []string) HeaderHash { return hashKeys(wholeKeys(names)) }

// HeaderHashes returns the hash of a header and, if it has letters of Devanagari with a dot below
// them, the one with which a mapping may have been saved before: these letters were one character
// each in it, and others than the same letters written as two.
func HeaderHashes(names []string) []HeaderHash {
	keys := wholeKeys(names)
	former := slices.Clone(keys)
	for i := range former {
		former[i] = withoutNuktas.Replace(keys[i])
	}
	if slices.Equal(former, keys) {
		return []HeaderHash{hashKeys(keys)}
	}
	return []HeaderHash{hashKeys(keys), hashKeys(former)}
}

func wholeKeys(names []string) []string {
	keys := make([]string, 0, len(names))
	for _, name := range names {
		if key := wholeKey(name); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

func hashKeys(keys []string) (sum HeaderHash) {
	slices.Sort(keys)
	h := sha256.New()
	for _, key := range keys {
		_, _ = h.Write([]byte(key + ColumnSeparator))
	}
	h.Sum(sum[:0])
	return sum
}
