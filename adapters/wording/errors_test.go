package wording

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports/peers"
)

// surface has the names of the API or of the command line.
type surface peers.Surface

func (s surface) Surface() peers.Surface { return peers.Surface(s) }
func (surface) File(_ domain.File, report int) string {
	if report > 0 {
		return fmt.Sprint("report ", report)
	}
	return "the file"
}
func (surface) Field(f *domain.Fault) string { return fmt.Sprintf("<%v %d>", f.Field, f.Job) }

func (surface) Column(_ int, role domain.Role, column string) string {
	return role.String() + "=" + column
}

var sayEnglish = sync.OnceValue(New)

func say(s peers.Surface, err error) string {
	return sayEnglish().Message(err, surface(s))
}

// wholeSentence is one with words, and without anything of the table's own; afterAField is
// one that begins with the name of a field.
var (
	wholeSentence = regexp.MustCompile(`^[^{}\[\]]+ [^{}\[\]]+ [^{}\[\]]+$`)
	afterAField   = regexp.MustCompile(`^<[a-z_]* 0> [^{}\[\]]+ [^{}\[\]]+ [^{}\[\]]+$`)
)

// Texts returns the values of the constants of domain whose names begin so. No two of
// them may be the same.
func Texts(t *testing.T, file, beginning string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for name, literal := range constants(t, file, beginning) {
		text, err := strconv.Unquote(literal)
		require.NoError(t, err, name)
		require.False(t, found[text], "%s stands for two constants", text)
		found[text] = true
	}
	require.NotEmpty(t, found)
	return found
}

// TestNoErrorIsWithoutWords holds that every code, detail and rule of the domain has
// a whole sentence on each surface.
func TestNoErrorIsWithoutWords(t *testing.T) {
	used := map[string]bool{"": true}
	known := map[string]bool{string(domain.CodeField): true, string(domain.CodeConnector): true} // have those of their faults and rules
	for name := range entries(english("errors")) {
		kind := readErrorKind(name)
		known[string(kind.code)], known[string(kind.detail)] = true, true
		for _, s := range []peers.Surface{peers.API, peers.CommandLine, peers.Pages} {
			text := say(s, &domain.Error{Code: kind.code, Detail: kind.detail, Value: "null", Day: 20_000, Limit: 7, Bytes: 25 << 20})
			require.Regexp(t, wholeSentence, text)
			require.NotEqual(t, string(kind.code), text)
		}
	}
	for name := range entries(english("fields")) {
		kind := readFaultKind(name)
		known[string(kind.rule)] = true
		for _, s := range []peers.Surface{peers.API, peers.CommandLine, peers.Pages} {
			text := say(s, domain.Faults{{Field: kind.field, Rule: kind.rule, Options: []string{"a", "b"}}}.Err())
			if kind.rule != domain.RuleType || kind.field != domain.FieldColumns { // which shows an object
				require.Regexp(t, afterAField, text)
			}
		}
	}
	for file, beginnings := range map[string][]string{"errors.go": {"Code", "Detail"}, "fault.go": {"Rule"}} {
		for _, beginning := range beginnings {
			for value := range Texts(t, file, beginning) {
				require.True(t, known[value], "%s has no words", value)
				used[value] = true
			}
		}
	}
	for value := range known {
		require.True(t, used[value], "english.json has words for %s, which nothing is called", value)
	}
	require.Equal(t, "unheard_of", say(peers.API, &domain.Error{Code: "unheard_of"}))
	require.Equal(t, "<brand 0> unheard_of", say(peers.API, domain.Faults{{Field: domain.FieldBrand, Rule: "unheard_of"}}.Err()))
	require.Empty(t, say(peers.API, errors.New("nobody's")))
}

func TestErrorsInEnglish(t *testing.T) {
	december := domain.Cycle{Start: domain.DayFromDate(2026, time.December, 1), End: domain.DayFromDate(2027, time.January, 1)}
	for want, err := range map[string]error{
		"Run limit of 10/month reached; the next cycle begins on 2027-01-01":                                                                                                                                              domain.ErrRunCap(10, december, time.Time{}),
		"Run limit of 50/day reached with the sandbox key; the next day begins on 2026-11-22, at midnight in India":                                                                                                       domain.ErrSandboxRuns(time.Date(2026, time.November, 21, 10, 0, 0, 0, domain.Kolkata)),
		"the account has 20 batches under way: wait until one is complete, then send this one again":                                                                                                                      domain.ErrOpenBatches,
		"the account's batches keep 2 GiB of files and results, the most that an account may: results are deleted some time after their batch is complete; wait for that, then send this batch again, or send fewer jobs": domain.ErrKeptResults,
		"request body larger than 25 MB (26,214,400 bytes): send fewer jobs in one batch":                                                                                                                                 &domain.Error{Code: domain.CodeBodyTooLarge, Detail: domain.DetailBatch, Bytes: 25 << 20},
		"the request body must be a JSON object, not an array":                                                                                                                                                            domain.ErrBody(domain.DetailNoObject, "array"),
		"the request body is not valid JSON: unexpected end (at byte 9)":                                                                                                                                                  fmt.Errorf("read: %w", domain.ErrBody(domain.DetailSyntax, "unexpected end (at byte 9)")),
		"the service cannot reach its database; no run was counted: retry after 5 seconds":                                                                                                                                domain.ErrDatabase.Caused(errors.New("no route to db-7")),
		"session tokens come from https://login.example: sign in there":                                                                                                                                                   &domain.Error{Code: domain.CodeSession, Detail: domain.DetailElsewhere, Value: "https://login.example"},
	} {
		require.Equal(t, want, say(peers.API, err))
	}
	require.Equal(t, "Given up: the service broke down 5 times while it was running this job. Export both files anew and send the job again; if it is given up again, ask for help and name the batch_id", say(peers.API, domain.ErrJobGivenUp))
	require.Equal(t, "the account has no webhook endpoint: set one with milaan webhook set", say(peers.CommandLine, domain.ErrNoWebhook))
	require.NotContains(t, say(peers.API, domain.ErrNoWebhook), "milaan webhook")
	require.Equal(t, "the account has no branding of its own, so documents are marked as Milaan's: set one with milaan account brand set", say(peers.CommandLine, domain.ErrNoBranding))
	require.Equal(t, "the account has no such run: it may have been deleted when its time was over; the history lists those that are kept", say(peers.Pages, domain.ErrNoRun))
	require.Equal(t, "the account has no saved mapping for this courier: the list of saved mappings shows which there are", say(peers.Pages, domain.ErrNoMapping))
	require.Equal(t, "the account has no API key: create one", say(peers.Pages, domain.ErrNoKey))
	require.Equal(t, "this service has no sandbox: use an API key", say(peers.API, domain.ErrNoSandbox))
	require.Equal(t, "this service has no sandbox (MILAAN_SANDBOX): use an API key", say(peers.CommandLine, domain.ErrNoSandbox))
	require.Equal(t, "the account's API key is another one by now: look at it again, and then repeat what you wanted to do", say(peers.Pages, domain.ErrKeyChanged))
	require.Equal(t, "this sign-in link was used before, has expired or is not one of ours: make another one with milaan session --link", say(peers.Pages, domain.ErrLink))
	require.Equal(t, "the identity provider did not sign you in, or it took longer than 10 minutes: sign in again", say(peers.Pages, domain.ErrPerson))
	require.Equal(t, "you are not signed in, or your session has ended: sign in", say(peers.Pages, domain.ErrSignedOut))
	require.Equal(t, "the pages take neither API keys nor session tokens: send the request to the API without /app, or sign in", say(peers.Pages, &domain.Error{Code: domain.CodeSignedOut, Detail: domain.DetailBearer}))
	require.Equal(t, "the request does not come from a page of this service: open the page again and repeat it there", say(peers.Pages, &domain.Error{Code: domain.CodeCrossOrigin}))
	require.Equal(t, "the request is larger than 65,536 bytes, and no page sends such a one: load the page again", say(peers.Pages, &domain.Error{Code: domain.CodeBodyTooLarge, Detail: domain.DetailPage, Bytes: 64 << 10}))
	require.Equal(t, "the request body is larger than 65,536 bytes: send the fields that are described, and nothing else", say(peers.API, &domain.Error{Code: domain.CodeBodyTooLarge, Detail: domain.DetailPage, Bytes: 64 << 10}))
	require.Equal(t, "documents of one's own brand need the Pro or the Enterprise plan: upgrade the account", say(peers.API, domain.ErrBrandingPlan))
	require.Equal(t, "session tokens come from https://login.example (MILAAN_OIDC_ISSUER): sign in there",
		say(peers.CommandLine, &domain.Error{Code: domain.CodeSession, Detail: domain.DetailElsewhere, Value: "https://login.example"}))
}

// TestErrorsOfTheAutopilotInEnglish holds what is said about connections and kept files.
func TestErrorsOfTheAutopilotInEnglish(t *testing.T) {
	for want, err := range map[string]error{
		"the account has no such connection: it may have been removed; the list shows those that there are":                                                                domain.ErrNoConnection,
		"the account has 50 connections, the most that it may have: remove one that is not needed, and then add this one":                                                  domain.ErrConnections,
		"another connection of the account has this brand: change that one, or give this one another brand":                                                                domain.ErrBrandTaken,
		"the autopilot needs the Pro or the Enterprise plan: upgrade the account":                                                                                          domain.ErrAutopilotPlan,
		"a pass of this connection is under way or waits for its turn: wait until it has ended":                                                                            domain.ErrPassRunning,
		"this link is not one of ours: open the link of the latest mail, or switch mails off under Autopilot, after signing in":                                            domain.ErrMailLink,
		"the connection keeps no such file: it may have been removed, or deleted when its time was over; the list shows those that there are":                              domain.ErrNoKeptFile,
		"the connection keeps as many files as it may, 200 or 64 MB together: remove older ones, and then upload this one":                                                 domain.ErrKeptFiles,
		"<setting 0> must be entered again, because the connection leads to another place or another user now, and what is stored is not sent there":                       domain.Faults{{Field: domain.FieldSetting, Rule: domain.RuleAgain}}.Err(),
		"<setting 0> is not a setting of this kind; its settings are host, port":                                                                                           domain.Faults{{Field: domain.FieldSetting, Rule: domain.RuleSetting, Options: []string{"host", "port"}}}.Err(),
		"<setting 0> must look like x.myshopify.com":                                                                                                                       domain.Faults{{Field: domain.FieldSetting, Rule: domain.RuleForm, Value: "x.myshopify.com"}}.Err(),
		"<setting 0> must be a path within the folder of your account, such as remittances/2026, without / at its beginning":                                               domain.Faults{{Field: domain.FieldSetting, Rule: domain.RuleLocal}}.Err(),
		"<pattern 0> is no pattern of file names: write one such as *.csv, in which * stands for any text and ? for one character":                                         domain.Faults{{Field: domain.FieldPattern, Rule: domain.RulePattern}}.Err(),
		"<sources 0> must have 1 to 20 entries: add at least one report source":                                                                                            domain.Faults{{Field: domain.FieldSources, Rule: domain.RuleTooFew, Min: 1, Max: 20}}.Err(),
		"<confirm 0> must be the e-mail address of the account: closing it deletes everything that is stored of it, and nobody can bring that back":                        domain.Faults{{Field: domain.FieldConfirm, Rule: domain.RuleConfirm}}.Err(),
		"<marks 0> would make the notes of this connection's open items longer than 2097152 bytes together: shorten or clear some of them":                                 domain.Faults{{Field: domain.FieldMarks, Rule: domain.RuleNotes, Max: domain.MaxNotes}}.Err(),
		"<file 0> may have at most 26214400 bytes: upload reports of a shorter time":                                                                                       domain.Faults{{Field: domain.FieldFile, Rule: domain.RuleFileBytes, Max: 25 << 20}}.Err(),
		"<window_days 0> must be a whole number from 30 to 60":                                                                                                             domain.Faults{domain.OutOfBounds(domain.FieldWindowDays)}.Err(),
		"<setting 0> has the host 10.0.0.1, which does not resolve, or has addresses that are not public: check its spelling, and give a host that the internet can reach": domain.Faults{{Field: domain.FieldSetting, Rule: domain.RulePublic, Value: "10.0.0.1"}}.Err(),
	} {
		require.Equal(t, want, say(peers.API, err))
	}
	require.Equal(t, "the account has no such connection: milaan connection list shows those that there are", say(peers.CommandLine, domain.ErrNoConnection))
	for _, surface := range []peers.Surface{peers.API, peers.CommandLine, peers.Pages} {
		require.Equal(t, "<brand 0> is missing: name the brand under which the runs are filed", say(surface, domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleMissing}}.Err()))
	}
}

// TestErrorsOfPhonesInEnglish holds what is said about phone numbers and their codes.
func TestErrorsOfPhonesInEnglish(t *testing.T) {
	for want, err := range map[string]error{
		"this code does not verify the number: it is wrong, has expired or was used, or too many wrong ones were tried: ask for a new code": domain.ErrPhoneGuess(0),
		"this code does not verify the number: compare it with the latest message, or ask for a new code; tries left: 4":                    domain.ErrPhoneGuess(4),
		"this service sends no phone codes: ask its operator to verify the number":                                                          domain.ErrPhoneCodesOff,
		"the code could not be sent: check the number, and ask for a new code in a minute":                                                  domain.ErrPhoneUnsent,
		"the code was not sent: check the number, and ask for a new code; if that fails too, ask who runs this service":                     domain.ErrPhoneRefused,
		"<number 0> must be a mobile number of India: +91 and ten digits, such as +91 98765 43210":                                          domain.Faults{{Field: domain.FieldPhoneNumber, Rule: domain.RulePhone}}.Err(),
		"<code 0> must be the 6 digits of the message":                                                                                      domain.Faults{{Field: domain.FieldPhoneCode, Rule: domain.RulePhoneCode, Max: 6}}.Err(),
	} {
		require.Equal(t, want, say(peers.API, err))
	}
	require.Equal(t, "this service sends no phone codes: set MILAAN_OTP, or verify the number in another way and say so with milaan account set --phone-verified",
		say(peers.CommandLine, domain.ErrPhoneCodesOff))
}

// Whoever asks for a pass on the command line does not use the API.
func TestAnAccountThatMayNotRunIsToldSoOnTheCommandLine(t *testing.T) {
	for want, err := range map[string]error{
		"the account's phone number is not verified: verify it in the dashboard, or say with milaan account set --phone-verified that it is":        domain.ErrPhone,
		"the account's subscription has ended: renew it, or say with milaan account set --subscription active that it is renewed":                   domain.ErrSubscription,
		"the account's setup is not complete: finish it in the dashboard, or say with milaan account set --subscription active that it is complete": domain.ErrSetup,
	} {
		require.Equal(t, want, say(peers.CommandLine, err))
	}
}

func TestFaultsInEnglish(t *testing.T) {
	for want, f := range map[string]domain.Fault{
		"<brand 3> is missing: name the brand that the job is for":                                                                                {Field: domain.FieldBrand, Rule: domain.RuleMissing, Job: 3},
		"<endpoint 0> must be given: the https:// URL that is to be called":                                                                       {Field: domain.FieldEndpoint, Rule: domain.RuleMissing},
		"<jobs 0> must be an array of 1 to 20 jobs, not an object":                                                                                {Field: domain.FieldJobs, Rule: domain.RuleType, Min: 1, Max: 20, Value: "object"},
		`<columns 0> must be an object whose values are strings, such as {"awb": "Docket No"}`:                                                    {Field: domain.FieldColumns, Rule: domain.RuleType, Value: "array"},
		"<reports 0> must be an array of 1 to 20 reports, not a string":                                                                           {Field: domain.FieldReports, Rule: domain.RuleType, Min: 1, Max: 20, Value: "string"},
		"<reports 0> must be a JSON object, not null":                                                                                             {Field: domain.FieldReports, Rule: domain.RuleObject, Report: 2, Value: "null"},
		"<reports 0> and courier cannot both be given: send one report as courier, or several as reports":                                         {Field: domain.FieldReports, Rule: domain.RuleEither},
		"<columns 0> cannot stand beside several reports: give it in each of them":                                                                {Field: domain.FieldColumns, Rule: domain.RuleInEach},
		"<reports 0> must have 1 to 20 entries: send at least one report":                                                                         {Field: domain.FieldReports, Rule: domain.RuleTooFew, Min: 1, Max: 20},
		"<reports 0> has more than 20 entries: send the others in another run, or join those of one courier to one file":                          {Field: domain.FieldReports, Rule: domain.RuleTooMany, Max: 20},
		"<include 0> must be an array of names: payouts, lines":                                                                                   {Field: domain.FieldInclude, Rule: domain.RuleType, Value: "string", Options: []string{"payouts", "lines"}},
		`<include 0> has an unknown name "payout"; what can be included is payouts, lines`:                                                        {Field: domain.FieldInclude, Rule: domain.RuleOneOf, Value: "payout", Options: []string{"payouts", "lines"}},
		"<courier_name 0> must be at most 100 characters, none of them a control character":                                                       {Field: domain.FieldCourierName, Rule: domain.RuleLabel, Max: 100},
		"<courier_name 0> must be one of dtdc, custom":                                                                                            {Field: domain.FieldCourierName, Rule: domain.RuleOneOf, Options: []string{"dtdc", "custom"}},
		"<brand 0> begins with sandbox: and asks for an error that the sandbox does not have; it has a, b":                                        {Field: domain.FieldBrand, Rule: domain.RuleOneOf, Options: []string{"a", "b"}},
		"<plan 0> must be solo, pro or enterprise":                                                                                                {Field: domain.FieldPlan, Rule: domain.RuleOneOf, Options: []string{"solo", "pro", "enterprise"}},
		"<minor_gap 0> must be a whole number from 0 to 10":                                                                                       domain.OutOfBounds(domain.FieldMinorGap),
		"<billing_day 0> must be a day of the month, 1 to 31":                                                                                     domain.OutOfBounds(domain.FieldBillingDay),
		"<run_cap 0> must be 0 or more":                                                                                                           {Field: domain.FieldRunCap, Rule: domain.RuleLeast},
		"<columns 0> has more than 9 entries; the roles are " + domain.RoleNames():                                                                {Field: domain.FieldColumns, Rule: domain.RuleTooMany, Max: 9},
		"<columns 0> has an unknown role \"a\uFFFD\"; the roles are " + domain.RoleNames():                                                        {Field: domain.FieldColumns, Rule: domain.RuleRole, Value: "a\xff"},
		"<columns 0> names no column for the role cod_amount: name one, or leave the role out":                                                    {Field: domain.FieldColumns, Rule: domain.RuleBlank, Role: domain.RoleCODAmount},
		"<to 0> must be no earlier than the first day, 2026-09-01":                                                                                {Field: domain.FieldTo, Rule: domain.RuleNotBefore, Day: day(9, 1)},
		"<after 0> is not the id of a run that is listed: begin with the first page again":                                                        {Field: domain.FieldAfter, Rule: domain.RuleCursor},
		"<subscribed_on 0> must be no later than today, 2026-09-01":                                                                               {Field: domain.FieldSubscribedOn, Rule: domain.RuleNotPast, Day: day(9, 1)},
		"<session_time 0> must be 1s to 24h":                                                                                                      {Field: domain.FieldSessionTime, Rule: domain.RuleTime, Min: 1, Max: 24},
		"<endpoint 0> has 2049 bytes and may have at most 2048: give a shorter URL":                                                               {Field: domain.FieldEndpoint, Rule: domain.RuleLength, Value: "2049", Max: 2048},
		"<endpoint 0> has a host of more than 253 characters: DNS has no such names":                                                              {Field: domain.FieldEndpoint, Rule: domain.RuleHostLength, Max: 253},
		"<endpoint 0> has a host, shop.example, whose name servers do not answer: try again, or check them":                                       {Field: domain.FieldEndpoint, Rule: domain.RuleNameServers, Value: "shop.example"},
		"<export 0> is missing: send the storefront's orders export as a file in a part of this name":                                             {Field: domain.FieldStorefront, Rule: domain.RuleNoFile},
		"<report 0> is missing: send the courier's remittance report as a file in a part of this name":                                            {Field: domain.FieldCourier, Rule: domain.RuleNoFile},
		"<brand 0> is given more than once: send it once":                                                                                         {Field: domain.FieldBrand, Rule: domain.RuleTwice},
		"<request_key 0> is there more than once: send one such header, or none":                                                                  {Field: domain.FieldRequestKey, Rule: domain.RuleTwice},
		"<courier_name 0> is given neither once nor as often as report: send it once for all reports, or once for each of the 3 in their order":   {Field: domain.FieldCourierName, Rule: domain.RulePerReport, Max: 3},
		"<format 0> is missing: name the format of the document, one of xlsx, pdf":                                                                {Field: domain.FieldFormat, Rule: domain.RuleMissing, Options: []string{"xlsx", "pdf"}},
		"<format 0> must be xlsx or pdf":                                                                                                          {Field: domain.FieldFormat, Rule: domain.RuleOneOf, Options: []string{"xlsx", "pdf"}},
		"<book_ledger 0> must not begin with =, +, - or @, because spreadsheets would take it for a formula":                                      {Field: domain.FieldBookLedger, Rule: domain.RuleLedgerName, Value: "bank"},
		"<branding_name 0> must be at most 100 characters, none of them a control character":                                                      {Field: domain.FieldBrandingName, Rule: domain.RuleLabel, Max: 100},
		"<branding_footer 0> must be one line of at most 200 characters":                                                                          {Field: domain.FieldBrandingFooter, Rule: domain.RuleLine, Max: 200},
		"<branding_colour 0> must be a colour such as #1A4F8B: red, green and blue in hexadecimal":                                                {Field: domain.FieldBrandingColour, Rule: domain.RuleColour},
		"<branding_colour 0> is #FFEE00, which is too light to be read on white paper: give a darker colour, with a contrast of 4.5 to 1 or more": {Field: domain.FieldBrandingColour, Rule: domain.RuleContrast, Value: "#FFEE00"},
		"<branding_logo 0> must be a picture as PNG or JPEG that is whole":                                                                        {Field: domain.FieldBrandingLogo, Rule: domain.RuleImage},
		"<branding_logo 0> must be a picture of at most 256 KiB: save a smaller one":                                                              {Field: domain.FieldBrandingLogo, Rule: domain.RuleImageBytes, Max: 256},
		"<branding_logo 0> must be a picture of at most 4000000 pixels, width times height: save a smaller one":                                   {Field: domain.FieldBrandingLogo, Rule: domain.RulePixels, Max: 4_000_000},
		"<endpoint 0> has the host 127.0.0.1, which does not resolve, or has addresses that are not public: check its spelling, and give an endpoint that the internet can reach (endpoints on this machine are allowed with MILAAN_WEBHOOK_ALLOW_LOOPBACK=true)": {Field: domain.FieldEndpoint, Rule: domain.RulePublic, Value: "127.0.0.1", Loopback: true},
		"<endpoint 0> has the host away.example, which does not resolve, or has addresses that are not public: check its spelling, and give an endpoint that the internet can reach":                                                                              {Field: domain.FieldEndpoint, Rule: domain.RulePublic, Value: "away.example"},
	} {
		require.Equal(t, want, say(peers.API, domain.Faults{f}.Err()))
	}
	misfit := domain.Fault{Field: domain.FieldColumns, Rule: domain.RuleMisfit, Role: domain.RoleCODAmount, Value: "Amt"}
	require.Equal(t, `<columns 0> names "Amt" for cod_amount, which must be one column of the report's header and have no other role: `+
		"copy its name from the header", say(peers.API, domain.Faults{misfit}.Err()))
	both := domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleCustom}, domain.OutOfBounds(domain.FieldOwnOverdueDays)}.Err()
	require.Equal(t, `<columns 0> is accepted only with courierName "custom"; <own_overdue_days 0> must be 1 to 30`, say(peers.API, both))
	require.Equal(t, `<columns 0> is accepted only with --courier custom; <own_overdue_days 0> must be 1 to 30, or none`, say(peers.CommandLine, both))
	require.Equal(t, `<own_overdue_days 0> must be 1 to 30, or 0 for the usual number of days`, say(peers.Pages, domain.Faults{domain.OutOfBounds(domain.FieldOwnOverdueDays)}.Err()))
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 26_214_400: "26,214,400", 1_000_001: "1,000,001"} {
		require.Equal(t, want, thousands(n))
	}
}
