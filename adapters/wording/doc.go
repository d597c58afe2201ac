// Package wording puts reasons, warnings and errors into words. The domain knows only
// codes, rules and values. english.json has the English text of each; each further language
// is one file in languages, which translates those texts and the texts of the pages.
// sentence.go reads a text and fills in the values, which values.go, errors.go and files.go
// name. reasons.go decides which parts a reason has, and in which order.
package wording
