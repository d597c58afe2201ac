package mail

import (
	"testing"

	"github.com/stretchr/testify/require"
	gomail "github.com/wneessen/go-mail"

	"milaan/config"
)

// A mail for another machine is sent encrypted or not at all; on this machine nobody on the way can
// read it.
func TestMailsToOtherMachinesAreEncrypted(t *testing.T) {
	for address, want := range map[string]gomail.TLSPolicy{
		"smtp://mail.example":      gomail.TLSMandatory,
		"smtp://mail.example:2525": gomail.TLSMandatory,
		"smtp://127.0.0.1:2525":    gomail.TLSOpportunistic,
	} {
		m, err := New(config.Mail{SMTPURL: config.Secret(address), MailFrom: "milaan@milaan.example"})
		require.NoError(t, err)
		client, err := gomail.NewClient(m.host, m.options...)
		require.NoError(t, err)
		require.Equal(t, want.String(), client.TLSPolicy(), address)
	}
}
