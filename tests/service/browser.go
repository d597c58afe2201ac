package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Browser is a browser that shows the service's pages. The blank cookie stands for nobody
// signed in.
type Browser struct {
	service *Service
	cookie  string
	header  []string // of every request, as that of Service.Request
}

// Browser is a browser in which nobody has signed in: on this machine, a visitor. header is
// what a proxy adds to its requests, as that of Request.
func (s *Service) Browser(header ...string) *Browser { return &Browser{service: s, header: header} }

// SignIn signs the account's owner in, in a new browser, with a link of the command line.
// header is as that of Service.Browser.
func (c *Customer) SignIn(t testing.TB, header ...string) *Browser {
	t.Helper()
	return c.SignInTo(t, "", header...)
}

// SignInTo is SignIn to one of the accounts of a person who has several; blank: to the one that
// they used last.
func (c *Customer) SignInTo(t testing.TB, account string, header ...string) *Browser {
	t.Helper()
	token, err := c.service.Links.Link(t.Context(), c.Email, account)
	require.NoError(t, err)
	c.service.secrets.Store(token, true)
	b := c.service.Browser(header...)
	a := b.Send(t, http.MethodPost, "/app/api/sign-in", map[string]string{"token": token})
	require.Equal(t, http.StatusNoContent, a.Status, string(a.Body))
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		b.cookie = cookie.Name + "=" + cookie.Value
		c.service.secrets.Store(cookie.Value, true)
	}
	require.NotEmpty(t, b.cookie)
	return b
}

// Get asks for what a page shows.
func (b *Browser) Get(t testing.TB, path string, header ...string) Answer {
	t.Helper()
	return b.Send(t, http.MethodGet, path, nil, header...)
}

// Send sends a request as a page does: with the cookie, from the same origin. body becomes
// JSON; nil sends none. header is as that of Service.Request. It may be called from any
// goroutine.
func (b *Browser) Send(t testing.TB, method, path string, body any, header ...string) Answer {
	t.Helper()
	usual := b.usual()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Errorf("the request cannot be encoded: %v", err)
		}
		content, usual = bytes.NewReader(text), append(usual, "Content-Type", "application/json")
	}
	return b.service.Do(t, b.service.Request(t, method, path, content, append(usual, header...)...))
}

// SendForm sends a form with files, as Body.Form makes it.
func (b *Browser) SendForm(t testing.TB, path string, form []byte, header ...string) Answer {
	t.Helper()
	usual := append(b.usual(), "Content-Type", FormMedia)
	return b.service.Do(t, b.service.Request(t, http.MethodPost, path, bytes.NewReader(form), append(usual, header...)...))
}

func (b *Browser) usual() []string {
	return append([]string{"Sec-Fetch-Site", "same-origin", "Cookie", b.cookie}, b.header...)
}

// JSON reads the body of an answer that must be 200.
func (a Answer) JSON(t testing.TB, into any) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	require.NoError(t, json.Unmarshal(a.Body, into), string(a.Body))
}

// answered is the body of an answer that must be 200.
func answered[T any](t testing.TB, a Answer) (body T) {
	t.Helper()
	a.JSON(t, &body)
	return body
}

// decoded is what a JSON text says.
func decoded[T any](t testing.TB, text []byte) (v T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &v), string(text))
	return v
}

// pageFault is the body of an error that a page is answered with.
type pageFault struct {
	Error  string `json:"error"`
	Code   string `json:"code"`
	Field  string `json:"field"`
	File   string `json:"file"`
	Report int    `json:"report"`
	Faults []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
		Report  int    `json:"report"`
	} `json:"faults"`
}

// Code is the code of an error that a page is answered with; blank if it is none.
func (a Answer) Code() string {
	var fault pageFault
	if a.Status < 400 || json.Unmarshal(a.Body, &fault) != nil {
		return ""
	}
	return fault.Code
}

// RefusedPage holds that a page is answered with an error of this status and code, and for
// a fault of a field with the field's name.
func (a Answer) RefusedPage(t testing.TB, status int, code, field string) {
	t.Helper()
	var fault pageFault
	if json.Unmarshal(a.Body, &fault) != nil || a.Status != status || fault.Code != code || fault.Field != field {
		t.Errorf("got %d %s, want %d %s %s", a.Status, a.Body, status, code, field)
	}
}

var (
	goodCode = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	// badTime finds a time that is not UTC in milliseconds.
	badTime  = regexp.MustCompile(`"\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d"|[^"]*[+]|\d\d:\d\d:\d\d\.(\d{1,2}|\d{4,})Z|\d\d:\d\d:\d\dZ)`)
	badMoney = regexp.MustCompile(`[0-9]\.[0-9]{3,}[,}\]]`)
)

// pageAnswer is what holds for every answer to a page.
func pageAnswer(r *http.Request, a Answer) error {
	var faults []error
	if a.Header.Get("X-Request-Id") == "" {
		faults = append(faults, errors.New("there is no X-Request-Id"))
	}
	if !strings.HasPrefix(r.URL.Path, "/app/api/") {
		return errors.Join(faults...)
	}
	kept := strings.HasPrefix(r.URL.Path, "/app/api/words/") && a.Status < 400 // they are everybody's
	if got := a.Header.Get("Cache-Control"); got != "no-store" && !kept {
		faults = append(faults, fmt.Errorf("Cache-Control is %q", got))
	}
	if a.Header.Get("Www-Authenticate") != "" {
		faults = append(faults, errors.New("a browser would ask for a password"))
	}
	if a.Status >= 400 && r.Method != http.MethodHead {
		var fault pageFault
		decoder := json.NewDecoder(bytes.NewReader(a.Body))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&fault); err != nil || !strings.Contains(fault.Error, " ") || !goodCode.MatchString(fault.Code) {
			faults = append(faults, errors.New("the body is not an error of a page"))
		}
	}
	if strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
		if found := badTime.Find(a.Body); found != nil {
			faults = append(faults, fmt.Errorf("the time %s is not UTC in milliseconds", found))
		}
		if found := badMoney.Find(a.Body); found != nil {
			faults = append(faults, fmt.Errorf("the amount %s has more than two decimals", found))
		}
	}
	return errors.Join(faults...)
}

// instant is a time as pages get it.
func instant(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
