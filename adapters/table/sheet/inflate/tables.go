package inflate

import "math/bits"

// An entry of a table says what the bits that lead to it stand for. Its bits, from the lowest on:
//
//	0–7    how many bits are passed over: those of the code, and the extra ones behind it
//	8–12   of these, how many are of the code; of a nested table, how many bits lead into it
//	13–15  what it is
//	16–31  the literal, the least length or distance, or where a nested table begins
//
// A code that is longer than the bits that lead into a table goes on in a nested one.
type entry = uint32

const (
	isNested  entry = 1 << 13
	isSpecial entry = 1 << 14 // nested, the end of the block, or no code
	isLiteral entry = 1 << 15

	noCode     = isSpecial
	endOfBlock = isSpecial | 1<<16
)

const (
	longestCode = 15

	literalBits = 11 // lead into the table of literals and lengths
	literalRoom = 1 << 13
	literalMask = 1<<literalBits - 1

	distanceBits = 9
	distanceRoom = 1 << 11
	distanceMask = 1<<distanceBits - 1

	orderBits = 7 // lead into the table of the lengths of codes, which are no longer
	orderRoom = 1 << orderBits
)

const (
	mostLiterals  = 286
	mostDistances = 30
)

// literalEntries, distanceEntries and orderEntries are the entries of the symbols, without their codes.
var (
	literalEntries  = makeLiteralEntries()
	distanceEntries = makeDistanceEntries()
	orderEntries    = makeOrderEntries()
)

func makeLiteralEntries() (of [288]entry) {
	for i := range 256 {
		of[i] = entry(i)<<16 | isLiteral
	}
	of[256] = endOfBlock
	least := entry(3)
	for i := range 28 {
		extra := entry(max(0, i/4-1))
		of[257+i] = least<<16 | extra
		least += 1 << extra
	}
	of[285] = 258 << 16
	of[286], of[287] = noCode, noCode
	return of
}

func makeDistanceEntries() (of [32]entry) {
	least := entry(1)
	for i := range mostDistances {
		extra := entry(max(0, i/2-1))
		of[i] = least<<16 | extra
		least += 1 << extra
	}
	of[30], of[31] = noCode, noCode
	return of
}

func makeOrderEntries() (of [19]entry) {
	for i := range of {
		of[i] = entry(i) << 16
	}
	return of
}

// makeTable makes the table of a code by the lengths of its codes, 0 for a symbol without one, and the entries of its symbols.
// It is false for lengths that no code has. A code of one symbol may leave half of the bits without a meaning, and
// one of none all.
func makeTable(table []entry, leading int, lengths []uint8, symbols []entry) bool {
	var count [longestCode + 1]int
	for _, n := range lengths {
		count[n]++
	}
	longest := longestCode
	for longest > 0 && count[longest] == 0 {
		longest--
	}
	var next [longestCode + 2]int // the next code of a length
	code := 0
	for n := 1; n <= longest; n++ {
		code <<= 1
		next[n] = code
		code += count[n]
	}
	if code != 1<<longest {
		if longest > 0 && (code != 1 || longest != 1) {
			return false
		}
		for i := range 1 << leading {
			table[i] = noCode
		}
		if longest == 0 {
			return true
		}
	}
	free := 1 << leading // where the next nested table goes
	nestedBits := max(0, longest-leading)
	var nested [1 << literalBits]uint16 // by leading bits, 0: none yet
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		length := int(n)
		reversed := int(bits.Reverse16(uint16(next[length])) >> (16 - length))
		next[length]++
		e := symbols[symbol]
		if length <= leading {
			e += entry(length)<<8 | entry(length)
			for i := reversed; i < 1<<leading; i += 1 << length {
				table[i] = e
			}
			continue
		}
		first := reversed & (1<<leading - 1)
		if nested[first] == 0 {
			nested[first] = uint16(free)
			table[first] = entry(free)<<16 | isSpecial | isNested | entry(nestedBits)<<8 | entry(leading)
			free += 1 << nestedBits
		}
		rest := length - leading
		e += entry(rest)<<8 | entry(rest)
		within := table[nested[first]:][:1<<nestedBits]
		for i := reversed >> leading; i < len(within); i += 1 << rest {
			within[i] = e
		}
	}
	return true
}
