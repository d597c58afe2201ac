package ports

import (
	"cmp"
	"maps"
	"milaan/domain"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SettingInfo describes one setting of a connector. Its name, as SettingInfo has it, is what
// programs and files say; adapters/wording has the words for people.
type SettingInfo struct {
	Name     string
	Secret   bool // is never shown again
	Exact    bool // spaces around it are a part of it, as of a password
	Required bool
	Default  string
	Lines    bool     // may have several lines, such as a private key
	Options  []string // of which it must be one; nil: any text
	Example  string
	// KeepsSecrets says that the setting may change while the stored secrets stay: it says
	// neither where nor as whom to connect. After a change of any other setting the secrets
	// must be stated again, so that nobody can have them sent to a host of their own.
	KeepsSecrets bool
	// Development says that the setting exists only where the operator allows connections
	// to this machine.
	Development bool
}

// Value returns the setting as it is used: without the spaces around it that copying a text
// adds, and with its default if it is blank.
func (s SettingInfo) Value(given domain.Settings) string {
	value := given[s.Name]
	if !s.Exact {
		value = strings.TrimSpace(value)
	}
	return cmp.Or(value, s.Default)
}

// check returns the rule that a value breaks which holds for any setting.
func (s SettingInfo) check(value string) domain.Fault {
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

// maxLine is how many bytes a setting of one line may have.
const maxLine = 1000

// ConnectorInfo describes a connector: a kind of shop or of report source.
type ConnectorInfo struct {
	ID       domain.Connector
	Name     string // as its maker writes it, such as Shopify
	Settings []SettingInfo
	Files    bool // it has files with names, which a pattern can choose
	Kept     bool // people upload its files to Milaan
}

// Allowed returns the connector with the settings that it has where connections to this
// machine are allowed, or are not.
func (c ConnectorInfo) Allowed(loopback bool) ConnectorInfo {
	c.Settings = slices.DeleteFunc(slices.Clone(c.Settings), func(s SettingInfo) bool { return s.Development && !loopback })
	return c
}

// Complete returns the values of all settings, and of nothing that the connector does not
// have.
func (c ConnectorInfo) Complete(given domain.Settings) domain.Settings {
	all := domain.Settings{}
	for _, s := range c.Settings {
		all[s.Name] = s.Value(given)
	}
	return all
}

// SettingCheck returns the rule that the value of a setting breaks, in the light of all settings.
// hosts checks the host that is a part of the value.
type SettingCheck func(value string, all domain.Settings, hosts HostCheck) domain.Fault

// HostCheck returns the rule that a host breaks.
type HostCheck func(host string) domain.Fault

// Check returns the faults of settings (FieldSetting): first those of settings that the
// connector does not have. checks are those of settings, by name; they are made of values alone
// that are there and are right as texts. A fault of a form shows the setting's example.
func (c ConnectorInfo) Check(given domain.Settings, checks map[string]SettingCheck, hosts HostCheck) (faults domain.Faults) {
	add := func(name string, fault domain.Fault) {
		fault.Field, fault.Setting = domain.FieldSetting, name
		faults.Add(fault.Rule != "", fault)
	}
	var names []string
	for _, s := range c.Settings {
		names = append(names, s.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			add(domain.Shortened(name), domain.Fault{Rule: domain.RuleSetting, Options: names})
		}
	}
	values := c.Complete(given)
	for _, s := range c.Settings {
		fault := s.check(values[s.Name])
		if check := checks[s.Name]; fault.Rule == "" && check != nil && values[s.Name] != "" {
			fault = check(values[s.Name], values, hosts)
			if fault.Rule == domain.RuleForm {
				fault.Value = s.Example
			}
		}
		add(s.Name, fault)
	}
	return faults
}

// Show splits settings into those that may be shown, and the names of the secrets among them.
// What the connector does not have is neither.
func (c ConnectorInfo) Show(settings domain.Settings) (shown domain.Settings, secrets []string) {
	shown = domain.Settings{}
	for _, s := range c.Settings {
		value, has := settings[s.Name]
		switch {
		case has && s.Secret:
			secrets = append(secrets, s.Name)
		case has:
			shown[s.Name] = value
		}
	}
	return shown, secrets
}

// SamePlace says whether settings connect to the same place as the same user, so that secrets
// of the one may be sent with the other.
func (c ConnectorInfo) SamePlace(a, b domain.Settings) bool {
	return !slices.ContainsFunc(c.Settings, func(s SettingInfo) bool {
		return !s.Secret && !s.KeepsSecrets && s.Value(a) != s.Value(b)
	})
}

// FindConnector finds a connector in a catalogue. One that is not there has no settings.
func FindConnector(catalogue []ConnectorInfo, id domain.Connector) ConnectorInfo {
	if i := slices.IndexFunc(catalogue, func(c ConnectorInfo) bool { return c.ID == id }); i >= 0 {
		return catalogue[i]
	}
	return ConnectorInfo{ID: id}
}

// CheckConnector returns the fault of a connector that is not in a catalogue (FieldConnector).
func CheckConnector(catalogue []ConnectorInfo, id domain.Connector) (faults domain.Faults) {
	var ids []string
	for _, c := range catalogue {
		ids = append(ids, string(c.ID))
	}
	fault := domain.Fault{Field: domain.FieldConnector, Rule: domain.RuleOneOf, Value: domain.Shortened(string(id)), Options: ids}
	if id == "" {
		fault.Rule = domain.RuleMissing
	}
	faults.Add(!slices.Contains(ids, string(id)), fault)
	return faults
}
