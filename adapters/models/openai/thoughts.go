package openai

import "strings"

// thoughts leaves out of a text, as it comes, what some servers let a model think aloud
// before its answer. What it tells comes to what withoutThoughts gives of the whole.
type thoughts struct {
	held string // not told yet
	in   place
}

// place is where a text has come to.
type place int

const (
	atBegin  place = iota // it may begin with thoughts
	within                // in them
	behind                // them, before the first word
	inAnswer              // and nothing else comes
)

const beginThoughts, endThoughts = "<think>", "</think>"

// add is what can be told after more was added.
func (t *thoughts) add(text string) string {
	t.held += text
	if t.in == atBegin {
		switch begin := strings.TrimLeft(t.held, " \n"); {
		case strings.HasPrefix(begin, beginThoughts):
			t.in, t.held = within, begin[len(beginThoughts):]
		case !strings.HasPrefix(beginThoughts, begin):
			t.in = inAnswer
		}
	}
	if t.in == within {
		_, rest, ok := strings.Cut(t.held, endThoughts)
		if ok {
			t.in = behind
		} else {
			rest = t.held[max(0, len(t.held)-len(endThoughts)):]
		}
		t.held = rest
	}
	if t.in == behind {
		if t.held = strings.TrimLeft(t.held, " \n"); t.held != "" {
			t.in = inAnswer
		}
	}
	if t.in != inAnswer {
		return ""
	}
	out := t.held
	t.held = ""
	return out
}

// rest is what is left at the end.
func (t *thoughts) rest() string {
	if t.in == atBegin {
		return t.held
	}
	return ""
}
