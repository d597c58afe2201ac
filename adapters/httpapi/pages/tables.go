package pages

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tables makes tables of paragraphs whose second line is |---|---|. They have no alignment, and no cell
// has a | of its own. goldmark's extension for tables can do more. But its package compiles expressions
// whenever the program starts, which takes a thirteenth of a command that compares two small files.
type tables struct{}

func (tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source, lines := reader.Source(), p.Lines()
	if lines.Len() < 2 {
		return
	}
	if rule := lines.At(1); rule.Len() < 3 || len(bytes.Trim(rule.Value(source), "|- \n")) > 0 || source[lines.At(0).Start] != '|' {
		return
	}
	table, head, body := newElement("table", "\n"), newElement("thead", "\n"), newElement("tbody", "\n")
	head.AppendChild(head, newRow(lines.At(0), "th", source))
	for i := 2; i < lines.Len(); i++ {
		body.AppendChild(body, newRow(lines.At(i), "td", source))
	}
	table.AppendChild(table, head)
	if body.HasChildren() {
		table.AppendChild(table, body)
	}
	p.Parent().ReplaceChild(p.Parent(), p, table)
}

func newRow(line text.Segment, cell string, source []byte) *element {
	row := newElement("tr", "\n")
	line = line.TrimRightSpace(source)
	at := line.Start + 1
	for words := range bytes.SplitSeq(source[at:line.Stop-1], []byte("|")) {
		e, within := newElement(cell, ""), text.NewSegment(at, at+len(words))
		within = within.TrimLeftSpace(source)
		e.Lines().Append(within.TrimRightSpace(source))
		row.AppendChild(row, e)
		at += len(words) + 1
	}
	return row
}

// element is written as an element of HTML.
type element struct {
	ast.BaseBlock

	name, gap string // gap follows the opening tag
}

func newElement(name, gap string) *element { return &element{name: name, gap: gap} }

var elementKind = ast.NewNodeKind("Element")

func (e *element) Kind() ast.NodeKind { return elementKind }

func (e *element) Dump(source []byte, level int) { ast.DumpHelper(e, source, level, nil, nil) }

// RegisterFuncs has elements written.
func (tables) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(elementKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		e := n.(*element) //nolint:forcetypeassert // of this kind
		if entering {
			_, _ = w.WriteString("<" + e.name + ">" + e.gap)
		} else {
			_, _ = w.WriteString("</" + e.name + ">\n")
		}
		return ast.WalkContinue, nil // an error of w comes back when it is flushed
	})
}
