package config

import (
	"iter"
	"reflect"
)

// Setting describes a variable for people.
type Setting struct {
	Variable string // with the prefix
	Default  string // the value if it is not set, or what happens then
	Meaning  string
}

// Describe lists every setting, in the order of Config.
func Describe() []Setting {
	var all []Setting
	for field := range fields() {
		all = append(all, Setting{
			Variable: Prefix + field.Tag.Get("env"), Default: field.Tag.Get("default") + field.Tag.Get("unset"), Meaning: field.Tag.Get("meaning"),
		})
	}
	return all
}

// fields lists the fields of all sections that a variable sets.
func fields() iter.Seq[reflect.StructField] {
	return func(yield func(reflect.StructField) bool) {
		for section := range reflect.TypeFor[Config]().Fields() {
			if section.Type.Kind() != reflect.Struct {
				continue
			}
			for field := range section.Type.Fields() {
				if field.Tag.Get("env") != "-" && !yield(field) {
					return
				}
			}
		}
	}
}
