package view

import (
	"milaan/domain"
	"milaan/ports"
)

// Person is somebody who works for an account.
type Person struct {
	ID      string            `json:"id"` // blank: has the account's own address
	Email   string            `json:"email"`
	Role    domain.MemberRole `json:"role"`
	Own     bool              `json:"own"` // has the account's own address, and is always an owner
	You     bool              `json:"you"`
	AddedAt Instant           `json:"added_at"`
}

// Invitation is an invitation that is open.
type Invitation struct {
	ID     string            `json:"id"`
	Email  string            `json:"email"`
	Role   domain.MemberRole `json:"role"`
	MadeAt Instant           `json:"made_at" ts:"string"`
	Until  Instant           `json:"until" ts:"string"`
}

// NewInvitation returns an invitation as pages and the export have it.
func NewInvitation(i *domain.Invitation) Invitation {
	return Invitation{i.ID, i.Email, i.Role, Instant(i.MadeAt), Instant(i.Until)}
}

// People are who works for an account, and who is invited.
type People struct {
	People      []Person     `json:"people"`
	Invitations []Invitation `json:"invitations"`
	Most        int          `json:"most"` // members and invitations together
}

// NewPeople returns the people of an account as a person of theirs sees them, whose address is
// you.
func NewPeople(account *domain.Account, found *ports.PeopleOf, you string) People {
	own := Person{Email: account.Email, Role: domain.Owner, Own: true, You: you == account.Email, AddedAt: Instant(account.CreatedAt)}
	return People{append([]Person{own}, Each(found.Members, func(m *domain.Member) Person {
		return Person{ID: m.ID, Email: m.Email, Role: m.Role, You: you == m.Email, AddedAt: Instant(m.AddedAt)}
	})...), Each(found.Invitations, NewInvitation), domain.MaxPeople}
}

// MadeInvitation is an invitation that was just made.
type MadeInvitation struct {
	ID     string  `json:"id"`
	Link   string  `json:"link"` // this once; without the service's address if that is not known
	Until  Instant `json:"until" ts:"string"`
	Mailed bool    `json:"mailed"` // the person gets it by e-mail too
}

// InvitedTo is an invitation as who is invited sees it.
type InvitedTo struct {
	Account string            `json:"account"` // its e-mail address
	Email   string            `json:"email"`
	Role    domain.MemberRole `json:"role"`
	Until   Instant           `json:"until" ts:"string"`
}

// Accepted says how an invitation was accepted.
type Accepted struct {
	Accepted bool    `json:"accepted"`
	SignIn   *string `json:"sign_in"` // path at which the identity provider vouches for the address first; null: nowhere
}

// ListedPerson is a person as the commands print them.
type ListedPerson struct {
	Email   string            `json:"email"`
	Role    domain.MemberRole `json:"role"`
	State   string            `json:"state"`    // own, member or invited
	AddedAt Second            `json:"added_at"` // of an invitation: when it was made
	Until   Second            `json:"until"`    // of an invitation; else null
}

// NewListedPeople returns the people of an account as the commands print them.
func NewListedPeople(account *domain.Account, found *ports.PeopleOf) []ListedPerson {
	people := []ListedPerson{{account.Email, domain.Owner, "own", Second(account.CreatedAt), Second{}}}
	for _, m := range found.Members {
		people = append(people, ListedPerson{m.Email, m.Role, "member", Second(m.AddedAt), Second{}})
	}
	for _, i := range found.Invitations {
		people = append(people, ListedPerson{i.Email, i.Role, "invited", Second(i.MadeAt), Second(i.Until)})
	}
	return people
}

// ExportedMember is a member in the export of an account.
type ExportedMember struct {
	ID      string            `json:"id"`
	Email   string            `json:"email"`
	Role    domain.MemberRole `json:"role"`
	AddedAt Instant           `json:"added_at"`
}

// NewExportedMember returns a member as the export of the account has them.
func NewExportedMember(m *domain.Member) ExportedMember {
	return ExportedMember{m.ID, m.Email, m.Role, Instant(m.AddedAt)}
}
