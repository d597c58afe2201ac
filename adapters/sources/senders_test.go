package sources_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	mail "milaan/tests/fakes/imap"
	"milaan/tests/only"
)

const (
	courierAddress = "cod@courier.example"
	passed         = "Authentication-Results: mx.host.example; dkim=pass header.i=@courier.example header.s=a; spf=pass smtp.mailfrom=cod@courier.example; dmarc=pass (p=NONE dis=NONE) header.from=courier.example"
	forged         = "Authentication-Results: mx.host.example; dkim=pass header.d=courier.example; dmarc=pass header.from=courier.example"
	fails          = "Authentication-Results: mx.host.example; dkim=none; dmarc=fail header.from=courier.example"
)

// proving are settings that take only proven mails of the courier.
func proving(s *mail.Server, more ...map[string]string) ports.SourceAccess {
	return access("imap", append([]map[string]string{s.Settings(), {"from": courierAddress, "sender_check": "required", "authserv_id": "mx.host.example"}}, more...)...)
}

func reportMail(from string, above ...string) mail.Mail {
	return mail.Mail{From: from, Subject: "Remittance", Date: sentAt, Above: above, Attachments: []mail.Attachment{{Name: "a.csv", Content: []byte("x")}}}
}

// listed lists a mailbox with one mail, and returns whether it was taken, and the mails that were
// left out.
func listed(t *testing.T, m mail.Mail, more ...map[string]string) (taken bool, left []domain.LeftOutMail) {
	t.Helper()
	s := mail.New(t, mail.TLS)
	s.Add(t, mail.Mailbox, sentAt, m.Bytes())
	open := opened(t, registry(t), proving(s, more...))
	return len(only.Value(open.List(t.Context(), since))(t)) == 1, open.LeftOut()
}

// TestMailsOfTheSenderAreTaken holds how a true mail may look.
func TestMailsOfTheSenderAreTaken(t *testing.T) {
	header := func(results string) string { return "Authentication-Results: mx.host.example;" + results }
	for name, m := range map[string]mail.Mail{
		"the address alone":            reportMail(courierAddress, passed),
		"a name":                       reportMail(`"Courier, COD: desk" <COD@Courier.EXAMPLE>`, passed),
		"a name in letters":            reportMail("=?utf-8?B?4oK5?= Desk <cod@courier.example> (COD)", passed),
		"the address as the name":      reportMail("cod@courier.example <cod@courier.example>", passed),
		"lines of a host above":        reportMail(courierAddress, "Delivered-To: x@y.example", "Received: by 2002:a05 with SMTP", "ARC-Seal: i=1", "Received: from a by mx.host.example", passed, "Received: from b by c"),
		"an id in capitals, a version": reportMail(courierAddress, strings.Replace(passed, "mx.host.example;", "MX.Host.Example 1;", 1)),
		"folded":                       reportMail(courierAddress, strings.ReplaceAll(passed, "; ", ";\r\n       ")),
		"DMARC alone":                  reportMail(courierAddress, header("dmarc=pass header.from=courier.example")),
		"DMARC with an address":        reportMail(courierAddress, header("dmarc=pass header.from=<cod@courier.example>")),
		"DKIM of the domain":           reportMail(courierAddress, header("dkim=pass header.d=courier.example")),
		"DKIM of a domain below":       reportMail(courierAddress, header("dkim=pass header.d=mail.courier.example; dmarc=none")),
		"DKIM of several domains":      reportMail(courierAddress, header("dkim=fail header.d=courier.example; dkim=pass header.i=@ses.example; dkim=pass header.i=@courier.example")),
		"a result nobody knows":        reportMail(courierAddress, header("dmarc=pass(p=REJECT) header.from=courier.example; what is this; arc=pass header.oldest-pass=x")),
		"a forged one below":           reportMail(courierAddress, passed, "Received: from a by b", forged),
		"another id below":             reportMail(courierAddress, passed, "Received: from a by b", "Authentication-Results: mx.other.example; dmarc=fail header.from=courier.example"),
		"what the sender writes":       {From: courierAddress, Subject: "Remittance", Date: sentAt, Above: []string{passed}, Below: []string{fails}, Attachments: reportMail("").Attachments},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			taken, left := listed(t, m)
			require.True(t, taken)
			require.Empty(t, left)
		})
	}
	t.Run("a domain in letters", func(t *testing.T) {
		taken, _ := listed(t, reportMail("cod@xn--kurir-esa.example", header("dmarc=pass header.from=xn--kurir-esa.example")), map[string]string{"from": "@Kuriér.example"})
		require.True(t, taken)
	})
	t.Run("everybody of a domain", func(t *testing.T) {
		taken, _ := listed(t, reportMail("anybody@courier.example", passed), map[string]string{"from": "@courier.example"})
		require.True(t, taken)
	})
	t.Run("without a proof", func(t *testing.T) {
		taken, _ := listed(t, reportMail(courierAddress), map[string]string{"sender_check": "off", "authserv_id": ""})
		require.True(t, taken)
	})
}

// TestForgedMailsAreLeftOut holds that no mail is taken whose sender only seems to be the
// courier, and that each is listed with the reason.
func TestForgedMailsAreLeftOut(t *testing.T) {
	header := func(results string) string { return "Authentication-Results: mx.host.example; " + results }
	evil := header("dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=attacker@evil.example; dmarc=pass header.from=evil.example")
	two := reportMail(courierAddress, passed)
	two.Below = []string{"From: attacker@evil.example"}
	below := reportMail(courierAddress)
	below.Below = []string{forged}
	long := reportMail(courierAddress, passed, "X-Long: "+strings.Repeat("x\r\n ", 30_000))
	for name, c := range map[string]struct {
		mail mail.Mail
		want domain.ConnectorRule
	}{
		"the sender in the shown name":    {reportMail("cod@courier.example <attacker@evil.example>", evil), domain.ConnFrom},
		"in a quoted name":                {reportMail(`"cod@courier.example" <attacker@evil.example>`, evil), domain.ConnShownName},
		"in angle brackets in a name":     {reportMail(`"<cod@courier.example>" <attacker@evil.example>`, evil), domain.ConnShownName},
		"in an encoded word":              {reportMail("=?utf-8?Q?cod=40courier.example?= <attacker@evil.example>", evil), domain.ConnShownName},
		"an encoded word as the address":  {reportMail("=?utf-8?Q?cod=40courier.example?=", evil), domain.ConnFrom},
		"an encoded word with the end":    {reportMail("=?utf-8?Q?=3Ccod=40courier.example=3E?= <attacker@evil.example>", evil), domain.ConnShownName},
		"in a comment":                    {reportMail("attacker@evil.example (cod@courier.example)", evil), domain.ConnShownName},
		"a comment in the address":        {reportMail("<cod@courier.example(@evil.example)>", passed), domain.ConnFrom},
		"a comment within the address":    {reportMail("cod(x)@courier.example, cod@courier.example", passed), domain.ConnFrom},
		"a comment without an end":        {reportMail("cod@courier.example (", passed), domain.ConnFrom},
		"two headers":                     {two, domain.ConnFrom},
		"two addresses":                   {reportMail("cod@courier.example, attacker@evil.example", passed), domain.ConnFrom},
		"a group":                         {reportMail("Couriers: cod@courier.example;", passed), domain.ConnFrom},
		"a route":                         {reportMail("<@evil.example:cod@courier.example>", passed), domain.ConnFrom},
		"two addresses in angle brackets": {reportMail("<cod@courier.example> <attacker@evil.example>", evil), domain.ConnFrom},
		"a quoted local part":             {reportMail(`"cod@courier.example x"@evil.example`, evil), domain.ConnFrom},
		"a domain below":                  {reportMail("cod@courier.example.evil.example", evil), domain.ConnShownName},
		"a domain at the end":             {reportMail("x.cod@courier.example", passed), domain.ConnShownName},
		"a letter that looks the same":    {reportMail("cod@courier.example <cod@\u0441ourier.example>", evil), domain.ConnFrom},
		"it alone":                        {reportMail(`"cod@courier.example" <cod@xn--ourier-2wf.example>`, evil), domain.ConnShownName},
		"no header of the host":           {reportMail(courierAddress), domain.ConnNoResult},
		"one among the sender's own":      {below, domain.ConnNoResult},
		"a foreign id":                    {reportMail(courierAddress, strings.Replace(passed, "mx.host", "mx.evil", 1)), domain.ConnOtherID},
		"a foreign id above a forged one": {reportMail(courierAddress, "Authentication-Results: mx2.host.example; spf=pass", forged), domain.ConnOtherID},
		"no id":                           {reportMail(courierAddress, "Authentication-Results: spf=pass (a) smtp.mailfrom=x; dmarc=pass header.from=courier.example"), domain.ConnOtherID},
		"a forged one below the host's":   {reportMail(courierAddress, fails, "Received: from a by b", forged), domain.ConnUnproven},
		"a forged one below a poor one":   {reportMail(courierAddress, header("spf=pass smtp.mailfrom=evil.example"), forged), domain.ConnUnproven},
		"a failed one below":              {reportMail(courierAddress, passed, fails), domain.ConnContradiction},
		"a failed signature below":        {reportMail(courierAddress, header("dkim=pass header.d=courier.example"), header("dkim=fail header.d=courier.example")), domain.ConnContradiction},
		"a signature of another":          {reportMail(courierAddress, header("dkim=pass header.d=evil.example")), domain.ConnUnproven},
		"a signature in another's name":   {reportMail(courierAddress, header("dkim=pass header.d=evil.example header.i=@courier.example")), domain.ConnUnproven},
		"a signature with both":           {reportMail(courierAddress, header("dkim=pass header.d=evil.example header.d=courier.example")), domain.ConnUnproven},
		"a signature of a suffix":         {reportMail(courierAddress, header("dkim=pass header.d=example")), domain.ConnUnproven},
		"DMARC of another":                {reportMail(courierAddress, evil), domain.ConnUnproven},
		"DMARC has failed, DKIM has not":  {reportMail(courierAddress, header("dkim=pass header.d=courier.example; dmarc=fail header.from=courier.example")), domain.ConnUnproven},
		"DMARC that is not sure":          {reportMail(courierAddress, header("dmarc=bestguesspass header.from=courier.example")), domain.ConnUnproven},
		"SPF alone":                       {reportMail(courierAddress, header("spf=pass smtp.mailfrom=cod@courier.example")), domain.ConnUnproven},
		"a result in a comment":           {reportMail(courierAddress, header("spf=pass (evil.example: domain of x; dmarc=pass header.from=courier.example) smtp.mailfrom=x")), domain.ConnUnproven},
		"a result in a comment in it":     {reportMail(courierAddress, header(`spf=pass (a (b) \) ; dmarc=pass header.from=courier.example) smtp.mailfrom=x`)), domain.ConnUnproven},
		"a result in quotes":              {reportMail(courierAddress, header(`spf=pass smtp.mailfrom="x; dmarc=pass header.from=courier.example ;"@evil.example`)), domain.ConnUnproven},
		"a comment of results has no end": {reportMail(courierAddress, header("dmarc=pass header.from=courier.example (")), domain.ConnOtherID},
		"an id in a comment":              {reportMail(courierAddress, "Authentication-Results: evil.example (mx.host.example); dmarc=pass header.from=courier.example"), domain.ConnOtherID},
		"a header that never ends":        {long, domain.ConnFrom},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			taken, left := listed(t, c.mail)
			require.False(t, taken)
			require.Len(t, left, 1)
			require.Equal(t, c.want, left[0].Rule)
			require.True(t, left[0].At.Equal(sentAt))
		})
	}
	t.Run("everybody of a suffix of the domain", func(t *testing.T) {
		taken, _ := listed(t, reportMail("attacker@evilcourier.example", evil), map[string]string{"from": "@courier.example"})
		require.False(t, taken)
	})
	t.Run("a shown name, without a proof", func(t *testing.T) {
		taken, left := listed(t, reportMail(`"cod@courier.example" <attacker@evil.example>`), map[string]string{"sender_check": "off", "authserv_id": ""})
		require.False(t, taken)
		require.Equal(t, []domain.LeftOutMail{{At: left[0].At, Rule: domain.ConnShownName, From: "attacker@evil.example"}}, left)
	})
	t.Run("a letter that becomes another", func(t *testing.T) {
		taken, left := listed(t, reportMail("des\u212a@courier.example", passed), map[string]string{"from": "desk@courier.example", "sender_check": "off"})
		require.False(t, taken)
		require.Equal(t, domain.ConnFrom, left[0].Rule)
	})
}

// TestMailsThatAreLeftOut holds that others than the latest ones, those without reports, and
// those whose header From does not speak of the sender are not listed.
func TestMailsThatAreLeftOut(t *testing.T) {
	s := mail.New(t, mail.TLS)
	for i := range domain.MaxLeftOut + 5 {
		at := sentAt.AddDate(0, 0, i)
		m := reportMail(courierAddress, fails)
		s.Add(t, mail.Mailbox, at, m.Bytes())
		m.Attachments = nil
		s.Add(t, mail.Mailbox, at, m.Bytes())
		news := reportMail("news@shop.example", passed)
		news.Subject = "Remittance of " + courierAddress
		s.Add(t, mail.Mailbox, at, news.Bytes())
	}
	open := opened(t, registry(t), proving(s))
	for range 2 {
		require.Empty(t, only.Value(open.List(t.Context(), since))(t))
		left := open.LeftOut()
		require.Len(t, left, domain.MaxLeftOut)
		require.True(t, left[0].At.Equal(sentAt.AddDate(0, 0, domain.MaxLeftOut+4)))
		require.Equal(t, courierAddress, left[0].From)
	}
}

// TestTheIDOfAMailServerIsShown holds that a test without an id fails, and names the one that
// stands at the top of most mails; what only the courier's mails have is not it.
func TestTheIDOfAMailServerIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		above []string // of one mail each
		want  string
	}{
		"of most":           {[]string{passed, fails, ""}, "mx.host.example"},
		"of half":           {[]string{passed, fails, "", ""}, ""},
		"of nobody":         {[]string{"", ""}, ""},
		"an empty place":    {nil, ""},
		"no name of a host": {[]string{"Authentication-Results: <b>x</b>; dmarc=pass", "Authentication-Results: spf=pass (x)"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := mail.New(t, mail.TLS)
			for i, above := range c.above {
				m := reportMail(fmt.Sprintf("%d@anybody.example", i), above)
				if above == "" {
					m.Above = nil
				}
				s.Add(t, mail.Mailbox, sentAt, m.Bytes())
			}
			a := proving(s, map[string]string{"authserv_id": ""})
			a.Testing = true
			_, err := opened(t, registry(t), a).List(t.Context(), since)
			failure := failed(t, err, domain.ConnNoAuthServID)
			require.Equal(t, "authserv_id", failure.Setting)
			require.Equal(t, c.want, failure.Value)
		})
	}
}

// TestSendersAreChecked holds what may be entered.
func TestSendersAreChecked(t *testing.T) {
	s := mail.New(t, mail.TLS)
	fault := func(rule domain.Rule, setting string) domain.Faults {
		f := domain.Fault{Field: domain.FieldSetting, Setting: setting, Rule: rule}
		if rule == domain.RuleForm {
			f.Value = map[string]string{"from": "remittance@courier.example", "authserv_id": "mx.google.com"}[setting]
		}
		return domain.Faults{f}
	}
	for name, c := range map[string]struct {
		settings map[string]string
		want     domain.Faults
	}{
		"right":                {nil, nil},
		"several":              {map[string]string{"from": "a@b.example, @c.example", "authserv_id": "mx1.host.example, mx2.host.example"}, nil},
		"a part of an address": {map[string]string{"from": "courier"}, fault(domain.RuleForm, "from")},
		"one among others":     {map[string]string{"from": "a@b.example, courier"}, fault(domain.RuleForm, "from")},
		"a name":               {map[string]string{"from": "COD <a@b.example>"}, fault(domain.RuleForm, "from")},
		"everybody":            {map[string]string{"from": "@com"}, fault(domain.RuleForm, "from")},
		"nobody":               {map[string]string{"from": ","}, fault(domain.RuleForm, "from")},
		"a letter of another":  {map[string]string{"from": "des\u212a@b.example"}, fault(domain.RuleForm, "from")},
		"no sender":            {map[string]string{"from": ""}, fault(domain.RuleUnproven, "from")},
		"several, the newest":  {map[string]string{"from": "a@b.example, c@d.example", "same_name": "newest"}, fault(domain.RuleOneSender, "same_name")},
		"a domain, the newest": {map[string]string{"from": "@b.example", "same_name": "newest"}, fault(domain.RuleOneSender, "same_name")},
		"one, the newest":      {map[string]string{"same_name": "newest"}, nil},
		"no proof, the newest": {map[string]string{"same_name": "newest", "sender_check": "off"}, fault(domain.RuleOneSender, "same_name")},
		"no id":                {map[string]string{"authserv_id": ""}, fault(domain.RuleTested, "authserv_id")},
		"no name of a host":    {map[string]string{"authserv_id": "<b>"}, fault(domain.RuleForm, "authserv_id")},
		"no proof":             {map[string]string{"from": "", "authserv_id": "", "sender_check": "off"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, registry(t).Check(t.Context(), proving(s, c.settings).Source))
		})
	}
}

// TestFormerSendersGoOn holds that settings of an earlier version are read as that version did,
// but only if that is asked for.
func TestFormerSendersGoOn(t *testing.T) {
	s := mail.New(t, mail.TLS)
	s.Add(t, mail.Mailbox, sentAt, reportMail("COD Desk <remit@courier.example>").Bytes())
	r := registry(t)
	for name, c := range map[string]struct {
		settings map[string]string
		setting  string
	}{
		"a part of a name":          {map[string]string{"from": "cod desk"}, "from"},
		"a part of an address":      {map[string]string{"from": "Courier"}, "from"},
		"anybody":                   {map[string]string{"from": ""}, "from"},
		"an address without an id":  {map[string]string{"from": "remit@courier.example"}, "authserv_id"},
		"of this version, no proof": {map[string]string{"from": "remit@courier.example", "sender_check": "off"}, ""},
		"of this version":           {map[string]string{"from": "someone@else.example", "authserv_id": "mx.host.example"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := access("imap", s.Settings(), map[string]string{"sender_check": ""}, c.settings)
			require.Equal(t, c.setting != "", r.Former(a.Source))
			a.Former = true
			files := only.Value(opened(t, r, a).List(t.Context(), since))(t)
			require.Equal(t, c.settings["authserv_id"] == "", len(files) == 1)
			if a.Former = false; c.setting == "" {
				return
			}
			_, err := r.Open(t.Context(), a)
			failure := failed(t, err, domain.ConnFormer)
			require.Equal(t, c.setting, failure.Setting)
			require.True(t, failure.NeedsAttention())
		})
	}
	require.False(t, r.Former(domain.ReportSource{Connector: "sftp"}))
}
