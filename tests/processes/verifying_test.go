package processes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// verifiers are how the README's snippets are run: each program is given bodies, signatures and
// secrets in turn, and prints a line for each three that says whether the body is genuine.
var verifiers = []struct {
	language, tool, file string
	before, after        string // around the snippet
	command              []string
}{
	{"go", "go", "main.go", "package main\n\n", `

func main() {
	for of := os.Args[1:]; len(of) > 0; of = of[3:] {
		fmt.Println(genuine([]byte(of[0]), of[1], of[2]))
	}
}
`, []string{"go", "run", "main.go"}},
	{"js", "node", "main.mjs", "", `
for (let of = process.argv.slice(2); of.length > 0; of = of.slice(3)) console.log(genuine(Buffer.from(of[0]), of[1], of[2]));
`, []string{"node", "main.mjs"}},
	{"python", "python3", "main.py", "", `
import os, sys
for i in range(1, len(sys.argv), 3):
    print(str(genuine(os.fsencode(sys.argv[i]), sys.argv[i + 1], sys.argv[i + 2])).lower())
`, []string{"python3", "main.py"}},
	{"sh", "openssl", "main.sh", `while [ $# -gt 0 ]; do printf %s "$1" >body.json; SECRET=$3; [ "$(`, `)" = "$2" ] && echo true || echo false; shift 3; done`, []string{"sh", "main.sh"}},
}

// The README's ways of verifying a signature take what we sign, and nothing
// else.
func TestVerifyingASignature(t *testing.T) {
	t.Parallel()
	const secret = domain.SigningSecret("whsec_bTF0dGVyIG9mIGZhY3QgYW5kIG5vdGhpbmcgZWxzZSE=")
	body := `{"brand":"आशा & Söhne","run_at":"2026-11-21T06:30:00.000Z","flagged_count":7,"amount_risk":12450.5,"run_id":"r"}`
	signature := secret.Signature([]byte(body))
	for _, v := range verifiers {
		t.Run(v.language, func(t *testing.T) {
			t.Parallel()
			for _, tool := range []string{v.tool, v.command[0]} {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("NOT TESTED: %v", err)
				}
			}
			text := snippet(t, "verify "+v.language)
			if v.language == "go" {
				text = strings.Replace(text, "import (", "import (\n\t\"fmt\"\n\t\"os\"", 1)
			}
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, v.file), []byte(v.before+strings.TrimSpace(text)+v.after), 0o600))
			command := exec.Command(v.command[0], v.command[1:]...)
			for _, of := range [][3]string{
				{body, signature, secret.Reveal()},
				{body + " ", signature, secret.Reveal()},
				{body, strings.Repeat("0", 64), secret.Reveal()},
				{body, signature[:62], secret.Reveal()},
				{body, signature, "whsec_other"},
			} {
				command.Args = append(command.Args, of[:]...)
			}
			command.Dir = dir
			out, err := command.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, []string{"true", "false", "false", "false", "false"}, strings.Fields(string(out)),
				"the body as it was signed; another body, another signature, a cut one and another secret")
		})
	}
}
