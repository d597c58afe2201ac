package arrows

import (
	"go/ast"
	"regexp"
)

// retired are words and turns of phrase that names and comments do not have any more, with what
// to write instead: the glossary in domain/doc.go has the words that they have.
var retired = []struct {
	words   *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\b[pP]ermits?\b|[a-z]Permits?\b|\b[pP]ermits?[A-Z]|[a-z]Permits?[A-Z]`), "a limiter has places"},
	{regexp.MustCompile(`\b[sS]ick\b|\b[pP]atience\b|[a-z](Sick|Patience)`), "an endpoint is unhealthy, and who waits has a timeout or an interval"},
	{regexp.MustCompile(`RunDigest|\bdigestKey|StoreLooks|LookSpan`), "a run has a hash of its inputs, a request a fingerprint, a file a snapshot; a digest is a mail"},
	{regexp.MustCompile(`\bfills (ports|glue)\b`), "say what it does: the compiler knows which interface it implements"},
	{regexp.MustCompile(`\b[sS]o many \w+ (of|that are|at once)\b|, for (it|they) (is|are|was|would)\b|\bas one of whose\b`), "write because, or a number"},
}

// retiredWords finds them in comments and names.
func retiredWords(f File) (all []Breach) {
	check := func(at ast.Node, text string) {
		for _, r := range retired {
			if found := r.words.FindString(text); found != "" && f.Path != "domain/doc.go" && f.Folder() != "tests/arrows" {
				all = append(all, f.breach(at, "says %q: %s", found, r.instead))
			}
		}
	}
	for _, group := range f.Syntax.Comments {
		check(group, group.Text())
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if name, is := n.(*ast.Ident); is {
			check(name, name.Name)
		}
		return true
	})
	return all
}
