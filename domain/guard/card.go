package guard

// Bounds of a payment card's number, in digits.
const (
	leastCard = 14
	mostCard  = 19
)

// card finds a payment card's number: the length and the first digits that an
// issuer has, a check digit that is right, and either no separators or those that
// stand on a card. One of ten numbers of such a length has the right check digit,
// so what is part of a longer id is left.
func card(text string, start int) (Secret, bool) {
	if start > 0 && (inRun.has(text[start-1]) || text[start-1] == '/' || text[start-1] == '#') {
		return Secret{}, false
	}
	var digits [mostCard]byte
	var groups [5]int
	n, g, end := 0, 0, start
	var sep byte
	for end < len(text) {
		c := text[end]
		if '0' <= c && c <= '9' {
			if n == mostCard {
				return Secret{}, false
			}
			digits[n] = c - '0'
			n++
			groups[g]++
			end++
			continue
		}
		// One separator, the same everywhere, with a digit behind it.
		if (c != ' ' && c != '-') || sep != 0 && c != sep || g == len(groups)-1 || groups[g] < 4 ||
			end+1 >= len(text) || text[end+1] < '0' || text[end+1] > '9' {
			break
		}
		sep = c
		g++
		end++
	}
	if end < len(text) && (isWord.has(text[end]) || text[end] == '-' || text[end] == '.' && end+1 < len(text) && isAlnum.has(text[end+1])) {
		return Secret{}, false
	}
	if n < leastCard || !grouped(groups[:g+1]) || !issued(digits[:n]) || !luhn(digits[:n]) {
		return Secret{}, false
	}
	return Secret{CardNumber, start, end}, true
}

// grouped reports whether digits stand as they do on cards.
func grouped(groups []int) bool {
	switch len(groups) {
	case 1:
		return true
	case 3:
		return groups[0] == 4 && groups[1] == 6 && (groups[2] == 5 || groups[2] == 4)
	case 4, 5:
		for _, n := range groups[:4] {
			if n != 4 {
				return false
			}
		}
		return len(groups) == 4 || groups[4] == 3
	}
	return false
}

// issued reports whether an issuer gives out numbers that begin so, in that
// length.
func issued(digits []byte) bool {
	first := 0
	for _, d := range digits[:4] {
		first = first*10 + int(d)
	}
	switch n := len(digits); n {
	case 14:
		return first/100 == 36 || first/100 == 38 || first/10 >= 300 && first/10 <= 305
	case 15:
		return first/100 == 34 || first/100 == 37
	case 16:
		return first/1000 == 4 || first/100 >= 51 && first/100 <= 55 || first >= 2221 && first <= 2720 ||
			first == 6011 || first/100 == 65 || first/10 >= 644 && first/10 <= 649 || first >= 3528 && first <= 3589 || first/100 == 62
	default:
		return first/100 == 62 && n > 16
	}
}

// luhn reports whether the check digit is right.
func luhn(digits []byte) bool {
	sum := 0
	for i, d := range digits {
		v := int(d)
		if (len(digits)-i)%2 == 0 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}
