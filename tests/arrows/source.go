package arrows

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// File is one Go file of the tree, parsed and not compiled.
type File struct {
	Path   string // from the tree's root, with slashes
	Syntax *ast.File
	lines  *token.FileSet
}

// Read parses every Go file below the root of tree. Folders that the go command
// passes over (testdata, and names that begin with . or _) are passed over here
// too. The error names the file that does not parse.
func Read(tree fs.FS) ([]File, error) {
	var files []File
	lines := token.NewFileSet()
	err := fs.WalkDir(tree, ".", func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if at != "." && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(tree, at)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(lines, at, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse the tree: %w", err)
		}
		files = append(files, File{Path: at, Syntax: syntax, lines: lines})
		return nil
	})
	return files, err
}

// Folder is where the file lies: "." for the root.
func (f File) Folder() string { return path.Dir(f.Path) }

// IsTest says that the file is compiled for tests only.
func (f File) IsTest() bool { return strings.HasSuffix(f.Path, "_test.go") }

// IsOutside says that the file tests its package from outside, as package
// x_test.
func (f File) IsOutside() bool {
	return f.IsTest() && strings.HasSuffix(f.Syntax.Name.Name, "_test")
}

// Breach is one place where a rule of the house is broken.
type Breach struct {
	Path string
	Line int // from 1; 0 for the folder as a whole
	Text string
}

func (b Breach) String() string {
	if b.Line == 0 {
		return b.Path + ": " + b.Text
	}
	return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Text)
}

// breach makes a Breach at a place in the file.
func (f File) breach(at ast.Node, format string, args ...any) Breach {
	return Breach{Path: f.Path, Line: f.lines.Position(at.Pos()).Line, Text: fmt.Sprintf(format, args...)}
}

// imported is the path that an import names.
func imported(spec *ast.ImportSpec) string {
	name, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value // cannot be: the parser has accepted it
	}
	return name
}

// within says that name is folder or something below it.
func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

func withinAny(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return within(name, folder) })
}
