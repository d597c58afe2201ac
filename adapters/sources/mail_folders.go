package sources

import (
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"

	"milaan/domain"
)

// mailFolder is a folder of a mailbox, in the parts that its server separates.
type mailFolder struct {
	name  string
	parts []string
}

// inbox is the folder whose name has no letter case. Some servers have all others below it.
const inbox = "INBOX"

func (m *mailbox) listFolders() (folders []mailFolder, err error) {
	cmd := m.client.List("", "*", nil)
	for data := cmd.Next(); data != nil; data = cmd.Next() {
		if slices.Contains(data.Attrs, imap.MailboxAttrNoSelect) || slices.Contains(data.Attrs, imap.MailboxAttrNonExistent) {
			continue
		}
		folder := mailFolder{name: data.Mailbox, parts: []string{data.Mailbox}}
		if data.Delim != 0 {
			folder.parts = strings.Split(data.Mailbox, string(data.Delim))
		}
		folders = append(folders, folder)
	}
	if err := cmd.Close(); err != nil {
		return nil, m.explain(err)
	}
	return folders, nil
}

// findFolder returns the only folder that a person may have meant: people write / or . between its
// parts whatever the server has there, and leave INBOX out in front of them. Blank: there is none.
func findFolder(folders []mailFolder, meant string) string {
	for _, same := range []func(parts, meant []string) bool{
		slices.Equal[[]string],
		func(parts, meant []string) bool { return slices.Equal(outsideInbox(parts), outsideInbox(meant)) },
	} {
		var found []string
		for _, folder := range folders {
			if same(folder.parts, strings.Split(meant, "/")) || same(folder.parts, strings.Split(meant, ".")) {
				found = append(found, folder.name)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
	}
	return ""
}

// outsideInbox returns the parts of a folder without INBOX in front.
func outsideInbox(parts []string) []string {
	if len(parts) > 1 && strings.EqualFold(parts[0], inbox) {
		return parts[1:]
	}
	return parts
}

// shownFolders are the names of folders for people, at most domain.MaxTestedFolders.
func shownFolders(folders []mailFolder) (names []string) {
	for _, folder := range folders {
		names = append(names, domain.Shortened(shown(folder.name)))
	}
	slices.Sort(names)
	return names[:min(len(names), domain.MaxTestedFolders)]
}
