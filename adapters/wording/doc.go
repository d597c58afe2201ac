// Package wording puts reasons and warnings into words. The domain knows codes
// and values alone. What is said in which case, and in which order, is in
// reasons.go and warnings.go; how it is said is in one table of words per
// language, of which english.go is the first. A further language is a further
// table.
package wording
