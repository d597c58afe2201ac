package bundle

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"
)

// TestTheLogicOfThePages runs the tests beside the sources, *.test.ts, on the test runner of
// Node, all in one process: to start one for each file takes longer than the tests. Without Node it is skipped, or fails if CI or MILAAN_TEST_REQUIRE_PROGRAMS is set.
func TestTheLogicOfThePages(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("MILAAN_TEST_REQUIRE_PROGRAMS") != "" {
			t.Fatalf("%v: .ci/run installs it", err)
		}
		t.Skipf("NOT TESTED: %v", err)
	}
	sources, err := filepath.Abs("../ui")
	require.NoError(t, err)
	o := options(sources)
	var all strings.Builder
	require.NoError(t, filepath.WalkDir(sources, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".test.ts") {
			fmt.Fprintf(&all, "import %q;\n", path)
		}
		return err
	}))
	require.NotEmpty(t, all.String())
	o.Stdin = &api.StdinOptions{Contents: all.String(), ResolveDir: sources}
	o.Outfile, o.Outdir, o.Write, o.Sourcemap = filepath.Join(t.TempDir(), "all.mjs"), "", true, api.SourceMapInline
	o.Format, o.External = api.FormatESModule, []string{"node:*"}
	o.MinifyWhitespace, o.MinifyIdentifiers, o.MinifySyntax = false, false, false // for readable failures
	built := api.Build(o)
	require.NoError(t, wrong(append(built.Errors, built.Warnings...)))
	said, err := exec.CommandContext(t.Context(), node, "--enable-source-maps", o.Outfile).CombinedOutput()
	t.Logf("%s", said)
	require.NoError(t, err)
}
