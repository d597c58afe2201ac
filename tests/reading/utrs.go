package reading

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	decimals = regexp.MustCompile(`^[0-9, ]+\.0+$`)
	exponent = regexp.MustCompile(`^([0-9])[.,]?([0-9]*)[Ee]\+([0-9]+)$`)
	word     = regexp.MustCompile(`[^\x00-/:-@\[-` + "`" + `{-\x7f]+`)
	beside   = regexp.MustCompile(`^(NEFT|RTGS|IMPS|UPI|NACH|ACH|ECS|CMS|UTR|REFNO|REF|RRN|TRF|NO)$`)
)

// utrKey gives the form in which a UTR is compared. A rounded one is blank.
func utrKey(utr string) string {
	text := strings.ToUpper(utr)
	for {
		words := word.FindAllStringIndex(text, -1)
		if len(words) < 2 {
			break
		}
		first, last := words[0], words[len(words)-1]
		rest := text[first[0]:last[1]]
		if text = rest; beside.MatchString(text[:first[1]-first[0]]) {
			rest = rest[words[1][0]-first[0]:]
		} else if beside.MatchString(text[last[0]-first[0]:]) {
			rest = rest[:words[len(words)-2][1]-first[0]]
		}
		if rest == text || len(strings.Join(word.FindAllString(rest, -1), "")) < 12 {
			break
		}
		text = rest
	}
	if decimals.MatchString(text) {
		text = text[:strings.Index(text, ".")]
	} else if parts := exponent.FindStringSubmatch(text); parts != nil {
		text = parts[1] + parts[2]
		if strconv.Itoa(len(parts[2])) != parts[3] {
			return ""
		}
	}
	key := strings.Join(word.FindAllString(text, -1), "")
	if strings.Trim(key, "0123456789") == "" && key != "" {
		if key = strings.TrimLeft(key, "0"); key == "" {
			key = "0"
		}
		return key
	}
	if len(key) < 8 {
		return strings.ToUpper(utr)
	}
	return key
}
