// Package packaging_test checks what .packaging has for those who release and run the program.
package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/guide"
	"milaan/tests/needed"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".packaging", name))
	require.NoError(t, err)
	return string(text)
}

func succeed(t *testing.T, program string, args ...string) string {
	t.Helper()
	output, err := exec.Command(program, args...).CombinedOutput()
	require.NoError(t, err, "%s", output)
	return string(output)
}

// TestAlerts has Prometheus check the rules and run their tests.
func TestAlerts(t *testing.T) {
	promtool := needed.Program(t, "promtool")
	succeed(t, promtool, "check", "rules", "--lint-fatal", filepath.Join(root, ".packaging/prometheus/alerts.yaml"))
	succeed(t, promtool, "test", "rules", filepath.Join(root, ".packaging/prometheus/alerts_test.yaml"))
}

// TestAlertsAndPanelsAreInTheGuide holds that it explains each alert, and each figure that alerts and
// panels are made of.
func TestAlertsAndPanelsAreInTheGuide(t *testing.T) {
	chapter, _ := guide.Find("metrics")
	text := chapter.Markdown()
	alerts := read(t, "prometheus/alerts.yaml")
	for _, name := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(alerts, -1) {
		require.Contains(t, text, "| `"+name[1]+"` |")
	}
	for _, figure := range regexp.MustCompile(`\bmilaan_\w+`).FindAllString(alerts+read(t, "grafana/milaan.json"), -1) {
		require.Contains(t, text, "`"+strings.TrimSuffix(figure, "_bucket")+"`")
	}
}
