package wording

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports/peers"
)

// TestNoConnectorErrorIsWithoutWords holds that every rule of connectors has a whole
// sentence, with its values and without them, and that no rule has words that does not
// exist.
func TestNoConnectorErrorIsWithoutWords(t *testing.T) {
	rules := Texts(t, "connector_error.go", "Conn")
	worded, words := map[string]bool{}, New()
	connectors := words.connectors()
	for name := range entries(english("connections")) {
		kind := readConnectorKind(name)
		require.True(t, rules[string(kind.rule)], "no rule is called %s", kind.rule)
		if kind.connector != "" {
			require.Contains(t, connectors, kind.connector)
			continue
		}
		worded[string(kind.rule)] = true
	}
	for rule := range rules {
		require.True(t, worded[rule], "%s has no words", rule)
		for connector := range connectors {
			limit := int64(0)
			if strings.HasPrefix(rule, "many_") { // which always says how many
				limit = 7 << 20
			}
			for _, e := range []*domain.ConnectorError{
				{Rule: domain.ConnectorRule(rule), Connector: connector, Limit: limit},
				{Rule: domain.ConnectorRule(rule), Connector: connector, Source: 2, Setting: "host", File: "a.csv", Line: 3, Column: "AWB", Value: "v", Status: 500, Limit: 7 << 20, Days: 30, Wait: time.Minute},
			} {
				text := words.Message(e, surface(peers.Pages))
				require.Regexp(t, wholeSentence, text)
				require.NotEqual(t, rule, text)
				require.NotRegexp(t, regexp.MustCompile(`\b0 |""|  `), text, "a value that is not known is left out")
			}
		}
	}
	require.Equal(t, "unheard_of", say(peers.API, &domain.ConnectorError{Rule: "unheard_of"}))
}

func TestConnectorErrorsInEnglish(t *testing.T) {
	words := New()
	for want, e := range map[string]domain.ConnectorError{
		`Shopify refuses "Client secret": enter it again, or make a new one there`:                                                                                                                                                                   {Rule: domain.ConnRefused, Connector: "shopify", Setting: "client_secret"},
		"the SFTP server (source 2) refuses the credentials: check each of them, and enter them again":                                                                                                                                               {Rule: domain.ConnRefused, Connector: "sftp", Source: 2},
		`the mailbox (source 1) refuses "Password": check the user and the mail server too, and enter them again, or make a new password there`:                                                                                                      {Rule: domain.ConnRefused, Connector: "imap", Source: 1, Setting: "password"},
		"the passphrase that was entered for the SFTP server (source 1) does not open its private key: enter the one of this key":                                                                                                                    {Rule: domain.ConnRefused, Connector: "sftp", Source: 1, Setting: "passphrase"},
		`the SFTP server (source 1) refuses "Private key": check the user too, and enter them again`:                                                                                                                                                 {Rule: domain.ConnRefused, Connector: "sftp", Source: 1, Setting: "private_key"},
		`iThink Logistics (source 1) refuses "Secret key": enter it again, or make a new one there`:                                                                                                                                                  {Rule: domain.ConnRefused, Connector: "ithink", Source: 1, Setting: "secret_key"},
		"iThink Logistics (source 1) refuses the access token or the secret key: check both, and enter them again":                                                                                                                                   {Rule: domain.ConnRefused, Connector: "ithink", Source: 1},
		"the bucket (source 1) has not granted the permission list: grant it there, and test the connection again":                                                                                                                                   {Rule: domain.ConnScope, Connector: "s3", Source: 1, Value: "list"},
		"Shopify has not granted the app the scope read_orders: add it to the scopes of a new version of the app in the Dev Dashboard, release the version, accept it in the shop, and test the connection again":                                    {Rule: domain.ConnScope, Connector: "shopify", Value: "read_orders"},
		"WooCommerce lets this key read no orders: make a key with the permission Read whose user may see the shop's orders, and enter it":                                                                                                           {Rule: domain.ConnScope, Connector: "woocommerce"},
		"Shopify does not show orders that are as old as the first of the window: set the window to 59 days or less, or have the app granted the scope read_all_orders":                                                                              {Rule: domain.ConnSixtyDays, Connector: "shopify", Value: "read_all_orders", Limit: 59},
		"the SFTP server (source 1) has another host key than the one that was entered; its fingerprint is SHA256:abc: ask whoever runs the server whether its key was changed, and enter this fingerprint only if it was":                           {Rule: domain.ConnHostKey, Connector: "sftp", Source: 1, Value: "SHA256:abc"},
		"no host key was entered for the SFTP server (source 1); the fingerprint that it shows is SHA256:abc: compare it with the one that whoever runs the server names, and enter it":                                                              {Rule: domain.ConnNoHostKey, Connector: "sftp", Source: 1, Value: "SHA256:abc"},
		"the certificate of the mailbox (source 3) is not valid for its name: check whether its address is spelled as in the certificate, or have the certificate renewed":                                                                           {Rule: domain.ConnCertificate, Connector: "imap", Source: 3},
		`the certificate of WooCommerce is not valid for its name: check "Address of the shop", and whether its address is spelled as in the certificate, or have the certificate renewed`:                                                           {Rule: domain.ConnCertificate, Connector: "woocommerce", Setting: "url"},
		`WooCommerce has an address that is not public: check "Address of the shop", and give a host that the internet can reach`:                                                                                                                    {Rule: domain.ConnForbidden, Connector: "woocommerce", Setting: "url"},
		`the SFTP server (source 1) cannot be reached, or the connection broke: check "Host" and "Port", and whether the server is up; the next pass tries again`:                                                                                    {Rule: domain.ConnUnreachable, Connector: "sftp", Source: 1, Setting: "host"},
		`WooCommerce cannot be reached, or the connection broke: check "Address of the shop", and whether the server is up; the next pass tries again`:                                                                                               {Rule: domain.ConnUnreachable, Connector: "woocommerce", Setting: "url"},
		"the mailbox (source 1) cannot be reached, or the connection broke: check whether the server is up; the next pass tries again":                                                                                                               {Rule: domain.ConnUnreachable, Connector: "imap", Source: 1},
		"the bucket (source 1) refuses requests, because its clock and that of the machine that Milaan runs on are too far apart: have whoever runs them set both by the network (NTP), and enter nothing anew; the next pass tries again":           {Rule: domain.ConnClock, Connector: "s3", Source: 1},
		"the SFTP server (source 1) gave no answer within 30 seconds: check whether the server is up; the next pass tries again":                                                                                                                     {Rule: domain.ConnSlow, Connector: "sftp", Source: 1, Wait: 30 * time.Second},
		"the SFTP server (source 1) did not answer in time: check whether the server is up; the next pass tries again":                                                                                                                               {Rule: domain.ConnSlow, Connector: "sftp", Source: 1},
		"Shopify still asked to wait after 120 seconds, because it gets too many requests: see whether other programs use up what it allows; the next pass tries again":                                                                              {Rule: domain.ConnThrottled, Connector: "shopify", Wait: 2 * time.Minute},
		`WooCommerce gave an answer that Milaan cannot read, with the HTTP status 302: check "Address of the shop"; if that is right, the next pass tries again`:                                                                                     {Rule: domain.ConnAnswer, Connector: "woocommerce", Setting: "url", Status: 302},
		"iThink Logistics (source 1) gave an answer that Milaan cannot read, with the HTTP status 404: check its settings; if those are right, the next pass tries again":                                                                            {Rule: domain.ConnAnswer, Connector: "ithink", Source: 1, Status: 404},
		"Shopify has a fault of its own, as its answer with the HTTP status 503 says: it is for whoever runs it to repair, and nothing has to be changed here; the next pass tries again":                                                            {Rule: domain.ConnAnswer, Connector: "shopify", Status: 503},
		"iThink Logistics (source 1) gave an answer that Milaan cannot read: check its settings; if those are right, the next pass tries again":                                                                                                      {Rule: domain.ConnAnswer, Connector: "ithink", Source: 1},
		"Shopify left out a part of its list, or the list changed while it was read, so nothing was compared: the next pass tries again":                                                                                                             {Rule: domain.ConnPages, Connector: "shopify"},
		"Shopify has an order in USD, and Milaan counts in rupees alone: connect a shop that sells in rupees (INR)":                                                                                                                                  {Rule: domain.ConnCurrency, Connector: "shopify", Value: "USD"},
		"there are more than 50,000 orders in the window, the most that one pass compares: set the window to 37 days or less":                                                                                                                        {Rule: domain.ConnManyOrders, Connector: "shopify", Limit: 50_000, Days: 37},
		"there are more than 50,000 orders even in the shortest window, the most that one pass compares: export the orders of fewer days, and compare them by hand":                                                                                  {Rule: domain.ConnManyOrders, Connector: "shopify", Limit: 50_000},
		"the reports have more than 50,000 lines together, the most that one pass compares: set a shorter window, or patterns that choose fewer files":                                                                                               {Rule: domain.ConnManyLines, Limit: 50_000},
		"the SFTP server (source 1) has reports with more than 50,000 lines together, the most that one pass compares: set a shorter window, or a pattern that chooses fewer files":                                                                  {Rule: domain.ConnManyLines, Connector: "sftp", Source: 1, Limit: 50_000},
		"iThink Logistics (source 1) takes 120 seconds to answer for one day, and a pass has time for 36 days then: set the window to 36 days or less":                                                                                               {Rule: domain.ConnManyDays, Connector: "ithink", Source: 1, Wait: 2 * time.Minute, Limit: 36, Days: 36},
		"the sources have more than 250 files since the start of the window, the most that one pass reads: set a shorter window, or patterns that choose fewer files":                                                                                {Rule: domain.ConnManyFiles, Limit: 250},
		"the bucket (source 2) has more than 250 files since the start of the window, the most that one pass reads: set a shorter window, or a pattern that chooses fewer files":                                                                     {Rule: domain.ConnManyFiles, Connector: "s3", Source: 2, Limit: 250},
		`the SFTP server (source 2) has more than 10,000 files, old ones included, the most that Milaan looks through: have old files moved elsewhere, or choose "Folder" so that it has fewer`:                                                      {Rule: domain.ConnManyFiles, Connector: "sftp", Source: 2, Limit: 10_000, Setting: "folder"},
		`the bucket (source 2) has more than 64 MB to read with the file "a.csv", the most that one pass reads: set a shorter window, or a pattern that chooses fewer files`:                                                                         {Rule: domain.ConnManyBytes, Connector: "s3", Source: 2, Limit: 64 << 20, File: "a.csv"},
		"the orders or the reports have more than 64 MB together, the most that one pass reads: set a shorter window, or patterns that choose fewer files":                                                                                           {Rule: domain.ConnManyBytes, Limit: 64 << 20},
		`the mailbox (source 1) does not have what "Folder" names: check its spelling, letter case included, and that this user may see it`:                                                                                                          {Rule: domain.ConnNoFolder, Connector: "imap", Source: 1, Setting: "mailbox"},
		`the folder (source 1) has a file that is still growing, "cod.csv", so nothing was compared: the next pass tries again`:                                                                                                                      {Rule: domain.ConnGrowing, Connector: "folder", Source: 1, File: "cod.csv"},
		`the folder (source 1) listed the file "cod.csv", but no longer had it when it was to be read: the next pass tries again`:                                                                                                                    {Rule: domain.ConnGone, Connector: "folder", Source: 1, File: "cod.csv"},
		`the folder (source 1) has a file that cannot be read, "cod.csv", line 7, column "AWB": download it anew or correct it, and put it in the place of this one, or have it ignored; drop it on the page Reconcile to see what is wrong with it`: {Rule: domain.ConnReport, Connector: "folder", Source: 1, File: "cod.csv", Line: 7, Column: "AWB"},
		`the folder (source 1) has a file whose header Milaan does not know, "cod.csv": choose the courier of this source and the columns of its reports, or have the file ignored if it is no report`:                                               {Rule: domain.ConnHeader, Connector: "folder", Source: 1, File: "cod.csv"},
		`the mailbox (source 1) has an archive that cannot be unpacked, "cod.zip": it may be damaged, protected by a password, or hold more than one report; put the report itself in its place, or have the archive ignored if it has none`:         {Rule: domain.ConnArchive, Connector: "imap", Source: 1, File: "cod.zip"},
		"it is a picture":                {Rule: domain.ConnPicture, Connector: "sftp", Source: 1, File: "logo.png"},
		"a person has said to ignore it": {Rule: domain.ConnIgnored},
		"Shopify has orders that cannot be compared: check that the window has orders with dates and totals":                              {Rule: domain.ConnOrders, Connector: "shopify"},
		"the folder (source 1) cannot be used, because the operator of this service does not allow such connections: choose another kind": {Rule: domain.ConnNotAllowed, Connector: "folder", Source: 1},
		"the pass did not come to its end, because the service was stopped or the pass took too long: the next pass tries again":          {Rule: domain.ConnInterrupted},
		"unexpected error in the service, so nothing was compared: the next pass tries again; if it stays, ask for help":                  {Rule: domain.ConnFault},
		"carrier_pigeon (source 1) did not answer in time: check whether the server is up; the next pass tries again":                     {Rule: domain.ConnSlow, Connector: "carrier_pigeon", Source: 1},
	} {
		require.Equal(t, want, words.Message(&e, surface(peers.Pages)))
	}
}

// What a setting or a file is called may stand in a terminal.
func TestTextsOfOthersInConnectorErrorsAreVisible(t *testing.T) {
	require.Contains(t, say(peers.CommandLine, &domain.ConnectorError{Rule: domain.ConnGone, Connector: "sftp", File: "a\x1b[2J.csv"}), `"a\x1b[2J.csv"`)
	require.NotContains(t, say(peers.CommandLine, &domain.ConnectorError{Rule: domain.ConnHostKey, Connector: "sftp", Value: "a\x1b[2J"}), "\x1b")
}

func TestConnectorErrorsInHindi(t *testing.T) {
	l, words := NewLanguages(), New()
	in := func(e domain.ConnectorError) string {
		return l.In("hi").Message(&e, l.Names("hi"))
	}
	require.Equal(t, `Shopify "क्लाइंट सीक्रेट" स्वीकार नहीं करता: इसे फिर से डालें, या वहाँ नया बनाएँ`, in(domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shopify", Setting: "client_secret"}))
	require.Equal(t, `SFTP सर्वर (स्रोत 2) ने 30 सेकंड में उत्तर नहीं दिया: देखें कि सर्वर चल रहा है; अगला दौर फिर कोशिश करेगा`, in(domain.ConnectorError{Rule: domain.ConnSlow, Connector: "sftp", Source: 2, Wait: 30 * time.Second}))
	for name := range entries(english("connections")) {
		e := domain.ConnectorError{Rule: readConnectorKind(name).rule, Connector: "shopify", Source: 1}
		require.Regexp(t, wholeSentence, in(e))
		require.NotEqual(t, words.Message(&e, surface(peers.Pages)), in(e))
	}
}

func TestSettingsHaveLabelsAndHints(t *testing.T) {
	l := NewLanguages()
	for _, code := range []string{"en", "hi"} {
		words := l.Settings(code)
		for connector, w := range New().connectors() {
			require.NotEmpty(t, words.Connector(connector))
			for name := range w.Settings {
				label, hint := words.Setting(connector, name)
				require.NotEqual(t, name, label, "%s of %s has no label", name, connector)
				require.NotRegexp(t, `[.:]$`, hint)
			}
		}
	}
	label, hint := l.Settings("en").Setting("shopify", "unheard_of")
	require.Equal(t, "unheard_of", label)
	require.Empty(t, hint)
	require.Equal(t, "unheard_of", l.Settings("en").Connector("unheard_of"))
	label, hint = l.Settings("hi").Setting("woocommerce", "consumer_key")
	require.Equal(t, "कंज़्यूमर कुंजी", label)
	require.Contains(t, hint, "ck_")
}
