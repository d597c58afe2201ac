package couriers

import (
	"errors"
	"fmt"
	"regexp"

	"milaan/domain"
)

// Names lists what columns are called, by role, the best name first. Names are
// compared by domain.HeaderKey: case, blanks and signs do not matter.
type Names map[domain.Role][]string

// Signature is the three columns by which a courier's report is known for sure
// (contract, section 4.5).
type Signature struct {
	AWB            string
	CODAmount      string
	RemittanceDate string
}

// Profile is what we know of one courier's reports. A header that has all three
// columns of the signature is the courier's exactly. Otherwise the courier knows
// a header if the names in the profile give it every role that a file needs
// (domain.Mapping.MissingRoles).
//
// The roles of a header that the courier knows are then filled, the first that
// gives a column winning: from the signature, if it is exact; from Own; from the
// vocabulary that all couriers share; from the rest of the profile.
type Profile struct {
	ID        string // small letters and digits, words joined by _: the courierName
	Name      string // as people write it
	Signature Signature
	// Own are names that mean something else, or something better, in this
	// courier's reports than the vocabulary says.
	Own Names
	// LastResort are further names by which the courier's reports are known.
	// The vocabulary is asked before them, so a name as vague as Date does no
	// harm where a better one stands beside it.
	LastResort Names
}

var wellFormedID = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// validate checks what the compiler cannot. It returns everything that is
// wrong, joined.
func (p Profile) validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }

	if !wellFormedID.MatchString(p.ID) {
		fault("ID %q must be small letters and digits, words joined by _", p.ID)
	}
	if p.Name == "" {
		fault("Name is blank: say what people call the courier")
	}
	signed := p.Signature != Signature{}
	if signed && (p.Signature.AWB == "" || p.Signature.CODAmount == "" || p.Signature.RemittanceDate == "") {
		fault("Signature must name all three columns, or none")
	}

	var known domain.Mapping
	roleOf := map[string]domain.Role{}
	check := func(part string, names Names) {
		for _, role := range domain.Roles() {
			for _, name := range names[role] {
				key := domain.HeaderKey(name)
				if key == "" {
					fault("%s: %q, a name for %s, has no letter or digit of ASCII to compare", part, name, role)
					continue
				}
				if other, twice := roleOf[key]; twice {
					fault("%s: %q is listed twice, for %s and for %s: a column plays one role", part, name, other, role)
				}
				roleOf[key], known[role] = role, name
				if other, shared := vocabularyRoles[key]; shared && other != role && part == "LastResort" {
					fault("%s: the vocabulary says that %q is %s: to overrule it, put the name into Own", part, name, other)
				}
			}
		}
		for role := range names {
			if role >= domain.RoleCount {
				fault("%s: there is no role %d", part, role)
			}
		}
	}
	check("Signature", p.Signature.names())
	check("Own", p.Own)
	check("LastResort", p.LastResort)
	if missing := known.MissingRoles(); missing != nil {
		fault("no name is given for any of %v, so no header could ever be the courier's", missing)
	}
	return errors.Join(faults...)
}

// signatureRoles are the roles of the three columns of a signature.
var signatureRoles = [...]domain.Role{domain.RoleAWB, domain.RoleCODAmount, domain.RoleRemittanceDate}

// names gives the signature by role; nothing for a profile without one.
func (s Signature) names() Names {
	if s == (Signature{}) {
		return nil
	}
	names := Names{}
	for i, column := range s.columns() {
		if column != "" {
			names[signatureRoles[i]] = []string{column}
		}
	}
	return names
}

// columns gives the signature in the order of signatureRoles.
func (s Signature) columns() []string {
	if s == (Signature{}) {
		return nil
	}
	return []string{s.AWB, s.CODAmount, s.RemittanceDate}
}

// nameKeys are Names made ready for comparing.
type nameKeys [domain.RoleCount][]string

func (n Names) keys() nameKeys {
	var keys nameKeys
	for role, names := range n {
		for _, name := range names {
			keys[role] = append(keys[role], domain.HeaderKey(name))
		}
	}
	return keys
}

// vocabularyKeys is the vocabulary ready for comparing, and vocabularyRoles
// says which role it gives a name.
var (
	vocabularyKeys  = vocabulary.keys()
	vocabularyRoles = rolesOf(vocabularyKeys)
)

func rolesOf(keys nameKeys) map[string]domain.Role {
	roles := map[string]domain.Role{}
	for role, names := range keys {
		for _, key := range names {
			roles[key] = domain.Role(role)
		}
	}
	return roles
}
