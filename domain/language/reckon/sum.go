package reckon

import (
	"math/big"
	"slices"
	"strings"

	"chalie/domain/language/speech"
)

// sum answers what can be worked out of numbers.
func (a asker) sum() (Answer, bool) {
	if noSum.in(a.said) {
		return unworked("sum")
	}
	if mine.in(strings.ReplaceAll(a.said, "do i", "")) {
		return none()
	}
	said := sumEnd.without(a.said)
	words := sumToken.compiled().FindAllString(said, -1)
	if strings.Join(words, "") != strings.ReplaceAll(said, " ", "") || len(words) > maxSumWords || !slices.ContainsFunc(words, isNumber) {
		return none()
	}
	asked := said != a.said
	for {
		n := question(words)
		if n == 0 || n == len(words) {
			break
		}
		words, asked = words[n:], true
	}
	words, equals := ending(words)
	asked = asked || equals
	s := &summer{}
	if text, ok := s.judge(words); ok {
		return told("%s", text)
	}
	if len(words) < 2 {
		return none()
	}
	kept := *s
	value, ok := s.whole(words)
	if !ok || !s.worked {
		*s = kept
		if value, ok = s.form(words); !ok {
			return none()
		}
	}
	switch {
	case !asked && s.bare && !s.plus && !spacedMinus.in(a.said):
		return none() // 12/15 is a date, 555-1234 a number to call
	case s.wrong != "":
		out, ok := unworked(s.wrong)
		out.Open = false // that there is none is an answer
		return out, ok
	}
	return say("sum", s.priced(value))
}

// sumEnd asks behind what is worked out: if I add 5 and 6, what do I get?
var sumEnd = matching(`(?: ,)? (?:what do (?:i|you|we) (?:get|have)|what is (?:it|that|the result|the answer)|how much (?:is it|is that|do i get|do i have)|what does (?:it|that) make)$`)

// spacedMinus is one that no number to call has.
var spacedMinus = matching(`^\d+(?:\.\d+)? [-−–] \d+(?:\.\d+)?$`)

// noSum asks for one that wasn't said.
var noSum = matching(`^(?:(?:help|find|give|tell|what is|solve|answer|do|calculate|work out|figure out|the answer (?:to|of|for)|to|this|that|the|these|a|an|some|my|quick|simple|with|me|you) )*(?:math|maths|mathematical|mathematics|arithmetic|calculation|calculations|equation|percentage|sum)(?: (?:question|questions|problem|problems|calculation|equation|homework|sum))?$`)

func isNumber(word string) bool {
	return word[0] >= '0' && word[0] <= '9' || word[0] == '.' || isNumberWord(word) || greatNumbers[word] > 0 || word == "hundred" || strings.Contains(word, "half")
}

// maxSumWords bounds how long a sum is.
const maxSumWords = 60

var sumToken = matching(`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+|[\p{L}']+|[-−–+*/×÷^%()=$€£!:,√²³&]`)

// sumFronts are how a sum is asked for, the longest first.
var sumFronts = []string{
	"what is the answer to the question", "what is the answer to this problem", "what is the answer to", "what is the answer of", "what is the answer for", "what is the answer when you", "the answer to the equation", "the answer for this problem", "the answer to this problem",
	"the answer to", "the answer of", "the answer for", "the answer when you", "what do you get when you", "what do you get if you", "what do i get when i", "what do i get if i", "what is the result of", "the result of", "result of", "what is the result when you", "what is the value of", "the value of", "what is the solution to", "the solution to", "solution to",
	"answer the equation", "answer the problem", "answer this problem", "solve the equation", "solve the problem", "solve this problem", "solve this", "the equation", "this equation", "the problem", "this problem", "the calculation",
	"what would be", "what will be", "what is", "what are", "what does", "what do", "what was", "what is was the value of", "was the value of", "what", "how much is", "how much are", "how much does", "how much do", "how much would", "how much will", "how many is", "how many are", "how much", "how do i", "how do you", "how would i", "to",
	"what happens if you", "what happens if i", "what happens when you", "what equals", "what number is", "what number equals", "if i", "if you", "if we", "when i", "when you",
	"calculate", "compute", "evaluate", "solve", "work out", "figure out", "answer", "reckon", "find", "do", "you do", "can you do", "do the math", "do the sum", "the math", "the sum", "the total", "for", "is it true that",
}

// question is how many words at the beginning only ask.
func question(words []string) int {
	text := strings.Join(words, " ") + " "
	best := 0
	for _, f := range sumFronts {
		if n := len(strings.Fields(f)); n > best && strings.HasPrefix(text, f+" ") {
			best = n
		}
	}
	if best > 0 && best < len(words) && (words[best] == ":" || words[best] == ",") {
		best++
	}
	if best < len(words)-1 && (words[best-min(best, 1)] == "sum" || words[best-min(best, 1)] == "total") && words[best] == "of" {
		return 0 // the sum of
	}
	return best
}

// ending is a sum without the words at its end that only ask.
func ending(words []string) (rest []string, equals bool) {
	for len(words) > 1 {
		last := words[len(words)-1]
		if !slices.Contains([]string{"equal", "equals", "to", "make", "makes", "is", "=", "be", "what", "total", "altogether", "together", "come", "give", "gives", ",", "up", "in"}, last) {
			return words, equals
		}
		equals = equals || last != "up" && last != "," && last != "in"
		words = words[:len(words)-1]
	}
	return words, equals
}

// summer reads sums.
type summer struct {
	words  []string
	at     int
	worked bool        // something was done with the numbers
	bare   bool        // by a sign that stands in dates and numbers to call, too
	plus   bool        // by another sign or a word
	sign   string      // of money, before the result
	coin   string      // its name, behind the result
	x      *big.Rat    // the value to try for the unknown; nil for none
	wrong  speech.Kind // why there is no result
}

// priced writes a result, with the money that it is of.
func (s *summer) priced(r *big.Rat) speech.Args {
	text, exact := number(r)
	if s.sign != "" || s.coin != "" {
		if cents := new(big.Rat).Mul(r, big.NewRat(100, 1)); !cents.IsInt() {
			text, exact = r.FloatString(2), false
		} else if !r.IsInt() {
			text = r.FloatString(2)
		}
	}
	out := speech.Args{"value": speech.Number(text)}
	if s.sign != "" {
		out["sign"] = speech.Text{Words: s.sign}
	}
	if s.coin != "" {
		out["coin"] = speech.Text{Words: s.coin}
	}
	if !exact {
		out["about"] = speech.Kind("about")
	}
	return out
}

// whole is the value of words that are one expression.
func (s *summer) whole(words []string) (*big.Rat, bool) {
	outer, at := s.words, s.at
	s.words, s.at = words, 0
	value, ok := s.terms()
	ok = ok && s.at == len(words)
	s.words, s.at = outer, at
	return value, ok
}

func (s *summer) next(phrases ...string) bool {
	if s.at >= len(s.words) {
		return false
	}
	for _, p := range phrases {
		if !strings.HasPrefix(p, s.words[s.at]) {
			continue // as nearly always
		}
		words := strings.Fields(p)
		if end := s.at + len(words); end <= len(s.words) && slices.Equal(s.words[s.at:end], words) {
			s.at = end
			return true
		}
	}
	return false
}

// terms reads what is added and taken away.
func (s *summer) terms() (*big.Rat, bool) {
	value, ok := s.factors()
	for ok {
		sign := s.at < len(s.words) && s.words[s.at] != "+" && strings.ContainsAny(s.words[s.at], "-−–")
		var by *big.Rat
		switch {
		case s.next("+", "plus", "added to", "and then add", "add"):
			by, ok = s.share(value)
			s.plus = true
		case s.next("-", "−", "–", "minus", "less", "take away", "subtract", "take off"):
			if by, ok = s.share(value); ok {
				by = new(big.Rat).Neg(by)
			}
			s.bare, s.plus = s.bare || sign, s.plus || !sign
		default:
			return value, true
		}
		if ok {
			value, s.worked = new(big.Rat).Add(value, by), true
		}
	}
	return nil, false
}

// share reads what is added to a value or taken from it: of a percentage that much of it.
func (s *summer) share(of *big.Rat) (*big.Rat, bool) {
	if n, next := counted(s.words, s.at); next > 0 && next < len(s.words) {
		at := s.at
		if s.at = next; s.next("%", "percent", "per cent") && (s.at == len(s.words) || s.next("tip", "tax", "vat") && s.at == len(s.words)) {
			return n.Mul(n, of).Mul(n, big.NewRat(1, 100)), true
		}
		s.at = at
	}
	return s.factors()
}

// factors reads what is multiplied and divided.
func (s *summer) factors() (*big.Rat, bool) {
	value, ok := s.power()
	for ok {
		slash := s.at < len(s.words) && (s.words[s.at] == "/" || s.words[s.at] == ":")
		var by *big.Rat
		switch {
		case s.x == nil && s.next("x") || s.next("*", "×", "times", "multiplied by", "multiplied with", "multiply by", "multiply"):
			s.plus = true
			if by, ok = s.power(); ok {
				value = new(big.Rat).Mul(value, by)
			}
		case s.next("/", "÷", ":", "divided by", "divide by", "over"):
			s.bare, s.plus = s.bare || slash, s.plus || !slash
			if by, ok = s.power(); ok {
				value = s.quotient(value, by)
			}
		case s.next("modulo", "mod"):
			s.plus = true
			if by, ok = s.power(); ok {
				value = s.remainder(value, by)
			}
		case s.at > 0 && s.at < len(s.words) && (s.words[s.at] == "(" || s.x != nil && s.words[s.at] == "x" && s.words[s.at-1] != "x"):
			if by, ok = s.power(); ok { // 2(3+4), 2x
				value = new(big.Rat).Mul(value, by)
			}
		default:
			return value, true
		}
		s.worked = true
	}
	return nil, false
}

// power reads powers, which go before the rest.
func (s *summer) power() (*big.Rat, bool) {
	value, ok := s.atom()
	for ok {
		switch {
		case s.next("^", "to the power of", "to the power", "raised to the power of", "raised to", "power of", "* *"):
			by, found := s.atom()
			if ok = found; ok {
				value = s.raised(value, by)
			}
		case s.next("squared", "²"):
			value = s.raised(value, big.NewRat(2, 1))
		case s.next("cubed", "³"):
			value = s.raised(value, big.NewRat(3, 1))
		case s.next("!", "factorial"):
			value = s.factorial(value)
		case s.nthPower():
			value = s.raised(value, s.ordinalPower())
		default:
			return value, true
		}
		s.worked, s.plus = true, true
	}
	return nil, false
}

var ordinalPowers = map[string]int64{"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}

// nthPower goes over "to the fourth power", and is false where that doesn't stand.
func (s *summer) nthPower() bool {
	if s.at+3 > len(s.words) || s.words[s.at] != "to" || s.words[s.at+1] != "the" || ordinalPowers[s.words[s.at+2]] == 0 {
		return false
	}
	s.at += 3
	return true
}

// ordinalPower is the power that was gone over; the word behind it says nothing more.
func (s *summer) ordinalPower() *big.Rat {
	n := ordinalPowers[s.words[s.at-1]]
	s.next("power")
	return big.NewRat(n, 1)
}

// parts of a whole, by the words that come before it.
var fractions = []struct {
	of     string
	amount *big.Rat
}{
	{"half of", big.NewRat(1, 2)}, {"a half of", big.NewRat(1, 2)}, {"one half of", big.NewRat(1, 2)}, {"half", big.NewRat(1, 2)}, {"a third of", big.NewRat(1, 3)}, {"one third of", big.NewRat(1, 3)}, {"two thirds of", big.NewRat(2, 3)},
	{"a quarter of", big.NewRat(1, 4)}, {"one quarter of", big.NewRat(1, 4)}, {"quarter of", big.NewRat(1, 4)}, {"a fourth of", big.NewRat(1, 4)}, {"one fourth of", big.NewRat(1, 4)}, {"three quarters of", big.NewRat(3, 4)}, {"three fourths of", big.NewRat(3, 4)},
	{"a fifth of", big.NewRat(1, 5)}, {"one fifth of", big.NewRat(1, 5)}, {"two fifths of", big.NewRat(2, 5)}, {"a tenth of", big.NewRat(1, 10)}, {"one tenth of", big.NewRat(1, 10)}, {"a sixth of", big.NewRat(1, 6)}, {"an eighth of", big.NewRat(1, 8)},
	{"double of", big.NewRat(2, 1)}, {"double", big.NewRat(2, 1)}, {"twice", big.NewRat(2, 1)}, {"triple", big.NewRat(3, 1)}, {"thrice", big.NewRat(3, 1)}, {"quadruple", big.NewRat(4, 1)},
}

// atom reads a number, and what stands before one and belongs to it.
func (s *summer) atom() (*big.Rat, bool) {
	s.next("the")
	if s.next("-", "−", "minus", "negative") {
		value, ok := s.power()
		if !ok {
			return nil, false
		}
		return new(big.Rat).Neg(value), true
	}
	for _, r := range []struct {
		of []string
		n  int64
	}{{[]string{"square root of", "square route of", "root of", "sqrt of", "sqrt", "√", "square root"}, 2}, {[]string{"cube root of", "cubic root of", "third root of"}, 3}, {[]string{"fourth root of"}, 4}} {
		if !s.next(r.of...) {
			continue
		}
		value, ok := s.atom()
		if !ok {
			return nil, false
		}
		s.worked, s.plus = true, true
		if value.Sign() < 0 {
			s.wrong = "root"
			return value, true
		}
		return root(value, r.n), true
	}
	for _, f := range []struct {
		words  string
		amount *big.Rat
	}{{"one half", big.NewRat(1, 2)}, {"a half", big.NewRat(1, 2)}, {"one quarter", big.NewRat(1, 4)}, {"a quarter", big.NewRat(1, 4)}, {"three quarters", big.NewRat(3, 4)}, {"one third", big.NewRat(1, 3)}, {"a third", big.NewRat(1, 3)}, {"two thirds", big.NewRat(2, 3)}} {
		if end := s.at + 2; end <= len(s.words) && (end == len(s.words) || s.words[end] != "of") && s.next(f.words) {
			return f.amount, true
		}
	}
	for _, f := range fractions {
		if s.next(f.of) {
			value, ok := s.atom()
			if !ok {
				return nil, false
			}
			s.worked, s.plus = true, true
			return new(big.Rat).Mul(value, f.amount), true
		}
	}
	if s.next("(") {
		value, ok := s.terms()
		if !ok || !s.next(")") {
			return nil, false
		}
		return value, true
	}
	if s.x != nil && s.next("x") {
		return new(big.Rat).Set(s.x), true
	}
	return s.amount()
}

var (
	signs = map[string]string{"$": "$", "€": "€", "£": "£"}
	coins = map[string]string{"dollars": "dollars", "dollar": "dollars", "bucks": "dollars", "euros": "euros", "euro": "euros", "rupees": "rupees", "yen": "yen", "cents": "cents"}
)

// amount reads a number, with the money or percent that it is of.
func (s *summer) amount() (*big.Rat, bool) {
	if s.at < len(s.words) && signs[s.words[s.at]] != "" {
		if s.sign == "" {
			s.sign = signs[s.words[s.at]]
		}
		s.at++
	}
	value, next := counted(s.words, s.at)
	if next == 0 {
		return nil, false
	}
	s.at = next
	if s.next("and a half") {
		value.Add(value, big.NewRat(1, 2))
	} else if s.next("and a quarter") {
		value.Add(value, big.NewRat(1, 4))
	}
	if s.at < len(s.words) && coins[s.words[s.at]] != "" {
		s.coin = coins[s.words[s.at]]
		s.at++
	}
	if s.sign != "" {
		s.coin = ""
	}
	if !s.next("%", "percent", "per cent", "percentage") {
		return value, true
	}
	value.Mul(value, big.NewRat(1, 100))
	if s.next("of", "off", "from", "off of") {
		off := s.words[s.at-1] != "of" || s.words[s.at-2] == "off"
		of, ok := s.power()
		if !ok {
			return nil, false
		}
		s.worked, s.plus = true, true
		if off {
			value.Sub(big.NewRat(1, 1), value)
		}
		return value.Mul(value, of), true
	}
	return value, true
}
