package reckon

import (
	"math/big"
	"strings"
)

// places is how many decimals a result is rounded to that has more.
const places = 6

// number writes a number; exact is false where it had to be rounded.
func number(r *big.Rat) (text string, exact bool) {
	if r.IsInt() {
		return r.Num().String(), true
	}
	n, ends := r.FloatPrec()
	if ends && n <= 2*places {
		return r.FloatString(n), true
	}
	digits := places
	for small := new(big.Rat).Abs(r); small.Cmp(big.NewRat(1, 1000)) < 0 && digits < 60; digits++ {
		small.Mul(small, big.NewRat(10, 1)) // of a small number as many digits that count
	}
	return strings.TrimRight(strings.TrimRight(r.FloatString(digits), "0"), "."), false
}

// about is a number with the word about where it had to be rounded.
func about(r *big.Rat) string {
	text, exact := number(r)
	if exact {
		return text
	}
	return "about " + text
}

// root is the nth root of a number that isn't negative; exact where it is one.
func root(r *big.Rat, n int64) *big.Rat {
	num, exactly := wholeRoot(r.Num(), n)
	den, too := wholeRoot(r.Denom(), n)
	if exactly && too {
		return new(big.Rat).SetFrac(num, den)
	}
	// As a whole number with more places than are ever shown.
	const shown = 40
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(shown), nil)
	wide := new(big.Int).Exp(scale, big.NewInt(n), nil)
	wide.Mul(wide, r.Num()).Quo(wide, r.Denom())
	near, _ := wholeRoot(wide, n)
	return new(big.Rat).SetFrac(near, scale)
}

// wholeRoot is the greatest whole number whose nth power isn't above i.
func wholeRoot(i *big.Int, n int64) (*big.Int, bool) {
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(i.BitLen())/uint(n)+1)
	for one := big.NewInt(1); low.Cmp(high) < 0; {
		mid := new(big.Int).Add(low, high)
		mid.Add(mid, one).Rsh(mid, 1)
		if new(big.Int).Exp(mid, big.NewInt(n), nil).Cmp(i) <= 0 {
			low = mid
		} else {
			high = mid.Sub(mid, one)
		}
	}
	return low, new(big.Int).Exp(low, big.NewInt(n), nil).Cmp(i) == 0
}

var smallNumbers = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}

var tens = map[string]int64{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

var greatNumbers = map[string]int64{
	"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 1_000_000_000_000, "k": 1_000, "m": 1_000_000, "bn": 1_000_000_000,
	"dozen": 12, "lakh": 100_000, "crore": 10_000_000,
}

// counted reads a number that begins at a token: 1,500, 2.5 million, two hundred and five,
// a dozen. next is 0 where there is none.
func counted(tokens []string, i int) (value *big.Rat, next int) {
	if i >= len(tokens) {
		return nil, 0
	}
	if r, ok := written(tokens[i]); ok {
		next = i + 1
		for next < len(tokens) && greatNumbers[tokens[next]] > 0 && (len(tokens[next]) > 1 || tokens[next] == "k") {
			r.Mul(r, new(big.Rat).SetInt64(greatNumbers[tokens[next]]))
			next++
		}
		return r, next
	}
	if (tokens[i] == "a" || tokens[i] == "one") && i+1 < len(tokens) && tokens[i+1] == "dozen" {
		return big.NewRat(12, 1), i + 2
	}
	if tokens[i] == "point" {
		if value, next = pointed(tokens, i, 0, true); next > i {
			return value, next
		}
		return nil, 0
	}
	if tokens[i] == "dozen" {
		return big.NewRat(12, 1), i + 1
	}
	return spelled(tokens, i)
}

// spelled reads a number in words: sixty-eight, two hundred and five, three point five.
func spelled(tokens []string, i int) (value *big.Rat, next int) {
	var sum, group int64
	said, at := false, i
	for ; at < len(tokens); at++ {
		w := tokens[at]
		small, isSmall := smallNumbers[w]
		switch {
		case isSmall && (group%10 == 0 && (group%100 >= 20 || group%100 == 0) || !said) && (small < 10 || group%100 == 0):
			group += small
		case tens[w] > 0 && group%100 == 0:
			group += tens[w]
		case w == "hundred" && group > 0 && group < 100:
			group *= 100
		case (w == "hundred" || w == "thousand" || w == "million") && !said && at > 0 && tokens[at-1] == "a":
			group = 100
			if w != "hundred" {
				sum, group = greatNumbers[w], 0
			}
		case len(w) > 2 && greatNumbers[w] > 0 && group > 0:
			sum, group = sum+group*greatNumbers[w], 0
		case w == "a" && !said && at+1 < len(tokens) && (tokens[at+1] == "hundred" || tokens[at+1] == "thousand" || tokens[at+1] == "million"):
			continue
		case w == "and" && said && at+1 < len(tokens) && (tokens[at-1] == "hundred" || tokens[at-1] == "thousand") && isNumberWord(tokens[at+1]):
			continue
		case w == "-" && said && at+1 < len(tokens) && tens[tokens[at-1]] > 0 && smallNumbers[tokens[at+1]] > 0 && smallNumbers[tokens[at+1]] < 10:
			continue
		default:
			return pointed(tokens, at, sum+group, said)
		}
		said = true
	}
	return pointed(tokens, at, sum+group, said)
}

// pointed reads the decimals behind a number in words.
func pointed(tokens []string, at int, whole int64, said bool) (value *big.Rat, next int) {
	if !said {
		return nil, 0
	}
	value = new(big.Rat).SetInt64(whole)
	if at >= len(tokens) || tokens[at] != "point" {
		return value, at
	}
	unit := big.NewRat(1, 1)
	next = at + 1
	for ; next < len(tokens); next++ {
		digit, ok := smallNumbers[tokens[next]]
		if !ok || digit > 9 {
			break
		}
		unit.Mul(unit, big.NewRat(1, 10))
		value.Add(value, new(big.Rat).Mul(unit, new(big.Rat).SetInt64(digit)))
	}
	if next == at+1 {
		return new(big.Rat).SetInt64(whole), at
	}
	return value, next
}

func isNumberWord(w string) bool {
	_, small := smallNumbers[w]
	return small || tens[w] > 0
}

// maxDigits bounds how long a number may be.
const maxDigits = 60

// written reads a number in digits.
func written(token string) (*big.Rat, bool) {
	if token == "" || len(token) > maxDigits || strings.Trim(token, "0123456789.,") != "" || !strings.ContainsAny(token, "0123456789") {
		return nil, false
	}
	return new(big.Rat).SetString(strings.ReplaceAll(token, ",", ""))
}
