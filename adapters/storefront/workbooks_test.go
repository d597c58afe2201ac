package storefront_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// TestExportsAsWorkbooks reads an export that a shop has opened in a spreadsheet and saved
// as a workbook, with dates as numbers of days, and refuses an error cell.
func TestExportsAsWorkbooks(t *testing.T) {
	book := excelize.NewFile()
	set := func(cell string, value any) { require.NoError(t, book.SetCellValue("Sheet1", cell, value)) }
	for i, name := range []string{"Name", "Total", "Created at", "Tracking Number"} {
		set(string(rune('A'+i))+"1", name)
	}
	set("A2", "#1001")
	set("B2", 1499.5)
	set("C2", time.Date(2026, 3, 5, 10, 11, 12, 0, time.UTC))
	set("D2", 190407608689312)
	set("A3", 1002)
	set("C3", time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC))
	set("D3", "0098765432101")
	_, err := book.NewSheet("Notes")
	require.NoError(t, err)
	read := func(total string) (*verdict.Orders, error) {
		set("B3", total)
		var content bytes.Buffer
		require.NoError(t, book.Write(&content))
		var orders verdict.Orders
		orders.Reset()
		return &orders, storefront.New(table.New()).Orders(ports.Content{Bytes: content.Bytes(), Workbook: true}).Read(&orders)
	}
	orders, err := read("250")
	require.NoError(t, err)
	require.Equal(t, 2, orders.Len())
	_, err = read("#VALUE!")
	require.Equal(t, &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleAmount, Sheet: "Sheet1", Line: 3, Column: "Total", Value: "#VALUE!"}, err)
}
