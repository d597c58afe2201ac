package ports_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// courier is a connector with a setting of every kind.
var courier = ports.ConnectorInfo{ID: "courier", Name: "Courier", Settings: []ports.SettingInfo{
	{Name: "host", Required: true, Example: "sftp.example.com"},
	{Name: "port", Default: "22"},
	{Name: "zone", Options: []string{"north", "south"}},
	{Name: "password", Secret: true, Exact: true},
	{Name: "token", Secret: true},
	{Name: "key", Secret: true, Exact: true, Lines: true},
	{Name: "base_url", Development: true},
}}

func TestSettingsAreCompleted(t *testing.T) {
	require.Equal(t,
		domain.Settings{"host": "a.example", "port": "22", "zone": "", "password": " p ", "token": "t", "key": "", "base_url": ""},
		courier.Complete(domain.Settings{"host": " a.example\n", "port": " ", "password": " p ", "token": " t ", "colour": "blue"}))
}

// TestPlacesOfSecrets holds which changes of settings take secrets elsewhere.
func TestPlacesOfSecrets(t *testing.T) {
	info := courier
	info.Settings = append(slices.Clone(info.Settings), ports.SettingInfo{Name: "folder", Default: ".", KeepsSecrets: true})
	settings := domain.Settings{"host": "a.example", "password": "p", "folder": "cod"}
	for name, value := range map[string]string{"host": " a.example", "port": "22", "zone": " ", "password": "other", "token": "t", "folder": "", "colour": "blue"} {
		changed := maps.Clone(settings)
		changed[name] = value
		require.True(t, info.SamePlace(settings, changed), name)
	}
	for name, value := range map[string]string{"host": "b.example", "port": "2222", "zone": "north", "base_url": "http://127.0.0.1"} {
		changed := maps.Clone(settings)
		changed[name] = value
		require.False(t, info.SamePlace(settings, changed), name)
		require.False(t, info.SamePlace(changed, settings), name)
	}
}

func TestSettingsForDevelopment(t *testing.T) {
	require.Equal(t, courier, courier.Allowed(true))
	allowed := courier.Allowed(false)
	require.Len(t, courier.Settings, 7)
	require.Equal(t, courier.Settings[:6], allowed.Settings)
	require.Equal(t, domain.RuleSetting, allowed.Check(domain.Settings{"host": "h", "base_url": "http://127.0.0.1"}, nil, nil)[0].Rule)
}

func TestFaultsOfSettings(t *testing.T) {
	names := []string{"host", "port", "zone", "password", "token", "key", "base_url"}
	good := domain.Settings{"host": "h", "zone": "north", "key": "a\nb"}
	require.Empty(t, courier.Check(good, nil, nil))
	for _, c := range []struct {
		name, value string
		want        domain.Fault
	}{
		{"host", "", domain.Fault{Rule: domain.RuleMissing}},
		{"host", "  ", domain.Fault{Rule: domain.RuleMissing}},
		{"host", strings.Repeat("h", 1001), domain.Fault{Rule: domain.RuleLength, Value: "1001", Max: 1000}},
		{"host", "a\nb", domain.Fault{Rule: domain.RuleLine, Max: 1000}},
		{"host", "a\xff", domain.Fault{Rule: domain.RuleLine, Max: 1000}},
		{"zone", "east", domain.Fault{Rule: domain.RuleOneOf, Options: []string{"north", "south"}}},
		{"key", strings.Repeat("k", domain.MaxSetting+1), domain.Fault{Rule: domain.RuleLength, Value: "16385", Max: domain.MaxSetting}},
		{"key", "a\xff", domain.Fault{Rule: domain.RuleLine, Max: 1000}},
		{"pasword", "p", domain.Fault{Rule: domain.RuleSetting, Options: names}},
		{strings.Repeat("p", 5000), "p", domain.Fault{Rule: domain.RuleSetting, Options: names}},
	} {
		given := maps.Clone(good)
		given[c.name] = c.value
		c.want.Field, c.want.Setting = domain.FieldSetting, domain.Shortened(c.name)
		require.Equal(t, domain.Faults{c.want}, courier.Check(given, nil, nil))
	}
}

// A connector looks only at values that are there and are right as texts.
func TestChecksOfConnectors(t *testing.T) {
	var asked []string
	checks := map[string]ports.SettingCheck{}
	for _, setting := range courier.Settings {
		checks[setting.Name] = func(value string, all domain.Settings, hosts ports.HostCheck) domain.Fault {
			require.Equal(t, all[setting.Name], value)
			asked = append(asked, setting.Name+"="+value)
			if setting.Name == "host" {
				return hosts(value)
			}
			return domain.Fault{}
		}
	}
	faults := courier.Check(domain.Settings{"host": " h ", "zone": "east", "token": "t"}, checks, func(string) domain.Fault {
		return domain.Fault{Rule: domain.RuleForm}
	})
	require.Equal(t, []string{"host=h", "port=22", "token=t"}, asked)
	require.Equal(t, domain.Faults{
		{Field: domain.FieldSetting, Setting: "host", Rule: domain.RuleForm, Value: "sftp.example.com"},
		{Field: domain.FieldSetting, Setting: "zone", Rule: domain.RuleOneOf, Options: []string{"north", "south"}},
	}, faults)
}

func TestSecretsAreNotShown(t *testing.T) {
	shown, secrets := courier.Show(domain.Settings{"host": "h", "zone": "", "token": "t", "password": "p", "colour": "blue"})
	require.Equal(t, domain.Settings{"host": "h", "zone": ""}, shown)
	require.Equal(t, []string{"password", "token"}, secrets)

	require.Equal(t, courier, ports.FindConnector([]ports.ConnectorInfo{{ID: "upload"}, courier}, "courier"))
	shown, secrets = ports.FindConnector(nil, "courier").Show(domain.Settings{"host": "h", "token": "t"})
	require.Empty(t, shown)
	require.Empty(t, secrets)
}

func TestConnectorsThatAreNotThere(t *testing.T) {
	all := []ports.ConnectorInfo{courier, {ID: "upload"}}
	require.Empty(t, ports.CheckConnector(all, "upload"))
	fault := domain.Fault{Field: domain.FieldConnector, Rule: domain.RuleMissing, Options: []string{"courier", "upload"}}
	require.Equal(t, domain.Faults{fault}, ports.CheckConnector(all, ""))
	fault.Rule, fault.Value = domain.RuleOneOf, "pigeon"
	require.Equal(t, domain.Faults{fault}, ports.CheckConnector(all, "pigeon"))
}
