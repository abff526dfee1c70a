package reckon

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

func (s *summer) quotient(value, by *big.Rat) *big.Rat {
	if by.Sign() == 0 {
		s.wrong = "zero"
		return by
	}
	return new(big.Rat).Quo(value, by)
}

func (s *summer) remainder(value, by *big.Rat) *big.Rat {
	q := s.quotient(value, by)
	floor := new(big.Int).Div(q.Num(), q.Denom())
	return new(big.Rat).Sub(value, new(big.Rat).Mul(by, new(big.Rat).SetInt(floor)))
}

// maxPower bounds the digits of a result.
const maxPower = 1000

func (s *summer) raised(value, to *big.Rat) *big.Rat {
	if to.Cmp(big.NewRat(1, 2)) == 0 && value.Sign() >= 0 {
		return root(value, 2)
	}
	if !to.IsInt() || !to.Num().IsInt64() {
		s.wrong = "powers"
		return value
	}
	n := to.Num().Int64()
	if n > maxPower || n < -maxPower || int64(value.Num().BitLen()+value.Denom().BitLen())*max(n, -n) > 4*maxPower {
		s.wrong = "large"
		return value
	}
	if n < 0 {
		if value.Sign() == 0 {
			return s.quotient(value, value)
		}
		value, n = new(big.Rat).Inv(value), -n
	}
	num, den := new(big.Int).Exp(value.Num(), big.NewInt(n), nil), new(big.Int).Exp(value.Denom(), big.NewInt(n), nil)
	return new(big.Rat).SetFrac(num, den)
}

func (s *summer) factorial(value *big.Rat) *big.Rat {
	const most = 170
	if !value.IsInt() || value.Sign() < 0 {
		s.wrong = "factorial"
		return value
	}
	if !value.Num().IsInt64() || value.Num().Int64() > most {
		s.wrong = "large"
		return value
	}
	return new(big.Rat).SetInt(new(big.Int).MulRange(1, value.Num().Int64()))
}

// forms are sums that are said by a verb or a noun. A, B stand for expressions, L for a list
// of them; words with a question mark may be missing.
var forms = []struct {
	says string
	does func(s *summer, v []*big.Rat) *big.Rat
}{
	{"add|adding up? L", total}, {"the? sum|total of L", total}, {"add|put A to|with B", total}, {"L added|add together|up?", total}, {"sum|total L", total}, {"a|an? A %|percent tip be on|for B", (*summer).part}, {"add A % tip|tax|vat to|on B", (*summer).more}, {"add A percent tip|tax|vat to|on B", (*summer).more},
	{"add A %|percent to B", (*summer).more}, {"increase|raise B by A %|percent", (*summer).more}, {"B with a|an? A %|percent tip|tax|vat|increase", (*summer).more}, {"B increased by A %|percent", (*summer).more},
	{"a|an? A %|percent tip on|for|of a|an? B bill|check|meal|dinner", (*summer).part}, {"a|an? A %|percent tip on|for|of B", (*summer).part}, {"A %|percent tip on|for|of B", (*summer).part}, {"the? tip on|for B at A %|percent", (*summer).part}, {"tip A %|percent on|for B", (*summer).part},
	{"decrease|reduce|lower|discount B by A %|percent", (*summer).without}, {"B with a|an? A %|percent discount", (*summer).without}, {"B with A %|percent off|discount", (*summer).without}, {"B reduced|decreased|discounted by A %|percent", (*summer).without}, {"B at A %|percent off", (*summer).without}, {"A %|percent off B", (*summer).without},
	{"what percent|percentage|% of B is A", (*summer).percentage}, {"percent|percentage|% of B is A", (*summer).percentage}, {"what? percent|percentage is A of|in B", (*summer).percentage}, {"what? percent|percentage is A out of B", (*summer).percentage}, {"the? percent|percentage of A in|from B", (*summer).percentage}, {"the? percent|percentage of A out of B", (*summer).percentage}, {"A is what percent|percentage|% of B", (*summer).percentage}, {"A as a? percent|percentage|% of B", (*summer).percentage}, {"the percentage of A out of|in B", (*summer).percentage}, {"A out of B as a? percent|percentage", (*summer).percentage}, {"A out of B in percent", (*summer).percentage},
	{"take|knock A %|percent off of? B", (*summer).without}, {"from B subtract|take|deduct A", (*summer).fewer}, {"A as|to|in|into a? decimal|decimals", func(_ *summer, v []*big.Rat) *big.Rat { return v[0] }}, {"A as|to|in|into a? percent|percentage", asPercent}, {"subtract|take|deduct|remove A from B", (*summer).fewer}, {"take A away from B", (*summer).fewer}, {"take away A from B", (*summer).fewer}, {"A subtracted|taken|deducted from B", (*summer).fewer}, {"A less|fewer than B", (*summer).fewer}, {"A taken away from B", (*summer).fewer}, {"left|remaining|remains|is|are left|remaining? after|when|if i|you? subtracting|taking|subtract|take away? A away? from B", (*summer).fewer}, {"remaining after subtracting|taking A from B", (*summer).fewer},
	{"A more than B", total}, {"the? difference between|of A and B", func(_ *summer, v []*big.Rat) *big.Rat { d := new(big.Rat).Sub(v[0], v[1]); return d.Abs(d) }},
	{"multiply A by|with|and|times B", product}, {"the? product of A and B", product}, {"multiply|times A by B", product}, {"A multiplied with|by B", product}, {"A times B", product},
	{"divide A by B", quotient}, {"divide A into|in|between|among|amongst|with B equal? parts|people|ways|persons|of? us?", quotient}, {"divide A between|among|amongst|into B", quotient}, {"split A by|in|into|between|among|amongst B", quotient}, {"split A between|among|into|in B people|ways|parts|friends|persons", quotient}, {"share|distribute A between|among|with|by B people|ways|friends|persons|children|kids", quotient}, {"share|distribute A between|among|with|by B", quotient}, {"split the bill|check|amount|cost|total of|for? A by|between|among B people|ways|friends|persons|of? us?", quotient}, {"split the bill|check|amount|cost|total of|for? A by|between|among B", quotient}, {"split A B ways", quotient}, {"the? quotient of A and B", quotient},
	{"take A and divide it by B", quotient}, {"take A and multiply it by B", product}, {"take A and add B", total}, {"take A and subtract B", func(_ *summer, v []*big.Rat) *big.Rat { return new(big.Rat).Sub(v[0], v[1]) }}, {"A split between|among|into B people|ways|parts", quotient}, {"A split B ways", quotient}, {"A shared between|among|by B people?", quotient},
	{"how|many|any times can|does|do|will B go|fit in|into A", quotient}, {"how many|any times can|does|do|will B go|fit in|into A", quotient}, {"many|any times does|do|can|will B go|fit in|into A", quotient}, {"times does B go into A", quotient}, {"how often does B go into A", quotient}, {"does B go into A", quotient},
	{"the? remainder of A divided by B", (*summer).rest}, {"the? remainder when A is divided by B", (*summer).rest}, {"the? remainder when|if you divide A by B", (*summer).rest}, {"the? remainder of A and|over|by B", (*summer).rest},
	{"the? average|mean of L", average}, {"average L", average}, {"square A", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], big.NewRat(2, 1)) }}, {"the? square of A", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], big.NewRat(2, 1)) }},
	{"cube A", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], big.NewRat(3, 1)) }}, {"the? cube of A", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], big.NewRat(3, 1)) }}, {"the? factorial of A", func(s *summer, v []*big.Rat) *big.Rat { return s.factorial(v[0]) }},
	{"raise A to the power of? B", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], v[1]) }}, {"A to the B st|nd|rd|th power", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], v[1]) }}, {"A to the B", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], v[1]) }}, {"A to the B power", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], v[1]) }}, {"A to the power of? B", func(s *summer, v []*big.Rat) *big.Rat { return s.raised(v[0], v[1]) }}, {"halve A", half}, {"A in half", half}, {"A halved", half}, {"cut|divide|split A in half", half},
	{"A doubled", func(_ *summer, v []*big.Rat) *big.Rat { return new(big.Rat).Mul(v[0], big.NewRat(2, 1)) }}, {"A tripled", func(_ *summer, v []*big.Rat) *big.Rat { return new(big.Rat).Mul(v[0], big.NewRat(3, 1)) }},
}

func total(_ *summer, v []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, one := range v {
		sum.Add(sum, one)
	}
	return sum
}

func average(s *summer, v []*big.Rat) *big.Rat {
	return new(big.Rat).Quo(total(s, v), new(big.Rat).SetInt64(int64(len(v))))
}

func product(_ *summer, v []*big.Rat) *big.Rat  { return new(big.Rat).Mul(v[0], v[1]) }
func quotient(s *summer, v []*big.Rat) *big.Rat { return s.quotient(v[0], v[1]) }
func half(_ *summer, v []*big.Rat) *big.Rat     { return new(big.Rat).Mul(v[0], big.NewRat(1, 2)) }

func (s *summer) rest(v []*big.Rat) *big.Rat { return s.remainder(v[0], v[1]) }

// fewer is how much is left of the second without the first.
func (s *summer) fewer(v []*big.Rat) *big.Rat { return new(big.Rat).Sub(v[1], v[0]) }

// part is so many percent of the second; more is with them, without is without them.
func (s *summer) part(v []*big.Rat) *big.Rat {
	return new(big.Rat).Mul(v[1], new(big.Rat).Mul(v[0], big.NewRat(1, 100)))
}

func (s *summer) more(v []*big.Rat) *big.Rat    { return new(big.Rat).Add(v[1], s.part(v)) }
func (s *summer) without(v []*big.Rat) *big.Rat { return new(big.Rat).Sub(v[1], s.part(v)) }

func (s *summer) percentage(v []*big.Rat) *big.Rat {
	s.sign, s.coin = "", "%"
	q := s.quotient(v[0], v[1])
	return new(big.Rat).Mul(q, big.NewRat(100, 1))
}

func asPercent(s *summer, v []*big.Rat) *big.Rat {
	return s.percentage([]*big.Rat{v[0], big.NewRat(1, 1)})
}

// form is the value of words that one of the forms says.
func (s *summer) form(words []string) (*big.Rat, bool) {
	for _, f := range forms {
		kept := *s
		values := map[string][]*big.Rat{}
		if !s.fit(strings.Fields(f.says), words, values) {
			*s = kept
			continue
		}
		v := values["L"]
		if v == nil {
			v = slices.Concat(values["A"], values["B"])
		}
		s.worked, s.plus = true, true
		return f.does(s, v), true
	}
	return nil, false
}

// fit fits the rest of a form to words.
func (s *summer) fit(form, words []string, values map[string][]*big.Rat) bool {
	if len(form) == 0 {
		return len(words) == 0
	}
	switch head := form[0]; head {
	case "A", "B", "L":
		for n := len(words); n > 0; n-- {
			if len(form) > 1 && n == len(words) {
				continue
			}
			kept := *s
			v, ok := s.operand(head, words[:n])
			if ok && s.fit(form[1:], words[n:], values) {
				values[head] = v
				return true
			}
			*s = kept
		}
		return false
	default:
		head, optional := strings.CutSuffix(head, "?")
		if len(words) > 0 && slices.Contains(strings.Split(head, "|"), words[0]) && s.fit(form[1:], words[1:], values) {
			return true
		}
		return optional && s.fit(form[1:], words, values)
	}
}

// operand is what a letter of a form stands for.
func (s *summer) operand(letter string, words []string) ([]*big.Rat, bool) {
	if letter != "L" {
		v, ok := s.whole(words)
		return []*big.Rat{v}, ok
	}
	var out []*big.Rat
	for from, i := 0, 0; i <= len(words); i++ {
		if i < len(words) && words[i] != "and" && words[i] != "," && words[i] != "&" && words[i] != "+" && words[i] != "plus" {
			continue
		}
		if from == i && i < len(words) && i > 0 { // ", and"
			from = i + 1
			continue
		}
		v, ok := s.whole(words[from:i])
		if !ok && from < i && slices.IndexFunc(words[from:i], func(w string) bool { _, ok := written(w); return !ok }) < 0 {
			for ; from < i-1; from++ { // 10 20 and 30
				one, _ := written(words[from])
				out = append(out, one)
			}
			v, ok = written(words[from])
		}
		if !ok {
			return nil, false
		}
		out, from = append(out, v), i+1
	}
	return out, len(out) > 1
}

// judge answers whether something about numbers is so, and what the unknown is.
func (s *summer) judge(words []string) (string, bool) {
	if slices.Contains(words, "=") {
		return s.equation(words)
	}
	if len(words) < 3 || words[0] != "is" && words[0] != "does" {
		return "", false
	}
	for _, f := range []struct {
		says  string
		judge func(a, b *big.Rat) (bool, string)
	}{
		{"is A divisible|dividable by B", divisible}, {"is A a? multiple of B", divisible}, {"does B divide A evenly?", divisible}, {"does B go into A evenly?", divisible},
		{"is A even", func(a, _ *big.Rat) (bool, string) { return divisible(a, big.NewRat(2, 1)) }},
		{"is A odd", func(a, _ *big.Rat) (bool, string) {
			even, why := divisible(a, big.NewRat(2, 1))
			return !even && a.IsInt(), why
		}},
		{"is A a|an? prime number?", prime}, {"is A a perfect square", perfectSquare}, {"is the? answer to|of|for A , B", same}, {"is A equal to B", same}, {"does A equal|make B", same}, {"is A the same as B", same}, {"is A , B", same},
		{"is A greater|more|bigger|larger|higher than B", func(a, b *big.Rat) (bool, string) { return a.Cmp(b) > 0, compared(a, b) }},
		{"is A less|smaller|lower than B", func(a, b *big.Rat) (bool, string) { return a.Cmp(b) < 0, compared(a, b) }},
	} {
		values := map[string][]*big.Rat{}
		kept := *s
		if !s.fit(strings.Fields(f.says), words, values) {
			*s = kept
			continue
		}
		v := slices.Concat(values["A"], values["B"], values["A"])
		yes, why := f.judge(v[0], v[1])
		if yes {
			return "Yes: " + why, true
		}
		return "No: " + why, true
	}
	return "", false
}

func divisible(a, b *big.Rat) (yes bool, why string) {
	if b.Sign() == 0 {
		return false, "nothing can be divided by zero."
	}
	q := new(big.Rat).Quo(a, b)
	one, _ := number(a)
	other, _ := number(b)
	return q.IsInt() && a.IsInt() && b.IsInt(), fmt.Sprintf("%s divided by %s is %s.", one, other, about(q))
}

func prime(a, _ *big.Rat) (yes bool, why string) {
	text, _ := number(a)
	const rounds = 20 // beyond 2^64 it is right but for a chance of 4^-20
	if a.IsInt() && a.Num().ProbablyPrime(rounds) && a.Sign() > 0 {
		return true, text + " is a prime number."
	}
	if a.IsInt() && a.Num().IsInt64() && a.Num().Int64() > 1 && a.Num().Int64() < 1e12 {
		n := a.Num().Int64()
		for d := int64(2); d*d <= n; d++ {
			if n%d == 0 {
				return false, fmt.Sprintf("%d is %d times %d.", n, d, n/d)
			}
		}
	}
	return false, text + " isn't a prime number."
}

func perfectSquare(a, _ *big.Rat) (yes bool, why string) {
	text, _ := number(a)
	if a.Sign() < 0 {
		return false, "a negative number has no real root."
	}
	r := root(a, 2)
	return a.IsInt() && r.IsInt(), fmt.Sprintf("the square root of %s is %s.", text, about(r))
}

func same(a, b *big.Rat) (yes bool, why string) { return a.Cmp(b) == 0, "it is " + about(a) + "." }

func compared(a, b *big.Rat) string {
	word := map[int]string{-1: "less than", 0: "equal to", 1: "more than"}[a.Cmp(b)]
	one, _ := number(a)
	other, _ := number(b)
	return one + " is " + word + " " + other + "."
}

// equation judges whether two sides are equal, and finds the unknown x of one.
func (s *summer) equation(words []string) (string, bool) {
	for _, front := range [][]string{{"x", "if"}, {"x", "when"}, {"x", "in"}, {"x", "where"}, {"x", ","}, {"x", ":"}} {
		if len(words) > 2 && slices.Equal(words[:2], front) {
			words = words[2:]
		}
	}
	at := slices.Index(words, "=")
	left, right := words[:at], words[at+1:]
	if l, ok := s.whole(left); ok {
		if r, ok := s.whole(right); ok && s.worked && s.wrong == "" {
			if yes, why := same(l, r); !yes {
				return "No: " + why, true
			}
			return "Yes: it is " + about(l) + ".", true
		}
	}
	// Of a straight line two points tell where it is zero; a third tells whether it is one.
	var gaps []*big.Rat
	for n := range int64(3) {
		try := &summer{x: big.NewRat(n, 1)}
		l, ok := try.whole(left)
		r, too := try.whole(right)
		if !ok || !too || try.wrong != "" {
			return "", false
		}
		gaps = append(gaps, new(big.Rat).Sub(l, r))
	}
	slope := new(big.Rat).Sub(gaps[1], gaps[0])
	if slope.Sign() == 0 || new(big.Rat).Sub(gaps[2], gaps[1]).Cmp(slope) != 0 {
		return "", false
	}
	x := new(big.Rat).Quo(new(big.Rat).Neg(gaps[0]), slope)
	return "x is " + about(x) + ".", true
}
