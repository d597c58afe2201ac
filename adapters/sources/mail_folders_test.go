package sources_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/sources"
	"milaan/domain"
	mail "milaan/tests/fakes/imap"
)

// TestMailFoldersAreFound holds that / and . mean the same between the parts of a folder, whatever the
// server has there, and that INBOX in front may be left out; and that nothing is guessed between two.
func TestMailFoldersAreFound(t *testing.T) {
	slashed := [][]string{{"INBOX"}, {"Couriers", "COD"}, {"Couriers"}, {"Reports 2.0"}}
	below := [][]string{{"INBOX"}, {"INBOX", "Couriers", "COD"}, {"INBOX", "Odd.Name"}}
	for _, c := range []struct {
		folders   [][]string
		separator string
		meant     string
		want      string
	}{
		{slashed, "/", "Couriers.COD", "Couriers/COD"},
		{slashed, ".", "Couriers/COD", "Couriers.COD"},
		{slashed, "/", "INBOX/Couriers", "Couriers"},
		{slashed, "/", "INBOX.Couriers.COD", "Couriers/COD"},
		{below, ".", "Couriers/COD", "INBOX.Couriers.COD"},
		{below, ".", "Inbox/Couriers/COD", "INBOX.Couriers.COD"},
		{below, "/", "Couriers", ""},
		{slashed, "/", "couriers.cod", ""},
		{slashed, "/", "COD", ""},
		{slashed, "/", "", ""},
		{[][]string{{"a", "b"}, {"a.b"}}, "/", "a.b", ""},
	} {
		require.Equal(t, c.want, sources.FindFolder(c.folders, c.separator, c.meant), "%v", c)
	}
}

// TestATestListsTheFolders holds that a test says which folders a mailbox has, also if the one that was
// entered is none of them, and that a pass finds one that was entered with the other separator.
func TestATestListsTheFolders(t *testing.T) {
	leakless(t)
	s := mail.New(t, mail.TLS)
	s.Create(t, "Couriers")
	s.Create(t, "Couriers/COD")
	s.Add(t, "Couriers/COD", sentAt, mailOf("a.csv", "1").Bytes())
	r := registry(t)
	require.Equal(t, map[string]string{"a.csv": "1"}, contents(t, opened(t, r, access("imap", s.Settings(), map[string]string{"mailbox": "Couriers.COD"}))))

	all := []string{"Couriers", "Couriers/COD", "INBOX"}
	tested := access("imap", s.Settings(), map[string]string{"mailbox": "Elsewhere"})
	_, err := r.Open(t.Context(), tested)
	require.Equal(t, "mailbox", failed(t, err, domain.ConnNoFolder).Setting)
	tested.Testing = true
	open := opened(t, r, tested)
	require.Equal(t, all, open.Folders())
	_, err = open.List(t.Context(), since)
	require.Equal(t, "mailbox", failed(t, err, domain.ConnNoFolder).Setting)

	tested.Source.Settings["mailbox"] = "Couriers.COD"
	open = opened(t, r, tested)
	require.Equal(t, all, open.Folders())
	require.Len(t, contents(t, open), 1)
	require.Nil(t, opened(t, r, access("imap", s.Settings())).Folders(), "a pass does not ask")
}
