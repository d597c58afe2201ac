package couriers_test

import (
	"bytes"
	"fmt"
	"testing"

	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// BenchmarkRemittances reads an ordinary report of 50,000 lines.
func BenchmarkRemittances(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Delivered Date,Status,UTR\r\n")
	for i := range domain.MaxRows {
		status := "Delivered"
		if i%7 == 0 {
			status = "RTO Delivered"
		}
		fmt.Fprintf(&text, "3806%010d,#%d,%d.50,%d.50,%02d-03-2026,%02d-03-2026,%s,INVUTR%d\r\n", i*7919, 100_000+i, 200+i%900, 190+i%900, 1+i%28, 1+i%20, status, i%30)
	}
	registry := couriers.New(table.New())
	var lines verdict.Remittances
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		lines.Reset()
		if _, err := registry.Remittances(ports.Content{Bytes: text.Bytes()}, ports.MappingChoice{}).Read(noOrders, &lines); err != nil {
			b.Fatal(err)
		}
	}
}
