// Command soak prints, as an expression for go test -run, the tests of folders that do more
// when MILAAN_SOAK is set, so that the soak does not repeat the others:
//
//	go run ./tests/soak ./app ./tests/reading
//	go run ./tests/soak -day 332 ./app ./tests/reading # every second one: the others on the day after
//
// It reads the sources and has no list, so a new test cannot be forgotten. A test is printed if
// its text, or that of anything of its folder that it names directly or through others, has that
// variable. Names are compared without their types: this may print a test too many, and none
// too few. A function that reads the variable and makes no test longer says so in a line of its
// comment, and tests are not printed for its sake:
//
//	//soak:same
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const variable = "MILAAN_SOAK"

func main() {
	day := flag.Int("day", -1, "print every second test, by the day")
	flag.Parse()
	var all []string
	for _, folder := range flag.Args() {
		tests, err := longer(folder)
		if err == nil && len(tests) == 0 {
			err = fmt.Errorf("no test of %s reads %s: take the variable out of its files", folder, variable)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		all = append(all, tests...)
	}
	all = ofDay(all, *day)
	fmt.Printf("^(%s)$\n", strings.Join(all, "|"))
}

// ofDay is every second one of the tests, or all for a day below 0.
func ofDay(tests []string, day int) (today []string) {
	for i, test := range tests {
		if day < 0 || i%2 == day%2 {
			today = append(today, test)
		}
	}
	return today
}

// longer returns the tests of a folder that read the variable, sorted by name.
func longer(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", folder, err)
	}
	named := map[string][]string{} // what the declarations of a name mention
	var tests []string
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		for _, declaration := range file.Decls {
			if same(declaration) {
				continue
			}
			mentioned := mentions(declaration)
			for _, name := range declared(declaration) {
				named[name] = append(named[name], mentioned...)
				if strings.HasPrefix(name, "Test") && strings.HasSuffix(path, "_test.go") && name != "TestMain" {
					tests = append(tests, name)
				}
			}
		}
	}
	tests = slices.DeleteFunc(tests, func(test string) bool { return !reaches(named, test, map[string]bool{}) })
	slices.Sort(tests)
	return tests, nil
}

// same says whether a declaration is a function that makes no test longer.
func same(declaration ast.Decl) bool {
	function, is := declaration.(*ast.FuncDecl)
	return is && function.Doc != nil && slices.ContainsFunc(function.Doc.List, func(line *ast.Comment) bool {
		return line.Text == "//soak:same"
	})
}

// declared returns the names that a declaration of a file declares, as mentions writes them. What
// has no name, as in var _ = cases.add(one), belongs to what it is added to.
func declared(declaration ast.Decl) []string {
	var names []string
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			return []string{"." + d.Name.Name}
		}
		names = append(names, d.Name.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for i, name := range s.Names {
					if name.Name != "_" {
						names = append(names, name.Name)
					} else if i < len(s.Values) {
						names = append(names, addedTo(s.Values[i])...)
					}
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
	}
	for _, name := range names {
		if ast.IsExported(name) { // the tests of a folder may be a package of their own
			names = append(names, "."+name)
		}
	}
	return names
}

// addedTo returns the name of the variable whose method is called, if that is the value.
func addedTo(value ast.Expr) []string {
	if call, is := value.(*ast.CallExpr); is {
		if method, is := call.Fun.(*ast.SelectorExpr); is {
			if variable, is := method.X.(*ast.Ident); is {
				return []string{variable.Name}
			}
		}
	}
	return nil
}

// mentions returns every identifier of a declaration, after a point with the point, and the
// variable if a text has it.
func mentions(declaration ast.Decl) []string {
	var found []string
	selected := map[*ast.Ident]bool{}
	ast.Inspect(declaration, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			found = append(found, "."+n.Sel.Name)
		case *ast.Ident:
			if !selected[n] {
				found = append(found, n.Name)
			}
		case *ast.BasicLit:
			if strings.Contains(n.Value, variable) {
				found = append(found, variable)
			}
		}
		return true
	})
	return found
}

// reaches says whether a name leads to the variable.
func reaches(named map[string][]string, name string, seen map[string]bool) bool {
	if name == variable {
		return true
	}
	if seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(named[name], func(next string) bool { return reaches(named, next, seen) })
}
