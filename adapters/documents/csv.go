package documents

import (
	"encoding/csv"
	"strconv"
	"strings"

	"milaan/adapters/documents/xlsx"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// csvFiles writes each sheet to a CSV file of its own, in the form that Excel opens
// correctly.
type csvFiles struct {
	create ports.CreateFile
	out    *csv.Writer // nil: no file has begun
	record []string
	hidden bool // the table is for programs
}

func (c *csvFiles) Sheet(name string, _ []int, header ...string) error {
	c.hidden = false
	if err := c.Close(); err != nil {
		return err
	}
	file, err := c.create(strings.ToLower(strings.ReplaceAll(name, " ", "-")) + ".csv")
	if err != nil {
		return err
	}
	c.out = view.NewCSV(file)
	if len(header) == 0 {
		return nil
	}
	return c.out.Write(header)
}

// Hidden is Sheet: a file is not hidden.
func (c *csvFiles) Hidden(name string, widths []int, header ...string) error {
	err := c.Sheet(name, widths, header...)
	c.hidden = true
	return err
}

func (c *csvFiles) Row(cells ...xlsx.Cell) error {
	c.record = c.record[:0]
	for i := range cells {
		if c.hidden && cells[i].Kind == xlsx.ID {
			c.record = append(c.record, domain.SpreadsheetMark(cells[i].Text))
			continue
		}
		c.record = append(c.record, csvCell(&cells[i]))
	}
	return c.out.Write(c.record)
}

// Close ends the file that was begun last.
func (c *csvFiles) Close() error {
	if c.out == nil {
		return nil
	}
	c.out.Flush()
	return c.out.Error()
}

func csvCell(c *xlsx.Cell) string {
	switch c.Kind {
	case xlsx.Blank:
		return ""
	case xlsx.ID:
		return domain.SpreadsheetID(c.Text)
	case xlsx.Count:
		return strconv.FormatInt(c.Number, 10)
	case xlsx.Amount:
		return string(domain.Paise(c.Number).AppendRupees(nil))
	case xlsx.Day:
		return domain.Day(c.Number).String()
	}
	return domain.SpreadsheetText(string(c.Text))
}
