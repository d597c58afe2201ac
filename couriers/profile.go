package couriers

import "milaan/domain"

// Names lists what columns are called, by role, the best name first. Names are
// compared by domain.HeaderKey: case, blanks and signs do not matter.
type Names map[domain.Role][]string

// Signature is the three columns by which a courier's report is known for sure
// (guide: files).
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
	// NoCharges are names that the vocabulary takes for charges and that are none in this
	// courier's reports: what the shop has charged its customer, for example.
	NoCharges []string
	// InStatements are the names under which banks' statements show the courier's
	// payouts, such as that of the company behind it.
	InStatements []string
}

var signatureRoles = [...]domain.Role{domain.RoleAWB, domain.RoleCODAmount, domain.RoleRemittanceDate}

// names gives the signature by role; nothing for a profile without one.
func (s Signature) names() Names {
	names := Names{}
	for i, column := range s.columns() {
		names[signatureRoles[i]] = []string{column}
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
		keys[role] = domain.HeaderKeys(names)
	}
	return keys
}

// vocabularyKeys is the vocabulary made ready for comparing.
var vocabularyKeys = withUnits(vocabulary.keys())
