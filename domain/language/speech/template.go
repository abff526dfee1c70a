package speech

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// node is a part of a template: words, an argument, or what is said only when all its arguments are given.
type node struct {
	words   string
	arg     string
	style   []string // behind the argument's name
	kind    string   // whose words the argument is one of
	choices map[string]template
	maybe   template
}

// template is a sentence with places for arguments.
type template []node

// parse reads a template.
func parse(text string) (template, error) {
	p := &parser{left: text}
	out, err := p.template("")
	if err == nil && p.left != "" {
		err = fmt.Errorf("%q closes nothing", p.left)
	}
	if err != nil {
		return nil, fmt.Errorf("the template %q: %w", text, err)
	}
	return out, nil
}

// parser reads a template from the left.
type parser struct{ left string }

// template reads up to a closing mark, which it leaves; to the end for none.
func (p *parser) template(closing string) (template, error) {
	var out template
	for p.left != "" {
		at := strings.IndexAny(p.left, "{}[]")
		if at < 0 {
			at = len(p.left)
		}
		if at > 0 {
			out, p.left = append(out, node{words: p.left[:at]}), p.left[at:]
			continue
		}
		mark := p.left[:1]
		if mark == closing {
			return out, nil
		}
		p.left = p.left[1:]
		var n node
		var err error
		switch mark {
		case "{":
			n, err = p.argument()
		case "[":
			n.maybe, err = p.template("]")
			if err == nil {
				err = p.takes("]")
			}
		default:
			return nil, fmt.Errorf("%q closes nothing", mark)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	if closing != "" {
		return nil, fmt.Errorf("it has no %q", closing)
	}
	return out, nil
}

// argument reads {name}, {name, style} and {name, plural, one {…} other {…}}.
func (p *parser) argument() (node, error) {
	at := strings.IndexAny(p.left, "{}")
	if at < 0 {
		return node{}, fmt.Errorf("%q isn't closed", "{")
	}
	name, style, _ := strings.Cut(p.left[:at], ",")
	n := node{arg: strings.TrimSpace(name)}
	p.left = p.left[at:]
	how, first, chooses := strings.Cut(style, ",")
	n.style = strings.Fields(how)
	if !chooses {
		return n, p.takes("}")
	}
	n.choices = map[string]template{}
	for key := strings.TrimSpace(first); ; {
		if err := p.takes("{"); err != nil {
			return n, err
		}
		choice, err := p.template("}")
		if err == nil {
			err = p.takes("}")
		}
		if err != nil {
			return n, err
		}
		n.choices[key] = choice
		at := strings.IndexAny(p.left, "{}")
		if at < 0 {
			return n, fmt.Errorf("the choices of %s aren't closed", n.arg)
		}
		if key, p.left = strings.TrimSpace(p.left[:at]), p.left[at:]; key == "" {
			return n, p.takes("}")
		}
	}
}

func (p *parser) takes(mark string) error {
	rest, ok := strings.CutPrefix(p.left, mark)
	if !ok {
		return fmt.Errorf("it has no %q before %q", mark, p.left)
	}
	p.left = rest
	return nil
}

// args are the arguments that a template names, with whether it can do without each.
func (t template) args(optional bool, into map[string]bool) {
	for _, n := range t {
		if n.arg != "" {
			if known, ok := into[n.arg]; !ok || known {
				into[n.arg] = optional
			}
		}
		for _, c := range n.choices {
			c.args(optional, into)
		}
		n.maybe.args(true, into)
		if len(n.style) == 2 && n.style[0] == "of" {
			into[n.style[1]] = optional
		}
	}
}

// ofKinds notes of the arguments that are kinds which.
func (t template) ofKinds(args map[string]declaredType) {
	for i, n := range t {
		t[i].kind = args[n.arg].of
		for _, c := range n.choices {
			c.ofKinds(args)
		}
		n.maybe.ofKinds(args)
	}
}

// has reports whether all arguments that a template names at its own level are given.
func (t template) has(args Args) bool {
	for _, n := range t {
		if n.arg != "" && args[n.arg] == nil {
			return false
		}
	}
	return true
}

// asks reports whether a template has a question mark, in what it says with these arguments.
func (t template) asks(args Args) bool {
	return slices.ContainsFunc(t, func(n node) bool {
		if kind, ok := args[n.arg].(Kind); ok && n.choices != nil {
			chosen, ok := n.choices[string(kind)]
			if !ok {
				chosen = n.choices["other"]
			}
			return chosen.asks(args)
		}
		choices := slices.Collect(maps.Values(n.choices))
		return strings.Contains(n.words, "?") || n.maybe.asks(args) ||
			slices.ContainsFunc(choices, func(c template) bool { return c.asks(args) })
	})
}
