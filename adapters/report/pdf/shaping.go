package pdf

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// placed is a glyph and where its origin is, from the start of the run. It is in
// thousandths of the size, as are all widths of runs.
type placed struct {
	glyph font.GID
	x, y  int32
}

// shaped is a run of Devanagari that is ready to be drawn.
type shaped struct {
	glyphs []placed
	width  int32
}

// shaper shapes Devanagari. It remembers words, because statuses and names repeat.
type shaper struct {
	faces *[weights]typeface
	fonts [weights]*harfbuzz.Font // nil: not needed so far
	buf   *harfbuzz.Buffer
	known map[word]*shaped
}

type word struct {
	weight weight
	text   string
}

// mostWords is how many words a shaper remembers.
const mostWords = 2048

func (s *shaper) font(w weight) *harfbuzz.Font {
	if s.fonts[w] == nil {
		s.fonts[w] = harfbuzz.NewFont(font.NewFace(s.faces[w].devanagari))
	}
	return s.fonts[w]
}

// shape returns the glyphs of a run of Devanagari. They must not be altered.
func (s *shaper) shape(w weight, text string) *shaped {
	key := word{w, text}
	if done := s.known[key]; done != nil {
		return done
	}
	if s.buf == nil {
		s.buf = harfbuzz.NewBuffer()
	}
	s.buf.Clear()
	s.buf.AddRunes([]rune(text), 0, -1)
	s.buf.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: language.Devanagari, Language: "hi"}
	s.buf.Shape(s.font(w), nil)
	done := &shaped{glyphs: make([]placed, len(s.buf.Info))}
	for i := range s.buf.Info {
		at := &s.buf.Pos[i]
		done.glyphs[i] = placed{glyph: s.buf.Info[i].Glyph, x: done.width + at.XOffset, y: at.YOffset}
		done.width += at.XAdvance
	}
	if s.known == nil || len(s.known) >= mostWords {
		s.known = make(map[word]*shaped)
	}
	s.known[key] = done
	return done
}
