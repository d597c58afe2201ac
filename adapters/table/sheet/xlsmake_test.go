package sheet

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf16"
)

// made is a file that tests put together of records and sectors.
type made []byte

func (m made) u16(values ...int) made {
	for _, v := range values {
		m = binary.LittleEndian.AppendUint16(m, uint16(v))
	}
	return m
}

func (m made) u32(values ...uint32) made {
	for _, v := range values {
		m = binary.LittleEndian.AppendUint32(m, v)
	}
	return m
}

func (m made) bytes(values ...byte) made { return append(m, values...) }

func (m made) float(v float64) made {
	return binary.LittleEndian.AppendUint64(m, math.Float64bits(v))
}

func (m made) record(kind int, data []byte) made { return append(m.u16(kind, len(data)), data...) }

// text appends a text of BIFF8, its length as two bytes before it.
func (m made) text(s string) made {
	units := utf16.Encode([]rune(s))
	m = m.u16(len(units)).bytes(textWide)
	for _, u := range units {
		m = m.u16(int(u))
	}
	return m
}

func begin(part int) []byte { return made(nil).u16(biff8, part).u32(0, 0, 0) }

// The records of cells.
func (m made) number(row, col, style int, v float64) made {
	return m.record(recNumber, made(nil).u16(row, col, style).float(v))
}

func (m made) label(row, col int, s string) made {
	return m.record(recLabel, made(nil).u16(row, col, 0).text(s))
}

func (m made) shared(row, col int, n uint32) made {
	return m.record(recSharedText, made(nil).u16(row, col, 0).u32(n))
}

// formula appends one whose result has this kind and value: 0 a text, 1 a truth value,
// 2 an error, 3 an empty text.
func (m made) formula(row, col int, kind, value byte) made {
	return m.record(recFormula, made(nil).u16(row, col, 0).bytes(kind, 0, value, 0, 0, 0, 0xff, 0xff).u16(0).u32(0))
}

// madeSheet is a sheet of a workbook that tests make.
type madeSheet struct {
	name  string
	state byte // 0: visible
	kind  byte // 0: a sheet of cells
	cells made
}

// workbook makes the stream of a workbook. globals stand in its description.
func workbook(globals made, sheets ...madeSheet) made {
	build := func(offsets []int) (stream made, begins []int) {
		stream = made(nil).record(recBegin, begin(partWorkbook))
		stream = append(stream, globals...)
		for i, s := range sheets {
			units := utf16.Encode([]rune(s.name))
			data := made(nil).u32(uint32(offsets[i])).bytes(s.state, s.kind, byte(len(units)), textWide)
			for _, u := range units {
				data = data.u16(int(u))
			}
			stream = stream.record(recSheet, data)
		}
		stream = stream.record(recEnd, nil)
		for _, s := range sheets {
			begins = append(begins, len(stream))
			part := partSheet
			if s.kind != plainSheet {
				part = 0x20 // a chart
			}
			stream = stream.record(recBegin, begin(part))
			stream = append(stream, s.cells...)
			stream = stream.record(recEnd, nil)
		}
		return stream, begins
	}
	_, begins := build(make([]int, len(sheets)))
	stream, _ := build(begins)
	return stream
}

// oneSheet makes the stream of a workbook with a sheet.
func oneSheet(cells made) made { return workbook(nil, madeSheet{name: "Sheet1", cells: cells}) }

// madeStream is a stream of a compound file that tests make.
type madeStream struct {
	name string
	data []byte
}

// compound makes a compound file of 512-byte sectors: the FAT, the directory, the short
// streams with their FAT, and the long streams.
func compound(streams ...madeStream) made {
	const size, perFAT = 512, 128
	var fat []uint32
	var body []byte
	add := func(data []byte) (first uint32) {
		if len(data) == 0 {
			return endOfChain
		}
		first = uint32(len(fat))
		for at := 0; at < len(data); at += size {
			sector := make([]byte, size)
			copy(sector, data[at:])
			body = append(body, sector...)
			fat = append(fat, uint32(len(fat)+1))
		}
		fat[len(fat)-1] = endOfChain
		return first
	}
	var minis, directory []byte
	var miniFAT made
	firsts := make([]uint32, len(streams))
	for i, s := range streams {
		if len(s.data) >= 4096 {
			firsts[i] = add(s.data)
			continue
		}
		firsts[i] = uint32(len(minis) / 64)
		padded := append(bytes.Clone(s.data), make([]byte, (64-len(s.data)%64)%64)...)
		for n := range len(padded) / 64 {
			next := firsts[i] + uint32(n) + 1
			if n == len(padded)/64-1 {
				next = endOfChain
			}
			miniFAT = miniFAT.u32(next)
		}
		minis = append(minis, padded...)
	}
	entry := func(name string, kind byte, right, child, first uint32, length int) {
		e := made(nil)
		units := utf16.Encode([]rune(name))
		for _, u := range units {
			e = e.u16(int(u))
		}
		e = append(e, make([]byte, 64-len(e))...).u16(2*len(units)+2).bytes(kind, 1)
		e = e.u32(noSector, right, child)
		e = append(e, make([]byte, 36)...).u32(first, uint32(length), 0)
		directory = append(directory, e...)
	}
	miniFirst := add(minis)
	miniFATFirst := add(miniFAT)
	entry("Root Entry", rootEntry, noSector, 1, miniFirst, len(minis))
	for i, s := range streams {
		right := uint32(i + 2)
		if i == len(streams)-1 {
			right = noSector
		}
		entry(s.name, streamType, right, noSector, firsts[i], len(s.data))
	}
	directoryFirst := add(directory)
	parts := 1
	for len(fat)+parts > parts*perFAT {
		parts++
	}
	header := made(oleMagic)
	header = append(header, make([]byte, 16)...).u16(0x3e, 3, 0xfffe, 9, 6)
	header = append(header, make([]byte, 10)...).u32(uint32(parts), directoryFirst, 0, 4096, miniFATFirst, 1, endOfChain, 0)
	table := made(nil)
	for i := range 109 {
		if i < parts {
			header = header.u32(uint32(len(fat) + i))
		} else {
			header = header.u32(noSector)
		}
	}
	for _, next := range fat {
		table = table.u32(next)
	}
	for range parts {
		table = table.u32(0xfffffffd)
	}
	for len(table) < parts*size {
		table = table.u32(noSector)
	}
	return append(append(header, body...), table...)
}

// xls makes a file with a workbook.
func xls(stream []byte) made { return compound(madeStream{"Workbook", stream}) }
