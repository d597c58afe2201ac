package otp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"milaan/config"
	"milaan/domain"
)

const (
	msg91URL  = "https://control.msg91.com"
	msg91Path = "/api/v5/otp"
	// msg91Limit is how long MSG91 may take to accept a code. A person waits for it.
	msg91Limit = 10 * time.Second
	// msg91Answer is how many bytes of an answer are read; they usually have a hundred.
	msg91Answer = 64 << 10
)

type viaMSG91 struct {
	address, authKey, template string
	client                     *http.Client
}

func newMSG91(c config.OTP, client *http.Client) *viaMSG91 {
	own := *cmp.Or(client, &http.Client{})
	// A redirect would take the key and the code elsewhere.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &viaMSG91{
		address: strings.TrimSuffix(cmp.Or(c.MSG91URL, msg91URL), "/") + msg91Path, authKey: string(c.MSG91AuthKey), template: c.MSG91Template,
		client: &own,
	}
}

func (m *viaMSG91) Enabled() bool { return true }

// msg91Request is the body of a request. The number and the code are not in the address,
// because addresses get into the logs of proxies.
type msg91Request struct {
	Template string `json:"template_id"`
	Mobile   string `json:"mobile"` // with the country, without +
	OTP      string `json:"otp"`
	Expiry   int    `json:"otp_expiry"` // minutes
}

// SendCode sends nothing twice: after an error the person asks for another code.
func (m *viaMSG91) SendCode(ctx context.Context, number domain.PhoneNumber, code domain.PhoneCode) error {
	body, err := json.Marshal(msg91Request{
		Template: m.template, Mobile: strings.TrimPrefix(number.Reveal(), "+"), OTP: code.Reveal(),
		Expiry: int(domain.PhoneCodeSpan / time.Minute),
	})
	if err != nil {
		return errors.New("the request to MSG91 cannot be written")
	}
	ctx, cancel := context.WithTimeout(ctx, msg91Limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address of MSG91 cannot be used")
	}
	request.Header.Set("Authkey", m.authKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	answer, err := m.client.Do(request)
	if err != nil {
		return unreached(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }()
	return judge(answer)
}

// unreached returns an error without the request, which the library's own may repeat. A code
// may have been sent unless there was no connection.
func unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("MSG91 did not answer in time: %w", ctx.Err())
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return fmt.Errorf("MSG91 cannot be reached: %T", err)
}

// judge reads an answer. MSG91 says in its body whether it takes the code, and says 200 also
// if it does not. Nothing of its own words is repeated, because they may have the number.
func judge(answer *http.Response) error {
	var said struct {
		Type string          `json:"type"`
		Code json.RawMessage `json:"code"` // a number, or a string with one
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, msg91Answer))
	if err != nil {
		return fmt.Errorf("the answer of MSG91, status %d, broke off", answer.StatusCode)
	}
	err = json.Unmarshal(text, &said)
	if err == nil && said.Type == "success" && answer.StatusCode == http.StatusOK {
		return nil
	}
	cause := fmt.Errorf("MSG91 refused a phone code: status %d, type %s, code %s", answer.StatusCode, knownType(said.Type),
		faultNumber(said.Code))
	if err == nil && said.Type == "error" || answer.StatusCode >= 300 && answer.StatusCode < 500 {
		return domain.ErrPhoneRefused.Caused(cause)
	}
	return cause
}

func knownType(text string) string {
	if text == "success" || text == "error" {
		return text
	}
	return "unknown"
}

// faultNumber returns the number of an error of MSG91, such as 418; none for anything longer,
// which might be a phone number.
func faultNumber(text json.RawMessage) string {
	if code, err := strconv.Atoi(strings.Trim(string(text), `"`)); err == nil && code >= 0 && code < 10_000 {
		return strconv.Itoa(code)
	}
	return "none"
}
