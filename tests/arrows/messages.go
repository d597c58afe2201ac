package arrows

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Errors are told apart by their types and values. A message is made for a person,
// in one place, and read by nobody else: words that are looked for in it, or cut
// out of it, break with the next better wording.

// textPackages have functions that read texts. Their functions in harmless look at
// blanks and order alone.
var (
	textPackages   = []string{"strings", "bytes", "regexp", "unicode/utf8"}
	harmlessOnText = []string{"Compare", "Fields", "Join", "TrimSpace"}
)

// patternMethods begin the names of the methods of *regexp.Regexp and
// *strings.Replacer that read texts.
var patternMethods = []string{"Find", "Match", "Replace", "Split"}

// readMessages finds shipped code that matches on a message, cuts or rewrites it:
// what Error() returns, or a field named Text.
func readMessages(f File) []Breach {
	if f.IsTest() || within(f.Folder(), "tests") {
		return nil
	}
	var all []Breach
	for _, decl := range f.Syntax.Decls {
		fn, is := decl.(*ast.FuncDecl)
		if !is || fn.Body == nil {
			continue
		}
		held := messageVariables(fn)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if readsMessage(f, n, held) {
				all = append(all, f.breach(n, "reads the message of an error: tell errors apart by type, code or rule, and let adapters/wording make the words"))
			}
			return true
		})
	}
	return all
}

// messageVariables are the names of a function's variables that are given a message.
func messageVariables(fn *ast.FuncDecl) (held []string) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		assigned, is := n.(*ast.AssignStmt)
		if !is || len(assigned.Lhs) != len(assigned.Rhs) {
			return true
		}
		for i, right := range assigned.Rhs {
			if id, is := assigned.Lhs[i].(*ast.Ident); is && isMessage(right, nil) {
				held = append(held, id.Name)
			}
		}
		return true
	})
	return held
}

// readsMessage says so of one call, comparison, switch or cut.
func readsMessage(f File, n ast.Node, held []string) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return readsTexts(f, n.Fun) && !replacesCause(n, held) && slices.ContainsFunc(n.Args, func(arg ast.Expr) bool { return holdsMessage(arg, held) })
	case *ast.BinaryExpr:
		return (n.Op == token.EQL || n.Op == token.NEQ) && !isNil(n.X) && !isNil(n.Y) && (isMessage(n.X, held) || isMessage(n.Y, held))
	case *ast.SwitchStmt:
		return n.Tag != nil && isMessage(n.Tag, held)
	case *ast.SliceExpr:
		return isMessage(n.X, held)
	case *ast.IndexExpr:
		return isMessage(n.X, held)
	}
	return false
}

// replacesCause says that a call puts other words in the place of the message of an error that another one wraps: that holds whatever
// both messages are.
func replacesCause(call *ast.CallExpr, held []string) bool {
	s, is := call.Fun.(*ast.SelectorExpr)
	return is && s.Sel.Name == "Replace" && len(call.Args) == 4 && isMessage(call.Args[1], held)
}

// readsTexts says that a function looks into texts.
func readsTexts(f File, fn ast.Expr) bool {
	s, is := fn.(*ast.SelectorExpr)
	if !is || slices.Contains(harmlessOnText, s.Sel.Name) {
		return false
	}
	if x, is := s.X.(*ast.Ident); is && slices.ContainsFunc(textPackages, func(p string) bool { return localName(f, p) == x.Name }) {
		return true
	}
	return slices.ContainsFunc(patternMethods, func(begins string) bool { return strings.HasPrefix(s.Sel.Name, begins) })
}

// holdsMessage says that a message is somewhere in an expression.
func holdsMessage(e ast.Expr, held []string) (holds bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, is := n.(ast.Expr); is && isMessage(x, held) {
			holds = true
		}
		return !holds
	})
	return holds
}

// isMessage says that an expression is a call of Error(), a field named Text, or a
// variable that was given one.
func isMessage(e ast.Expr, held []string) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		s, is := e.Fun.(*ast.SelectorExpr)
		return is && s.Sel.Name == "Error" && len(e.Args) == 0
	case *ast.SelectorExpr:
		return e.Sel.Name == "Text"
	case *ast.Ident:
		return slices.Contains(held, e.Name)
	}
	return false
}

// isNil is true of what a method named Error is compared with if it gives an error.
func isNil(e ast.Expr) bool {
	id, is := e.(*ast.Ident)
	return is && id.Name == "nil"
}

// textsInFileError finds fields of domain.FileError that could hold a sentence: it
// says what is wrong as data.
func textsInFileError(f File) []Breach {
	if f.Folder() != "domain" {
		return nil
	}
	var all []Breach
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		spec, is := n.(*ast.TypeSpec)
		if !is || spec.Name.Name != "FileError" {
			return true
		}
		fields, is := spec.Type.(*ast.StructType)
		if !is {
			return true
		}
		for _, field := range fields.Fields.List {
			if kind, is := field.Type.(*ast.Ident); !is || kind.Name != "string" {
				continue
			}
			for _, name := range field.Names {
				if name.Name != "Column" && name.Name != "Value" && name.Name != "Sheet" {
					all = append(all, f.breach(name, "has the text %s in FileError: say it as a FileRule with its values, and word it in adapters/wording", name.Name))
				}
			}
		}
		return true
	})
	return all
}
