package sources

import (
	"slices"
	"strings"

	"github.com/emersion/go-message/textproto"
	"github.com/emersion/go-msgauth/authres"
	"golang.org/x/net/publicsuffix"

	"milaan/domain"
	"milaan/ports"
)

// results are one header Authentication-Results.
type results struct {
	id  string // of the server that wrote it, with small letters; blank: it cannot be read
	all []authres.Result
}

// written are headers that a sender writes. A mail server adds its own ones above all others
// (RFC 8601, section 5), so nothing below these is its own.
var written = []string{"From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Message-Id", "In-Reply-To", "References",
	"Mime-Version", "Content-Type", "Content-Transfer-Encoding"}

// resultsAbove returns the headers Authentication-Results above those that the sender has
// written, from the top.
func resultsAbove(header textproto.Header) (all []results) {
	for f := header.Fields(); f.Next(); {
		switch {
		case strings.EqualFold(f.Key(), "Authentication-Results"):
			all = append(all, parseResults(f.Value()))
		case slices.Contains(written, f.Key()):
			return all
		}
	}
	return all
}

// parseResults reads a header. The library takes comments and quoted texts for results, and
// stops at a result that it cannot read. A sender can have both filled with any text, so they
// are taken out before, and every result is read by itself.
func parseResults(value string) (r results) {
	text, ok := withoutComments(value, " ", func(text string) string {
		if strings.ContainsFunc(text, func(r rune) bool { return !isHostRune(r) && r != '@' }) {
			return "?"
		}
		return text
	})
	if !ok {
		return r
	}
	sections := strings.Split(text, ";")
	id, _, err := authres.Parse(sections[0])
	if err != nil || strings.ContainsFunc(id, func(r rune) bool { return !isHostRune(r) }) {
		return r
	}
	r.id = lowerASCII(id)
	for _, section := range sections[1:] {
		if repeats(section) {
			return results{id: r.id} // nobody knows which of the values counts
		}
		_, one, err := authres.Parse(sections[0] + ";" + section)
		if err == nil {
			r.all = append(r.all, one...)
		}
	}
	return r
}

// isHostRune says whether a character may be in the name of a host, or in an address.
func isHostRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._+", r)
}

// repeats says whether a result has the same property twice.
func repeats(section string) bool {
	seen := map[string]bool{}
	for _, word := range strings.Fields(section) {
		name, _, ok := strings.Cut(lowerASCII(word), "=")
		if ok && seen[name] {
			return true
		}
		seen[name] = ok
	}
	return false
}

// proof is what a header says about a domain.
type proof uint8

const (
	proofNone     proof = iota // it says nothing
	proofDMARC                 // DMARC has passed
	proofSigned                // a signature of the domain has passed
	proofUnsigned              // every signature of the domain has failed
	proofRefuted               // DMARC has not passed
)

// proves returns what the results say about the domain of a sender.
func (r results) proves(from string) proof {
	found := proofNone
	for _, one := range r.all {
		switch one := one.(type) {
		case *authres.DMARCResult:
			switch {
			case one.Value == authres.ResultPass && (one.From == "" || aligned(domainIn(one.From), from)):
				found = proofDMARC
			case one.Value != authres.ResultNone:
				return proofRefuted
			}
		case *authres.DKIMResult:
			switch {
			case found == proofDMARC || !signedBy(one, from):
			case one.Value == authres.ResultPass:
				found = proofSigned
			case found == proofNone:
				found = proofUnsigned
			}
		}
	}
	return found
}

// signedBy says whether a signature is of a domain, whether or not it is right. Some servers
// state only the identity of who has signed, which is in the domain that has.
func signedBy(signature *authres.DKIMResult, from string) bool {
	identity := domainIn(signature.Identifier)
	return (signature.Domain != "" || identity != "") &&
		(signature.Domain == "" || aligned(signature.Domain, from)) && (identity == "" || aligned(identity, from))
}

// domainIn returns the domain of an address, which some servers write in angle brackets, or of
// itself.
func domainIn(text string) string {
	text = strings.Trim(text, "<>")
	return text[strings.LastIndex(text, "@")+1:]
}

// aligned says whether two domains belong to the same organisation, which is the relaxed
// alignment of RFC 7489.
func aligned(a, b string) bool {
	ofA, errA := publicsuffix.EffectiveTLDPlusOne(lowerASCII(strings.TrimSuffix(a, ".")))
	ofB, errB := publicsuffix.EffectiveTLDPlusOne(b)
	return errA == nil && errB == nil && ofA == ofB
}

// authenticated returns why a mail is not proven to be from a domain; blank: it is. Only the
// topmost header counts, and it must be of one of the ids: if a mail server writes none, the
// topmost one is the sender's own. value is the id that stands there instead.
func authenticated(header textproto.Header, from string, ids []string) (rule domain.ConnectorRule, value string) {
	all := resultsAbove(header)
	switch {
	case len(all) == 0:
		return domain.ConnNoResult, ""
	case !slices.Contains(ids, all[0].id):
		return domain.ConnOtherID, domain.Shortened(all[0].id)
	}
	found := all[0].proves(from)
	if found != proofDMARC && found != proofSigned {
		return domain.ConnUnproven, ""
	}
	for _, other := range all[1:] {
		says := other.proves(from)
		if slices.Contains(ids, other.id) && (says == proofRefuted || says == proofUnsigned && found == proofSigned) {
			return domain.ConnContradiction, ""
		}
	}
	return "", ""
}

func checkAuthServIDs(value string, _ domain.Settings, _ ports.HostCheck) domain.Fault {
	ids := entries(value)
	wrong := func(id string) bool { return strings.ContainsFunc(id, func(r rune) bool { return !isHostRune(r) }) }
	return formUnless(len(ids) > 0 && !slices.ContainsFunc(ids, wrong))
}
