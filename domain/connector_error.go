package domain

import "time"

// ConnectorRule says what went wrong with a shop or a report source. Its text is for
// programs and never changes. The comments name the values of the ConnectorError that
// belong to it.
type ConnectorRule string

// The rules.
const (
	ConnRefused ConnectorRule = "refused" // the credentials; Setting: which, if that is known
	ConnScope   ConnectorRule = "scope"   // Value: the scope or permission that is missing
	// the window reaches further back than the shop shows; Value: the scope that is missing, Limit: days
	ConnSixtyDays   ConnectorRule = "sixty_days"
	ConnHostKey     ConnectorRule = "host_key"    // the server has another host key than the pinned one; Value: its fingerprint
	ConnNoHostKey   ConnectorRule = "no_host_key" // no host key is pinned; Value: the fingerprint of the server's
	ConnCertificate ConnectorRule = "certificate" // the server's certificate is not valid for its name
	ConnForbidden   ConnectorRule = "forbidden"   // the host has an address that is not public
	ConnUnreachable ConnectorRule = "unreachable" // no connection, or it broke
	ConnClock       ConnectorRule = "clock"       // its clock and that of this machine are too far apart
	ConnSlow        ConnectorRule = "slow"        // no answer in time; Wait: how long was waited
	ConnThrottled   ConnectorRule = "throttled"   // and it did not end; Wait: how long was waited
	ConnAnswer      ConnectorRule = "answer"      // an answer that nobody understands; Status: of HTTP, 0: none
	ConnPages       ConnectorRule = "pages"       // a page is missing, or the pages changed while they were read
	ConnCurrency    ConnectorRule = "currency"    // an order is not in rupees; Value: the currency
	ConnManyOrders  ConnectorRule = "many_orders" // Limit: how many there may be, Days: the window that would do
	ConnManyLines   ConnectorRule = "many_lines"  // Limit, Days: the window that would do; 0: none
	// there is no time to ask for every day of the window; Wait: for one, Limit: days that there is time
	// for, Days: the window that would do; 0: none
	ConnManyDays   ConnectorRule = "many_days"
	ConnManyFiles  ConnectorRule = "many_files"  // Limit
	ConnManyBytes  ConnectorRule = "many_bytes"  // Limit: bytes
	ConnNoFolder   ConnectorRule = "no_folder"   // the folder, mailbox or bucket does not exist; Setting
	ConnGrowing    ConnectorRule = "growing"     // File
	ConnGone       ConnectorRule = "gone"        // File vanished between the list and the download
	ConnReport     ConnectorRule = "report"      // File cannot be read; Line, Column
	ConnHeader     ConnectorRule = "header"      // File has a header that nobody knows
	ConnMappings   ConnectorRule = "mappings"    // File has a header that several named mappings have
	ConnArchive    ConnectorRule = "archive"     // File is an archive that cannot be unpacked within the limits
	ConnOrders     ConnectorRule = "orders"      // the shop's orders cannot be compared
	ConnNotAllowed ConnectorRule = "not_allowed" // the operator does not allow this connector
	ConnFormer     ConnectorRule = "former"      // the settings are of an earlier version, and not accepted any more; Setting
	ConnLeftOut    ConnectorRule = "left_out"    // all mails with reports are left out; only a test says so

	// ConnNoAuthServID says that nobody has confirmed the id of the server that checks senders;
	// Value: the one that it writes. Only a test says so.
	ConnNoAuthServID ConnectorRule = "no_authserv_id"

	ConnInterrupted ConnectorRule = "interrupted" // processes died at the pass, or its time is over
	ConnFault       ConnectorRule = "fault"       // a fault of the service; only the log says more

	// The rest are why a mail is left out, see LeftOutMail.

	ConnShownName     ConnectorRule = "shown_name"    // the sender is in the shown name, and the address is another one
	ConnFrom          ConnectorRule = "from"          // the header From does not have exactly one address
	ConnNoResult      ConnectorRule = "no_result"     // the mail server has written no result of its check
	ConnOtherID       ConnectorRule = "other_id"      // the topmost result is not of the confirmed id; Value: of which one
	ConnUnproven      ConnectorRule = "unproven"      // neither DMARC nor a signature of the sender's domain has passed
	ConnContradiction ConnectorRule = "contradiction" // the mail server's results contradict each other

	// These are why a file is left out, see IsLeftOut.

	ConnPicture   ConnectorRule = "picture"
	ConnPDF       ConnectorRule = "pdf"
	ConnCard      ConnectorRule = "card"       // a signature of a mail, an invitation or a contact
	ConnText      ConnectorRule = "text"       // a text without a table
	ConnPacked    ConnectorRule = "packed"     // an archive with nothing but such files
	ConnOrderList ConnectorRule = "order_list" // an export of a storefront: of orders
	ConnCustomers ConnectorRule = "customers"  // of customers
	ConnProducts  ConnectorRule = "products"   // of products or their stock
	ConnIgnored   ConnectorRule = "ignored"    // a person has said so
	ConnOlder     ConnectorRule = "older"      // a newer file of the same name counts, as the source's settings say
	ConnNoMore    ConnectorRule = "no_more"    // an earlier pass has compared it, and the source has it no more
)

// IsLeftOut says whether a rule is why a file is not compared although nothing is wrong: it is
// plainly no report, a person has said to ignore it, a newer one counts, or it is gone (guide: autopilot).
func (r ConnectorRule) IsLeftOut() bool {
	switch r {
	case ConnPicture, ConnPDF, ConnCard, ConnText, ConnPacked, ConnOrderList, ConnCustomers, ConnProducts, ConnIgnored, ConnOlder, ConnNoMore:
		return true
	}
	return false
}

// ConnectorError is what is wrong with a shop or a report source, as values. It has no
// secret, and nothing of an order.
type ConnectorError struct {
	Rule      ConnectorRule
	Connector Connector
	Source    int    // the report source, from 1; 0: the shop, or the pass as a whole
	Setting   string // name of the setting that must be corrected; blank: none
	File      string // name of the file, shortened
	Line      int
	Column    string // name of the column
	Value     string // as the rule says, shortened
	Status    int
	Limit     int64
	Days      int
	Wait      time.Duration
	Cause     error // for the log alone; is not stored
}

// Error returns a text for the log. It repeats nothing of a file or of a setting.
func (e *ConnectorError) Error() string {
	text := string(CodeConnector) + " " + string(e.Connector) + "/" + string(e.Rule)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

func (e *ConnectorError) Unwrap() error { return e.Cause }

// NeedsAttention says whether no pass can succeed until a person changes something, so that
// no further one is made.
func (e *ConnectorError) NeedsAttention() bool {
	switch e.Rule {
	case ConnRefused, ConnScope, ConnHostKey, ConnNoHostKey, ConnFormer:
		return true
	}
	return false
}

// IsFaultOfOthers says whether the shop or the source has answered that the fault is its own, as
// with the HTTP status 503. Nothing that was entered has to do with it.
func (e *ConnectorError) IsFaultOfOthers() bool { return e.Rule == ConnAnswer && e.Status >= 500 }

// LeftOutMail is a mail with reports that a source does not take, because it is not proven that
// it is from the sender who was entered.
type LeftOutMail struct {
	At    time.Time // when it came
	Rule  ConnectorRule
	Value string // as the rule says, shortened
	From  string // its address, shortened; only a test has it, and it is not stored
}

func (m LeftOutMail) Failure() *ConnectorError { return &ConnectorError{Rule: m.Rule, Value: m.Value} }

// MaxLeftOut is how many of these mails are listed of a source, the latest ones.
const MaxLeftOut = 10
