package pdf

import (
	"iter"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// placed is a glyph and where its origin is, from the start of the cluster. It is in
// thousandths of the size, as all widths of pieces are.
type placed struct {
	glyph font.GID
	x, y  int32
}

// shaped is a cluster of Devanagari that is ready to be drawn.
type shaped struct {
	glyphs []placed
	width  int32
}

// shaper shapes Devanagari, cluster by cluster: no form depends on the clusters beside it.
// It remembers clusters, because there are few and names repeat.
type shaper struct {
	faces  *[weights]typeface
	opened [weights]*font.Face // nil: not needed so far
	fonts  [weights]*harfbuzz.Font
	buf    *harfbuzz.Buffer
	known  map[cluster]*shaped
}

type cluster struct {
	weight weight
	text   string
}

// mostClusters is how many clusters a shaper remembers.
const mostClusters = 1 << 14

// open returns the Devanagari font. A face may not be used by two documents at once.
func (s *shaper) open(w weight) (*font.Face, *harfbuzz.Font) {
	if s.opened[w] == nil {
		s.opened[w] = font.NewFace(s.faces[w].devanagari)
		s.fonts[w] = harfbuzz.NewFont(s.opened[w])
	}
	return s.opened[w], s.fonts[w]
}

// clusters yields the clusters of a piece of Devanagari. They must not be altered.
func (s *shaper) clusters(w weight, piece string) iter.Seq[*shaped] {
	return func(yield func(*shaped) bool) {
		for piece != "" {
			n := firstCluster(piece)
			if !yield(s.shape(w, piece[:n])) {
				return
			}
			piece = piece[n:]
		}
	}
}

func (s *shaper) shape(w weight, text string) *shaped {
	key := cluster{w, text}
	if done := s.known[key]; done != nil {
		return done
	}
	if s.buf == nil {
		s.buf = harfbuzz.NewBuffer()
	}
	s.buf.Clear()
	s.buf.AddRunes([]rune(text), 0, -1)
	s.buf.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: language.Devanagari, Language: "hi"}
	_, harfbuzzFont := s.open(w)
	s.buf.Shape(harfbuzzFont, nil)
	done := &shaped{glyphs: make([]placed, len(s.buf.Info))}
	for i := range s.buf.Info {
		at := &s.buf.Pos[i]
		done.glyphs[i] = placed{glyph: s.buf.Info[i].Glyph, x: done.width + at.XOffset, y: at.YOffset}
		done.width += at.XAdvance
	}
	if s.known == nil || len(s.known) >= mostClusters {
		s.known = make(map[cluster]*shaped)
	}
	key.text = strings.Clone(text) // the piece may be a part of a long text
	s.known[key] = done
	return done
}
