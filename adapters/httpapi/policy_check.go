package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/player"
)

// checkPolicy is POST /api/policy/check: the result that PUT /api/policy would have. It
// changes nothing, and answers 200 for a policy with a mistake, too.
func (x *exchange) checkPolicy() error {
	if x.api.cfg.Policies == nil {
		return notRunning("check a policy")
	}
	text, err := x.body()
	if err != nil {
		return err
	}
	rules, mistake := readPolicy(text)
	if mistake != nil {
		return x.answer(http.StatusOK, api.PolicyMistake{Mistake: *mistake})
	}
	_, now := x.api.cfg.Policies.InForce()
	return x.answer(http.StatusOK, api.PolicyCheck{
		OK: true, InForce: reflect.DeepEqual(rules, now), Warnings: x.api.cfg.Policies.Doubts(rules), Policy: rules,
	})
}

// readPolicy reads a policy, or returns the first mistake in its text.
func readPolicy(text []byte) (domain.PolicyRules, *api.Mistake) {
	var rules domain.PolicyRules
	if deep := domain.Nesting(text); deep > domain.MaxNesting {
		return rules, mistakeAt(text, 0, "", fmt.Sprintf("This nests %d objects and arrays deep, the bound is %d.", deep, domain.MaxNesting))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&rules); err != nil {
		return rules, unreadable(text, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return rules, mistakeAt(text, d.InputOffset(), "", "There is more after the policy: give one JSON object.")
	}
	err := rules.Check()
	if err == nil {
		return rules, nil
	}
	field := ""
	if e, ok := errors.AsType[*domain.Error](err); ok {
		field = e.Field
	}
	var at int64
	for _, m := range membersOf(text) {
		if m.path == field {
			at = m.value
			break
		}
	}
	return rules, mistakeAt(text, at, field, outward(err))
}

// unreadable is why a text can't be read as a policy.
func unreadable(text []byte, err error) *api.Mistake {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return mistakeAt(text, wrong.Offset-1, wrong.Field, fmt.Sprintf("%s can't be a %s.", orThis(wrong.Field), wrong.Value))
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return mistakeAt(text, wrong.Offset-1, "", "This is no JSON: "+wrong.Error()+".")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return mistakeAt(text, int64(len(text)), "", "This is no JSON: it ends too early.")
	}
	// The remaining cause is an unknown name.
	for _, m := range membersOf(text) {
		known := namesOf[domain.PolicyRules]()
		if strings.HasPrefix(m.path, "rules[") {
			known = namesOf[domain.PolicyRule]()
		}
		if m.name != "" && !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, m.name) }) {
			return mistakeAt(text, m.key, m.path, fmt.Sprintf("%q is no part of a policy here: give one of %s.", clip(m.name), strings.Join(known, ", ")))
		}
	}
	return mistakeAt(text, 0, "", "The policy can't be read: "+err.Error()+".")
}

func orThis(field string) string {
	if field == "" {
		return "A policy"
	}
	return field
}

// namesOf are the names that a type has in JSON.
func namesOf[T any]() []string {
	var out []string
	for field := range reflect.TypeFor[T]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}

// mistakeAt turns an offset into a line and a column.
func mistakeAt(text []byte, offset int64, field, says string) *api.Mistake {
	before := string(text[:min(max(0, int(offset)), len(text))])
	line := strings.LastIndexByte(before, '\n') + 1
	return &api.Mistake{Error: says, Field: field, Line: strings.Count(before, "\n") + 1, Column: len([]rune(before[line:])) + 1}
}

// member is a value in a JSON text with its offset.
type member struct {
	path       string // such as rules[2].verdict; "" for the whole
	name       string // in its object; "" in an array
	key, value int64  // offsets of both
}

// ruleDepth is the nesting depth of a rule's names: rule, list, policy.
const ruleDepth = 3

// membersOf are all values of a text down to the names in a rule, up to the first syntax
// error.
func membersOf(text []byte) []member {
	var out []member
	d := json.NewDecoder(bytes.NewReader(text))
	next := func() int64 {
		at := d.InputOffset()
		for at < int64(len(text)) && bytes.IndexByte([]byte(" \t\r\n,:"), text[at]) >= 0 {
			at++
		}
		return at
	}
	var walk func(path string, depth int) bool
	walk = func(path string, depth int) bool {
		if depth > ruleDepth {
			return d.Decode(new(json.RawMessage)) == nil
		}
		token, err := d.Token()
		if err != nil {
			return false
		}
		for n := 0; token == json.Delim('{') || token == json.Delim('['); n++ {
			if !d.More() {
				_, err := d.Token()
				return err == nil
			}
			m := member{key: next(), path: fmt.Sprintf("%s[%d]", path, n)}
			if token == json.Delim('{') {
				name, err := d.Token()
				if err != nil {
					return false
				}
				m.name, _ = name.(string)
				m.path = strings.TrimPrefix(path+"."+m.name, ".")
			}
			m.value = next()
			out = append(out, m)
			if !walk(m.path, depth+1) {
				return false
			}
		}
		return true
	}
	walk("", 0)
	return out
}

// supposable is GET /api/what-if.
func (x *exchange) supposable() error {
	body := api.Supposable{Parameters: []api.Parameter{}, Inputs: []api.Input{}, Models: listed(x.api.cfg.Models)}
	params := domain.DefaultParams()
	if book := viewOf[domain.SettingsBook](x); book != nil {
		book.Read(func(b *domain.SettingsBook) { params = b.Params() })
	}
	for _, p := range params.Listed() {
		body.Parameters = append(body.Parameters, api.Parameter{
			Name: p.Name, Value: p.Value, Unit: p.Unit, Least: p.Least, Most: p.Most, Bounds: p.Bounds, Meaning: p.Meaning,
		})
	}
	for _, in := range player.Inputs() {
		body.Inputs = append(body.Inputs, api.Input{Type: in.Type, Fields: in.Fields})
	}
	return x.answer(http.StatusOK, body)
}
