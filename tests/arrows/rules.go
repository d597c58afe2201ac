package arrows

import (
	"go/ast"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Check gives every breach of the house's rules in the files of a tree.
func Check(files []File) []Breach {
	var all []Breach
	for _, f := range files {
		for _, spec := range f.Syntax.Imports {
			name := imported(spec)
			for _, broken := range []string{
				brokenArrow(f, name),
				brokenHome(f, name),
				brokenPurity(f, name),
				brokenTestLibrary(f, name),
				brokenSafety(f, name),
			} {
				if broken != "" {
					all = append(all, f.breach(spec, "%s", broken))
				}
			}
		}
		all = append(all, vagueName(f)...)
		all = append(all, initFunctions(f)...)
		all = append(all, clocks(f)...)
		all = append(all, floats(f)...)
		all = append(all, strayTags(f)...)
		all = append(all, wideInterfaces(f)...)
		all = append(all, readMessages(f)...)
		all = append(all, textsInFileError(f)...)
		all = append(all, unnamedColumns(f)...)
		all = append(all, retiredWords(f)...)
	}
	return append(all, withoutComment(files)...)
}

// adapterOf is the folder of the adapter to which a folder below adapters
// belongs.
func adapterOf(folder string) string {
	parts := strings.SplitN(folder, "/", 3)
	return path.Join(parts[:2]...)
}

// isOurs says whether an import is of this module, and of which folder.
func isOurs(name string) (folder string, ours bool) {
	if name == module {
		return ".", true
	}
	return strings.CutPrefix(name, module+"/")
}

// isLibrary says that an import comes from a third party: its path begins with
// a host's name.
func isLibrary(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.Contains(first, ".")
}

func brokenArrow(f File, name string) string {
	target, ours := isOurs(name)
	if ours && f.IsTest() && (within(target, "tests/fakes") || slices.Contains([]string{"tests/garbage", "tests/only", "tests/worked"}, target)) {
		return ""
	}
	if ours && within(target, "tests") && !within(f.Folder(), "tests") {
		return "imports " + name + ": only what lies in tests may import tests; a suite takes the constructor of what it tests, so call it from a folder in tests"
	}
	r := ringOf(f.Folder())
	switch {
	case r == nil:
		return ""
	case ours:
		if target == f.Folder() && f.IsOutside() || withinAny(target, r.ours) && !withinAny(target, r.except) || f.IsOutside() && withinAny(target, r.outside) {
			return ""
		}
		return "imports " + name + ", but " + r.why + allowed(r.ours, r.except)
	case isLibrary(name):
		if r.libraries || withinAny(name, r.only) || f.IsTest() && withinAny(name, testLibraries) {
			return ""
		}
		return "imports the library " + name + ", but " + r.why
	}
	return ""
}

func allowed(ours, except []string) string {
	if len(ours) == 0 {
		return " (of ours it may import nothing)"
	}
	if len(except) > 0 {
		except = append([]string{" and not"}, except...)
	}
	return " (of ours it may import " + strings.Join(ours, ", ") + strings.Join(except, " ") + ")"
}

func isExempt(folder string) bool { return folder == "." || within(folder, "tests") }

func brokenHome(f File, name string) string {
	if isExempt(f.Folder()) || f.IsOutside() {
		return ""
	}
	for _, h := range homes {
		if within(name, h.library) && !withinAny(f.Folder(), h.folders) && !withinAny(name, testLibraries) {
			return "imports " + name + ", which is at home in " + strings.Join(h.folders, ", ") + " alone: " + h.why
		}
	}
	return ""
}

func brokenPurity(f File, name string) string {
	if !within(f.Folder(), "domain") || f.IsTest() || !withinAny(name, worldly) || withinAny(name, harmless) {
		return ""
	}
	return "imports " + name + ", but the domain has no clock and no input or output of its own: take a value, or an io.Reader, as an argument"
}

func brokenTestLibrary(f File, name string) string {
	if f.IsTest() || within(f.Folder(), "tests") || !withinAny(name, testLibraries) {
		return ""
	}
	return "imports " + name + ", which belongs to tests, into code that is shipped"
}

func brokenSafety(f File, name string) string {
	if name != "unsafe" || withinAny(f.Folder(), unsafeHomes) {
		return ""
	}
	return "imports unsafe: nothing here is worth a program that the compiler cannot vouch for"
}

func vagueName(f File) []Breach {
	name := strings.TrimSuffix(f.Syntax.Name.Name, "_test")
	if !slices.Contains(vague, name) {
		return nil
	}
	return []Breach{f.breach(f.Syntax.Name, "package %s says nothing of what it owns: name it after that", name)}
}

func initFunctions(f File) []Breach {
	if withinAny(f.Folder(), initHomes) {
		return nil
	}
	var all []Breach
	for _, decl := range f.Syntax.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			all = append(all, f.breach(fn, "has an init function, which only %s may have: build it in a constructor", strings.Join(initHomes, ", ")))
		}
	}
	return all
}

// clocks finds the time read, not told, in shipped code that must be told it.
func clocks(f File) []Breach {
	if f.IsTest() || !withinAny(f.Folder(), clockless) {
		return nil
	}
	name := localName(f, "time")
	if name == "" {
		return nil
	}
	var all []Breach
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == name && slices.Contains(timers, s.Sel.Name) {
				all = append(all, f.breach(s, "uses time.%s, but the time is told here: take it as an argument or from ports.Clock", s.Sel.Name))
			}
		}
		return true
	})
	return all
}

// localName is what a file calls the package that it imports from a path, or ""
// if it does not import it.
func localName(f File, from string) string {
	for _, spec := range f.Syntax.Imports {
		if imported(spec) == from {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return path.Base(from)
		}
	}
	return ""
}

// floats finds floating-point numbers in shipped code through which money
// passes.
func floats(f File) []Breach {
	if f.IsTest() || !withinAny(f.Folder(), floatless) {
		return nil
	}
	var all []Breach
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch id.Name {
		case "float32", "float64", "ParseFloat", "FormatFloat", "AppendFloat":
			all = append(all, f.breach(id, "uses %s, but money is never a float: count in domain.Paise", id.Name))
		}
		return true
	})
	return all
}

// strayTags finds struct tags away from the adapter whose promise they are.
func strayTags(f File) []Breach {
	if isExempt(f.Folder()) || f.IsTest() {
		return nil
	}
	var all []Breach
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || field.Tag == nil {
			return true
		}
		text, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			return true
		}
		for key, folders := range tagHomes {
			if _, tagged := reflect.StructTag(text).Lookup(key); tagged && !withinAny(f.Folder(), folders) {
				all = append(all, f.breach(field.Tag, "has a struct tag %q, which only %s may have: convert to a type of the adapter's own", key, strings.Join(folders, ", ")))
			}
		}
		return true
	})
	return all
}

// wideInterfaces finds ports of too many methods. One that is embedded could hide
// some.
func wideInterfaces(f File) []Breach {
	if !withinAny(f.Folder(), portFolders) {
		return nil
	}
	var all []Breach
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if named, is := n.(*ast.TypeSpec); is && slices.Contains(useCases, named.Name.Name) {
			return false
		}
		i, ok := n.(*ast.InterfaceType)
		if !ok {
			return true
		}
		methods := 0
		for _, m := range i.Methods.List {
			methods += len(m.Names)
			if len(m.Names) == 0 {
				all = append(all, f.breach(m, "embeds an interface in a port: list the methods that are needed"))
			}
		}
		if methods > mostMethods {
			all = append(all, f.breach(i, "has an interface of %d methods, and %d are the most: split it by who needs what", methods, mostMethods))
		}
		return true
	})
	return all
}

// withoutComment finds the packages of which nobody has written what they own.
func withoutComment(files []File) []Breach {
	commented := map[string]bool{}
	for _, f := range files {
		has := f.Syntax.Doc != nil && strings.TrimSpace(f.Syntax.Doc.Text()) != ""
		commented[f.Folder()] = commented[f.Folder()] || has
	}
	var all []Breach
	for folder, has := range commented {
		if !has {
			all = append(all, Breach{Path: folder, Text: "the package has no comment: say in its doc.go what it owns"})
		}
	}
	slices.SortFunc(all, func(a, b Breach) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// Strangers gives the top-level entries of a repository that the house does not
// know, from the paths of its files.
func Strangers(paths []string) []string {
	var strange []string
	for _, p := range paths {
		top, _, _ := strings.Cut(p, "/")
		if top == "" || top[0] == '.' || slices.Contains(topLevel, top) || slices.Contains(strange, top) {
			continue
		}
		strange = append(strange, top)
	}
	return strange
}
