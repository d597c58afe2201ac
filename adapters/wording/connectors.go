package wording

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"milaan/domain"
)

// connectorKind is a rule of connectors that has words of its own. The connector is blank
// if they are for every connector.
type connectorKind struct {
	rule      domain.ConnectorRule
	connector domain.Connector
}

// readConnectorKind reads rule/connector, as english.json has it.
func readConnectorKind(name string) connectorKind {
	rule, connector, _ := strings.Cut(name, "/")
	return connectorKind{domain.ConnectorRule(rule), domain.Connector(connector)}
}

type connectorWords struct {
	Kind     string                  `json:"kind"` // in a list
	Who      string                  `json:"who"`  // within a sentence
	Settings map[string]settingWords `json:"settings"`
}

// settingWords are what a setting is called, where a person finds its value, and what its options
// mean, if their names do not say so.
type settingWords struct {
	Label   string            `json:"label"`
	Hint    string            `json:"hint"`
	Options map[string]string `json:"options"`
}

func (c *Catalogue) Connector(connector domain.Connector) string {
	return cmp.Or(c.connectors()[connector].Kind, string(connector))
}

func (c *Catalogue) Setting(connector domain.Connector, name string) (label, hint string) {
	words := c.connectors()[connector].Settings[name]
	return cmp.Or(words.Label, name), words.Hint
}

func (c *Catalogue) Option(connector domain.Connector, name, option string) string {
	return cmp.Or(c.connectors()[connector].Settings[name].Options[option], option)
}

// connectorMessage says what is wrong with a shop or a report source.
func (c *Catalogue) connectorMessage(e *domain.ConnectorError) string {
	words := c.connections(connectorKind{e.Rule, e.Connector})
	if words == nil {
		words = c.connections(connectorKind{rule: e.Rule})
	}
	text, worded := words.append(c, nil, &connectorError{e, c})
	if !worded {
		return string(e.Rule)
	}
	return string(text)
}

type connectorError struct {
	*domain.ConnectorError
	*Catalogue
}

var connectorValues = values[connectorError]{
	texts: stringValues(map[string]func(*connectorError) (string, bool){
		"if source":     func(e *connectorError) (string, bool) { return "", e.Source > 0 },
		"if theirs":     func(e *connectorError) (string, bool) { return "", e.IsFaultOfOthers() },
		"if passphrase": func(e *connectorError) (string, bool) { return "", e.ConnectorError.Setting == "passphrase" },
		"who":           func(e *connectorError) (string, bool) { return e.who(), true },
		"setting":       func(e *connectorError) (string, bool) { return e.setting(), e.ConnectorError.Setting != "" },
		"port": func(e *connectorError) (string, bool) {
			label := e.connectors()[e.ConnectorError.Connector].Settings["port"].Label
			return quoted(label), label != ""
		},
		"file":      func(e *connectorError) (string, bool) { return quoted(e.File), e.File != "" },
		"line":      func(e *connectorError) (string, bool) { return strconv.Itoa(e.Line), e.Line > 0 },
		"column":    func(e *connectorError) (string, bool) { return quoted(e.Column), e.Column != "" },
		"value":     func(e *connectorError) (string, bool) { return visible(e.Value), e.Value != "" },
		"status":    func(e *connectorError) (string, bool) { return strconv.Itoa(e.Status), e.Status > 0 },
		"megabytes": func(e *connectorError) (string, bool) { return strconv.FormatInt(e.Limit>>20, 10), true },
	}),
	numbers: map[string]func(*connectorError) (int, bool){
		"limit":      func(e *connectorError) (int, bool) { return int(e.Limit), true },
		"days limit": func(e *connectorError) (int, bool) { return int(e.Limit), e.Limit > 0 },
		"days":       func(e *connectorError) (int, bool) { return e.Days, e.Days > 0 },
		"wait": func(e *connectorError) (int, bool) {
			return int(e.Wait.Round(time.Second) / time.Second), e.Wait >= time.Second
		},
	},
}

// setting is the label of the setting that must be corrected.
func (e *connectorError) setting() string {
	label, _ := e.Catalogue.Setting(e.ConnectorError.Connector, e.ConnectorError.Setting)
	return quoted(label)
}

// who is the connector within a sentence, with the number of its source.
func (e *connectorError) who() string {
	who := cmp.Or(e.connectors()[e.ConnectorError.Connector].Who, string(e.ConnectorError.Connector))
	if e.Source == 0 {
		return who
	}
	return who + e.Brackets[0] + fillIn(e.SourceName, "{number}", strconv.Itoa(e.Source)) + e.Brackets[1]
}
