package sources

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sethvargo/go-retry"
	"golang.org/x/sync/errgroup"

	"milaan/domain"
	"milaan/ports"
)

const (
	settingAccessToken = "access_token"
	settingBaseURL     = "base_url"
)

// ithinkURL is where iThink's API is.
const ithinkURL = "https://my.ithinklogistics.com"

// ithinkConnector is the API of iThink Logistics. It tells the lines of the payouts of one
// day at a time, and each day with any is a file. What the payouts were reduced by is asked
// of another part of the API and is not needed: no flag depends on it.
func ithinkConnector(clock ports.Clock) connector {
	return connector{
		ConnectorInfo: ports.ConnectorInfo{
			ID: "ithink", Name: "iThink Logistics",
			Settings: []ports.SettingInfo{
				{Name: settingAccessToken, Required: true, Secret: true, Exact: true},
				{Name: settingSecretKey, Required: true, Secret: true, Exact: true},
				{Name: settingBaseURL, Default: ithinkURL, Development: true},
			},
		},
		checks: map[string]ports.SettingCheck{settingBaseURL: checkURL},
		host:   func(s domain.Settings) (string, string) { return hostOf(ithinkServer(s)) },
		limits: ithinkLimits,
		open: func(ctx context.Context, network *network, access ports.SourceAccess) (place, error) {
			return openIThink(ctx, network, access, clock)
		},
	}
}

// ithinkServer returns where the API is, also where there is no setting for it.
func ithinkServer(s domain.Settings) string { return cmp.Or(s[settingBaseURL], ithinkURL) }

// ithinkLimits gives the API time: it takes up to two minutes for an answer, and a list needs
// one for each day. 18 minutes do for 45 days, four at a time, if an answer takes 90 seconds.
func ithinkLimits(l Limits) Limits {
	l.Idle *= 5
	l.OpenBytes *= 64
	l.Open *= 3
	l.List *= 6
	return l
}

const (
	ithinkAtOnce  = 4       // requests
	ithinkRetries = 2       // of one request
	ithinkBytes   = 8 << 20 // of one answer
	ithinkMost    = 400     // days that are asked for
	// ithinkTest is how long a test may ask for days besides today. A person waits for it.
	ithinkTest = 30 * time.Second
)

// ithink is the API, signed in.
type ithink struct {
	client  *http.Client
	url     string
	token   string
	secret  string
	pause   time.Duration // before a request is made again
	limit   time.Duration // of a list
	testing bool
	took    time.Duration // the answer for today
	today   domain.Day    // in India, when it was opened
	latest  []byte        // the report of that day; nil: there is none
}

// openIThink asks for today's payouts, so that refused credentials show at once.
func openIThink(ctx context.Context, network *network, access ports.SourceAccess, clock ports.Clock) (place, error) {
	s := access.Source.Settings
	u, ok := serverURL(ithinkServer(s))
	if !ok {
		return nil, &domain.ConnectorError{Rule: domain.ConnRefused, Setting: settingBaseURL}
	}
	api := &ithink{
		client: network.client(u.Hostname()),
		url:    u.Scheme + "://" + u.Host + "/api_v3/remittance/get_details.json", token: s[settingAccessToken], secret: s[settingSecretKey],
		pause: network.limits.Pause, limit: network.limits.List, testing: access.Testing, today: domain.DayOf(clock()),
	}
	var err error
	began := time.Now()
	if api.latest, err = api.day(ctx, api.today); err != nil {
		return nil, err
	}
	api.took = time.Since(began)
	return api, nil
}

// tooMany returns the error of a list of days for which there is no time, if an answer takes as long as
// that: it says how many there is time for.
func (i *ithink) tooMany(answer time.Duration) error {
	fits := int(i.limit/max(answer, time.Millisecond)) * ithinkAtOnce
	e := &domain.ConnectorError{Rule: domain.ConnManyDays, Wait: answer, Limit: int64(fits)}
	if fits >= domain.MinWindowDays {
		e.Days = fits
	}
	return e
}

// rounds is how long a number of days takes.
func rounds(days int, answer time.Duration) time.Duration {
	return time.Duration((max(days, 0)+ithinkAtOnce-1)/ithinkAtOnce) * answer
}

// list fetches the reports too, because their content is their version. If the API is so slow that there
// is no time for all of them, it fails when half of the time is over, and says which window would do. A
// test says so at once, and asks for as many of the latest days as a person waits for.
func (i *ithink) list(ctx context.Context, q query) (files []ports.SourceFile, err error) {
	from := domain.DayOf(q.since)
	if i.today-from >= ithinkMost {
		return nil, &domain.ConnectorError{Rule: domain.ConnManyFiles, Limit: ithinkMost}
	}
	days := int(i.today - from)
	if i.testing {
		if rounds(days, i.took) > i.limit {
			return nil, i.tooMany(i.took)
		}
		days = min(days, int(ithinkTest/max(i.took, time.Millisecond))*ithinkAtOnce)
		from = i.today - domain.Day(days)
	}
	began, answers, waited := time.Now(), 0, time.Duration(0)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(ithinkAtOnce)
	var mu sync.Mutex
	for day := from; day < i.today; day++ {
		group.Go(func() error {
			asked := time.Now()
			report, err := i.day(ctx, day)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if report != nil {
				files = append(files, i.file(day, report))
			}
			answers, waited = answers+1, waited+time.Since(asked)
			answer, gone := waited/time.Duration(answers), time.Since(began)
			// Those that are under way may come at any moment. An answer that takes longer than a quarter
			// of the time is none that an API gives.
			left := days - answers - (ithinkAtOnce - 1)
			if gone > i.limit/2 && answer <= i.limit/4 && gone+rounds(left, answer) > i.limit {
				return i.tooMany(answer)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if from <= i.today && i.latest != nil {
		files = append(files, i.file(i.today, i.latest))
	}
	return files, nil
}

// file returns the file of a day. Payouts can still be added to today's.
func (i *ithink) file(day domain.Day, report []byte) ports.SourceFile {
	sum := sha256.Sum256(report)
	return ports.SourceFile{
		Name: "ithink-" + day.String() + ".csv", Version: hex.EncodeToString(sum[:]), Modified: (day + 1).Start().Add(-time.Second),
		Bytes: int64(len(report)), Settled: day < i.today, Content: report,
	}
}

func (i *ithink) read(_ context.Context, file ports.SourceFile, limit int64) ([]byte, error) {
	switch {
	case file.Content == nil:
		return nil, &domain.ConnectorError{Rule: domain.ConnGone}
	case int64(len(file.Content)) > limit:
		return nil, &domain.ConnectorError{Rule: domain.ConnManyBytes}
	}
	return slices.Clone(file.Content), nil
}

func (i *ithink) close() error { return nil }

// day returns the report of a day; nil: nothing was paid.
func (i *ithink) day(ctx context.Context, day domain.Day) ([]byte, error) {
	backoff := retry.WithMaxRetries(ithinkRetries, retry.NewExponential(i.pause))
	return retry.DoValue(ctx, backoff, func(ctx context.Context) ([]byte, error) { return i.ask(ctx, day) })
}

// ask makes the request for a day once. An error that may pass by itself is retryable.
func (i *ithink) ask(ctx context.Context, day domain.Day) ([]byte, error) {
	body, err := json.Marshal(map[string]any{"data": map[string]string{
		"access_token": i.token, "secret_key": i.secret, "remittance_date": day.String(),
	}})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, i.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := i.client.Do(request)
	if err != nil {
		return nil, again(ctx, err)
	}
	defer response.Body.Close()
	failure := &domain.ConnectorError{Rule: domain.ConnAnswer, Status: response.StatusCode}
	switch status := response.StatusCode; {
	case status == http.StatusOK, status == http.StatusBadRequest: // the body says more
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		failure.Rule = domain.ConnRefused
		return nil, failure
	case status == http.StatusTooManyRequests:
		failure.Rule = domain.ConnThrottled
		return nil, retry.RetryableError(failure)
	case status >= http.StatusInternalServerError:
		return nil, retry.RetryableError(failure)
	default:
		return nil, failure
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, ithinkBytes+1))
	switch {
	case err != nil:
		return nil, again(ctx, err)
	case len(text) > ithinkBytes:
		return nil, &domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: ithinkBytes}
	}
	report, err := ithinkReport(text, day)
	if err == nil && response.StatusCode != http.StatusOK {
		return nil, failure
	}
	return report, err
}

// again makes an error of the connection retryable, unless it stays the same. net/http has
// errors without a type for connections that broke.
func again(ctx context.Context, err error) error {
	if final(err) || ctx.Err() != nil {
		return err
	}
	if ruleOf(err) == domain.ConnAnswer {
		err = &domain.ConnectorError{Rule: domain.ConnUnreachable, Cause: hushed(err)}
	}
	return retry.RetryableError(err)
}

// What is wrong with an answer of iThink, for the log.
var (
	errIThinkForm   = errors.New("ithink: the answer is not the JSON that was asked for")
	errIThinkStatus = errors.New("ithink: the answer states an error")
)

// ithinkAnswer is an answer as iThink documents it. Numbers come as texts, and some texts as
// numbers.
type ithinkAnswer struct {
	Status      json.RawMessage `json:"status_code"`
	HTMLMessage json.RawMessage `json:"html_message"`
	Message     json.RawMessage `json:"message"`
	Data        json.RawMessage `json:"data"`
}

// ithinkParcel is a line of a payout as iThink documents it.
type ithinkParcel struct {
	AWB       json.RawMessage `json:"airway_bill_no"`
	Order     json.RawMessage `json:"order_no"`
	Price     json.RawMessage `json:"price"`
	Delivered json.RawMessage `json:"delivered_date"`
}

type ithinkLine struct{ awb, order, price, delivered string }

// ithinkReport makes a report of the answer for a day, with the columns of the file that
// iThink's panel gives; nil: nothing was paid on that day. The day is that of the payout. The
// order of the lines does not matter, so they are sorted: the same lines are the same report.
func ithinkReport(text []byte, day domain.Day) ([]byte, error) {
	lines, err := ithinkLines(text)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	slices.SortStableFunc(lines, func(a, b ithinkLine) int {
		return slices.Compare([]string{a.awb, a.order, a.price, a.delivered}, []string{b.awb, b.order, b.price, b.delivered})
	})
	var report bytes.Buffer
	w := csv.NewWriter(&report)
	date := day.Start().Format("02-Jan-2006")
	records := [][]string{{"Order No.", "AWB NO.", "Price", "Remittance Date", "Delivered Date"}}
	for _, l := range lines {
		records = append(records, []string{l.order, l.awb, l.price, date, l.delivered})
	}
	if err := w.WriteAll(records); err != nil {
		return nil, err
	}
	return report.Bytes(), nil
}

// ithinkLines reads the lines of an answer. One that states an error is refused credentials if
// it speaks of them, and else an answer that nobody understands. It does not tell which of the
// two is wrong: what it says about a wrong key is not documented.
func ithinkLines(text []byte) (lines []ithinkLine, err error) {
	noSense := &domain.ConnectorError{Rule: domain.ConnAnswer, Status: http.StatusOK, Cause: errIThinkForm}
	var answer ithinkAnswer
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, noSense
	}
	switch status := textOf(answer.Status); {
	case status == "200":
	case status == "401", status == "403", speaksOfCredentials(textOf(answer.HTMLMessage)), speaksOfCredentials(textOf(answer.Message)):
		return nil, &domain.ConnectorError{Rule: domain.ConnRefused}
	default:
		return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Status: http.StatusOK, Cause: errIThinkStatus}
	}
	in := json.NewDecoder(bytes.NewReader(answer.Data))
	if start, err := in.Token(); err != nil || start != json.Delim('[') {
		return nil, noSense
	}
	for in.More() {
		var p ithinkParcel
		if err := in.Decode(&p); err != nil {
			return nil, noSense
		}
		if len(lines) == domain.MaxRows {
			return nil, &domain.ConnectorError{Rule: domain.ConnManyLines, Limit: domain.MaxRows}
		}
		line := ithinkLine{awb: textOf(p.AWB), order: textOf(p.Order), price: textOf(p.Price), delivered: textOf(p.Delivered)}
		if line.awb == "" && line.order == "" || line.price == "" {
			return nil, noSense
		}
		if strings.HasPrefix(line.delivered, "0000-00-00") { // how its database writes that there is none
			line.delivered = ""
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// speaksOfCredentials says whether a message of iThink is about the token or the key. It has
// one status for every error.
func speaksOfCredentials(message string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc([]string{"token", "secret", "credential", "unauthor", "authent"},
		func(word string) bool { return strings.Contains(message, word) })
}

// textOf returns a JSON text or number as text; blank for anything else.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return strings.TrimSpace(text)
	}
	var number json.Number
	if json.Unmarshal(value, &number) == nil {
		return number.String()
	}
	return ""
}
