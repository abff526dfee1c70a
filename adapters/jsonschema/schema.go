package jsonschema

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// schema is one JSON Schema, read: an object of keywords, or true or false.
type schema struct {
	in     *resource
	always *bool // true or false in the place of an object

	types           []string
	enum            []any
	constant        any
	hasConstant     bool
	ref, dynamicRef *schema
	dynamicAnchor   string // of what dynamicRef refers to, when it is one of those

	allOf, anyOf, oneOf         []*schema
	not, ifs, then, otherwise   *schema
	prefixItems                 []*schema
	items, contains             *schema
	minContains, maxContains    *int
	minItems, maxItems          *int
	minLength, maxLength        *int
	minProperties, maxProps     *int
	uniqueItems                 bool
	minimum, maximum            *decimal
	above, below, multipleOf    *decimal
	pattern                     *pattern
	form                        form // of what has a pattern
	properties                  []named
	patternProperties           []patterned
	additional, propertyNames   *schema
	required                    []string
	dependentRequired           map[string][]string
	dependentSchemas            []named
	unevaluatedProps, restItems *schema
	knownProperties             map[string]*schema
}

type named struct {
	name string
	is   *schema
}

type patterned struct {
	names *pattern
	is    *schema
}

// pattern is a regular expression, with how many steps one character of a text may take.
type pattern struct {
	text string
	re   *regexp.Regexp
	size int
}

// resource is a schema with an address of its own, and what is within it.
type resource struct {
	address string
	dynamic map[string]*schema // by $dynamicAnchor
}

// draft is which keywords count, and how.
type draft int

const (
	draft4 draft = iota
	draft6
	draft7
	draft2019
	draft2020
)

// anyRecursive is the dynamic anchor of what declares $recursiveAnchor.
const anyRecursive = "$recursiveAnchor"

var errNoSchema = errors.New("no schema")

// draftNamed is the draft that a $schema names.
func draftNamed(uri string) (draft, bool) {
	for name, is := range map[string]draft{"draft-04": draft4, "draft-06": draft6, "draft-07": draft7, "draft/2019-09": draft2019, "draft/2020-12": draft2020} {
		if rest := strings.TrimSuffix(uri, "#"); rest == "http://json-schema.org/"+name+"/schema" || rest == "https://json-schema.org/"+name+"/schema" {
			return is, true
		}
	}
	return 0, false
}

// compiler reads one document.
type compiler struct {
	known    map[string]*schema // by address with fragment
	refs     []pendingRef
	tracks   bool // something asks for what was looked at before
	patterns int  // the size of all patterns
}

type pendingRef struct {
	from    *schema
	to      string
	dynamic bool
}

// around is where a part of a document stands.
type around struct {
	in      *resource
	pointer string
	draft   draft
}

func (a around) within(tokens ...string) around {
	for _, t := range tokens {
		a.pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(t)
	}
	return a
}

// compile reads a document; the error says that it is no schema, or that it is too much.
func compile(text json.RawMessage) (root *schema, tracks bool, err error) {
	document, err := parse(text)
	if err != nil {
		return nil, false, errNoSchema
	}
	members, ok := document.(map[string]any)
	if !ok {
		return nil, false, errNoSchema
	}
	at := around{in: &resource{dynamic: map[string]*schema{}}, draft: draft2020}
	if uri, ok := members["$schema"]; ok {
		name, _ := uri.(string)
		if at.draft, ok = draftNamed(name); !ok {
			return nil, false, errNoSchema
		}
	}
	c := &compiler{known: map[string]*schema{}}
	if root, err = c.read(document, at); err != nil {
		return nil, false, err
	}
	for _, r := range c.refs {
		to, ok := c.known[r.to]
		switch {
		case !ok:
			return nil, false, errNoSchema // nothing is loaded for it
		case r.dynamic:
			r.from.dynamicRef = to
			if _, fragment, _ := strings.Cut(r.to, "#"); to.in.dynamic[fragment] == to {
				r.from.dynamicAnchor = fragment
			} else if to.in.dynamic[anyRecursive] == to {
				r.from.dynamicAnchor = anyRecursive
			}
		default:
			r.from.ref = to
		}
	}
	return root, c.tracks, nil
}

// read reads a part of a document that is a schema.
func (c *compiler) read(part any, at around) (*schema, error) {
	s := &schema{in: at.in}
	if always, ok := part.(bool); ok {
		s.always = &always
		c.known[at.in.address+"#"+at.pointer] = s
		return s, nil
	}
	members, ok := part.(map[string]any)
	if !ok {
		return nil, errNoSchema
	}
	k := &keywords{c: c, members: members, at: at}
	ref, isRef := k.text("$ref")
	alone := isRef && at.draft <= draft7 // what stands beside it doesn't count there
	c.known[at.in.address+"#"+at.pointer] = s
	if !alone {
		if err := k.address(s); err != nil {
			return nil, err
		}
	}
	if isRef {
		k.refers(s, ref, false)
	}
	k.definitions()
	if !alone {
		k.anyValue(s)
		k.numbers(s)
		k.arrays(s)
		k.objects(s)
	} else {
		k.check()
	}
	return s, k.err
}

// keywords reads the members of one object, and remembers what was wrong.
type keywords struct {
	c       *compiler
	members map[string]any
	at      around
	err     error
}

// address gives a schema the address and the anchors that it declares.
func (k *keywords) address(s *schema) error {
	name := "$id"
	if k.at.draft == draft4 {
		name = "id"
	}
	if id, ok := k.text(name); ok {
		uri, fragment, _ := strings.Cut(id, "#")
		if uri != "" {
			full, err := resolve(k.at.in.address, uri)
			if err != nil {
				return errNoSchema
			}
			k.at.in, k.at.pointer = &resource{address: full, dynamic: map[string]*schema{}}, ""
			s.in = k.at.in
			k.c.known[full+"#"] = s
		}
		if fragment != "" && k.at.draft <= draft7 {
			k.c.known[k.at.in.address+"#"+fragment] = s
		}
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if anchor, ok := k.text(keyword); ok {
			k.c.known[k.at.in.address+"#"+anchor] = s
			if keyword == "$dynamicAnchor" {
				k.at.in.dynamic[anchor] = s
			}
		}
	}
	if k.at.draft == draft2019 && k.members[anyRecursive] == true {
		k.at.in.dynamic[anyRecursive] = s
	}
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if ref, ok := k.text(keyword); ok && (keyword == "$recursiveRef") == (k.at.draft == draft2019) {
			k.refers(s, ref, true)
		}
	}
	return nil
}

func (k *keywords) refers(s *schema, ref string, dynamic bool) {
	uri, fragment, _ := strings.Cut(ref, "#")
	full, err := resolve(k.at.in.address, uri)
	if err == nil {
		fragment, err = url.PathUnescape(fragment)
	}
	if err != nil {
		k.fail()
		return
	}
	k.c.refs = append(k.c.refs, pendingRef{from: s, to: full + "#" + fragment, dynamic: dynamic})
}

func resolve(base, uri string) (string, error) {
	if uri == "" {
		return base, nil
	}
	b, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	u, err := b.Parse(uri)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

func (k *keywords) fail() { k.err = errNoSchema }

func (k *keywords) text(name string) (string, bool) {
	value, there := k.members[name]
	text, ok := value.(string)
	if there && !ok {
		k.fail()
	}
	return text, ok
}

func (k *keywords) flag(name string) bool {
	value, there := k.members[name]
	is, ok := value.(bool)
	if there && !ok {
		k.fail()
	}
	return is
}

func (k *keywords) number(name string) *decimal {
	value, there := k.members[name]
	if !there {
		return nil
	}
	n, ok := value.(json.Number)
	if !ok {
		k.fail()
		return nil
	}
	out := decimalOf(n.String())
	return &out
}

// count is a whole number from 0.
func (k *keywords) count(name string) *int {
	n := k.number(name)
	if n == nil {
		return nil
	}
	if n.neg || !n.isWhole() {
		k.fail()
		return nil
	}
	out, err := strconv.Atoi(n.String())
	if err != nil {
		out = int(^uint(0) >> 1) // more than anything has
	}
	return &out
}

func (k *keywords) list(name string, atLeast int) []any {
	value, there := k.members[name]
	list, ok := value.([]any)
	if there && (!ok || len(list) < atLeast) {
		k.fail()
	}
	return list
}

func (k *keywords) one(name string) *schema {
	value, there := k.members[name]
	if !there {
		return nil
	}
	return k.part(value, name)
}

func (k *keywords) part(value any, tokens ...string) *schema {
	s, err := k.c.read(value, k.at.within(tokens...))
	if err != nil {
		k.err = err
	}
	return s
}

func (k *keywords) several(name string) (out []*schema) {
	for i, value := range k.list(name, 1) {
		out = append(out, k.part(value, name, strconv.Itoa(i)))
	}
	return out
}

func (k *keywords) object(name string) map[string]any {
	value, there := k.members[name]
	object, ok := value.(map[string]any)
	if there && !ok {
		k.fail()
	}
	return object
}

// all are the schemas of an object by name, in the order of the names.
func (k *keywords) all(name string) (out []named) {
	object := k.object(name)
	for _, member := range sortedNames(object) {
		out = append(out, named{member, k.part(object[member], name, member)})
	}
	return out
}

func (k *keywords) texts(value any) (out []string) {
	list, ok := value.([]any)
	if !ok {
		k.fail()
	}
	for _, one := range list {
		text, ok := one.(string)
		if !ok || slices.Contains(out, text) {
			k.fail()
			return nil
		}
		out = append(out, text)
	}
	return out
}

func (k *keywords) definitions() {
	for _, name := range []string{"$defs", "definitions"} {
		for _, def := range k.all(name) {
			for _, alias := range []string{"$defs", "definitions"} { // one place under two names
				address := k.at.in.address + "#" + k.at.within(alias, def.name).pointer
				if k.c.known[address] == nil {
					k.c.known[address] = def.is
				}
			}
		}
	}
}

// check refuses what no keyword may be, of those that check nothing.
func (k *keywords) check() {
	for _, name := range []string{"title", "description", "$comment", "format", "contentMediaType", "contentEncoding"} {
		k.text(name)
	}
	k.flag("readOnly")
	k.flag("writeOnly")
	k.list("examples", 0)
}

func (k *keywords) anyValue(s *schema) {
	k.check()
	if value, there := k.members["type"]; there {
		if one, ok := value.(string); ok {
			value = []any{one}
		}
		s.types = k.texts(value)
		known := []string{"null", "boolean", "number", "integer", "string", "array", "object"}
		if len(s.types) == 0 || slices.ContainsFunc(s.types, func(t string) bool { return !slices.Contains(known, t) }) {
			k.fail()
		}
	}
	s.enum = k.list("enum", 1)
	if s.constant, s.hasConstant = k.members["const"]; k.at.draft == draft4 {
		s.hasConstant = false
	}
	if s.hasConstant && s.enum == nil { // the same, and its words name the value
		s.enum, s.hasConstant = []any{s.constant}, false
	}
	s.allOf, s.anyOf, s.oneOf = k.several("allOf"), k.several("anyOf"), k.several("oneOf")
	s.not, s.ifs, s.then, s.otherwise = k.one("not"), k.one("if"), k.one("then"), k.one("else")
}

func (k *keywords) numbers(s *schema) {
	if k.at.draft == draft4 {
		s.minimum, s.maximum = k.number("minimum"), k.number("maximum")
		if k.flag("exclusiveMinimum") {
			s.minimum, s.above = nil, s.minimum
		}
		if k.flag("exclusiveMaximum") {
			s.maximum, s.below = nil, s.maximum
		}
	} else {
		s.minimum, s.maximum = k.number("minimum"), k.number("maximum")
		s.above, s.below = k.number("exclusiveMinimum"), k.number("exclusiveMaximum")
	}
	if s.multipleOf = k.number("multipleOf"); s.multipleOf != nil && (s.multipleOf.neg || s.multipleOf.digits == "") {
		k.fail()
	}
	s.minLength, s.maxLength = k.count("minLength"), k.count("maxLength")
	if text, ok := k.text("pattern"); ok {
		s.pattern, s.form = k.regexp(text), k.form()
	}
}

func (k *keywords) arrays(s *schema) {
	s.prefixItems = k.several("prefixItems")
	if _, tuple := k.members["items"].([]any); tuple {
		s.prefixItems = k.several("items")
		s.items = k.one("additionalItems")
	} else {
		s.items = k.one("items")
	}
	s.contains = k.one("contains")
	s.minContains, s.maxContains = k.count("minContains"), k.count("maxContains")
	s.minItems, s.maxItems, s.uniqueItems = k.count("minItems"), k.count("maxItems"), k.flag("uniqueItems")
	s.restItems = k.one("unevaluatedItems")
	k.c.tracks = k.c.tracks || s.restItems != nil
}

func (k *keywords) objects(s *schema) {
	s.properties = k.all("properties")
	s.knownProperties = map[string]*schema{}
	for _, p := range s.properties {
		s.knownProperties[p.name] = p.is
	}
	for _, p := range k.all("patternProperties") {
		s.patternProperties = append(s.patternProperties, patterned{k.regexp(p.name), p.is})
	}
	s.additional, s.propertyNames = k.one("additionalProperties"), k.one("propertyNames")
	s.minProperties, s.maxProps = k.count("minProperties"), k.count("maxProperties")
	if value, there := k.members["required"]; there {
		s.required = k.texts(value)
	}
	s.dependentSchemas = k.all("dependentSchemas")
	for name, value := range k.object("dependentRequired") {
		s.depends(name, k.texts(value))
	}
	if k.at.draft <= draft2019 {
		dependencies := k.object("dependencies")
		for _, name := range sortedNames(dependencies) {
			if _, list := dependencies[name].([]any); list {
				s.depends(name, k.texts(dependencies[name]))
			} else {
				s.dependentSchemas = append(s.dependentSchemas, named{name, k.part(dependencies[name], "dependencies", name)})
			}
		}
	}
	s.unevaluatedProps = k.one("unevaluatedProperties")
	k.c.tracks = k.c.tracks || s.unevaluatedProps != nil
}

func (s *schema) depends(name string, on []string) {
	if s.dependentRequired == nil {
		s.dependentRequired = map[string][]string{}
	}
	s.dependentRequired[name] = on
}
