package peers

import "milaan/domain"

// Language is a language in which the service can speak.
type Language struct {
	Code string // such as hi
	Name string // in the language itself
}

// DocumentLanguage is the language of documents, which have no one reader whose own they could have.
const DocumentLanguage = "en"

// Languages has the words of all languages of the service.
type Languages interface {
	// All lists the languages; English is the first.
	All() []Language
	// In returns the words of the language with a code; English if there is none.
	In(code string) Wording
	// Names returns how the pages of the dashboard name files, fields and columns in the
	// language with a code.
	Names(code string) Names
	// Settings returns the words for connectors and their settings in the language with a
	// code; English if there is none.
	Settings(code string) SettingWords
	// Pages returns the translations of the pages' English texts, as a JSON object; none
	// for English and for unknown codes.
	Pages(code string) []byte
}

// SettingWords has the words for connectors and their settings in one language.
type SettingWords interface {
	// Connector returns what a kind of shop or of report source is called in a list; its
	// id if it has no words.
	Connector(connector domain.Connector) string
	// Setting returns the label of a setting, and a hint that says where a person finds
	// its value; the hint may be blank. The label of a setting without words is its name.
	Setting(connector domain.Connector, name string) (label, hint string)
	// Option returns what an option of a setting means; its name if it has no words.
	Option(connector domain.Connector, name, option string) string
}
