package webhook

import (
	"errors"
	"io"
	"net"
	"net/url"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// The words about a failure are ours: what the network says repeats addresses.
func TestFailuresInWords(t *testing.T) {
	for want, err := range map[string]error{
		"no answer: connection refused":               &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(93, 184, 216, 34)}, Err: syscall.ECONNREFUSED},
		"no answer that could be read":                errors.New(`Post "https://shop.example/?token=hush-hush": oops`),
		"the host does not resolve":                   &net.DNSError{Name: "shop.example", IsNotFound: true},
		"the connection was closed without an answer": io.ErrUnexpectedEOF,
	} {
		require.Equal(t, domain.Attempt{Outcome: domain.OutcomeUnreachable, Failure: want}, failedAttempt(t.Context(), err, false))
	}
}

func TestAnAnswerTellsNoSecret(t *testing.T) {
	u, err := url.Parse("https://hooks.example/services/T0001/XXSECRETXX?token=hush-hush")
	require.NoError(t, err)
	for said, want := range map[string]string{
		"no_such_hook XXSECRETXX":           "no_such_hook […]",
		`Cannot POST \/services\/T0001`:     `Cannot POST \/[…]\/[…]`,
		"signed with whsec_c2VjcmV0+/=, no": "signed with […], no",
		"is hush-hush of XXSECR":            "is […] of […]",
	} {
		require.Equal(t, want, withoutURL(u, said))
	}
}
