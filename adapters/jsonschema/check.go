package jsonschema

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of one check. A step is one schema applied to one value, one value or sixteen
// bytes compared, or about 32 moves of a regular expression: a million of them take well
// under a second. Counting them, and not time, gives the same outcome on every machine and in
// every replay.
const (
	maxSteps    = 1_000_000
	maxDeep     = 5_000  // schemas and values within each other: each takes stack
	maxPatterns = 50_000 // the size of all patterns of a schema, repetitions written out
)

// checking is one check under way.
type checking struct {
	ctx    context.Context
	steps  int
	deep   int
	tracks bool
	scope  []*resource
	active map[visit]bool
}

// visit is a schema at a value. What comes back to one while it is at it goes in a circle.
type visit struct {
	is *schema
	at *place
}

// place is where a value stands in the answer.
type place struct {
	within *place // nil for the whole answer
	name   string
	is     part
}

// part is what stands at a place within another.
type part int

const (
	aMember part = iota
	anItem       // of a list; its name is its number, from 0
	aName        // of a member, which is a value itself
)

func (p *place) String() string {
	var names []string
	for ; p.within != nil; p = p.within {
		names = append(names, p.name)
	}
	slices.Reverse(names)
	return strings.Join(names, "/")
}

// stopped ends a check from within: by its bound, or with the context's error.
type stopped struct{ err error }

// spend counts steps, and ends the check when there were too many or nobody waits for it.
func (c *checking) spend(steps int) {
	before := c.steps
	if c.steps += steps + 1; c.steps > maxSteps {
		panic(stopped{errTooMuch})
	}
	if c.steps>>10 != before>>10 && c.ctx.Err() != nil {
		panic(stopped{c.ctx.Err()})
	}
}

// outcome is what a schema says of a value.
type outcome struct {
	ok    bool
	wrong []finding
	seen  looked
}

// looked are the members and items of a value that some schema spoke of.
type looked struct {
	names map[string]bool
	items map[int]bool
}

func (o *outcome) add(c *checking, part outcome) {
	if !part.ok {
		o.ok = false
		o.wrong = append(o.wrong, part.wrong...)
		return
	}
	o.look(c, part.seen)
}

func (o *outcome) look(c *checking, at looked) {
	if !c.tracks {
		return
	}
	c.spend(len(at.names) + len(at.items))
	if len(at.names) > 0 {
		if o.seen.names == nil {
			o.seen.names = map[string]bool{}
		}
		maps.Copy(o.seen.names, at.names)
	}
	if len(at.items) > 0 {
		if o.seen.items == nil {
			o.seen.items = map[int]bool{}
		}
		maps.Copy(o.seen.items, at.items)
	}
}

// at is one application: of a schema, to a value, at a place.
type at struct {
	*checking
	s     *schema
	v     any
	place *place
	quiet bool // nobody asks what is wrong
	out   outcome
}

// fail says what is wrong: in the words that are recorded, and plainly for people. The
// second are made of the few findings that are told.
func (a *at) fail(words func() string, plain says) {
	a.out.ok = false
	if a.quiet {
		return
	}
	f := finding{at: a.place.String(), words: words(), plain: plain, place: a.place}
	a.spend((len(f.at) + len(f.words)) / 16)
	a.out.wrong = append(a.out.wrong, f)
}

func (a *at) also(s *schema) {
	if s != nil {
		a.out.add(a.checking, a.apply(s, a.v, a.place, a.quiet))
	}
}

func (a *at) holds(s *schema) outcome { return a.apply(s, a.v, a.place, true) }

// child applies a schema to a part of the value. What it looked at there is its own.
func (a *at) child(s *schema, name string, is part, v any) bool {
	part := a.apply(s, v, &place{a.place, name, is}, a.quiet)
	part.seen = looked{}
	a.out.add(a.checking, part)
	return part.ok
}

// apply says what a schema says of a value.
func (c *checking) apply(s *schema, v any, where *place, quiet bool) outcome {
	c.spend(0)
	a := &at{checking: c, s: s, v: v, place: where, quiet: quiet, out: outcome{ok: true}}
	if s.always != nil {
		if !*s.always {
			a.fail(func() string { return "false schema" }, ruledOut)
		}
		return a.out
	}
	here := visit{s, where}
	if c.active[here] {
		return a.out
	}
	if c.deep++; c.deep > maxDeep {
		panic(stopped{errTooMuch})
	}
	c.active[here] = true
	c.scope = append(c.scope, s.in)
	defer func() {
		c.deep--
		delete(c.active, here)
		c.scope = c.scope[:len(c.scope)-1]
	}()
	if len(s.types) > 0 && !slices.ContainsFunc(s.types, func(t string) bool { return isOf(t, v) }) {
		a.fail(func() string { return fmt.Sprintf("got %s, want %s", typeOf(v), types(s.types)) }, ofTypes(s.types, v))
		return a.out // whatever else is wrong with it is so for that reason
	}
	a.values()
	a.references()
	a.combinations()
	switch v := v.(type) {
	case []any:
		a.array(v)
	case map[string]any:
		a.object(v)
	case string:
		a.text(v)
	case json.Number:
		a.number(v)
	}
	return a.out
}

func (a *at) values() {
	s := a.s
	if s.enum != nil && !slices.ContainsFunc(s.enum, func(one any) bool { return a.equal(one, a.v) }) {
		a.fail(func() string { return oneOf(a.v, s.enum) }, among(s.enum))
	}
	if s.hasConstant && !a.equal(s.constant, a.v) {
		a.fail(func() string {
			if s.constant == nil {
				return "Value should be null"
			}
			return "Value does not match the constant value"
		}, among([]any{s.constant}))
	}
}

func (a *at) references() {
	a.also(a.s.ref)
	to := a.s.dynamicRef
	if a.s.dynamicAnchor != "" { // the outermost of that name is meant
		a.spend(len(a.scope) / 16)
		for _, r := range a.scope {
			if outer := r.dynamic[a.s.dynamicAnchor]; outer != nil {
				to = outer
				break
			}
		}
	}
	a.also(to)
}

func (a *at) combinations() {
	s := a.s
	for _, one := range s.allOf {
		a.also(one)
	}
	if len(s.anyOf) > 0 {
		a.any()
	}
	if len(s.oneOf) > 0 {
		a.one()
	}
	if s.not != nil && a.holds(s.not).ok {
		a.fail(func() string { return "'not' failed" }, ruledOut)
	}
	if s.ifs == nil {
		return
	}
	if condition := a.holds(s.ifs); condition.ok {
		a.out.look(a.checking, condition.seen)
		a.also(s.then)
	} else {
		a.also(s.otherwise)
	}
}

func (a *at) any() {
	var ways [][]finding
	holds := false
	for _, one := range a.s.anyOf {
		part := a.apply(one, a.v, a.place, a.quiet || holds)
		if part.ok {
			holds = true
			a.out.look(a.checking, part.seen)
			if !a.tracks {
				return
			}
		}
		ways = append(ways, part.wrong)
	}
	if !holds {
		a.out.add(a.checking, outcome{wrong: either(ways)})
	}
}

func (a *at) one() {
	var ways [][]finding
	var hold []string
	for i, one := range a.s.oneOf {
		part := a.apply(one, a.v, a.place, a.quiet || len(hold) > 0)
		if part.ok {
			a.out.look(a.checking, part.seen)
			if hold = append(hold, strconv.Itoa(i)); len(hold) == 2 {
				a.fail(func() string { return fmt.Sprintf("'oneOf' failed, subschemas %s matched", strings.Join(hold, ", ")) }, inSeveralWays)
				return
			}
		}
		ways = append(ways, part.wrong)
	}
	if len(hold) == 0 {
		a.out.add(a.checking, outcome{wrong: either(ways)})
	}
}

func (a *at) array(v []any) {
	s := a.s
	for i, item := range v {
		of := s.items
		if i < len(s.prefixItems) {
			of = s.prefixItems[i]
		}
		if of == nil {
			break
		}
		if a.child(of, strconv.Itoa(i), anItem, item) {
			a.lookAt(i)
		}
	}
	a.contained(v)
	a.within("maxItems", "item", len(v), nil, s.maxItems)
	a.within("minItems", "item", len(v), s.minItems, nil)
	if s.uniqueItems {
		a.unique(v)
	}
	switch {
	case s.restItems == nil:
	case s.restItems.always != nil && !*s.restItems.always:
		var rest []string
		for i := range v {
			if !a.out.seen.items[i] {
				rest = append(rest, strconv.Itoa(i))
			}
		}
		a.spend(len(v))
		if len(rest) > 0 {
			a.fail(func() string { return "Unevaluated items are not allowed at indexes: " + strings.Join(rest, ", ") }, tooManyItems(rest))
		}
	default:
		for i, item := range v {
			if !a.out.seen.items[i] && a.child(s.restItems, strconv.Itoa(i), anItem, item) {
				a.lookAt(i)
			}
		}
	}
}

func (a *at) lookAt(i int) {
	if !a.tracks {
		return
	}
	if a.out.seen.items == nil {
		a.out.seen.items = map[int]bool{}
	}
	a.out.seen.items[i] = true
}

// member is a child that counts as looked at, whatever comes of it.
func (a *at) member(s *schema, name string, v any) {
	a.child(s, name, aMember, v)
	if !a.tracks {
		return
	}
	if a.out.seen.names == nil {
		a.out.seen.names = map[string]bool{}
	}
	a.out.seen.names[name] = true
}

func (a *at) contained(v []any) {
	s := a.s
	if s.contains == nil {
		return
	}
	least, found := 1, 0
	if s.minContains != nil {
		least = *s.minContains
	}
	for i, item := range v {
		if a.apply(s.contains, item, &place{a.place, strconv.Itoa(i), anItem}, true).ok {
			found++
			a.lookAt(i)
		}
	}
	switch {
	case found < least:
		a.fail(func() string { return fmt.Sprintf("Value should contain at least %d matching items", least) }, holding("at least", least))
	case s.maxContains != nil && found > *s.maxContains:
		a.fail(func() string {
			return fmt.Sprintf("Value should contain no more than %d matching items", *s.maxContains)
		}, holding("at most", *s.maxContains))
	}
}

// within judges how much there is of something.
func (a *at) within(keyword, of string, has int, least, most *int) {
	bound := least
	if bound == nil {
		bound = most
	}
	if bound != nil && (least != nil && has < *least || most != nil && has > *most) {
		a.fail(func() string { return fmt.Sprintf("%s: got %d, want %d", keyword, has, *bound) }, howMany(of, has, *bound, least != nil))
	}
}

func (a *at) unique(v []any) {
	first := make(map[string]int, len(v))
	for i, item := range v {
		if a.s.items != nil && a.s.items.always != nil && !*a.s.items.always && i >= len(a.s.prefixItems) {
			return // may not be there at all
		}
		var text strings.Builder
		a.write(&text, item)
		if j, twice := first[text.String()]; twice {
			a.fail(func() string { return fmt.Sprintf("items at %d and %d are equal", j, i) }, theSame(j, i))
			return
		}
		first[text.String()] = i
	}
}

// write writes a value so that equal ones are written alike.
func (a *at) write(to *strings.Builder, v any) {
	a.spend(0)
	switch v := v.(type) {
	case json.Number:
		a.spend(len(v) / 16)
		d := decimalOf(v.String())
		fmt.Fprintf(to, "%t %s %d,", d.neg, d.digits, d.exponent)
	case string:
		a.spend(len(v) / 16)
		to.WriteString(strconv.Quote(v))
	case []any:
		to.WriteByte('[')
		for _, item := range v {
			a.write(to, item)
			to.WriteByte(',')
		}
		to.WriteByte(']')
	case map[string]any:
		to.WriteByte('{')
		for _, name := range sortedNames(v) {
			a.write(to, name)
			a.write(to, v[name])
		}
		to.WriteByte('}')
	default:
		fmt.Fprint(to, v)
	}
}

func (c *checking) equal(x, y any) bool {
	c.spend(0)
	switch x := x.(type) {
	case json.Number:
		y, ok := y.(json.Number)
		c.spend((len(x) + len(y)) / 16)
		return ok && decimalOf(x.String()) == decimalOf(y.String())
	case string:
		y, ok := y.(string)
		if len(x) == len(y) {
			c.spend(len(x) / 16)
		}
		return ok && x == y
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, c.equal)
	case map[string]any:
		y, ok := y.(map[string]any)
		return ok && maps.EqualFunc(x, y, c.equal)
	}
	switch y.(type) {
	case json.Number, string, []any, map[string]any:
		return false
	}
	return x == y
}

func (a *at) object(v map[string]any) {
	s := a.s
	// Every loop is over what there is less of: a schema of many properties meets many
	// small objects.
	a.spend(min(len(v), len(s.properties)) / 4)
	if len(s.properties) <= len(v) {
		for _, p := range s.properties {
			if value, there := v[p.name]; there {
				a.member(p.is, p.name, value)
			}
		}
	} else {
		for name, value := range v {
			if of := s.knownProperties[name]; of != nil {
				a.member(of, name, value)
			}
		}
	}
	a.otherProperties(v)
	if s.propertyNames != nil {
		for _, name := range sortedNames(v) { // the words of two may be alike, and the same has to be said each time
			part := a.apply(s.propertyNames, name, &place{a.place, name, aName}, a.quiet)
			for i := range part.wrong {
				part.wrong[i].at = a.place.String()
			}
			part.seen = looked{}
			a.out.add(a.checking, part)
		}
	}
	a.within("maxProperties", "entry", len(v), nil, s.maxProps)
	a.within("minProperties", "entry", len(v), s.minProperties, nil)
	a.needed(v)
	for _, d := range s.dependentSchemas {
		a.spend(0)
		if _, there := v[d.name]; there {
			a.also(d.is)
		}
	}
	if s.unevaluatedProps == nil {
		return
	}
	for name, value := range v {
		if !a.out.seen.names[name] {
			a.member(s.unevaluatedProps, name, value)
		}
	}
}

// otherProperties judges the members that a pattern names, and those that nothing does.
func (a *at) otherProperties(v map[string]any) {
	s := a.s
	if len(s.patternProperties) == 0 && s.additional == nil {
		return
	}
	var none []string
	for name, value := range v {
		a.spend(0)
		matched := s.knownProperties[name] != nil
		for _, p := range s.patternProperties {
			if !a.matches(p.names, name) {
				continue
			}
			matched = true
			a.member(p.is, name, value)
		}
		switch {
		case matched || s.additional == nil:
		case s.additional.always != nil && !*s.additional.always:
			none = append(none, name)
		default:
			a.member(s.additional, name, value)
		}
	}
	if len(none) > 0 {
		a.fail(func() string {
			slices.Sort(none)
			return "additional properties " + quoted(none) + " not allowed"
		}, unknownNames(none, s.properties))
	}
}

func (a *at) needed(v map[string]any) {
	s := a.s
	var missing []string
	a.spend((len(s.required) + len(s.dependentRequired)) / 4)
	for _, name := range s.required {
		if _, there := v[name]; !there {
			missing = append(missing, name)
		}
	}
	switch len(missing) {
	case 0:
	case 1:
		a.fail(func() string { return "missing property '" + missing[0] + "'" }, lacks(missing))
	default:
		a.fail(func() string { return "missing properties '" + strings.Join(missing, "', '") + "'" }, lacks(missing))
	}
	unmet := map[string][]string{}
	for name, needs := range s.dependentRequired {
		if _, there := v[name]; !there {
			continue
		}
		a.spend(len(needs) / 4)
		for _, other := range needs {
			if _, there := v[other]; !there {
				unmet[name] = append(unmet[name], other)
			}
		}
	}
	if len(unmet) > 0 {
		a.fail(func() string {
			listed, err := json.Marshal(unmet)
			if err != nil {
				return "Some required property dependencies are missing"
			}
			return "Some required property dependencies are missing: " + string(listed)
		}, lacksBeside(unmet))
	}
}

func (a *at) text(v string) {
	s := a.s
	if s.minLength != nil || s.maxLength != nil {
		a.spend(len(v) / 64)
		n := utf8.RuneCountInString(v)
		a.within("maxLength", "character", n, nil, s.maxLength)
		a.within("minLength", "character", n, s.minLength, nil)
	}
	if s.pattern != nil && !a.matches(s.pattern, v) {
		a.fail(func() string { return fmt.Sprintf("%s does not match pattern %s", quote(v), quote(s.pattern.text)) }, ofForm(s.form))
	}
}

// matches counts the steps before it takes them: a regular expression can't be stopped.
func (c *checking) matches(p *pattern, text string) bool {
	c.spend((len(text) + 1) * (p.size + 1) / 32)
	return p.re.MatchString(text)
}

func (a *at) number(v json.Number) {
	s := a.s
	if s.minimum == nil && s.maximum == nil && s.above == nil && s.below == nil && s.multipleOf == nil {
		return
	}
	a.spend(len(v) / 16)
	d := decimalOf(v.String())
	for _, bound := range []struct {
		keyword, plain string
		want           *decimal
		ok             func(int) bool
	}{
		{"minimum", "at least", s.minimum, func(c int) bool { return c >= 0 }},
		{"maximum", "at most", s.maximum, func(c int) bool { return c <= 0 }},
		{"exclusiveMinimum", "more than", s.above, func(c int) bool { return c > 0 }},
		{"exclusiveMaximum", "less than", s.below, func(c int) bool { return c < 0 }},
	} {
		if bound.want != nil && !bound.ok(d.compare(*bound.want)) {
			a.fail(func() string { return fmt.Sprintf("%s: got %s, want %s", bound.keyword, v, bound.want) }, isTo(bound.plain, bound.want, v))
		}
	}
	if s.multipleOf != nil {
		a.spend(64)
		if !d.isMultipleOf(*s.multipleOf) {
			a.fail(func() string { return fmt.Sprintf("multipleOf: got %s, want %s", v, s.multipleOf) }, isTo("a multiple of", s.multipleOf, v))
		}
	}
}

// regexp compiles a pattern, unless it and those before it are too large together.
func (k *keywords) regexp(text string) *pattern {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		k.fail()
		return nil
	}
	size := sizeOf(parsed)
	if k.c.patterns += size; k.c.patterns > maxPatterns {
		k.err = errTooMuch
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		k.fail()
		return nil
	}
	return &pattern{text, re, size}
}

// sizeOf is about how many instructions a regular expression has once its repetitions are
// written out, which is what compiling it does.
func sizeOf(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		size += sizeOf(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return min(size, 1<<30)
}

func isOf(name string, v any) bool {
	if n, ok := v.(json.Number); ok {
		return name == "number" || name == "integer" && decimalOf(n.String()).isWhole()
	}
	return name == typeOf(v)
}

func sortedNames(of map[string]any) []string { return slices.Sorted(maps.Keys(of)) }
