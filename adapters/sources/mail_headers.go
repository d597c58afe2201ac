package sources

import (
	"maps"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"milaan/domain"
	"milaan/ports"
)

type chooser struct {
	senders []sender // none: everybody
	proven  bool     // the sender must be
	ids     []string // of the server that checks senders
	former  string   // of settings of an earlier version: a part of the header From, in lower case
	subject string   // a part of it, in lower case
}

// newChooser reads settings that were checked.
func newChooser(s domain.Settings, former bool) chooser {
	c := chooser{subject: strings.ToLower(s[settingSubject])}
	if former {
		c.former = strings.ToLower(s[settingFrom])
		return c
	}
	c.senders, _ = sendersOf(s[settingFrom])
	c.proven = s[settingSenderCheck] != senderAny
	for _, id := range entries(s[settingAuthServID]) {
		c.ids = append(c.ids, lowerASCII(id))
	}
	return c
}

// searchable returns the texts of which each wanted mail has one in its header From; none: the
// server is not asked for any. Of a connection whose id is not known, all mails are looked at.
func (c *chooser) searchable() (texts []string) {
	if strings.Contains(c.former, "@") && isASCII(c.former) {
		return []string{c.former}
	}
	for _, s := range c.senders {
		if c.proven && len(c.ids) == 0 || strings.Contains(s.domain, "xn--") { // which a header may have in letters
			return nil
		}
		texts = append(texts, s.String())
	}
	return texts
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// fromAny returns what searches for mails with one of the texts in the header From.
func fromAny(texts []string) *imap.SearchCriteria {
	first := imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: "FROM", Value: texts[0]}}}
	if len(texts) == 1 {
		return &first
	}
	return &imap.SearchCriteria{Or: [][2]imap.SearchCriteria{{first, *fromAny(texts[1:])}}}
}

// leftOut are the mails that are left out, by their numbers.
type leftOut map[imap.UID]domain.LeftOutMail

// choose returns those of the mails that have the sender and the subject that are asked for,
// and those that only seem to have the sender.
func (m *mailbox) choose(uids []imap.UID) (chosen []imap.UID, left leftOut, err error) {
	if len(m.senders) == 0 && m.former == "" && m.subject == "" {
		return uids, nil, nil
	}
	left = leftOut{}
	err = m.headers(uids, []string{"From", "Subject"}, func(uid imap.UID, text []byte) {
		mail, wanted := m.look(text)
		switch {
		case wanted && mail.Rule == "":
			chosen = append(chosen, uid)
		case wanted:
			left[uid] = mail
		}
	})
	if err != nil || !m.proven {
		return sorted(chosen), left, err
	}
	seeming := sorted(chosen)
	chosen = nil
	err = m.headers(seeming, nil, func(uid imap.UID, text []byte) {
		if mail := m.check(text); mail.Rule == "" {
			chosen = append(chosen, uid)
		} else {
			left[uid] = mail
		}
	})
	return sorted(chosen), left, err
}

func sorted(uids []imap.UID) []imap.UID {
	slices.Sort(uids)
	return uids
}

// look looks at the sender and the subject of a mail. A mail that is wanted and has a rule only
// seems to be from the sender.
func (c *chooser) look(text []byte) (mail domain.LeftOutMail, wanted bool) {
	header, err := readHeader(text)
	shown := strings.ToLower(decodedAll(header.Values("From")))
	if !strings.Contains(strings.ToLower(decodedAll(header.Values("Subject"))), c.subject) {
		return mail, false
	}
	if len(c.senders) == 0 {
		return mail, err == nil && strings.Contains(shown, c.former)
	}
	address := addressOf(header)
	switch {
	case err == nil && c.takes(address):
		return mail, true
	case !mentions(shown, c.senders) && (err == nil || !mentions(string(text), c.senders)):
		return mail, false
	case err != nil || address == sender{}:
		return domain.LeftOutMail{Rule: domain.ConnFrom}, true
	}
	return domain.LeftOutMail{Rule: domain.ConnShownName, From: domain.Shortened(address.String())}, true
}

func (c *chooser) takes(address sender) bool {
	return slices.ContainsFunc(c.senders, func(s sender) bool { return s.is(address) })
}

// check says by its whole header whether a mail is proven to be from one of the senders.
func (c *chooser) check(text []byte) (mail domain.LeftOutMail) {
	header, err := readHeader(text)
	address := addressOf(header)
	if err != nil || len(text) >= wholeHeaderBytes || !c.takes(address) {
		return domain.LeftOutMail{Rule: domain.ConnFrom}
	}
	mail.Rule, mail.Value = authenticated(header, address.domain, c.ids)
	mail.From = domain.Shortened(address.String())
	return mail
}

// decodedAll returns the values of a header as people read them.
func decodedAll(values []string) string {
	var all []string
	for _, value := range values {
		if text, err := words.DecodeHeader(value); err == nil {
			value = text
		}
		all = append(all, value)
	}
	return strings.Join(all, "\n")
}

// mostSampled is how many of the latest mails are looked at for the id of the server.
const mostSampled = 20

// findID returns the error that shows which id the server writes: the one at the top of more
// than half of the latest mails, whoever has sent them. What a single sender writes is not it.
func (m *mailbox) findID(uids []imap.UID) error {
	latest := uids[max(0, len(uids)-mostSampled):]
	found, most := map[string]int{}, ""
	err := m.headers(latest, nil, func(_ imap.UID, text []byte) {
		header, err := readHeader(text)
		if all := resultsAbove(header); err == nil && len(all) > 0 && all[0].id != "" {
			if found[all[0].id]++; 2*found[all[0].id] > len(latest) {
				most = all[0].id
			}
		}
	})
	if err != nil {
		return err
	}
	return &domain.ConnectorError{Rule: domain.ConnNoAuthServID, Setting: settingAuthServID, Value: domain.Shortened(most)}
}

// headers calls each with the headers of mails that have some names; nil: with the whole one.
func (m *mailbox) headers(uids []imap.UID, names []string, each func(uid imap.UID, text []byte)) error {
	atOnce, most := headersAtOnce, int64(headerBytes)
	if names == nil {
		atOnce, most = wholesAtOnce, wholeHeaderBytes
	}
	section := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, HeaderFields: names, Peek: true,
		Partial: &imap.SectionPartial{Size: most}}
	for some := range slices.Chunk(uids, atOnce) {
		err := m.fetch(some, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}},
			func(mail *imapclient.FetchMessageData) (err error) {
				var uid imap.UID
				var header []byte
				for item := mail.Next(); item != nil; item = mail.Next() {
					switch item := item.(type) {
					case imapclient.FetchItemDataUID:
						uid = item.UID
					case imapclient.FetchItemDataBodySection:
						if header, err = whole(item.Literal, most); err != nil {
							return err
						}
					}
				}
				if uid != 0 && slices.Contains(some, uid) {
					each(uid, header)
				}
				return nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// mostLeft is how many mails that are left out are looked at for reports, the latest ones.
const mostLeft = 50

// listLeft tells of the mails that are left out and have reports.
func (m *mailbox) listLeft(left leftOut, q query) error {
	uids := slices.Sorted(maps.Keys(left))
	return m.structures(uids[max(0, len(uids)-mostLeft):], q, func(reports []ports.SourceFile) error {
		if handle, ok := reports[0].Handle.(mailed); ok {
			mail := left[handle.uid]
			mail.At = reports[0].Modified
			q.leave(mail)
		}
		return nil
	})
}
