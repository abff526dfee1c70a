package domain

import (
	"maps"
	"slices"
)

// The rights. Each stands among the types of signals that a token or an interface names, and lets it
// do more than send signals; so it counts only where the person gave it: with a token that they
// issued, or by their approval of what an interface asks for.
const (
	RightMCP     = "mcp"
	RightConsole = "console"
	RightVoice   = "voice"
	RightContext = ContextUpdate
)

// RightsAskedKey marks an approval whose person was asked about the rights that the interface declared.
const RightsAskedKey Key = "rights/asked"

// rights say, in words, what each lets a program do, and whether an interface may be given it: only
// a program with a token of its own may speak MCP or for the person.
func rights() []right {
	return []right{
		{RightMCP, "speak MCP: see what Chalie has in mind and did, and ask for tools", false},
		{RightConsole, "speak for you, and hear all that you do", false},
		{RightVoice, "have Chalie hear and speak for it", true},
		{RightContext, "say where and how you are", true},
	}
}

type right struct {
	name, words  string
	ofInterfaces bool
}

// says is what a right means to the person, with a program's own words on why it asks for it.
func (r right) says(why string) string {
	out := "It may " + r.words + "."
	if why != "" {
		out += " It says: " + why
	}
	return out
}

// RightInWords is what a right lets a program do, to be read behind "may"; false of a type that
// is none.
func RightInWords(signalType string) (words string, ok bool) {
	for _, r := range rights() {
		if r.name == signalType {
			return r.words, true
		}
	}
	return "", false
}

// RightsIn are the rights among types.
func RightsIn(types []string) []string {
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { _, ok := RightInWords(t); return !ok })
}

// RightsOfInterfaces are the rights among types that an interface may be given.
func RightsOfInterfaces(types []string) []string {
	var out []string
	for _, r := range rights() {
		if r.ofInterfaces && slices.Contains(types, r.name) {
			out = append(out, r.name)
		}
	}
	return out
}

// WithoutRights are the types that let a program send signals and no more.
func WithoutRights(types []string) []string {
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { _, ok := RightInWords(t); return ok })
}

// askedFor are scopes with the rights that an interface declared for itself: they wait for the person.
func (s Scopes) askedFor(declared []string) Scopes {
	for _, r := range rights() {
		if _, said := s.Signals[r.name]; !r.ofInterfaces || said || !slices.Contains(declared, r.name) {
			continue
		}
		signals := map[string]string{r.name: ""}
		maps.Copy(signals, s.Signals)
		s.Signals = signals
	}
	return s
}
