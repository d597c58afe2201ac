package sources

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"

	"milaan/domain"
	"milaan/ports"
)

const (
	settingMailbox  = "mailbox"
	settingSubject  = "subject"
	settingSameName = "same_name"
)

// Which of the attachments with one name count.
const (
	sameNameAll    = "all" // the default
	sameNameNewest = "newest"
)

// statedSlack is how many bytes an attachment may be longer than twice what its server states:
// some only estimate it.
const statedSlack = 64 << 10

// mailboxConnector is a folder of a mailbox. The reports are the attachments of its mails.
// They are listed by the structure of the mails, so that nothing else of a mail is fetched
// but its attachments, and no mail is marked as read.
func mailboxConnector() connector {
	return connector{
		ConnectorInfo: ports.ConnectorInfo{
			ID: "imap", Name: "IMAP", Files: true,
			Settings: []ports.SettingInfo{
				{Name: settingHost, Required: true, Example: "imap.gmail.com"},
				{Name: settingPort, Default: "993"},
				{Name: settingUser, Required: true, Example: "accounts@shop.example"},
				{Name: settingPassword, Required: true, Secret: true, Exact: true},
				{Name: settingMailbox, Default: "INBOX", KeepsSecrets: true},
				{Name: settingFrom, KeepsSecrets: true, Example: "remittance@courier.example"},
				{Name: settingSenderCheck, KeepsSecrets: true, Options: []string{senderProven, senderAny}, Default: senderProven},
				{Name: settingAuthServID, KeepsSecrets: true, Example: "mx.google.com"},
				{Name: settingSubject, KeepsSecrets: true, Example: "COD remittance"},
				{Name: settingSameName, KeepsSecrets: true, Options: []string{sameNameAll, sameNameNewest}, Default: sameNameAll},
			},
		},
		checks: map[string]ports.SettingCheck{
			settingHost: checkHost, settingPort: checkPort, settingFrom: checkSenders, settingAuthServID: checkAuthServIDs,
		},
		checkTogether: checkProof,
		former:        formerSenders,
		hostSetting:   settingHost,
		host:          func(s domain.Settings) (string, string) { return s[settingHost], s[settingPort] },
		limits:        mailLimits,
		open:          openMailbox,
	}
}

// mailLimits leaves room for the structures of ten thousand mails and for some thousand folders.
func mailLimits(l Limits) Limits {
	l.ListBytes *= 4
	l.OpenBytes *= 4 // the list of folders
	return l
}

// How much is asked for at once.
const (
	structuresAtOnce = 25        // mails
	headersAtOnce    = 100       // mails
	headerBytes      = 8 << 10   // of the sender and the subject of one mail
	wholesAtOnce     = 10        // whole headers
	wholeHeaderBytes = 64 << 10  // of one mail
	chunkBytes       = 512 << 10 // of an attachment
)

// mailbox is an opened folder of a mailbox.
type mailbox struct {
	wire     *wire
	client   *imapclient.Client
	validity uint32 // UIDVALIDITY: the numbers of mails mean the same ones as long as it stays
	newest   bool   // of attachments with one name only the newest counts
	testing  bool
	missing  error    // of a test: there is no folder as it was entered
	tested   []string // of a test: the folders that there are
	chooser
}

func openMailbox(ctx context.Context, network *network, access ports.SourceAccess) (place, error) {
	s := access.Source.Settings
	w, err := dialMail(ctx, network, s[settingHost], s[settingPort])
	if err != nil {
		return nil, err
	}
	m := &mailbox{
		wire: w, client: imapclient.New(w, &imapclient.Options{WordDecoder: words}),
		testing: access.Testing, chooser: newChooser(s, access.Former), newest: s[settingSameName] == sameNameNewest,
	}
	if err = m.signIn(s[settingUser], s[settingPassword]); err == nil {
		err = m.openFolder(s[settingMailbox])
	}
	if err != nil {
		network.closeConns()
		_ = m.close() // the error says more
		return nil, err
	}
	return m, nil
}

var errNoSignIn = errors.New("imap: the server has no way to sign in with a password")

func (m *mailbox) signIn(user, password string) error {
	if err := m.client.WaitGreeting(); err != nil {
		if _, refused := errors.AsType[*imap.Error](err); refused { // BYE: it takes nobody now
			return &domain.ConnectorError{Rule: domain.ConnUnreachable, Setting: settingHost}
		}
		return m.explain(err)
	}
	caps := m.client.Caps()
	var err error
	switch {
	case caps == nil:
		return m.explain(io.ErrUnexpectedEOF)
	case caps.Has(imap.AuthCap("PLAIN")):
		err = m.client.Authenticate(sasl.NewPlainClient("", user, password))
	case caps.Has(imap.CapLoginDisabled):
		return &domain.ConnectorError{Rule: domain.ConnRefused, Setting: settingPassword, Cause: errNoSignIn}
	default:
		err = m.client.Login(user, password).Wait()
	}
	answer, answered := errors.AsType[*imap.Error](err)
	switch {
	case err == nil:
		return nil
	case !answered:
		return m.explain(err)
	case isPassing(answer.Code, answer.Text):
		return &domain.ConnectorError{Rule: domain.ConnUnreachable, Setting: settingHost, Cause: errMailBusy}
	}
	return &domain.ConnectorError{Rule: domain.ConnRefused, Setting: settingPassword}
}

// errMailBusy says that a mail server takes nobody now, whoever it is.
var errMailBusy = errors.New("imap: the server is busy")

// isPassing says whether an answer has a reason that passes by itself. Gmail states the one
// for too many connections only in words.
func isPassing(code imap.ResponseCode, said string) bool {
	switch imap.ResponseCode(strings.ToUpper(string(code))) {
	case imap.ResponseCodeUnavailable, imap.ResponseCodeServerBug, imap.ResponseCodeInUse, imap.ResponseCodeLimit,
		imap.ResponseCodeOverQuota, "THROTTLED":
		return true
	}
	return strings.Contains(strings.ToLower(said), "too many")
}

// openFolder opens the folder that a person has entered. If there is none of that name, the server's
// list says which one is meant.
func (m *mailbox) openFolder(entered string) error {
	err := m.examine(entered)
	e, failed := errors.AsType[*domain.ConnectorError](err)
	unknown := failed && e.Rule == domain.ConnNoFolder
	if err != nil && !unknown || err == nil && !m.testing {
		return err
	}
	folders, listed := m.listFolders()
	if listed != nil {
		return listed
	}
	m.tested = shownFolders(folders)
	if name := findFolder(folders, entered); unknown && name != "" {
		err = m.examine(name)
	}
	if err != nil && m.testing {
		m.missing, err = err, nil
	}
	return err
}

func (m *mailbox) folders() []string { return m.tested }

// examine opens the folder for reading alone.
func (m *mailbox) examine(folder string) error {
	data, err := m.client.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait()
	if answer, ok := errors.AsType[*imap.Error](err); ok && !isPassing(answer.Code, answer.Text) {
		return &domain.ConnectorError{Rule: domain.ConnNoFolder, Setting: settingMailbox}
	}
	if err != nil {
		return m.explain(err)
	}
	if m.validity = data.UIDValidity; m.validity == 0 {
		return &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errAnswer}
	}
	return nil
}

// explain returns what ended the connection, if something has; else the error that it is
// given. The library's own errors have only a text.
func (m *mailbox) explain(err error) error {
	if _, explained := errors.AsType[*domain.ConnectorError](err); explained {
		return err
	}
	if answer, ok := errors.AsType[*imap.Error](err); ok {
		if isPassing(answer.Code, answer.Text) {
			return &domain.ConnectorError{Rule: domain.ConnUnreachable, Setting: settingHost, Cause: errMailBusy}
		}
		return &domain.ConnectorError{Rule: domain.ConnAnswer}
	}
	if broken := m.wire.broken(); broken != nil {
		return broken
	}
	return err
}

func (m *mailbox) list(_ context.Context, q query) ([]ports.SourceFile, error) {
	if m.missing != nil {
		return nil, m.missing
	}
	uids, err := m.search(q)
	if err != nil {
		return nil, err
	}
	if m.proven && len(m.ids) == 0 {
		return nil, m.findID(uids)
	}
	chosen, left, err := m.choose(uids)
	if err != nil {
		return nil, err
	}
	var files []ports.SourceFile
	err = m.structures(chosen, q, func(found []ports.SourceFile) error {
		if files = append(files, found...); len(files) > q.most {
			return q.tooMany()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return distinct(files), m.listLeft(left, q)
}

// structures calls each for every mail that has attachments that are asked for.
func (m *mailbox) structures(uids []imap.UID, q query, each func([]ports.SourceFile) error) error {
	for some := range slices.Chunk(uids, structuresAtOnce) {
		err := m.fetch(some, &imap.FetchOptions{UID: true, InternalDate: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}},
			func(mail *imapclient.FetchMessageData) error {
				found, err := m.attached(mail, q)
				if err != nil || len(found) == 0 {
					return err
				}
				return each(found)
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// search returns the numbers of the mails that may be asked for, ascending. IMAP searches by
// whole days in a time zone of its own, so it is asked for a day more. Only for an address are
// headers searched: Gmail finds whole words alone, and some servers do not decode what they
// search, so that they would leave mails out without a word.
func (m *mailbox) search(q query) ([]imap.UID, error) {
	criteria := &imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}
	if q.since.Year() >= firstYear {
		criteria.Since = q.since.AddDate(0, 0, -1)
	}
	if addresses := m.searchable(); len(addresses) > 0 && !m.client.Caps().Has("X-GM-EXT-1") {
		criteria.And(fromAny(addresses))
	}
	data, err := m.client.UIDSearch(criteria, nil).Wait()
	if err != nil {
		return nil, m.explain(err)
	}
	set, ok := data.All.(imap.UIDSet)
	if !ok && data.All != nil {
		return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errAnswer}
	}
	var uids []imap.UID
	for _, r := range set { // which the server can make as long as it likes
		if r.Start == 0 || r.Stop < r.Start {
			return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errAnswer}
		}
		if uint64(r.Stop-r.Start)+uint64(len(uids)) >= uint64(q.most) {
			return nil, q.tooMany()
		}
		for uid := r.Start; ; uid++ {
			if uids = append(uids, uid); uid == r.Stop {
				break
			}
		}
	}
	return uids, nil
}

// firstYear is the first one of whose days servers know how they are written.
const firstYear = 1970

func (m *mailbox) attached(mail *imapclient.FetchMessageData, q query) (files []ports.SourceFile, err error) {
	var uid imap.UID
	var date time.Time
	var structure imap.BodyStructure
	for item := mail.Next(); item != nil; item = mail.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			uid = item.UID
		case imapclient.FetchItemDataInternalDate:
			date = item.Time
		case imapclient.FetchItemDataBodyStructure:
			structure = item.BodyStructure
		}
	}
	if uid == 0 || structure == nil || date.IsZero() {
		return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errAnswer}
	}
	found, err := attachmentsOf(structure)
	if err != nil {
		return nil, err
	}
	named := map[string]int{}
	numbering := fmt.Sprintf("%d/", m.validity)
	for _, a := range found {
		if !q.wants(a.name, date) {
			continue
		}
		series := ""
		if m.newest { // attachments of one mail replace nothing of it
			series = strings.ToLower(a.name)
			if named[series]++; named[series] > 1 {
				series = fmt.Sprint(series, " ", named[series])
			}
		}
		files = append(files, ports.SourceFile{
			Name: a.name, Series: series, Numbering: numbering, Version: fmt.Sprintf("%s%d/%s", numbering, uid, dotted(a.part)),
			Modified: date, Settled: true, Most: 2*a.size + statedSlack,
			Handle: mailed{m.validity, uid, a},
		})
	}
	return files, nil
}

// mailed is the Handle of an attachment. It may be read of a mailbox that was opened again.
type mailed struct {
	validity uint32
	uid      imap.UID
	attachment
}

// dotted writes where a part is, such as 2.1.
func dotted(part []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(part), " ", "."), "[]")
}

// distinct gives attachments different names. Those that have the same one, letter case
// aside, get the day of their mail, and if that does not do, a number.
func distinct(files []ports.SourceFile) []ports.SourceFile {
	slices.SortStableFunc(files, func(a, b ports.SourceFile) int {
		return cmp.Or(a.Modified.Compare(b.Modified), strings.Compare(a.Version, b.Version))
	})
	same := map[string]int{}
	for _, f := range files {
		same[strings.ToLower(f.Name)]++
	}
	taken := map[string]bool{}
	for name, n := range same {
		taken[name] = n == 1
	}
	numbers := map[string]int{} // by what the longest of them leaves of a name, so that none is tried twice
	for i := range files {
		f := &files[i]
		if same[strings.ToLower(f.Name)] == 1 {
			continue
		}
		day := domain.DayOf(f.Modified).String()
		name := marked(f.Name, day)
		for left := strings.ToLower(marked(f.Name, day+", 10000")); taken[strings.ToLower(name)]; {
			numbers[left]++
			name = marked(f.Name, fmt.Sprintf("%s, %d", day, numbers[left]+1))
		}
		taken[strings.ToLower(name)] = true
		f.Name = name
	}
	return files
}

// marked puts a text in parentheses before the extension of a name, which becomes no longer
// than domain.MaxFileName bytes.
func marked(name, mark string) string {
	extension := path.Ext(name)
	mark = " (" + mark + ")"
	base := strings.TrimSuffix(name, extension)
	if most := domain.MaxFileName - len(mark) - len(extension); len(base) > most {
		base = strings.ToValidUTF8(base[:max(0, most)], "")
	}
	return base + mark + extension
}

// fetch asks for something of mails, and calls each for every mail of which the server has
// it. Mails that have vanished are left out. After an error, the connection is of no use.
func (m *mailbox) fetch(uids []imap.UID, options *imap.FetchOptions, each func(*imapclient.FetchMessageData) error) error {
	cmd := m.client.Fetch(imap.UIDSetNum(uids...), options)
	for mail := cmd.Next(); mail != nil; mail = cmd.Next() {
		if err := each(mail); err != nil {
			if broken := m.wire.broken(); broken != nil { // so it has seen a part of the mail
				err = broken
			}
			_ = m.wire.Close() // so that cmd.Close has nothing to wait for
			_ = cmd.Close()
			return m.explain(err)
		}
	}
	if err := cmd.Close(); err != nil {
		return m.explain(err)
	}
	return nil
}

// whole reads a literal of at most the given number of bytes to its end. The library takes the end of the
// connection for the end of the literal.
func whole(literal imap.LiteralReader, most int64) ([]byte, error) {
	if literal == nil {
		return nil, nil
	}
	if literal.Size() > most {
		return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errLiteral}
	}
	text, err := io.ReadAll(literal)
	if err == nil && int64(len(text)) != literal.Size() {
		err = io.ErrUnexpectedEOF
	}
	return text, err
}

func (m *mailbox) read(_ context.Context, file ports.SourceFile, limit int64) ([]byte, error) {
	a, ok := file.Handle.(mailed)
	if !ok || a.validity != m.validity {
		return nil, &domain.ConnectorError{Rule: domain.ConnGone}
	}
	in := &chunks{mailbox: m, attachment: a}
	content, err := decoded(a.encoding, in)
	if err != nil {
		return nil, err
	}
	report, err := io.ReadAll(io.LimitReader(content, limit+1))
	switch _, damaged := errors.AsType[base64.CorruptInputError](err); {
	case err == nil:
		return report, nil
	case in.err == nil || errors.Is(in.err, io.EOF): // all of it is here
		if damaged {
			err = errDamaged
		}
		return nil, &domain.ConnectorError{Rule: domain.ConnReport, Cause: err}
	}
	return nil, in.err
}

// errDamaged says that an attachment is not encoded as its mail states.
var errDamaged = errors.New("imap: a damaged attachment")

// chunks reads an attachment, as it is encoded, chunk by chunk.
type chunks struct {
	*mailbox
	attachment mailed
	chunk      []byte // what has been fetched and not read
	offset     int64
	last       bool
	err        error // why no more can be read
}

func (c *chunks) Read(p []byte) (int, error) {
	for len(c.chunk) == 0 && c.err == nil {
		if c.last {
			c.err = io.EOF
		} else {
			c.chunk, c.err = c.next()
		}
	}
	if len(c.chunk) == 0 {
		return 0, c.err
	}
	n := copy(p, c.chunk)
	c.chunk = c.chunk[n:]
	return n, nil
}

// next fetches a chunk. A short one is the last, unless the server has stated that there is
// more.
func (c *chunks) next() ([]byte, error) {
	section := &imap.FetchItemBodySection{Part: c.attachment.part, Peek: true,
		Partial: &imap.SectionPartial{Offset: c.offset, Size: chunkBytes}}
	var chunk []byte
	there := false
	err := c.fetch([]imap.UID{c.attachment.uid}, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}},
		func(mail *imapclient.FetchMessageData) (err error) {
			for item := mail.Next(); item != nil; item = mail.Next() {
				if item, ok := item.(imapclient.FetchItemDataBodySection); ok && item.MatchCommand(section) {
					there = true
					if chunk, err = whole(item.Literal, chunkBytes); err != nil {
						return err
					}
				}
			}
			return nil
		})
	switch {
	case err != nil:
		return nil, err
	case !there:
		return nil, &domain.ConnectorError{Rule: domain.ConnGone}
	}
	c.offset += int64(len(chunk))
	c.last = len(chunk) == 0 || len(chunk) < chunkBytes && c.offset >= c.attachment.size
	return chunk, nil
}

// close does not end the connection, which is closed before.
func (m *mailbox) close() error {
	_ = m.client.Close() // says again what ended the connection
	return nil
}
