package domain

import "slices"

// MemberRole is what a person may do for an account.
type MemberRole string

// The roles of members. Each may also do what the next one may.
const (
	Owner      MemberRole = "owner"      // everything
	Accountant MemberRole = "accountant" // runs, documents and reports, and what they need
	Reader     MemberRole = "reader"     // the history of runs
)

// MemberRoles are all roles, the one that may do most first.
var MemberRoles = []MemberRole{Owner, Accountant, Reader}

// May says whether a member of this role may do what a member of the role least may. A role
// that is not known may do nothing.
func (r MemberRole) May(least MemberRole) bool {
	own, needed := slices.Index(MemberRoles, r), slices.Index(MemberRoles, least)
	return own >= 0 && own <= needed
}
