// Package arrows holds the rules of the house that a compiler does not know:
// which part of the tree may import which, where a library or a struct tag is
// at home, and what must not be written at all. It reads the source and builds
// nothing, so it also judges a tree that does not compile.
//
// house.go is the rules as data, and the file to edit when the house
// changes; the linter has the same arrows in .golangci.yml. rules.go applies them, source.go reads the tree; messages.go is the rule
// on the messages of errors. arrows_test.go judges this tree, rules_test.go and
// messages_test.go judge the rules: each must find its breach in a small tree made
// for the purpose.
package arrows
