package mcpserver

import (
	"slices"
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
