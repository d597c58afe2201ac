// Package pdf writes documents as PDF: the report of a run, and the covering letter of a
// dispute pack. A document has a language and metadata, and no structure tags, because
// the library has none.
//
// report.go says what a report has, charts.go draws its bars, listing.go lists its flagged
// orders, and letter.go has the letter, also as plain text. table.go draws tables whose
// header repeats on each page. document.go has pages, colours and the running head and
// foot. words.go has what Milaan says in them, and branding.go how they are marked.
//
// # Texts
//
// text.go makes any text of a file harmless, divides it into runs of one script, measures
// it and breaks it into lines. fonts.go has the fonts. The library places one glyph for
// each character, which is right for Latin and wrong for Devanagari. Devanagari is shaped
// (shaping.go), its glyphs are drawn as outlines (outlines.go), and the text itself stands
// under them and is invisible, so that search and copying find it. A character that no
// font has is drawn as an empty box over its invisible text.
package pdf
