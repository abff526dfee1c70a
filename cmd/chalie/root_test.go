package main

import (
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

func TestNearestNames(t *testing.T) {
	types := catalogued(typeName)
	for word, want := range map[string][]string{
		"signal.recieved":   {"signal.received"},
		"nonsense":          nil, // three of them, whichever
		"remind":            {"reminder.cancelled", "reminder.changed", "reminder.done"},
		"concluded":         {"reasoning.concluded"},
		"Reasoning.Started": {"reasoning.started"},
	} {
		got := nearest(word, types, len(word)+100)
		if len(got) != suggested || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%q: %q, want %q first", word, got, want)
		}
	}
	for word, want := range map[string][]string{
		"lst": {"list"}, "forecst": {"weather.forecast"}, "xyzzy": {}, "st": {},
	} {
		if got := nearest(word, []string{"list", "weather.forecast", "remind"}, slips(word)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := didYouMean([]string{"a", "b", "c"}); got != "; did you mean a, b or c?" {
		t.Error(got)
	}
}

// Every noun shows what it is about when it is given no verb, and every command stands in
// a group of the help.
func TestNounsShowWhatTheyAreAbout(t *testing.T) {
	c, _, _ := testConsole()
	root := rootCommand(c)
	for _, cmd := range root.Commands() {
		if cmd.GroupID == "" && !cmd.Hidden {
			t.Errorf("%s stands in no group", cmd.Name())
		}
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			continue
		}
		if cmd.RunE == nil {
			t.Errorf("%s alone does nothing", cmd.CommandPath())
		}
		for _, verb := range cmd.Commands() {
			if verb.Name() != "list" && (verb.Name() != "show" || cmd.Name() != "policy") {
				continue
			}
			if !strings.Contains(cmd.Long, "Without a verb it does what \""+verb.Name()+"\" does.") {
				t.Errorf("%s doesn't say what it does without a verb", cmd.CommandPath())
			}
			if a, b := cmd.LocalFlags().FlagUsages(), verb.LocalFlags().FlagUsages(); cmd.HasLocalFlags() && strings.Count(a, "--") != strings.Count(b, "--") {
				t.Errorf("%s takes\n%s, and %s\n%s", cmd.CommandPath(), a, verb.CommandPath(), b)
			}
		}
	}
	if got := len(domain.Events().Definitions()); got < 50 {
		t.Fatalf("only %d types are known", got)
	}
}
