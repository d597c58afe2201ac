package verdict

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Files write one UTR in different ways: a courier with blanks and signs, a spreadsheet without leading zeros or as a number with
// decimals. This file has the one form in which UTRs are compared, so that no payout counts twice because two files write it
// differently (guide: verdict 1).

// The lengths of a UTR, in letters and digits. A shorter one could be any number of a bank's text.
const (
	shortestUTR = 8
	LongestUTR  = 64
)

// Beside a UTR that has as many letters and digits as that of a bank, words such as NEFT are no part of it. In a longer text
// nothing is taken off, so that a large cell costs no time.
const (
	shortestOfBank = 12
	longestBeside  = 256
)

// UTRKey returns the form in which a UTR is compared: its letters, as capitals, and its digits. names is false for a text that
// is too short or too long to name one payout of all couriers and banks, or that has no digit.
func UTRKey(utr []byte) (key string, names bool) {
	text := appendUTRKey(nil, utr)
	return string(text), namesPayout(text)
}

// UTRKeyOfCapitals is UTRKey of a text without small letters. It takes the memory of dst where the key is not the text itself:
// a statement has millions of texts that may be one.
func UTRKeyOfCapitals(dst, utr []byte) (key []byte, names bool) {
	if key = utr; !isPlainUTR(utr) {
		key = appendUTRKey(dst[:0], utr)
	}
	return key, namesPayout(key)
}

func namesPayout(key []byte) bool {
	return len(key) >= shortestUTR && len(key) <= LongestUTR && slices.ContainsFunc(key, isDigit)
}

// isPlainUTR says whether a UTR is in the form of UTRKey but for the case of its letters, as nearly every one is.
func isPlainUTR(utr []byte) bool {
	return plainToken(utr) && (len(utr) == 0 || utr[0] != '0' || !isNumber(utr))
}

// appendUTRKey appends the form of UTRKey. Of a UTR with few letters and digits the signs count too: they may be all that tells
// it from another one.
func appendUTRKey(dst, utr []byte) []byte {
	if isPlainUTR(utr) {
		return appendFolded(dst, utr)
	}
	from := len(dst)
	text, reliable := numberOfUTR(cutWordsBeside(utr))
	if !reliable {
		return appendFolded(dst, utr)
	}
	dst = appendFolded(dst, text)
	n := from
	for _, c := range dst[from:] {
		if inKey(c) {
			dst[n] = c
			n++
		}
	}
	if key := dst[from:n]; len(key) > 0 && isNumber(key) {
		return append(dst[:from], cutZeros(key)...)
	} else if len(key) < shortestUTR {
		return appendFolded(dst[:from], utr)
	}
	return dst[:n]
}

// cutZeros removes the zeros before a number, which spreadsheets drop.
func cutZeros(number []byte) []byte {
	for len(number) > 1 && number[0] == '0' {
		number = number[1:]
	}
	return number
}

// numberOfUTR returns the digits of a UTR that a program has written as a number. reliable is false if some are lost.
func numberOfUTR(utr []byte) (digits []byte, reliable bool) {
	if at := bytes.LastIndexByte(utr, '.'); at > 0 && at+1 < len(utr) && len(bytes.Trim(utr[at+1:], "0")) == 0 &&
		len(bytes.Trim(utr[:at], "0123456789, ")) == 0 {
		return utr[:at], true
	}
	if bytes.IndexByte(utr, '+') >= 0 || bytes.IndexByte(utr, '.') >= 0 {
		return restoreExponent(utr)
	}
	return utr, true
}

// isRoundedUTR says whether a spreadsheet has left out digits of a UTR, so that it names no payout.
func isRoundedUTR(utr []byte) bool {
	if isPlainUTR(utr) {
		return false
	}
	_, reliable := numberOfUTR(cutWordsBeside(utr))
	return !reliable
}

// cutWordsBeside removes words that say what a UTR is, such as UTR and NEFT, from its beginning and its end.
func cutWordsBeside(utr []byte) []byte {
	if len(utr) > longestBeside {
		return utr
	}
	for {
		s := bytes.TrimFunc(utr, isSign)
		rest := s
		if at := bytes.IndexFunc(s, isSign); at > 0 && isWordBeside(s[:at]) {
			rest = s[at:]
		} else if at := bytes.LastIndexFunc(s, isSign); at > 0 && isWordBeside(s[at+1:]) {
			rest = s[:at]
		}
		size := 0
		for _, c := range rest {
			if inKey(Upper(c)) {
				size++
			}
		}
		if len(rest) == len(s) || size < shortestOfBank {
			return s
		}
		utr = rest
	}
}

// WordsBesideUTR are words that say what a UTR is, or how the money came.
var WordsBesideUTR = []string{"NEFT", "RTGS", "IMPS", "UPI", "NACH", "ACH", "ECS", "CMS", "UTR", "REFNO", "REF", "RRN", "TRF", "NO"}

func isSign(r rune) bool { return r < utf8.RuneSelf && !InWord(byte(r)) }

func isWordBeside(word []byte) bool {
	return slices.Contains(WordsBesideUTR, strings.ToUpper(string(word)))
}

// inKey says whether a capital, a digit or a byte beyond ASCII is part of a word.
func inKey(c byte) bool { return isDigit(c) || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf }

// sameUTR says whether two UTRs name the same payout, or are both blank.
func sameUTR(a, b []byte) bool {
	if sameKey(a, b) || len(a) == 0 || len(b) == 0 || isPlainUTR(a) && isPlainUTR(b) {
		return sameKey(a, b)
	}
	return bytes.Equal(appendUTRKey(nil, a), appendUTRKey(nil, b))
}

// roundedUTRs are the UTRs of a report that a spreadsheet has rounded.
type roundedUTRs struct {
	report uint16
	lines  int
	shown  examples
}

// addRoundedUTR notes that a line of the report that is being read has such a UTR.
func (r *Remittances) addRoundedUTR(utr []byte) {
	last := len(r.roundedUTRs) - 1
	if last < 0 || r.roundedUTRs[last].report != r.at {
		r.roundedUTRs = append(r.roundedUTRs, roundedUTRs{report: r.at})
		last++
	}
	of := &r.roundedUTRs[last]
	if of.lines++; !of.shown.full() {
		of.shown.add(bytes.Clone(utr))
	}
}

// roundedUTRsOf are those of the i-th of all reports; nil: it has none.
func (r *Remittances) roundedUTRsOf(i int) *roundedUTRs {
	at := slices.IndexFunc(r.roundedUTRs, func(of roundedUTRs) bool { return int(of.report) == i })
	if at < 0 {
		return nil
	}
	return &r.roundedUTRs[at]
}
