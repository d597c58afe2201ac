// Package pdf writes documents as PDF: that of a run, which tells people what the run found,
// and the covering letter of a dispute pack. A document has a language and metadata, and no
// structure tags, because the library has none.
//
// reporter.go says what the document of a run has, and charts.go draws its bars. letter.go
// has the letter, and letter_text.go the same as plain text. table.go draws tables whose
// header repeats on each page. document.go has pages, colours, and the running head and
// foot. words.go has what Milaan says in documents, and branding.go how they are marked.
//
// # Texts
//
// text.go makes any text of a file harmless, divides it into pieces of one script, measures
// it and breaks it into lines. fonts.go has the fonts. The library places one glyph for
// each character, which is right for Latin and wrong for Devanagari. Devanagari is shaped
// (shaping.go), its glyphs are drawn as outlines (outlines.go), and the text itself stands
// under them and is invisible, so that search and copying find it. A character that no
// font has is drawn as an empty box over its invisible text.
package pdf
