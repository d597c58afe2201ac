package browser

import (
	"os"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
)

var axe = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile("testdata/axe-core/axe.min.js")
	return string(text), err
})

// axeRules are the rules of WCAG 2.2 AA and those of good practice.
const axeRules = `["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]`

// Axe holds that axe finds nothing wrong with the page as it is, in light and in dark colours.
func (tab *Tab) Axe() {
	tab.t.Helper()
	script, err := axe()
	require.NoError(tab.t, err)
	if !Eval[bool](tab, `"axe" in globalThis`) {
		Eval[bool](tab, script+";true")
	}
	const report = `.then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)).join("\n"))`
	tab.Dark(false)
	found := Eval[string](tab, `axe.run({runOnly: `+axeRules+`})`+report)
	tab.Dark(true)
	// Only the colours are others.
	found += Eval[string](tab, `axe.run({runOnly: ["color-contrast"]})`+report)
	tab.Dark(false)
	if found != "" {
		tab.t.Errorf("axe finds faults at %s:\n%s", Eval[string](tab, "location.pathname"), strings.TrimSpace(found))
	}
}
