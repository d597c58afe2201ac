package domain

import (
	"slices"
	"strings"
)

// Role is what a column of a courier file means to us.
type Role uint8

// The roles, in the order in which errors and listings name them.
const (
	RoleAWB              Role = iota // the courier's tracking number
	RoleOrderID                      // the storefront's order name, as the courier repeats it
	RoleCODAmount                    // collected at the door, gross
	RoleRemittedAmount               // paid out to the shop, net
	RoleRemittanceDate               // the day the money was paid out
	RoleDeliveredDate                // the day the parcel was handed over
	RoleStatus                       // what happened to the shipment
	RoleRemittanceStatus             // what happened to the money
	RoleUTR                          // the bank's reference of the payout
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
}

func (r Role) String() string { return roleNames[r] }

// Roles lists every role in its fixed order.
func Roles() []Role {
	all := make([]Role, RoleCount)
	for i := range all {
		all[i] = Role(i)
	}
	return all
}

// RoleNames lists every role as requests write it, for a message.
func RoleNames() string { return strings.Join(roleNames[:], ", ") }

// ParseRole finds the role of a name as requests and saved mappings write it.
func ParseRole(name string) (Role, bool) {
	i := slices.Index(roleNames[:], name)
	return Role(max(i, 0)), i >= 0
}

// CustomCourier is the courierName that stands for every courier without a
// profile, and the one with which a request may name columns.
const CustomCourier = "custom"

// Mapping says which column of a courier file plays which role: the header's
// own words by role, blank where the file has no such column.
type Mapping [RoleCount]string

// MissingRole names the first required role that the mapping lacks, in the
// words of an error message, or "" if a file with these columns can be read: it
// needs a name for the parcel, an amount, and a proof of payment, which is a
// remittance date or a remitted amount (decisions, section 1).
func (m Mapping) MissingRole() string {
	switch {
	case m[RoleAWB] == "" && m[RoleOrderID] == "":
		return "awb or order_id"
	case m[RoleCODAmount] == "" && m[RoleRemittedAmount] == "":
		return "cod_amount or remitted_amount"
	case m[RoleRemittanceDate] == "" && m[RoleRemittedAmount] == "":
		return "remittance_date"
	}
	return ""
}

// MaxColumnName is how many bytes the name of a column may have. What is longer
// is prose, and no column is known by it.
const MaxColumnName = 256

// HeaderKey reduces a column's name to what is compared: its letters and
// digits, in lower case. `AWB NO.` and `awb_no*` are the same column. It is blank
// for a name of more than MaxColumnName bytes.
func HeaderKey(name string) string {
	if len(name) > MaxColumnName {
		return ""
	}
	return lettersAndDigits(name)
}

func lettersAndDigits(name string) string {
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
