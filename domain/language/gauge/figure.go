package gauge

import (
	"cmp"
	"math/big"
	"regexp"
	"strings"
)

// Figure is a value as it was written.
type Figure struct {
	Label string // what it measures, in small letters: "moisture"; "" for the thing's own value
	Text  string // with its unit: "$231.40", "31 %"
	Unit  string // "$", "%", "kg"; "" without one

	value  *big.Rat
	places int // decimals that were written
}

// currencies are what says of what a figure is an amount, before it or behind it.
var currencies = map[string]string{
	"$": "$", "us$": "$", "usd": "$", "dollar": "$", "dollars": "$", "€": "€", "eur": "€", "euro": "€", "euros": "€",
	"£": "£", "gbp": "£", "¥": "¥", "jpy": "¥", "yen": "¥", "₹": "₹", "inr": "₹", "chf": "CHF", "c$": "C$", "cad": "C$", "a$": "A$", "aud": "A$",
	"sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "pence": "p", "cents": "cents", "btc": "BTC", "eth": "ETH",
}

// units are what else stands behind a figure.
var units = map[string]string{
	"%": "%", "percent": "%", "pct": "%", "°c": "°C", "°f": "°F", "degrees": "°", "°": "°", "kg": "kg", "g": "g", "mg": "mg", "lb": "lb", "lbs": "lb", "oz": "oz",
	"l": "l", "ml": "ml", "litres": "l", "liters": "l", "lux": "lux", "lx": "lux", "w": "W", "kw": "kW", "kwh": "kWh", "wh": "Wh", "v": "V", "mv": "mV",
	"km": "km", "m": "m", "cm": "cm", "mm": "mm", "mi": "mi", "miles": "mi", "mph": "mph", "km/h": "km/h", "kmh": "km/h", "ppm": "ppm", "hpa": "hPa", "mbar": "mbar", "bar": "bar",
	"db": "dB", "bpm": "bpm", "points": "points", "pts": "points", "steps": "steps", "shares": "shares", "mb": "MB", "gb": "GB", "tb": "TB",
	"min": "min", "mins": "min", "minutes": "min", "minute": "min", "hours": "hours", "hour": "hours", "days": "days", "day": "days", "weeks": "weeks", "week": "weeks",
}

// scales are words for thousands and more; a figure with one compares only with its like.
var scales = map[string]string{"k": "k", "thousand": "k", "mn": "million", "million": "million", "millions": "million", "bn": "billion", "billion": "billion", "billions": "billion"}

// spans are units of time, by which a figure may say when instead of how much.
var spans = map[string]bool{"min": true, "hours": true, "days": true, "weeks": true}

// written is a number with what may stand around it without a space. Its groups are the sign, the
// currency, the sign behind it, the digits and the unit.
var written = regexp.MustCompile(`^([+\-−–±])?(?i:(US\$|C\$|A\$|[$€£¥₹]|USD|EUR|GBP|CHF|JPY))?([+\-−–])?(\d[\d.,'’]*)(%|[\pL°/€£¥$]{1,6})?$`)

// Ways to write digits: with marks of thousands, with a decimal comma, or plainly.
var (
	byCommas   = regexp.MustCompile(`^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$`)
	byQuotes   = regexp.MustCompile(`^[1-9]\d{0,2}(?:['’]\d{3})+(?:[.,]\d+)?$`)
	byStops    = regexp.MustCompile(`^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$`)
	withPoint  = regexp.MustCompile(`^(?:0|[1-9]\d*)(?:\.\d+)?$`)
	withComma  = regexp.MustCompile(`^(?:0|[1-9]\d*),\d+$`)
	onlyDigits = regexp.MustCompile(`^\d+$`)
)

// maxDigits bounds a whole number that has neither a mark nor a unit: a longer one is an id.
const maxDigits = 8

// decimal reads digits as they are written; false when they are no number.
func decimal(digits string) (value *big.Rat, places int, ok bool) {
	switch {
	case byCommas.MatchString(digits):
		digits = strings.ReplaceAll(digits, ",", "")
	case byQuotes.MatchString(digits):
		digits = strings.ReplaceAll(strings.NewReplacer("'", "", "’", "").Replace(digits), ",", ".")
	case byStops.MatchString(digits):
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".")
	case withComma.MatchString(digits):
		digits = strings.Replace(digits, ",", ".", 1)
	case withPoint.MatchString(digits):
	default:
		return nil, 0, false
	}
	if _, behind, some := strings.Cut(digits, "."); some {
		places = len(behind)
	}
	if len(digits) > maxNumber {
		return nil, 0, false
	}
	value, ok = new(big.Rat).SetString(digits)
	return value, places, ok
}

// maxNumber bounds the digits of a number that is worked with.
const maxNumber = 30

// figure reads one run of text without spaces; false when it is no number. sign is what stands
// before it.
func figure(text string) (f Figure, sign string, ok bool) {
	m := written.FindStringSubmatch(text)
	if m == nil {
		return Figure{}, "", false
	}
	sign = m[1] + m[3]
	value, places, ok := decimal(m[4])
	if !ok {
		return Figure{}, "", false
	}
	f = Figure{Text: text, value: value, places: places, Unit: currencies[strings.ToLower(m[2])]}
	if m[5] != "" && !f.behind(m[5]) {
		return Figure{}, "", false
	}
	if f.Unit == "" && onlyDigits.MatchString(m[4]) && len(m[4]) > maxDigits {
		return Figure{}, "", false
	}
	if strings.ContainsAny(sign, "-−–") {
		f.value.Neg(f.value)
	}
	return f, sign, true
}

// behind takes what stands behind the digits as the unit; false when it is none.
func (f *Figure) behind(text string) bool {
	word := strings.ToLower(text)
	switch {
	case scales[word] != "":
		f.Unit = strings.TrimSpace(f.Unit + " " + scales[word])
	case currencies[word] != "" && !strings.ContainsAny(f.Unit, "$€£¥₹%"):
		f.Unit = strings.TrimSpace(currencies[word] + " " + f.Unit)
	case f.Unit == "" && units[word] != "":
		f.Unit = units[word]
	default:
		return false
	}
	return true
}

// isMoney reports whether the unit is a currency.
func (f Figure) isMoney() bool {
	first, _, _ := strings.Cut(f.Unit, " ")
	for _, c := range currencies {
		if c == first {
			return true
		}
	}
	return false
}

// comparable reports whether two figures measure in the same: an amount without its currency goes
// with one that has it.
func (f Figure) comparable(o Figure) bool {
	return f.value != nil && o.value != nil && (f.Unit == o.Unit || f.Unit == "" && o.isMoney() || o.Unit == "" && f.isMoney())
}

// Same reports whether two figures have the same value.
func (f Figure) Same(o Figure) bool { return f.comparable(o) && f.value.Cmp(o.value) == 0 }

// Change is how a figure differs from an earlier one, with numbers in digits; those that say nothing are "".
type Change struct {
	Way    string // up, down or unchanged
	By     string // how much, in Unit
	Points string // how much of percent, in place of By
	Unit   string // "" of money, and where there is none
	Share  string // how much of the earlier one, in percent
	Below  string // that it is less than so many percent, in place of Share
}

// Change is how the figure differs from an earlier one. It is false when they aren't in the same unit.
func (f Figure) Change(before Figure) (Change, bool) {
	if !f.comparable(before) {
		return Change{}, false
	}
	diff := new(big.Rat).Sub(f.value, before.value)
	out := Change{Way: "up"}
	switch diff.Sign() {
	case 0:
		return Change{Way: "unchanged"}, true
	case -1:
		out.Way = "down"
	}
	unit, by := cmp.Or(f.Unit, before.Unit), new(big.Rat).Abs(diff).FloatString(max(f.places, before.places))
	if unit == "%" {
		out.Points = by
		return out, true
	}
	out.By = by
	if !f.isMoney() && !before.isMoney() {
		out.Unit = unit
	}
	if !strings.HasPrefix(unit, "°") && before.value.Sign() > 0 {
		if out.Share = share(diff, before.value); out.Share == "0.0" {
			out.Share, out.Below = "", "0.1"
		}
		out.Share = strings.TrimSuffix(out.Share, ".0")
	}
	return out, true
}

// share is how much one number is of another, in percent.
func share(part, of *big.Rat) string {
	share := new(big.Rat).Quo(new(big.Rat).Abs(part), of)
	return share.Mul(share, big.NewRat(100, 1)).FloatString(1)
}
