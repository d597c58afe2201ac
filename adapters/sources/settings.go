package sources

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
)

// Names of settings that connectors have in common.
const (
	settingHost       = "host"
	settingPort       = "port"
	settingUser       = "user"
	settingPassword   = "password"
	settingPrivateKey = "private_key"
	settingPassphrase = "passphrase"
	settingHostKey    = "host_key"
	settingFolder     = "folder"
)

// setting is one setting of a connector.
type setting struct {
	ports.SettingInfo
	// check returns the rule that a value breaks; nil: any text will do. hosts checks the
	// host that is a part of the value.
	check func(value string, hosts hostCheck) domain.Fault
}

// hostCheck returns the rule that a host breaks.
type hostCheck func(host string) domain.Fault

// unresolved checks the spelling of hosts alone.
func unresolved(guard glue.Guard) func(context.Context, string) domain.Fault {
	return func(_ context.Context, host string) domain.Fault { return guard.CheckText(host) }
}

// complete returns settings with defaults where there are none, and without spaces around
// what is not secret.
func (c *connector) complete(given domain.Settings) domain.Settings {
	all := domain.Settings{}
	for _, s := range c.settings {
		value := given[s.Name]
		if !s.Secret {
			value = strings.TrimSpace(value)
		}
		if value == "" {
			value = s.Default
		}
		all[s.Name] = value
	}
	return all
}

// maxLine is how many bytes a setting of one line may have.
const maxLine = 1000

// checkSettings returns the faults of the settings of a connector.
func (r *Registry) checkSettings(ctx context.Context, c *connector, given domain.Settings, lookUp func(context.Context, string) domain.Fault) (faults domain.Faults) {
	known := r.settingsOf(c)
	add := func(name string, fault domain.Fault) {
		fault.Field, fault.Setting = domain.FieldSetting, name
		faults.Add(fault.Rule != "", fault)
	}
	var names []string
	for _, s := range known {
		names = append(names, s.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			add(domain.Shortened(name), domain.Fault{Rule: domain.RuleSetting, Options: names})
		}
	}
	values := c.complete(given)
	for _, s := range known {
		fault := s.checkText(values[s.Name])
		if fault.Rule == "" && s.check != nil && values[s.Name] != "" {
			fault = s.check(values[s.Name], func(host string) domain.Fault { return lookUp(ctx, host) })
			if fault.Rule == domain.RuleForm {
				fault.Value = s.Example
			}
		}
		add(s.Name, fault)
	}
	if c.check != nil && len(faults) == 0 {
		faults = c.check(values)
	}
	return faults
}

// checkText checks what holds for any setting.
func (s setting) checkText(value string) domain.Fault {
	most := maxLine
	if s.Lines {
		most = domain.MaxSetting
	}
	switch {
	case value == "" && s.Required:
		return domain.Fault{Rule: domain.RuleMissing}
	case len(value) > most:
		return domain.Fault{Rule: domain.RuleLength, Value: strconv.Itoa(len(value)), Max: most}
	case !utf8.ValidString(value), !s.Lines && strings.ContainsFunc(value, unicode.IsControl):
		return domain.Fault{Rule: domain.RuleLine, Max: maxLine}
	case len(s.Options) > 0 && value != "" && !slices.Contains(s.Options, value):
		return domain.Fault{Rule: domain.RuleOneOf, Options: s.Options}
	}
	return domain.Fault{}
}

// checkHost is the check of a setting that is a host.
func checkHost(value string, hosts hostCheck) domain.Fault { return hosts(value) }

// checkPort is the check of a setting that is a port.
func checkPort(value string, _ hostCheck) domain.Fault {
	if n, err := strconv.ParseUint(value, 10, 16); err != nil || n == 0 {
		return domain.Fault{Rule: domain.RuleWhole, Min: 1, Max: 1<<16 - 1}
	}
	return domain.Fault{}
}

// checkURL is the check of a setting that is the URL of a server, without a path. Plain http
// is for this machine alone, which the guard refuses where it is not allowed.
func checkURL(value string, hosts hostCheck) domain.Fault {
	u, ok := serverURL(value)
	if !ok || u.Scheme == "http" && !ofThisMachine(u.Hostname()) {
		return domain.Fault{Rule: domain.RuleForm}
	}
	return hosts(u.Hostname())
}

// serverURL reads the URL of a server. It is strict: it refuses what two programs could
// understand differently.
func serverURL(text string) (*url.URL, bool) {
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\\#?@% ") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return nil, false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "" || u.Hostname() == "" || strings.HasSuffix(u.Host, ":") || strings.Trim(u.Path, "/") != "" {
		return nil, false
	}
	if u.Port() != "" {
		if n, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || n == 0 {
			return nil, false
		}
	}
	return u, true
}

// portOf returns the port of a server's URL.
func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}
