package config

import (
	"iter"
	"reflect"
)

// Setting is a variable as it is explained to people.
type Setting struct {
	Variable string // with the prefix
	Default  string // what holds if it is not set
	Meaning  string
}

// Describe lists every setting, in the order of Config.
func Describe() []Setting {
	var all []Setting
	for field := range fields() {
		all = append(all, Setting{
			Variable: Prefix + field.Tag.Get("env"), Default: field.Tag.Get("default"), Meaning: field.Tag.Get("meaning"),
		})
	}
	return all
}

// fields goes through the fields of all sections that are set by a variable.
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
