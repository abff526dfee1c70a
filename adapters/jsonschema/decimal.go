package jsonschema

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// decimal is a number of a JSON text as it is written, however large: 0.digits × 10^exponent.
// Nothing of it is ever written out, so 1e1000000000 costs no more than 1.
type decimal struct {
	neg      bool
	digits   string // neither begins nor ends with 0; "" is zero
	exponent int
}

// maxExponent stands in for exponents beyond it.
const maxExponent = 1 << 40

// decimalOf reads a number of a JSON text.
func decimalOf(text string) (d decimal) {
	text, d.neg = strings.CutPrefix(text, "-")
	mantissa, power := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, power = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if power != "" {
		var err error
		if d.exponent, err = strconv.Atoi(power); err != nil || d.exponent > maxExponent || d.exponent < -maxExponent {
			if d.exponent = maxExponent; strings.HasPrefix(power, "-") {
				d.exponent = -maxExponent
			}
		}
	}
	all := whole + fraction
	d.digits = strings.TrimLeft(all, "0")
	d.exponent += len(whole) - (len(all) - len(d.digits))
	if d.digits = strings.TrimRight(d.digits, "0"); d.digits == "" {
		return decimal{}
	}
	return d
}

func (d decimal) isWhole() bool { return d.exponent >= len(d.digits) }

func (d decimal) compare(with decimal) int {
	switch {
	case d.neg != with.neg:
		return cmp.Compare(sign(d), sign(with))
	case d.digits == "" || with.digits == "":
		return cmp.Compare(sign(d), sign(with))
	}
	size := cmp.Or(cmp.Compare(d.exponent, with.exponent), strings.Compare(d.digits, with.digits))
	return size * sign(d)
}

func sign(d decimal) int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// maxPlaces bounds the numbers that are divided, and written without an exponent.
const maxPlaces = 400

func (d decimal) isShort() bool {
	return len(d.digits) <= maxPlaces && d.exponent <= maxPlaces && d.exponent >= -maxPlaces
}

// isMultipleOf takes it that a number of more than maxPlaces places is: to divide such
// numbers takes longer than anybody waits.
func (d decimal) isMultipleOf(divisor decimal) bool {
	if !d.isShort() || !divisor.isShort() {
		return true
	}
	a, okA := new(big.Rat).SetString(d.String())
	b, okB := new(big.Rat).SetString(divisor.String())
	return !okA || !okB || a.Quo(a, b).IsInt()
}

func (d decimal) String() string {
	minus := ""
	if d.neg {
		minus = "-"
	}
	switch {
	case d.digits == "":
		return "0"
	case !d.isShort():
		return minus + "0." + d.digits[:min(len(d.digits), maxPlaces)] + "e" + strconv.Itoa(d.exponent)
	case d.isWhole():
		return minus + d.digits + strings.Repeat("0", d.exponent-len(d.digits))
	case d.exponent <= 0:
		return minus + "0." + strings.Repeat("0", -d.exponent) + d.digits
	}
	return minus + d.digits[:d.exponent] + "." + d.digits[d.exponent:]
}
