// Command manual writes what packages have beside the program: a page of the manual for each
// command, and the completion of commands for shells.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"milaan/adapters/cli"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./adapters/cli/manual FOLDER")
	}
	if err := write(cli.New(cli.Deps{}), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// write writes man/*.1 and completions/milaan.{bash,zsh,fish} below folder. The date of the pages is
// that in SOURCE_DATE_EPOCH, in seconds since 1970, or else today.
func write(root *cobra.Command, folder string) error {
	man, completions := filepath.Join(folder, "man"), filepath.Join(folder, "completions")
	for _, made := range []string{man, completions} {
		if err := os.MkdirAll(made, 0o755); err != nil {
			return err
		}
	}
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Milaan", Manual: "Milaan"}, man); err != nil {
		return fmt.Errorf("write the manual: %w", err)
	}
	for shell, generate := range map[string]func(path string) error{
		"bash": func(path string) error { return root.GenBashCompletionFileV2(path, true) },
		"zsh":  root.GenZshCompletionFile,
		"fish": func(path string) error { return root.GenFishCompletionFile(path, true) },
	} {
		if err := generate(filepath.Join(completions, "milaan."+shell)); err != nil {
			return fmt.Errorf("write the completion for %s: %w", shell, err)
		}
	}
	return nil
}
