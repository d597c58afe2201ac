package verdict_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestDigitsOfEveryScript asks for every character whether it is a digit.
func TestDigitsOfEveryScript(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if cell := "é" + string(r) + "\xff"; verdict.HasDigit([]byte(cell)) != unicode.IsDigit(r) {
			t.Fatalf("%U: a digit is %v", r, unicode.IsDigit(r))
		}
	}
	for _, broken := range []string{"\xe0", "\xe0\xa5", "\xd9", "\xe0٣", "\xf0\x9d\x9f٣", "\xd93"} {
		require.Equal(t, bytes.ContainsFunc([]byte(broken), unicode.IsDigit), verdict.HasDigit([]byte(broken)), "%q", broken)
	}
}

// TestNoBreakSpacesInsideAnIDAreTakenOff has few or many of them in the middle of
// an id.
func TestNoBreakSpacesInsideAnIDAreTakenOff(t *testing.T) {
	for cell, want := range map[string]string{
		"x\u00a01\u202f2": "x12", "é\u00a0\u00a0\u202f\u202f1": "é1", "x\u00a1\u202e1": "x\u00a1\u202e1",
		"x" + strings.Repeat("\u00a0\u202f", 1000) + "1": "x1",
	} {
		key, reliable := verdict.AWBKey([]byte(cell))
		require.True(t, reliable)
		require.Equal(t, want, string(key))
	}
}

// TestLongZonesAllocateNothing reads a time whose zone has a million colons.
func TestLongZonesAllocateNothing(t *testing.T) {
	for zone, want := range map[string]domain.Reading{"+": domain.Unreadable, "+05": domain.Given, "+0530": domain.Given, "+05:30": domain.Given, "+05:3": domain.Unreadable, "+05301": domain.Unreadable, "+x530": domain.Unreadable, "ist": domain.Given, "gmt": domain.Given, "z": domain.Given} {
		for _, colons := range []int{0, 1_000_000} {
			cell := []byte("2026-01-01 11:22:33 " + zone)
			if zone[0] == '+' {
				cell = append(cell, strings.Repeat(":", colons)...)
			}
			var column domain.DateColumn
			_, reading := column.Read(cell)
			require.Equal(t, want, reading, zone)
			require.Zero(t, testing.AllocsPerRun(1, func() { column.Read(cell) }), zone)
		}
	}
}
