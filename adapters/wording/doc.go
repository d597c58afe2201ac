// Package wording puts reasons, warnings and errors into words. The domain knows only
// codes, rules and values. english.go and the files beside it are the table of words in
// English; each further language is one file in languages, which translates the texts of
// that table and of the pages. sentence.go reads the texts of a table and
// fills in the values, which values.go, errors.go and files.go name. reasons.go decides
// which parts a reason has, and in which order.
package wording
