// Package wording puts reasons, warnings and errors into words. The domain knows
// codes, rules and values alone. What is said in which case, and in which order, is
// in reasons.go, warnings.go and files.go; how it is said is in one table of words
// per language, of which english.go is the first. A further language is a further
// table.
package wording
