package bank

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"milaan/domain/verdict"
)

// narration is a bank's text as its words, one after the other without what stood between
// them.
type narration struct {
	text  []byte // capitals and digits
	words []int  // where in text each word ends
}

func readNarration(text string) *narration {
	n := new(narration)
	n.text = make([]byte, 0, len(text))
	for i := range len(text) + 1 {
		if i < len(text) && (verdict.InWord(text[i]) || text[i] >= utf8.RuneSelf) {
			n.text = append(n.text, verdict.Upper(text[i]))
		} else if end := len(n.text); end > 0 && (len(n.words) == 0 || n.words[len(n.words)-1] < end) {
			n.words = append(n.words, end)
		}
	}
	return n
}

// joinedWords is into how many words a bank may divide a UTR: it breaks long narrations,
// and some print UTRs in groups.
const joinedWords = 4

// beginnings yields where a name or a UTR may begin: at a word, or behind what banks put before
// a UTR without a blank; and which word that is.
func (n *narration) beginnings() iter.Seq2[int, int] {
	return func(yield func(begin, word int) bool) {
		begin := 0
		for w, end := range n.words {
			for cut := 0; begin+cut < end && cut <= longestPrefix && (cut == 0 || isLetter(n.text[begin+cut-1])); cut++ {
				if isPrefix(n.text[begin:begin+cut]) && !yield(begin+cut, w) {
					return
				}
			}
			begin = end
		}
	}
}

// eachUTR calls found with each part of the text that may be a UTR. It ends with the word in
// which it begins, or with one of the next.
func (n *narration) eachUTR(found func(key []byte)) {
	room := make([]byte, 0, verdict.LongestUTR)
	for begin, w := range n.beginnings() {
		for _, end := range n.words[w:min(w+joinedWords, len(n.words))] {
			if end-begin > verdict.LongestUTR {
				break
			}
			if key, names := verdict.UTRKeyOfCapitals(room, n.text[begin:end]); names {
				found(key)
			}
		}
	}
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' }

// utrPrefixes are what banks put directly before a UTR, besides the code of a bank.
var utrPrefixes = append([]string{"INWARD", "INW", "CR", "IN", "RETURN", "RET", "RTN", "REVERSAL", "REV"}, verdict.WordsBesideUTR...)

// The code of a bank, as in an IFSC, and the most letters of a prefix.
const (
	bankCode      = 4
	longestPrefix = 16
)

// isPrefix says whether letters are some of utrPrefixes, and then perhaps the code of a
// bank.
func isPrefix(letters []byte) bool {
	if len(letters) == 0 || len(letters) == bankCode {
		return true
	}
	return slices.ContainsFunc(utrPrefixes, func(p string) bool {
		return len(letters) >= len(p) && string(letters[:len(p)]) == p && isPrefix(letters[len(p):])
	})
}

// payerName is a name under which banks show a courier, as narration has texts.
type payerName struct {
	courier string
	key     string
}

// namesOf returns the names of payers, the longest first, so that a name that is part of
// another one does not come before it.
func namesOf(payers []Payer) (names []payerName) {
	for _, p := range payers {
		for _, name := range p.Names {
			text := readNarration(name)
			names = append(names, payerName{courier: p.Courier, key: string(text.text)})
		}
	}
	slices.SortFunc(names, func(a, b payerName) int {
		return cmp.Or(cmp.Compare(len(b.key), len(a.key)), strings.Compare(a.key, b.key), strings.Compare(a.courier, b.courier))
	})
	return names
}

// couriers returns the ids of the couriers that the narration names. The last word of a name
// may go on, because banks write names together and cut them off.
func (n *narration) couriers(names []payerName) (ids []string) {
	for begin := range n.beginnings() {
		at := slices.IndexFunc(names, func(name payerName) bool {
			return name.key != "" && bytes.HasPrefix(n.text[begin:], []byte(name.key))
		})
		if at >= 0 && !slices.Contains(ids, names[at].courier) {
			ids = append(ids, names[at].courier)
		}
	}
	return ids
}
