// Package inflection stands in for the plurals of English words, which gorm imports to name
// tables. Milaan names its tables itself (dialect.Naming), so that nothing here is called.
package inflection

func Plural(word string) string   { panic("Milaan has no plural of " + word) }
func Singular(word string) string { panic("Milaan has no singular of " + word) }
