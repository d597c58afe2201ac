// Command write bundles the dashboard's sources and writes the files that the program
// serves: write SOURCES TARGET. It is run by go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"milaan/adapters/httpapi/dashboard/bundle"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "write: name the folder of the sources and the folder of the files")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

// write makes the sources anew that are made of Go's, and replaces the files in target.
func write(sources, target string) error {
	for name, content := range bundle.Made() {
		if err := os.WriteFile(filepath.Join(sources, name), content, 0o644); err != nil {
			return err
		}
	}
	files, err := bundle.Files(sources)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(target, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
