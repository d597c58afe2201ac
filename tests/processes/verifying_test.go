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

// verifiers are how the README's snippets are run: each program reads the body
// from body.json and prints whether it is genuine, but for the shell's, which
// prints the signature.
var verifiers = []struct {
	language, tool, file string
	before, after        string // around the snippet
	command              []string
}{
	{"go", "go", "main.go", "package main\n\n", `

func main() {
	body, err := os.ReadFile("body.json")
	if err != nil {
		panic(err)
	}
	fmt.Println(genuine(body, os.Args[1], os.Args[2]))
}
`, []string{"go", "run", "main.go"}},
	{"js", "node", "main.mjs", "", `
import { readFileSync } from "node:fs";
console.log(genuine(readFileSync("body.json"), process.argv[2], process.argv[3]));
`, []string{"node", "main.mjs"}},
	{"python", "python3", "main.py", "", `
import sys
print(str(genuine(open("body.json", "rb").read(), sys.argv[1], sys.argv[2])).lower())
`, []string{"python3", "main.py"}},
	{"sh", "openssl", "main.sh", `SECRET=$2; [ "$(`, `)" = "$1" ] && echo true || echo false`, []string{"sh", "main.sh"}},
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
			verdict := func(body, signature, secret string) string {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "body.json"), []byte(body), 0o600))
				command := exec.Command(v.command[0], append(v.command[1:], signature, secret)...)
				command.Dir = dir
				out, err := command.CombinedOutput()
				require.NoError(t, err, "%s", out)
				return strings.TrimSpace(string(out))
			}
			require.Equal(t, "true", verdict(body, signature, secret.Reveal()))
			require.Equal(t, "false", verdict(body+" ", signature, secret.Reveal()), "another body")
			require.Equal(t, "false", verdict(body, strings.Repeat("0", 64), secret.Reveal()), "another signature")
			require.Equal(t, "false", verdict(body, signature[:62], secret.Reveal()), "a cut signature")
			require.Equal(t, "false", verdict(body, signature, "whsec_other"), "another secret")
		})
	}
}
