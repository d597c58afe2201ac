package service_test

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/needed"
)

// The programs that people send the collections' requests with. npx fetches them.
const (
	newman = "newman@6.2.2"
	bruno  = "@usebruno/cli@4.1.0"
)

// TestCollections sends all requests of both collections, by the programs that they are for. Each
// request holds its status by itself.
func TestCollections(t *testing.T) {
	t.Parallel()
	if !needed.All() {
		t.Skip("NOT TESTED: it fetches newman and bru from npm's registry; set MILAAN_TEST_REQUIRE_PROGRAMS=1")
	}
	npx := needed.Program(t, "npx")
	run := func(t *testing.T, s *stage, folder string, arguments ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), npx, append([]string{"--yes", "--package"}, arguments...)...)
		command.Dir, command.Env = folder, append(os.Environ(), "npm_config_ignore_scripts=true", "NO_PROXY=127.0.0.1")
		said, err := command.CombinedOutput()
		require.NoError(t, err, "%s", said)
		require.NotContains(t, s.answers, "closeAccount", "who sends a whole collection closes no account")
		for _, item := range s.doc.Paths.Map() {
			for _, o := range item.Operations() {
				if !slices.Contains(withoutExample, o.OperationID) && o.OperationID != "closeAccount" {
					s.answered(t, o.OperationID)
				}
			}
		}
	}
	t.Run("Postman", func(t *testing.T) {
		t.Parallel()
		s, folder := newStage(t), t.TempDir()
		s.writeFiles(t, folder)
		require.NoError(t, os.WriteFile(filepath.Join(folder, "milaan.json"), s.Get(t, "/docs/milaan.postman_collection.json").Body, 0o600))
		run(t, s, folder, newman, "newman", "run", "milaan.json", "--working-dir", folder, "--color", "off",
			"--env-var", "url="+s.Address, "--env-var", "key="+s.Key, "--env-var", "session="+s.Token)
	})
	t.Run("Bruno", func(t *testing.T) {
		t.Parallel()
		s, folder := newStage(t), t.TempDir()
		archive := s.Get(t, "/docs/milaan.bruno.zip").Body
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		require.NoError(t, err)
		require.NoError(t, os.CopyFS(folder, files))
		// The safe sandbox fails the first request if it is answered before the sandbox is loaded.
		run(t, s, filepath.Join(folder, "milaan"), bruno, "bru", "run", "--sandbox", "developer", "--env", "service",
			"--env-var", "url="+s.Address, "--env-var", "key="+s.Key, "--env-var", "session="+s.Token)
	})
}
