package pdf

import "milaan/domain"

// column is a column of a table. Cells that are aligned to the right are amounts or
// numbers. They are never cut: they become smaller where they are too wide.
type column struct {
	title string
	width float64 // points
	right bool    // aligned to the right
	lines int     // how many lines a cell may have; 0: one
}

// table draws rows below a header that repeats on each page. A row may have a note, which
// stands below its cells.
type table struct {
	d       *document
	columns []column
	size    float64 // of the cells; points
	group   string  // is repeated with the header
	rest    int     // how many rows follow; the last stands on one page with the sums
	cells   [][]string
}

// The distances in a table, in points.
const (
	cellGap    = 6   // between two columns
	rowAbove   = 3.2 // above the first line of a row
	rowBelow   = 3.8
	noteIndent = 3
	noteLines  = 4 // how many lines a note may have
	headHeight = 17
	sumHeight  = 17
)

// slightly is how much wider than a line a note may be so that it becomes smaller, and does
// not take a second line for a word.
const slightly = 1.06

func (t *table) header() {
	d := t.d
	d.fill(d.look.colour, left, d.y, wide, headHeight)
	d.colour(onto(d.look.colour))
	f := face{bold, 7.5}
	x := float64(left)
	for i := range t.columns {
		c := &t.columns[i]
		t.cell(c, x, d.y+11.4, f, c.title)
		x += c.width
	}
	d.y += headHeight
}

// cell draws a line of a cell of a column that begins at x.
func (t *table) cell(c *column, x, y float64, f face, line string) {
	if !c.right {
		t.d.text(x+cellGap/2, y, f, line)
		return
	}
	room := c.width - cellGap/2
	t.d.textRight(x+room, y, t.d.fitted(line, f, room), line)
}

// onto returns the ink that is readable on a colour.
func onto(c domain.Colour) domain.Colour {
	if 299*int(c[0])+587*int(c[1])+114*int(c[2]) > 160*1000 {
		return ink
	}
	return domain.Colour{255, 255, 255}
}

// row draws a row. All texts are cleaned.
func (t *table) row(note string, cells ...string) {
	d := t.d
	f, small := face{regular, t.size}, face{regular, t.size - 0.8}
	most := 1
	t.cells = t.cells[:0]
	for i, s := range cells {
		t.cells = append(t.cells, nil)
		if c := &t.columns[i]; c.right {
			t.cells[i] = append(t.cells[i], s)
		} else {
			t.cells[i] = d.lines(s, f, c.width-cellGap, max(c.lines, 1))
			most = max(most, len(t.cells[i]))
		}
	}
	const room = wide - noteIndent - cellGap/2
	if w := d.width(note, small); w > room && w <= room*slightly {
		small = d.fitted(note, small, room)
	}
	notes := d.lines(note, small, room, noteLines)
	height := rowAbove + rowBelow + float64(most)*f.size*leading + float64(len(notes))*small.size*leading
	needed := height
	if t.rest--; t.rest == 0 {
		needed += sumHeight
	}
	if d.room(needed) {
		t.resume()
	}
	y := d.y + rowAbove + f.size
	d.colour(ink)
	x := float64(left)
	for i := range t.cells {
		c := &t.columns[i]
		for k, line := range t.cells[i] {
			t.cell(c, x, y+float64(k)*f.size*leading, f, line)
		}
		x += c.width
	}
	y += float64(most-1)*f.size*leading + small.size*leading
	d.colour(soft)
	for _, line := range notes {
		d.text(left+noteIndent, y, small, line)
		y += small.size * leading
	}
	d.y += height
	d.fill(hair, left, d.y, wide, 0.4)
}

// resume draws the header on a further page.
func (t *table) resume() {
	if t.group != "" {
		t.d.heading(t.group+" (continued)", 10)
	}
	t.header()
}

func (t *table) sum(cells ...string) {
	d := t.d
	if d.room(sumHeight) {
		t.resume()
	}
	d.fill(paper, left, d.y, wide, sumHeight)
	d.colour(ink)
	x := float64(left)
	f := face{bold, t.size}
	for i, s := range cells {
		c := &t.columns[i]
		t.cell(c, x, d.y+11.2, f, s)
		x += c.width
	}
	d.y += sumHeight
	d.fill(d.look.colour, left, d.y, wide, 0.8)
}

func (d *document) heading(s string, size float64) {
	d.colour(d.look.colour)
	f := face{bold, size}
	for _, line := range d.lines(s, f, wide, 2) {
		d.text(left, d.y+size, f, line)
		d.y += size * leading
	}
	d.y += size * 0.3
}
