package service

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// contract says which test holds which point of the interface specification
// (sections 1 to 9), and of section 5 of the decisions (D5). The test's name
// begins with the sections that it holds.
//
// One thing of the contract cannot be held here: Solo's caps cannot be met over
// an API that is closed to Solo.
var contract = []struct{ section, point, test string }{
	{"1", "HTTPS only", "TestTransport/1 with a certificate the service speaks HTTPS, and HTTP/2"},
	{"1", "one result per order", "TestResponse/1 2.2 results has one element per order"},
	{"1", "the demo needs no account and has rows of seven flags", "TestDemo/1 4.2 the demo needs nothing and has seven flags"},
	{"1", "the sample covers Feb-Mar 2026", "TestDemo/1 the sample covers February and March 2026"},

	{"2.1", "shopify", "TestRequest/2.1 shopify and courier are required"},
	{"2.1", "courier", "TestRequest/2.1 shopify and courier are required"},
	{"2.1", "at most 50,000 rows each", "TestSizes/2.1 7 8 50,000 rows are accepted and one more is a 400, in each file"},
	{"2.1", "courierName: optional identifier", "TestRequest/2.1 courierName is optional and one of the catalogue"},
	{"2.1", "courierName: stored in audit history", "TestRequest/2.1 courierName and brand are stored in the audit history"},
	{"2.1", "courierName: saves mappings on Enterprise", "TestMappings/2.1 on Enterprise a mapping is saved and used again with its courierName"},
	{"2.1", "courierName: no effect on Pro", "TestMappings/2.1 on Pro courierName has no effect on the mapping"},
	{"2.1", "saved mappings are the account's own", "TestIsolation/2.1 another account's mapping is not used"},
	{"2.1", "brand", "TestRequest/2.1 brand is free text with the default default"},
	{"2.1", "overdue_threshold_days", "TestRequest/2.1 overdue_threshold_days is 1 to 30 with the default 7"},
	{"2.1", "minor_gap_threshold", "TestRequest/2.1 minor_gap_threshold is 0 to 10 with the default 2"},

	{"2.2", "duplicate, run_id", "TestResponse/2.2 duplicate and run_id are there only for a duplicate"},
	{"2.2", "what is identical", "TestDuplicates/2.2 duplicates have user, brand, courierName, row counts and flag counts in common"},
	{"2.2", "within 30 s", "TestDuplicates/2.2 8 a run is a duplicate up to exactly 30 s after the first"},
	{"2.2", "30 s from the first run", "TestDuplicates/2.2 a duplicate does not prolong the 30 s"},
	{"2.2", "results are still returned, the run does not count", "TestDuplicates/2.2 4.1 8 a duplicate is not stored, not counted and succeeds at the cap"},
	{"2.2", "a run was seen only if it succeeded", "TestDuplicates/2.2 a run that failed is no first run"},
	{"2.2", "same user", "TestIsolation/2.2 another account's run is no first run"},

	{"2.3", "all fields", "TestResponse/2.3 every result has its ten fields"},
	{"2.3", "awb, order_id", "TestResponse/2.3 order_id and awb are as the files write them"},
	{"2.3", "cod_amount, remitted, shortfall", "TestResponse/2.3 amounts are numbers of rupees with at most two decimals"},
	{"2.3", "days_overdue, flag, flag_reason", "TestFlags/2.5 every row has one flag with its shortfall and its days overdue"},
	{"2.3", "status", "TestResponse/2.3 status is the fulfilment status"},
	{"2.3", "match_mode", "TestResponse/2.3 match_mode is awb, or order_id where the storefront knows no AWB"},
	{"2.3", "unknown flags are no errors", "TestPages/2.3 9 clients are told to expect new flags"},

	{"2.4", "offset_days, offset_source", "TestGuidance/2.4 offset_days and offset_source say what decides, explicit or default"},
	{"2.4", "batch_as_of", "TestGuidance/2.4 batch_as_of is the most recent order date"},
	{"2.4", "courier_coverage_complete", "TestGuidance/2.4 coverage is complete from guaranteed_coverage_days after batch_as_of"},
	{"2.4", "courier_data_through", "TestGuidance/2.4 courier_data_through is the latest date of the courier file or null"},
	{"2.4", "guaranteed_coverage_days", "TestGuidance/2.4 8 guaranteed_coverage_days is 14 or the threshold if that is higher"},
	{"2.4", "awaiting_next_cycle_count", "TestGuidance/2.4 awaiting_next_cycle_count counts the rows that wait"},
	{"2.4", "always present", "TestGuidance/decisions 4 cycle_guidance is in every answer of POST reconcile"},

	{"2.5", "the eight flags", "TestFlags/2.5 every row has one flag with its shortfall and its days overdue"},
	{"2.5", "the threshold itself", "TestFlags/2.5 the minor gap itself is a MINOR_DIFF"},
	{"2.5", "awaiting is not at risk", "TestFlags/2.5 AWAITING_NEXT_CYCLE is not at risk"},

	{"2.6", "key, prefix", "TestKeys/2.6 4.3 the answer is a live key and its prefix"},
	{"2.6", "only the hash is stored", "TestKeys/2.6 only the SHA-256 of a key is stored"},
	{"2.6", "one active key", "TestKeys/2.6 4.3 5 a new key is the only one, and the old one dies at once"},
	{"2.7", "the payload", "TestRunWebhook/2.7 6 every stored run is announced once, in five fields"},

	{"2.8", "ok, batch_id, jobs, status, estimated_completion_ms", "TestBatchRequest/2.8 4.4 a batch is answered at once with its receipt"},
	{"2.8", "jobs: required, at most 20", "TestBatchRequest/2.8 8 1 to 20 jobs"},
	{"2.8", "jobs: a required brand", "TestBatchRequest/2.8 brand is required in every job"},
	{"2.8", "jobs: the fields of POST /reconcile", "TestBatchRequest/2.8 every job has the fields of POST reconcile under their rules"},
	{"2.8", "all errors at once", "TestBatchRequest/2.8 all errors of a batch are one message with the index of each job"},
	{"2.8", "all or nothing", "TestBatchRequest/2.8 a batch is taken as a whole or not at all"},
	{"2.8", "413", "TestBatchRequest/2.8 7 8 the whole body is at most 25 MB"},
	{"2.8", "one request", "TestBatchRequest/2.8 8 a batch counts as one request for the rate"},
	{"2.8", "order of checks", "TestOrderOfChecks/decisions 5 the size comes before the JSON"},
	{"2.8", "the cap of runs", "TestBatchRequest/2.8 a batch is not held to the run cap, which is each job's own"},
	{"2.8", "webhook_url: optional", "TestBatchWebhook/2.8 webhook_url is a string or null"},
	{"2.8", "webhook_url: none", "TestBatchWebhook/2.8 without webhook_url nobody is called"},
	{"2.8", "webhook_url: called once with the full results", "TestBatchWebhook/2.8 6 webhook_url is called once all jobs are complete, with the full results and signed"},
	{"2.8", "webhook_url: one retry", "TestBatchWebhook/2.8 6 the call has the same one retry"},
	{"2.8", "results", "TestBatchRuns/2.8 4.4 results come in the order sent, each as POST reconcile would have answered"},
	{"2.8", "failing jobs", "TestBatchRuns/2.8 a job that fails on its files ends with its error, and the others go on"},
	{"2.8", "caps", "TestBatchRuns/2.8 8 the cap holds inside a batch: a job over it ends with the message, the others go on"},
	{"2.8", "duplicates", "TestBatchRuns/2.2 2.8 duplicates are found in a batch, and between batches and POST reconcile"},

	{"3", "awaiting to missing or overdue", "TestFlags/3 AWAITING_NEXT_CYCLE becomes MISSING or OVERDUE when coverage is complete"},
	{"3", "awaiting to reconciled", "TestFlags/3 AWAITING_NEXT_CYCLE becomes RECONCILED with the money"},

	{"4", "JSON in and out", "TestRequest/4 a POST takes and gives JSON"},
	{"4", "the endpoints", "TestPages/4 the endpoints of the contract are in the description"},
	{"4.1", "counts against the cap", "TestCaps/4.1 8 a cap that was raised holds at once"},
	{"4.2", "shape of the demo", "TestDemo/4.2 the demo has the shape of a live run and only results"},
	{"4.2", "no authentication", "TestDemo/4.2 5 the demo takes no notice of keys"},
	{"4.2", "rate per IP", "TestDemoRate/4.2 8 the twenty-first request in 60 s is refused and blocks the IP for 60 s"},
	{"4.3", "an active subscription with API access", "TestSessions/4.3 keys need an active Pro or Enterprise subscription"},
	{"4.3", "a session token", "TestSessions/4.3 a session token is needed"},
	{"4.3", "of this service", "TestSessions/4.3 a session token for somebody else, or from somebody else, is rejected"},
	{"4.3", "that has not expired", "TestSessions/4.3 5 a session token expires"},
	{"4.3", "or of the identity provider", "TestOpenID/4.3 a session token of the provider issues a key"},
	{"4.3", "that is for this service", "TestOpenID/4.3 a token for another client, from elsewhere or of yesterday is rejected"},
	{"4.3", "and of no one else beside it", "TestOpenID/4.3 tokens of the built-in issuer are not accepted beside a provider"},
	{"4.3", "not of a closed account", "TestOpenID/4.3 a token from before an account was closed is not for one that is made anew"},
	{"4.3", "a live key is rejected", "TestSessions/4.3 5 a live key is rejected where keys are issued"},
	{"4.3", "no body", "TestSessions/4.3 there is no request body, and one that comes is not read"},
	{"4.3", "one account's keys only", "TestIsolation/4.3 another account's new key changes nothing"},
	{"4.4", "POST /reconcile/batch", "TestBatchRequest/2.8 4.4 a batch is answered at once with its receipt"},
	{"4.4", "queued, processing, complete", "TestBatchStatus/2.8 4.4 a batch is queued, then processing, then complete with its results"},
	{"4.4", "full results when done", "TestBatchRuns/2.8 4.4 results come in the order sent, each as POST reconcile would have answered"},
	{"4.4", "the account's own", "TestBatchStatus/4.4 5 the status is for the account alone"},
	{"4.4", "polling", "TestBatchStatus/4.4 8 polling has its own window, 60 in 60 s, and no block"},
	{"4.4", "HEAD", "TestBatchStatus/4.4 HEAD is GET without the body"},
	{"4.4", "410", "TestBatchStatus/4.4 results are deleted after the retention, and the answer is 410"},
	{"4.4", "the retention is a setting", "TestRetention/4.4 MILAAN_BATCH_RETENTION says when the results of a batch are deleted"},
	{"4.5", "the six couriers", "TestColumns/4.5 the columns of the six couriers are detected"},
	{"4.5", "the header decides", "TestColumns/4.5 the courierName does not choose the columns"},
	{"4.5", "custom", "TestMappings/4.5 custom takes columns on Pro"},

	{"5", "401", "TestErrors/7 5 401 for a key that is missing, malformed or not ours"},
	{"5", "all brands of the account", "TestKeys/5 a key has access to all brands of its account"},
	{"5", "phone", "TestErrors/7 5 403 for an ended subscription, an incomplete setup, no Pro access and an unverified phone"},
	{"5", "phone, by a code", "TestPhones/5 a phone is verified by a code, by a page and by a program"},
	{"5", "phone, by the identity provider", "TestOpenID/5 a phone that the provider has verified opens the API"},
	{"6", "Enterprise", "TestRunWebhook/6 Enterprise only"},
	{"6", "no field of a request configures it", "TestPages/2.7 6 no field of a request turns a webhook on"},
	{"6", "where an endpoint may be", "TestForbiddenEndpoints/6 an endpoint has a public https address"},
	{"6", "after every completed run", "TestRunWebhook/2.7 6 every stored run is announced once, in five fields"},
	{"6", "from any source", "TestRunWebhook/6 runs of a batch are announced as well"},
	{"6", "none for what is not stored", "TestRunWebhook/6 a duplicate and a failed run are not announced"},
	{"6", "5 s, one retry, non-2xx is a failure", "TestFailedDeliveries/6 8 one POST and one retry: non-2xx, a timeout of 5 s, a redirect and a reset are failures"},
	{"6", "a retry that is taken", "TestTheSecondAttemptMaySucceed/6 the retry may succeed"},
	{"6", "X-Milaan-Sig", "TestRunWebhook/6 X-Milaan-Sig is the hex HMAC-SHA256 of the raw body by the signing secret"},
	{"6", "rotation of the secret", "TestRunWebhook/6 for 24 h after a rotation both secrets sign"},

	{"7", "the body of an error", "TestErrors/7 400 for a body that is no JSON object"},
	{"7", "400: JSON", "TestErrors/7 400 for a body that is no JSON object"},
	{"7", "400: missing column", "TestErrors/7 400 names the missing column"},
	{"7", "400: ambiguous column", "TestErrors/7 400 names the ambiguous column and every candidate"},
	{"7", "400: cell", "TestErrors/7 400 for a cell that cannot be read names file, line, column and value"},
	{"7", "403: subscription, setup, plan", "TestErrors/7 5 403 for an ended subscription, an incomplete setup, no Pro access and an unverified phone"},
	{"7", "413", "TestSizes/7 8 a body of 25 MB is accepted and a byte more is a 413"},
	{"7", "415", "TestErrors/7 415 for a POST that is not application/json"},
	{"7", "415: said twice, or compressed", "TestErrors/7 415 for a POST that says twice what its body is, or that it is compressed"},
	{"7", "429: rate", "TestKeyRate/7 8 the eleventh request in 60 s is refused and blocks the key for 300 s"},
	{"7", "429: runs", "TestCaps/7 the message has the exact limit of the account"},
	{"7", "500", "TestFaults/7 500 says nothing of the cause to the caller and all to the log"},

	{"8", "all of a body counts", "TestSizes/8 a large unknown field is counted and passed over"},
	{"8", "a rolling window", "TestKeyRate/8 the window rolls: at exactly 60 s the first request counts no more"},
	{"8", "of 60 s", "TestKeyRate/8 a microsecond before 60 s the first request still counts"},
	{"8", "a block of 5 minutes", "TestKeyRate/8 requests during a block do not prolong it"},
	{"8", "per key", "TestIsolation/8 another account's requests do not count"},
	{"8", "no X-RateLimit headers", "TestKeyRate/7 8 the eleventh request in 60 s is refused and blocks the key for 300 s"},
	{"8", "the demo's window", "TestDemoRate/8 the window of the demo rolls"},
	{"8", "Pro", "TestCaps/8 Pro has 10 runs a month"},
	{"8", "Solo", "TestCaps/8 Solo has 2 runs a month, 4 if subscribed before September 2026"},
	{"8", "Pro before the update", "TestCaps/8 Pro subscribed before September 2026 has 16 runs a month"},
	{"8", "until plan change", "TestCaps/8 the older cap is lost on a change of plan"},
	{"8", "per account", "TestIsolation/8 another account's runs do not count"},
	{"8", "reset", "TestCycle/8 the cap is reset on the billing day at 00:00 in Asia/Kolkata"},

	{"9", "v1", "TestPages/9 the interface is v1, and no path or header says so"},

	{"D5", "Enterprise", "TestCaps/decisions 5 Enterprise has no cap unless the account has one"},
	{"D5", "verified e-mail", "TestSessions/decisions 5 an unverified e-mail address or no account is an incomplete setup"},
	{"D5", "verified e-mail, by the identity provider", "TestOpenID/decisions 5 the provider must have verified the e-mail address"},
	{"D5", "addresses that only look alike", "TestOpenID/decisions 5 another address that looks alike in lower case is another person's"},
	{"D5", "one key after many rotations", "TestKeys/decisions 5 keys issued at the same time leave one key"},
	{"D5", "5 keys in 60 s, no block", "TestKeys/decisions 5 the sixth key within 60 s is refused, and nothing is blocked"},
	{"D5", "5 keys exactly", "TestKeys/decisions 5 of 64 that ask for a key at once five get one"},
	{"D5", "what counts towards the rate of keys", "TestKeys/decisions 5 what is refused earlier does not count towards the rate of keys"},
	{"D5", "a new key inherits window and block", "TestKeys/decisions 5 a new key inherits the window and the block of the one that it replaces"},
	{"D5", "and the polls", "TestKeys/decisions 5 a new key inherits the polls of the one that it replaces"},
	{"D5", "a clock that was ahead", "TestKeys/decisions 5 a clock that was ahead locks no key out"},
	{"D5", "revoked keys are deleted", "TestKeys/decisions 5 a key revoked 30 days ago is deleted, and refused as before"},
	{"D5", "order: 415, 401", "TestOrderOfChecks/decisions 5 the media type comes before the key"},
	{"D5", "order: 401, phone", "TestOrderOfChecks/decisions 5 the key comes before the phone"},
	{"D5", "order: phone, subscription", "TestOrderOfChecks/decisions 5 the phone comes before the subscription and the plan"},
	{"D5", "order: subscription, plan", "TestOrderOfChecks/decisions 5 the subscription comes before the plan"},
	{"D5", "order: plan, rate", "TestOrderOfChecks/decisions 5 subscription and plan come before the rate"},
	{"D5", "order: rate, 413", "TestOrderOfChecks/decisions 5 the rate comes before the size"},
	{"D5", "order: 413, 400", "TestOrderOfChecks/decisions 5 the size comes before the JSON"},
	{"D5", "order: 400, cap", "TestOrderOfChecks/decisions 5 JSON and fields come before the run cap"},
	{"D5", "order: cap, files", "TestOrderOfChecks/decisions 5 the run cap comes before the files"},
	{"D5", "order: 400, 409", "TestOrderOfChecks/decisions 5 JSON and fields come before the Idempotency-Key"},
	{"D5", "order: 409, cap", "TestOrderOfChecks/decisions 5 the Idempotency-Key comes before the run cap and the files"},
	{"D5", "Idempotency-Key", "TestRequestKeys/decisions 5 the same request under the same key is answered again and not done again"},
	{"D5", "Idempotency-Key: another request", "TestRequestKeys/decisions 5 a key stands for one request"},
	{"D5", "Idempotency-Key: duplicates", "TestRequestKeys/decisions 5 a first request may be a duplicate itself"},
	{"D5", "Idempotency-Key: batches", "TestRequestKeys/decisions 5 a batch is taken once under a key"},
	{"D5", "Idempotency-Key: what it may be", "TestRequestKeys/decisions 5 a key is 1 to 255 printable characters, once"},
	{"D5", "Idempotency-Key: the rate", "TestRequestKeys/decisions 5 repeats count towards the rate"},
	{"D5", "Idempotency-Key: mappings", "TestRequestKeys/decisions 5 a repeat saves no mapping"},
	{"D5", "Idempotency-Key: 24 h", "TestRequestKeys/decisions 5 request keys are forgotten after 24 h"},
	{"D5", "Idempotency-Key: under way", "TestRequestKeysUnderWay/decisions 5 while the first is under way the answer is 409"},
	{"D5", "Idempotency-Key: lost", "TestRequestKeysUnderWay/decisions 5 who has lost the key meanwhile stores nothing"},
	{"D5", "Idempotency-Key: gone", "TestRequestKeysUnderWay/decisions 5 a client that goes away leaves no trace of its key"},
	{"D5", "Idempotency-Key: failed", "TestFailuresLeaveNoTraceOfTheirKey/decisions 5 a request that failed leaves no trace of its key"},
	{"D5", "Idempotency-Key: under load", "TestRequestKeysUnderLoad/decisions 5 of equal requests at once one is made"},
	{"D5", "Idempotency-Key: any load", "TestRequestKeysUnderLoad/decisions 5 as many runs are stored as keys have succeeded"},
	{"D5", "Idempotency-Key: per account", "TestIsolation/decisions 5 another account's Idempotency-Key is another key"},
	{"D5", "forms: order", "TestOrderOfChecks/decisions 5 the form and its fields come before the Idempotency-Key, the run cap and the files"},
	{"D5", "forms: runs", "TestForms/decisions 5 a run by a form counts, is stored, and is repeated by its Idempotency-Key"},
	{"D5", "forms: the rate", "TestForms/decisions 5 forms count towards the rate of POST /reconcile"},
	{"2.2", "forms: duplicates", "TestForms/2.2 a form and JSON that say the same are duplicates"},
	{"2.2", "forms: per account", "TestIsolation/2.2 decisions 5 another account's form is no first run, and its Idempotency-Key another key"},
	{"D5", "what counts towards the rate", "TestKeyRate/decisions 5 what passes the checks before the rate counts, whatever its outcome"},
	{"D5", "what does not", "TestKeyRate/decisions 5 what is refused earlier does not count"},
	{"D5", "the cap under load", "TestCapUnderLoad/decisions 5 a cap is exact when many ask at once"},
	{"D5", "the rate under load", "TestCapUnderLoad/decisions 5 a rate is exact when many ask at once"},
	{"D5", "duplicates under load", "TestCapUnderLoad/decisions 5 of identical runs at once one is stored"},
	{"D5", "state survives a restart", "TestRestart/decisions 5 keys, rates, caps, duplicates, mappings and sessions outlive a restart"},
	{"D5", "refused runs do not count", "TestCaps/decisions 5 a refused or faulty run is not counted"},
	{"D5", "X-Request-Id, X-Run-Id", "TestResponse/decisions 5 a stored run is named by X-Run-Id, every answer by X-Request-Id"},
	{"D5", "unknown fields", "TestRequest/decisions 5 unknown fields are ignored"},
	{"D5", "404 and 405", "TestErrors/decisions 5 404 and 405 have the error body"},
	{"D5", "HTTPS behind a proxy", "TestTransport/1 decisions 5 behind a proxy only what came over HTTPS is let in"},
	{"D5", "clients' addresses", "TestDemoRate/decisions 5 the addresses of clients are not kept"},
	{"D5", "nothing kept: errors", "TestNothingIsKept/decisions 5 an error quotes the file to its sender"},
	{"D5", "nothing kept: database", "TestNothingIsKept/decisions 5 nothing of the files, no key and no session is in the database"},
	{"D5", "nothing kept: log", "TestNothingIsKept/decisions 5 nothing of the files, no key and no session is in the log"},
	{"D5", "nothing kept: batches", "TestNothingOfABatchIsReadable/decisions 5 inputs and results of a batch are sealed at rest"},
	{"D5", "nothing kept: disk", "TestNothingIsKept/decisions 5 nothing of the files, no key and no session is on the disk"},
}

// TestContractIsHeld keeps the table true: every test in it exists, every
// subtest that names a section of the contract or section 5 of the decisions is
// in it, and no section is without a test.
func TestContractIsHeld(t *testing.T) {
	t.Parallel()
	exist := subtests(t)
	var listed, sections []string
	for _, p := range contract {
		require.Contains(t, exist, p.test, p.point)
		listed, sections = append(listed, p.test), append(sections, p.section)
	}
	named := regexp.MustCompile(`/(\d(\.\d)? |decisions 5 )`)
	for _, test := range exist {
		if named.MatchString(test) {
			require.Contains(t, listed, test, "it is missing in the table")
		}
	}
	for _, section := range strings.Fields("1 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 3 4.1 4.2 4.3 4.4 4.5 5 6 7 8 9 D5") {
		require.Contains(t, sections, section)
	}
}

// subtests lists the subtests of this package as the source has them.
func subtests(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var all []string
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 2 {
					return true
				}
				method, isMethod := call.Fun.(*ast.SelectorExpr)
				name, isLiteral := call.Args[0].(*ast.BasicLit)
				if isMethod && isLiteral && method.Sel.Name == "Run" {
					text, err := strconv.Unquote(name.Value)
					require.NoError(t, err)
					all = append(all, f.Name.Name+"/"+text)
				}
				return true
			})
		}
	}
	slices.Sort(all)
	return all
}
