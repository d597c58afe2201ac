package arrows

import (
	"go/ast"
	"go/token"
	"regexp"
)

// An instance goes on while a later version migrates its database, with the statements that
// its connections have prepared. PostgreSQL refuses one whose result has got another column.

// wholeRows finds a statement that returns all columns that a table has.
var wholeRows = regexp.MustCompile(`(?is)\b(SELECT|RETURNING)\b(\s+\*|.*\w\.\*)`)

// riversTables finds a table of river's, which is river's alone: its next version may change it.
var riversTables = regexp.MustCompile(`\briver_(job|queue|leader|migration|notification|client)`)

// unnamedColumns finds statements of shipped code that return whatever columns there are, or that name
// a table of the library's that does our jobs.
func unnamedColumns(f File) []Breach {
	if f.IsTest() || !withinAny(f.Folder(), []string{"adapters/storage", "adapters/jobs"}) {
		return nil
	}
	var all []Breach
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING && riversTables.MatchString(n.Value) {
				all = append(all, f.breach(n, "names a table of river's: use its client"))
			}
			if n.Kind == token.STRING && wholeRows.MatchString(n.Value) {
				all = append(all, f.breach(n, "returns all columns that a table has: name those that the program knows, because a later version adds some while this one serves"))
			}
		case *ast.CompositeLit:
			if of, is := n.Type.(*ast.SelectorExpr); is && of.Sel.Name == "Returning" && len(n.Elts) == 0 {
				all = append(all, f.breach(n, "has gorm return all columns that a table has: name those that the program knows, because a later version adds some while this one serves"))
			}
		}
		return true
	})
	return all
}
