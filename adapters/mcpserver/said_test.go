package mcpserver

import (
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// What an answer says of a failure it says once, and never nothing.
func TestSaid(t *testing.T) {
	for _, c := range []struct {
		text, wrong *string
		want        []string
	}{
		{new("no such branch"), new("no such branch"), []string{"It failed: no such branch"}},
		{new("Error: no such branch"), new("no such branch"), []string{"It failed: Error: no such branch"}},
		{new("two of three were closed"), new("no such branch"), []string{"It failed: no such branch", "two of three were closed"}},
		{nil, new("no such branch"), []string{"It failed: no such branch"}},
		{new(" "), new(""), []string{"It failed: it doesn't say why"}},
		{new(" "), nil, nil},
		{new("It is done."), nil, []string{"It is done."}},
	} {
		if got := said(domain.ToolCompleted{Text: c.text, Error: c.wrong}); !slices.Equal(got, c.want) {
			t.Errorf("%v, %v: %q, want %q", c.text, c.wrong, got, c.want)
		}
	}
}

// Why a call brought no answer is said in words, whatever is known, and what to do about it.
func TestUndone(t *testing.T) {
	for _, c := range []struct {
		fault *domain.Fault
		want  []string
	}{
		{nil, []string{"nothing says why", toolOutcome}},
		{&domain.Fault{Code: domain.CodeDenied}, []string{"nothing says why", toolOutcome}},
		{&domain.Fault{Code: domain.CodeDenied, Message: "what was said asks for the contrary of what unlock does"}, []string{"the contrary of what unlock does. It will be denied again", "chalie policy"}},
		{&domain.Fault{Code: "unreachable", Message: "bank can't be reached"}, []string{"bank can't be reached"}},
	} {
		for _, says := range c.want {
			if got := undone(c.fault); !strings.Contains(got, says) {
				t.Errorf("%+v: %q, want %q", c.fault, got, says)
			}
		}
	}
}
