package webhook

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"milaan/domain"
	"milaan/ports/peers"
)

func attemptOf(u *url.URL, answer *http.Response) domain.Attempt {
	a := domain.Attempt{Outcome: domain.OutcomeRefused, Status: answer.StatusCode}
	switch answer.StatusCode / 100 {
	case 2:
		a.Outcome = domain.OutcomeDelivered
		return a
	case 3:
		a.Outcome, a.Failure = domain.OutcomeRedirected, "redirects are not followed: set the endpoint to the URL itself"
	case 1: // only 101 ends here: what follows is no body, and no more is read of it
		a.Failure = fmt.Sprintf("answered with status %d instead of 2xx", answer.StatusCode)
		return a
	default:
		a.Failure = fmt.Sprintf("answered with status %d instead of 2xx", answer.StatusCode)
	}
	start := make([]byte, domain.MaxFailure)
	n, _ := io.ReadFull(answer.Body, start) // after an error, the bytes that have come are shown
	if said := withoutURL(u, legible(start[:n])); said != "" {
		a.Failure += ": " + said
	}
	return a
}

// legible makes one line of text of the bytes of an answer.
func legible(raw []byte) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(raw), ""))
	return strings.Join(strings.Fields(text), " ")
}

// minSecret is the least length of a part of a URL that might be a secret.
const minSecret = 4

// signingSecret matches a signing secret of ours that a receiver repeats.
var signingSecret = regexp.MustCompile(regexp.QuoteMeta(domain.SigningSecretPrefix) + `[A-Za-z0-9+/=]*`)

// withoutURL replaces the parts of the endpoint's path and query that an answer repeats,
// which may hold secrets of the receiver, and any signing secret. It also replaces a part of
// which the text ends with the beginning.
func withoutURL(u *url.URL, text string) string {
	pieces := append([]string{u.RequestURI(), u.Path, u.EscapedPath(), u.RawQuery}, signingSecret.FindAllString(text, -1)...)
	pieces = append(pieces, strings.Split(u.Path, "/")...)
	pieces = append(pieces, strings.Split(u.EscapedPath(), "/")...)
	for name, values := range u.Query() {
		for _, v := range append(values, name) {
			pieces = append(pieces, v, url.QueryEscape(v))
		}
	}
	pieces = slices.DeleteFunc(pieces, func(p string) bool { return len(p) < minSecret })
	slices.SortFunc(pieces, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	const hidden = "[…]"
	tail := 0 // bytes of the longest piece that has begun where the text ends
	for _, p := range pieces {
		for n := min(len(p), len(text)); n >= minSecret && n > tail; n-- {
			if strings.HasSuffix(text, p[:n]) {
				tail = n
			}
		}
	}
	text, cut := text[:len(text)-tail], tail > 0
	for _, p := range pieces {
		text = strings.ReplaceAll(text, p, hidden)
	}
	if cut {
		text += hidden
	}
	return text
}

// failedAttempt returns the attempt that got no answer. Its text is ours, because errors of
// the network repeat addresses and URLs. forbidden says that the host may not be called.
func failedAttempt(ctx context.Context, err error, forbidden bool) domain.Attempt {
	a := domain.Attempt{Outcome: domain.OutcomeUnreachable}
	temporary, isNetwork := errors.AsType[net.Error](err)
	alert, isAlert := errors.AsType[tls.AlertError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, notTLS := errors.AsType[tls.RecordHeaderError](err)
	number, isSystem := errors.AsType[syscall.Errno](err)
	switch {
	case forbidden:
		a.Outcome, a.Failure = domain.OutcomeForbidden, "the host has an address that is not public"
	case errors.Is(ctx.Err(), context.Canceled):
		a.Failure = "the service stopped before an answer came"
	case peers.IsUnknownName(err):
		a.Failure = "the host does not resolve"
	case errors.Is(err, context.DeadlineExceeded), isNetwork && temporary.Timeout():
		a.Outcome, a.Failure = domain.OutcomeTimeout, fmt.Sprintf("no answer within %s", domain.PostLimit)
	case untrusted:
		a.Failure = "the host's certificate is not valid for it"
	case notTLS:
		a.Failure = "the host does not speak https on this port"
	case isAlert:
		a.Failure = "the host ended TLS: " + alert.Error()
	case isSystem:
		a.Failure = "no answer: " + number.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		a.Failure = "the connection was closed without an answer"
	default:
		a.Failure = "no answer that could be read"
	}
	return a
}
