package reckon

import (
	"math/big"
	"slices"
	"strings"
	"sync"

	"chalie/domain/language/speech"
)

// unit is a measure: so much of the first of its kind, from its own zero on.
type unit struct {
	kind string
	one  string   // its name
	size *big.Rat // of the kind's first unit
	zero *big.Rat // of a temperature, in kelvins
}

// unitTable has a kind's units, each with its size in the kind's first one and its names, those of one and
// of several first. Sizes are exact: an inch is 2.54 centimetres by definition. Gallons, pints and cups
// are those of the United States.
var unitTable = []struct{ kind, units string }{
	{"length", `1 meter meters metre metres m; 1000 kilometer kilometers kilometre kilometres km kms k; 1/100 centimeter centimeters centimetre centimetres cm cms; 1/1000 millimeter millimeters millimetre millimetres mm; 1/1000000 micrometer micrometers micron microns;
		1/1000000000 nanometer nanometers nm; 0.0254 inch inches in "; 0.3048 foot feet ft '; 0.9144 yard yards yd yds; 1609.344 mile miles mi; 1852 nautical-mile nautical-miles nmi; 9460730472580800 light-year light-years lightyear lightyears; 149597870700 astronomical-unit astronomical-units; 201.168 furlong furlongs; 1.8288 fathom fathoms; 1/10 decimeter decimeters dm`},
	{"mass", `1 gram grams gramme grammes g gm gms; 1000 kilogram kilograms kilo kilos kg kgs kilogramme kilogrammes; 1/1000 milligram milligrams mg; 1/1000000 microgram micrograms mcg; 1000000 metric-ton metric-tons tonne tonnes; 907184.74 ton tons short-ton short-tons; 453.59237 pound pounds lb lbs; 28.349523125 ounce ounces oz; 6350.29318 stone stones st; 1/5 carat carats`},
	{"volume", `1 liter liters litre litres l; 1/1000 milliliter milliliters millilitre millilitres ml mls cc; 1/100 centiliter centiliters centilitre centilitres cl; 1/10 deciliter deciliters decilitre decilitres dl; 3.785411784 gallon gallons gal gals; 0.946352946 quart quarts qt qts; 0.473176473 pint pints pt pts; 0.2365882365 cup cups;
		0.0295735295625 fluid-ounce fluid-ounces fl-oz floz; 0.01478676478125 tablespoon tablespoons tbsp tbsps; 0.00492892159375 teaspoon teaspoons tsp tsps; 1000 cubic-meter cubic-meters cubic-metre cubic-metres m3; 28.316846592 cubic-foot cubic-feet; 158.987294928 barrel barrels; 4.54609 imperial-gallon imperial-gallons uk-gallon uk-gallons; 0.56826125 imperial-pint imperial-pints uk-pint uk-pints; 1/1000 cubic-centimeter cubic-centimeters cubic-centimetre cubic-centimetres cm3`},
	{"area", `1 square-meter square-meters square-metre square-metres sqm m2; 1000000 square-kilometer square-kilometers square-kilometre square-kilometres km2; 10000 hectare hectares ha; 4046.8564224 acre acres; 0.09290304 square-foot square-feet sqft ft2; 0.00064516 square-inch square-inches; 2589988.110336 square-mile square-miles; 0.83612736 square-yard square-yards`},
	{"time", `1 second seconds sec secs; 1/1000 millisecond milliseconds ms; 60 minute minutes min mins; 3600 hour hours hr hrs; 86400 day days; 604800 week weeks; 1209600 fortnight fortnights`},
	{"speed", `1 meter-per-second meters-per-second metres-per-second m/s mps; 5/18 kilometer-per-hour kilometers-per-hour kilometres-per-hour km/h kmh kph kmph; 0.44704 mile-per-hour miles-per-hour mph; 463/900 knot knots kt kts; 0.3048 foot-per-second feet-per-second`},
	{"data", `1 byte bytes b; 1/8 bit bits; 1000 kilobyte kilobytes kb; 1000000 megabyte megabytes mb; 1000000000 gigabyte gigabytes gb gig gigs; 1000000000000 terabyte terabytes tb; 1000000000000000 petabyte petabytes pb; 1024 kibibyte kibibytes kib; 1048576 mebibyte mebibytes mib; 1073741824 gibibyte gibibytes gib`},
	{"temperature", `1 kelvin kelvins k; 1 degree-Celsius degrees-Celsius celsius centigrade c; 5/9 degree-Fahrenheit degrees-Fahrenheit fahrenheit f`},
	{"energy", `1 joule joules j; 1000 kilojoule kilojoules kj; 4184 kilocalorie kilocalories kcal kcals calorie calories; 3600000 kilowatt-hour kilowatt-hours kwh`},
	{"pressure", `1 pascal pascals pa; 100000 bar bars; 101325 atmosphere atmospheres atm; 6894.757293168 pound-per-square-inch pounds-per-square-inch psi; 100 hectopascal hectopascals hpa; 1000 kilopascal kilopascals kpa`},
	{"power", `1 watt watts w; 1000 kilowatt kilowatts kw; 745.69987158227022 horse-power horsepower hp`},
	{"angle", `1 degree degrees; 60/3600 arcminute arcminutes; 360 circle circles turn turns`},
}

// unitsByName are the units by each of their names; a short one may be of several kinds.
var unitsByName = sync.OnceValue(func() map[string][]unit {
	out := map[string][]unit{}
	for _, table := range unitTable {
		for line := range strings.SplitSeq(table.units, ";") {
			words := strings.Fields(line)
			size, ok := new(big.Rat).SetString(words[0])
			if !ok {
				continue
			}
			u := unit{kind: table.kind, one: strings.ReplaceAll(words[1], "-", " "), size: size}
			switch words[1] {
			case "degree-Celsius":
				u.zero = big.NewRat(27315, 100)
			case "degree-Fahrenheit":
				u.zero = big.NewRat(45967*5, 900)
			}
			for _, name := range words[1:] {
				name = strings.ToLower(strings.ReplaceAll(name, "-", " "))
				out[name] = append(out[name], u)
			}
		}
	}
	return out
})

// unitsAt are the units whose name begins at a token, with the token behind it.
func unitsAt(tokens []string, i int) ([]unit, int) {
	for _, article := range []string{"degrees", "degree", "°", "us", "u.s.", "american", "whole"} {
		if i+1 < len(tokens) && tokens[i] == article {
			if u, next := unitsAt(tokens, i+1); next > 0 {
				return u, next
			}
		}
	}
	for n := min(4, len(tokens)-i); n > 0; n-- {
		if u := unitsByName()[strings.TrimSuffix(strings.Join(tokens[i:i+n], " "), ".")]; u != nil {
			return u, i + n
		}
	}
	return nil, 0
}

// part is an amount of a unit; bare has only the unit.
type part struct {
	amount *big.Rat
	units  []unit
}

// quantity reads "10 km", "5 feet 11", "a pound", "half a mile", "2 pounds 3 ounces".
func quantity(tokens []string) ([]part, bool) {
	var out []part
	for i := 0; i < len(tokens); {
		if len(out) > 0 && tokens[i] == "and" {
			i++
		}
		amount, next := measured(tokens, i)
		if next == 0 {
			return nil, false
		}
		units, end := unitsAt(tokens, next)
		if end == 0 {
			if len(out) == 1 && next == len(tokens) && out[0].units[0].one == "foot" {
				return append(out, part{amount, unitsByName()["inch"]}), true // 5 feet 11
			}
			return nil, false
		}
		if end+3 <= len(tokens) && slices.Equal(tokens[end:end+3], []string{"and", "a", "half"}) {
			amount, end = new(big.Rat).Add(amount, big.NewRat(1, 2)), end+3
		}
		out, i = append(out, part{amount, units}), end
	}
	return out, len(out) > 0
}

// measured reads how many of a unit: 10, minus 40, half a, two and a half.
func measured(tokens []string, i int) (*big.Rat, int) {
	text := strings.Join(tokens[i:], " ") + " "
	for _, f := range []struct {
		words  string
		amount *big.Rat
	}{{"half a ", big.NewRat(1, 2)}, {"half an ", big.NewRat(1, 2)}, {"a half ", big.NewRat(1, 2)}, {"half ", big.NewRat(1, 2)}, {"a quarter of a ", big.NewRat(1, 4)}, {"quarter ", big.NewRat(1, 4)}, {"three quarters of a ", big.NewRat(3, 4)}, {"a quarter ", big.NewRat(1, 4)}} {
		if strings.HasPrefix(text, f.words) {
			return f.amount, i + len(strings.Fields(f.words))
		}
	}
	if i+1 < len(tokens) && (tokens[i] == "-" || tokens[i] == "−" || tokens[i] == "minus" || tokens[i] == "negative") {
		if amount, next := measured(tokens, i+1); next > 0 {
			return new(big.Rat).Neg(amount), next
		}
	}
	if amount, next := counted(tokens, i); next > 0 {
		if next+2 < len(tokens) && tokens[next] == "/" {
			if by, end := counted(tokens, next+1); end > 0 && by.Sign() != 0 {
				return amount.Quo(amount, by), end
			}
		}
		if next+3 < len(tokens) && slices.Equal(tokens[next:next+3], []string{"and", "a", "half"}) {
			return amount.Add(amount, big.NewRat(1, 2)), next + 3
		}
		return amount, next
	}
	if i < len(tokens) && (tokens[i] == "a" || tokens[i] == "an" || tokens[i] == "one" || tokens[i] == "1" || tokens[i] == "the" || tokens[i] == "each" || tokens[i] == "every") {
		return big.NewRat(1, 1), i + 1
	}
	return nil, 0
}

// measure answers how much an amount of one unit is in another.
func (a asker) measure() (Answer, bool) {
	tokens := measureTokens(run.replaced(a.plain(), "$1 km"))
	for _, f := range measureForms {
		for _, got := range f.all(tokens) {
			to, end := unitsAt(got[1], 0)
			if end == 0 || end != len(got[1]) {
				continue
			}
			from, ok := quantity(got[0])
			if !ok && f.rate {
				if u, end := unitsAt(got[0], 0); end == len(got[0]) && end > 0 {
					from, ok = []part{{big.NewRat(1, 1), u}}, true
				}
			}
			if !ok {
				continue
			}
			if out, ok := inUnit(from, to); ok {
				return out, true
			}
		}
	}
	return none()
}

// run is a length as runners say it: 5k.
var run = matching(`\b(\d+)k\b`)

func measureTokens(s string) []string {
	tokens := sumToken.compiled().FindAllString(strings.NewReplacer("°", " degrees ", "-", " - ", `"`, " inches ", "km/h", "kmh", "m/s", "mps", "fl oz", "floz", "fl. oz", "floz", "sq ", "square ", "''", " inches ").Replace(s), -1)
	out := make([]string, 0, len(tokens))
	for _, t := range tokens {
		switch {
		case t == "'":
			out = append(out, "feet")
		case strings.HasSuffix(t, "'") && len(t) > 1:
			out = append(out, strings.TrimSuffix(t, "'"))
		default:
			out = append(out, t)
		}
	}
	return out
}

// measureForm is a way to ask for an amount (A) in a unit (U); rate where the amount may be left out.
type measureForm struct {
	words string
	rate  bool
}

var measureForms = []measureForm{
	{"how many|any|much U are|is|in|equals|equal|make|makes|= there? in? A", true}, {"how many|any U do|does|will|would|can A make|equal|have|weigh|contain|hold|last|come to?", true}, {"how many U are|is there in|to|per A", true}, {"how many U to|per|for|of A", true}, {"how many U go|fit in|into|to A", true}, {"many U in A", true}, {"U in|per A", true}, {"how many U tall|long|high|far|wide|deep|heavy is|are A", false},
	{"number|amount of U in A", true}, {"convert|change|turn|translate|transform A to|into|in U", true}, {"conversion of|from? A to|into|in U", true}, {"A to|into U conversion?", true}, {"A in U", false}, {"A as|= U", false}, {"what is|are|was|would A be? to|in|into|as U", false}, {"what is|are A converted to|into U", false}, {"what does A equal? in|to U", false},
	{"how much is|are|would|does A be|weigh? in|to U", false}, {"how long|far|tall|high|heavy|hot|cold|big|wide|deep|warm|fast is|are A in U", false}, {"A is|are|equals|makes how many U", false}, {"A is|are what in U", false}, {"A converted to|into|in U", false}, {"A = how many U", false}, {"how many U A", false}, {"the? conversion from|for|of A to|into U", true}, {"what is a|the? conversion from|for|of A to|into U", true},
}

// all are the ways in which a form fits: the amount's words, and the unit's.
func (f measureForm) all(tokens []string) [][2][]string {
	var out [][2][]string
	var fit func(form, rest []string, got [2][]string)
	fit = func(form, rest []string, got [2][]string) {
		if len(form) == 0 {
			if len(rest) == 0 {
				out = append(out, got)
			}
			return
		}
		if at := slices.Index([]string{"A", "U"}, form[0]); at >= 0 {
			for n := 1; n <= len(rest); n++ {
				got[at] = rest[:n]
				fit(form[1:], rest[n:], got)
			}
			return
		}
		head, optional := strings.CutSuffix(form[0], "?")
		if len(rest) > 0 && slices.Contains(strings.Split(head, "|"), rest[0]) {
			fit(form[1:], rest[1:], got)
		}
		if optional {
			fit(form[1:], rest, got)
		}
	}
	fit(strings.Fields(f.words), tokens, [2][]string{})
	return out
}

// inUnit says a quantity in another unit of its kind.
func inUnit(from []part, to []unit) (Answer, bool) {
	for _, target := range to {
		sum, ok := new(big.Rat), true
		var said speech.List
		for _, p := range from {
			if p.units[0].kind == "angle" && target.kind == "temperature" {
				p.units = otherScale(target)
			}
			at := slices.IndexFunc(p.units, func(u unit) bool { return u.kind == target.kind })
			if at < 0 {
				ok = false
				break
			}
			u := p.units[at]
			size := new(big.Rat).Mul(p.amount, u.size)
			if u.zero != nil {
				size.Add(size, u.zero)
			}
			sum.Add(sum, size)
			said = append(said, named(p.amount, u))
		}
		if !ok {
			continue
		}
		if target.zero != nil {
			sum.Sub(sum, target.zero)
		}
		sum.Quo(sum, target.size)
		short, exact := shortened(sum)
		args := speech.Args{"from": said, "be": speech.Kind("is"), "to": named(short, target)}
		if len(from) > 1 || from[0].amount.Cmp(big.NewRat(1, 1)) > 0 {
			args["be"] = speech.Kind("are")
		}
		if !exact {
			args["about"] = speech.Kind("about")
		}
		return say("measured", args)
	}
	if mixed := from[0].units[0]; len(to) > 0 && (mixed.kind == "mass" && to[0].kind == "volume" || mixed.kind == "volume" && to[0].kind == "mass") {
		if slices.ContainsFunc(to, func(u unit) bool { return u.one == "ounce" }) {
			return inUnit(from, unitsByName()["fluid ounce"])
		}
		if mixed.one == "ounce" {
			return inUnit([]part{{from[0].amount, unitsByName()["fluid ounce"]}}, to)
		}
		out, ok := say("mixed", speech.Args{"first": speech.Kind(mixed.kind), "one": mixed.word(), "two": to[0].word()})
		out.Open = true
		return out, ok
	}
	return none()
}

// otherScale is what degrees are of that are to be told in a scale.
func otherScale(target unit) []unit {
	if strings.Contains(target.one, "Celsius") {
		return unitsByName()["fahrenheit"]
	}
	return unitsByName()["celsius"]
}

// shortened is a measure to two decimals, and a small one to four digits.
func shortened(r *big.Rat) (short *big.Rat, exact bool) {
	digits := 2
	for small := new(big.Rat).Abs(r); small.Sign() > 0 && small.Cmp(big.NewRat(10, 1)) < 0 && digits < 2*places; digits++ {
		small.Mul(small, big.NewRat(10, 1))
	}
	if n, ends := r.FloatPrec(); ends && n <= digits {
		return r, true
	}
	short, ok := new(big.Rat).SetString(r.FloatString(digits))
	return short, !ok
}

// named is an amount with its unit.
func named(amount *big.Rat, u unit) speech.Message {
	text, _ := number(amount)
	return speech.Message{ID: "measure", Args: speech.Args{"n": speech.Number(text), "unit": u.word()}}
}

// word is its name as a value.
func (u unit) word() speech.Kind {
	return speech.Kind(strings.ToLower(strings.ReplaceAll(u.one, " ", "_")))
}
