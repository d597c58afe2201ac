package verdict

// numbering says of most names that they are new without a lookup: shops number their orders, and an export has them from the
// latest to the first, or the other way round. A number beyond all names so far is none of them.
type numbering struct {
	least, most uint64 // of the names so far; 0: there is none
	ended       bool   // some name is no number, or one between those before it
}

// continues says whether a name, in the form of OrderKey, is such a number. After the first one that is not, none is.
func (n *numbering) continues(name []byte) bool {
	number := numberOf(name)
	switch {
	case n.ended || number == 0:
		n.ended = true
	case n.most == 0:
		n.least, n.most = number, number
	case number > n.most:
		n.most = number
	case number < n.least:
		n.least = number
	default:
		n.ended = true
	}
	return !n.ended
}

// mostNumbered is how many digits a number may have: none of so many is larger than a uint64.
const mostNumbered = 19

// numberOf returns the number that a name is; 0 for another name.
func numberOf(name []byte) (number uint64) {
	if len(name) == 0 || len(name) > mostNumbered {
		return 0
	}
	for _, b := range name {
		if !isDigit(b) {
			return 0
		}
		number = number*10 + uint64(b-'0')
	}
	return number
}
