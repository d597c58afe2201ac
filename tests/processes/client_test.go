package processes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The two files that every run of these tests is about: three orders, one of
// them short-paid and one missing.
const (
	orders = "Name,Email,Created at,Fulfilled at,Financial Status,Fulfillment Status,Payment Method,Total,Tracking Number\n" +
		"#ORDER-77001,asha.buyer@example.com,2026-02-03 11:22:33 +0530,2026-02-04 09:00:00 +0530,pending,fulfilled,Cash on Delivery (COD),1899.00,19041200302349\n" +
		"#ORDER-77002,,2026-02-04 10:00:00 +0530,2026-02-05 09:00:00 +0530,pending,fulfilled,Cash on Delivery (COD),1499.00,19041200302999\n" +
		"#ORDER-77003,,2026-02-05 10:00:00 +0530,2026-02-06 09:00:00 +0530,pending,fulfilled,Cash on Delivery (COD),848.00,19041200306751\n"
	remittance = "AWB No,COD Amount,Remitted Amount,Remittance Date\n" +
		"19041200302349,1899.00,1899.00,10-02-2026\n" +
		"19041200302999,1499.00,1399.00,13-02-2026\n" +
		"99999999999999,500.00,500.00,20-03-2026\n"
)

// answer is what a client got; err says that it got none, or half of one. A
// status without err of 0 cannot be.
type answer struct {
	status int
	header http.Header
	body   []byte
	took   time.Duration
	err    error
}

// browser keeps connections to as many replicas as a test starts. It never
// asks twice, and gives up long after the service should have.
var browser = &http.Client{
	Timeout:   waitLimit,
	Transport: &http.Transport{MaxIdleConnsPerHost: 128, ExpectContinueTimeout: waitLimit},
}

// request makes a request; header holds names, each before its value.
func request(t *testing.T, method, url string, body io.Reader, header ...string) *http.Request {
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		panic(err) // the URL is none
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// jsonBy makes a POST of JSON with a bearer token.
func jsonBy(t *testing.T, url, bearer string, body io.Reader, header ...string) *http.Request {
	return request(t, http.MethodPost, url, body, append(header, "Content-Type", "application/json", "Authorization", "Bearer "+bearer)...)
}

func send(client *http.Client, request *http.Request) answer {
	began := time.Now()
	response, err := client.Do(request)
	if err != nil {
		return answer{err: err, took: time.Since(began)}
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return answer{status: response.StatusCode, header: response.Header, body: body, err: err, took: time.Since(began)}
}

func get(t *testing.T, url string) answer {
	return send(browser, request(t, http.MethodGet, url, nil))
}

func post(t *testing.T, url, bearer string, body io.Reader) answer {
	return send(browser, jsonBy(t, url, bearer, body))
}

func (r *replica) reconcile(t *testing.T, key, brand string) answer {
	return post(t, r.url+"/reconcile", key, bytes.NewReader(runBody(brand)))
}

func (r *replica) issueKey(t *testing.T, session string) answer {
	return post(t, r.url+"/generate-api-key", session, http.NoBody)
}

// keyOf is the key of an answer to issueKey.
func keyOf(t *testing.T, a answer) string {
	t.Helper()
	var issued struct{ Key string }
	require.Equal(t, http.StatusOK, a.status, "%s %v", a.body, a.err)
	require.NoError(t, json.Unmarshal(a.body, &issued))
	require.NotEmpty(t, issued.Key)
	return issued.Key
}

// runBody is the request for a run under a brand.
func runBody(brand string) []byte {
	body, _ := json.Marshal(map[string]string{"shopify": orders, "courier": remittance, "brand": brand}) // strings always encode
	return body
}

// brandOf tells the requests of a test apart.
func brandOf(i int) string { return fmt.Sprintf("brand-%06d", i) }

// outcome is the part of a 200 that these tests look at.
type outcome struct {
	Results []struct {
		Flag string
	}
	Duplicate bool
	RunID     string `json:"run_id"`
}

// outcomeOf reads a 200 and checks that it is whole.
func outcomeOf(t *testing.T, a answer) outcome {
	t.Helper()
	require.NoError(t, a.err)
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	var o outcome
	require.NoError(t, json.Unmarshal(a.body, &o))
	require.Len(t, o.Results, 3)
	require.NotEqual(t, o.Duplicate, a.header.Get("X-Run-Id") != "", "an answer bears the id of the run that was stored for it")
	return o
}

// errorOf is the text of an answer that is the contract's object of one field.
func errorOf(a answer) (string, error) {
	if a.err != nil {
		return "", a.err
	}
	fields := map[string]string{}
	if err := json.Unmarshal(a.body, &fields); err != nil || len(fields) != 1 || fields["error"] == "" {
		return "", fmt.Errorf("the body of a %d is not the contract's: %s", a.status, a.body)
	}
	return fields["error"], nil
}

// refused checks for a refusal with a text.
func refused(t *testing.T, a answer, status int, text string) {
	t.Helper()
	got, err := errorOf(a)
	require.NoError(t, err)
	require.Equal(t, status, a.status, got)
	require.True(t, strings.HasPrefix(got, text), "%q does not begin with %q", got, text)
}

// tally counts answers by what they are.
func tally(answers []answer) map[string]int {
	counts := map[string]int{}
	for _, a := range answers {
		text, err := errorOf(a)
		switch {
		case a.err == nil && a.status == http.StatusOK:
			counts["200"]++
		case err != nil:
			counts[err.Error()]++
		default:
			words, _, _ := strings.Cut(text, ";")
			counts[fmt.Sprintf("%d %s", a.status, words)]++
		}
	}
	return counts
}
