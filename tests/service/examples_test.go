package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"

	"milaan/tests/needed"
	"milaan/tests/only"
)

// shown finds the examples on the page: the operation, the language and the text.
var shown = regexp.MustCompile(`(?s)<details name="call-(\w+)"[^>]*><summary>(\w+)</summary><pre[^>]*><code>(.*?)</code></pre>`)

// example is an example in one language.
type example struct{ operation, text string }

// shownExamples are the examples of the page by language, in its order.
func (s *stage) shownExamples(t *testing.T) map[string][]example {
	t.Helper()
	all := map[string][]example{}
	for _, found := range shown.FindAllStringSubmatch(string(s.Get(t, "/docs").Body), -1) {
		all[found[2]] = append(all[found[2]], example{found[1], html.UnescapeString(found[3])})
	}
	return all
}

// withoutExample are the operations that nobody calls by hand, who needs what only a mail or
// Razorpay has.
var withoutExample = []string{"showUnsubscription", "takeNotice", "unsubscribe"}

// runners say how the examples of a language are run: prepare gets all of them, written to files
// of a folder, and returns the command of each.
var runners = map[string]struct {
	program, extension string
	prepare            func(t *testing.T, program, folder string, all []example) func(example) []string
}{
	"curl": {"curl", ".sh", func(_ *testing.T, _, _ string, _ []example) func(example) []string {
		return func(e example) []string { return []string{"sh", e.operation + ".sh"} }
	}},
	"Go":         {"go", ".go", buildAll},
	"TypeScript": {"node", ".mts", stripAll},
	"Python": {"python3", ".py", func(_ *testing.T, python, _ string, _ []example) func(example) []string {
		return func(e example) []string { return []string{python, e.operation + ".py"} }
	}},
}

// buildAll makes the examples functions of one program, which is compiled and linked once and not once for each:
// its argument says which of them it is. Nothing of an example changes but the name of its function.
func buildAll(t *testing.T, program, folder string, all []example) func(example) []string {
	require.NoError(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module examples\n\ngo 1.26\n"), 0o600))
	calls := ""
	for _, e := range all {
		text := strings.Replace(e.text, "func main() {", "func "+e.operation+"() {", 1)
		require.NoError(t, os.WriteFile(filepath.Join(folder, e.operation+".go"), []byte(text), 0o600))
		calls += fmt.Sprintf("\tcase %q:\n\t\t%s()\n", e.operation, e.operation)
	}
	main := "package main\n\nimport \"os\"\n\nfunc main() {\n\tswitch os.Args[1] {\n" + calls + "\t}\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(main), 0o600))
	build := exec.CommandContext(t.Context(), program, "build", "-ldflags=-s -w", "-o", "built", ".")
	build.Dir, build.Env = folder, append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return func(e example) []string { return []string{filepath.Join(folder, "built"), e.operation} }
}

// stripAll strips the types where Node is too old to do so itself.
func stripAll(t *testing.T, node, folder string, all []example) func(example) []string {
	strips := only.Value(exec.CommandContext(t.Context(), node, "-p", "process.features.typescript").Output())(t)
	if strings.TrimSpace(string(strips)) == "strip" {
		return func(e example) []string { return []string{node, e.operation + ".mts"} }
	}
	for _, e := range all {
		plain := api.Transform(e.text, api.TransformOptions{Loader: api.LoaderTS, Format: api.FormatESModule})
		require.Empty(t, plain.Errors)
		require.NoError(t, os.WriteFile(filepath.Join(folder, e.operation+".mjs"), plain.Code, 0o600))
	}
	return func(e example) []string { return []string{node, e.operation + ".mjs"} }
}

// TestExamples runs every example of /docs as it stands: those for curl always, and those in languages,
// which must be compiled or take a tenth of a second each, where all programs are asked for.
func TestExamples(t *testing.T) {
	t.Parallel()
	for language, runner := range runners {
		t.Run(language, func(t *testing.T) {
			if language != "curl" && !needed.All() {
				t.Skip("NOT TESTED: set MILAAN_TEST_REQUIRE_PROGRAMS")
			}
			t.Parallel()
			program := needed.Program(t, runner.program)
			s := newStage(t)
			all := s.shownExamples(t)[language]
			var missing []string
			for _, item := range s.doc.Paths.Map() {
				for _, o := range item.Operations() {
					if !slices.ContainsFunc(all, func(e example) bool { return e.operation == o.OperationID }) {
						missing = append(missing, o.OperationID)
					}
				}
			}
			require.ElementsMatch(t, withoutExample, missing, "operations without an example: give what they need one in the description")

			folder := t.TempDir()
			for _, e := range all {
				require.NoError(t, os.WriteFile(filepath.Join(folder, e.operation+runner.extension), []byte(e.text), 0o600))
			}
			s.writeFiles(t, folder)
			command := runner.prepare(t, program, folder, all)
			for _, e := range all {
				s.try(t, folder, e, command(e))
			}
		})
	}
}

// try runs an example, which must show or save what the service answered.
func (s *stage) try(t *testing.T, folder string, e example, arguments []string) {
	t.Helper()
	before := files(t, folder)
	command := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...)
	command.Dir = folder
	command.Env = append(os.Environ(), "MILAAN_URL="+s.Address, "MILAAN_KEY="+s.Key, "MILAAN_SESSION="+s.Token, "NO_PROXY=127.0.0.1")
	for name, value := range s.Environment {
		command.Env = append(command.Env, name+"="+value)
	}
	var complained bytes.Buffer
	command.Stderr = &complained
	printed, err := command.Output()
	require.NoError(t, err, "%s fails: %s%s\n%s", e.operation, printed, complained.String(), e.text)
	require.Empty(t, complained.String(), e.operation)
	a := s.answered(t, e.operation)
	for _, name := range files(t, folder) {
		if !slices.Contains(before, name) {
			require.Empty(t, printed, e.operation)
			printed = only.Value(os.ReadFile(filepath.Join(folder, name)))(t)
			require.NoError(t, os.Remove(filepath.Join(folder, name)))
		}
	}
	require.True(t, bytes.Equal(bytes.TrimSpace(a.Body), bytes.TrimSpace(printed)), "%s shows %.500q and not %.500q", e.operation, printed, a.Body)
	if e.operation == "generateApiKey" {
		var issued struct{ Key string }
		require.NoError(t, json.Unmarshal(a.Body, &issued))
		s.Key = issued.Key
	}
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	entries := only.Value(os.ReadDir(folder))(t)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// writeFiles puts the files that forms send into a folder: those of the description's examples.
func (s *stage) writeFiles(t *testing.T, folder string) {
	t.Helper()
	for _, item := range s.doc.Paths.Map() {
		for _, o := range item.Operations() {
			if o.RequestBody == nil || o.RequestBody.Value.Content["multipart/form-data"] == nil {
				continue
			}
			for _, shown := range o.RequestBody.Value.Content["multipart/form-data"].Examples {
				for name, value := range shown.Value.Value.(map[string]any) {
					if several, list := value.([]any); list {
						value = several[0]
					}
					require.NoError(t, os.WriteFile(filepath.Join(folder, name+".csv"), []byte(value.(string)), 0o600))
				}
			}
		}
	}
}
