package mail

import (
	"testing"

	"github.com/stretchr/testify/require"
	gomail "github.com/wneessen/go-mail"

	"milaan/config"
	"milaan/tests/only"
)

// A mail for another machine is sent encrypted or not at all; on this machine nobody on the way can
// read it.
func TestMailsToOtherMachinesAreEncrypted(t *testing.T) {
	for address, want := range map[string]gomail.TLSPolicy{
		"smtp://mail.example":      gomail.TLSMandatory,
		"smtp://mail.example:2525": gomail.TLSMandatory,
		"smtp://127.0.0.1:2525":    gomail.TLSOpportunistic,
	} {
		m := only.Value(New(config.Mail{SMTPURL: config.Secret(address), MailFrom: "milaan@milaan.example"}))(t)
		require.Equal(t, want.String(), only.Value(gomail.NewClient(m.host, m.options...))(t).TLSPolicy(), address)
	}
}
