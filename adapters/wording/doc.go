// Package wording puts reasons, warnings and errors into words. The domain knows only
// codes, rules and values. Each language has one table of words; english.go is the first,
// and a further language is a further table. sentence.go reads the texts of a table and
// fills in the values, which values.go, errors.go and files.go name. reasons.go decides
// which parts a reason has, and in which order.
package wording
