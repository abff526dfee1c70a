package tools

import (
	"slices"
	"testing"

	"chalie/domain"
)

// What a parameter takes is read from its description.
func TestSlots(t *testing.T) {
	for _, c := range []struct {
		name, about string
		choices     []string
		closed      bool
	}{
		{"period", "How far back: 1d, 7d, 30d or 1y. Default: 30d", []string{"1d", "7d", "30d", "1y"}, true},
		{"period", "1d, 7d, 30d, 90d, 1y (default 30d)", []string{"1d", "7d", "30d", "90d", "1y"}, true},
		{"direction", "Either \"above\" or \"below\"", []string{"above", "below"}, true},
		{"direction", "gainers or losers; gainers if not given", []string{"gainers", "losers"}, true},
		{"state", "One of: open, closed, all. Defaults to open", []string{"open", "closed", "all"}, true},
		{"method", "merge, squash or rebase. Default merge", []string{"merge", "squash", "rebase"}, true},
		{"scene", "One of movie, dinner, night, away", []string{"movie", "dinner", "night", "away"}, true},
		{"status", "Only those that are open, delivered or cancelled", []string{"open", "delivered", "cancelled"}, true},
		{"sort", "asc|desc", []string{"asc", "desc"}, true},
		{"since", "Date or period such as today, yesterday, 7d", []string{"today", "yesterday", "7d"}, false},
		{"language", "Programming language, such as go, python or rust", []string{"go", "python", "rust"}, false},
		{"query", "Song, artist or kind of music", nil, false},
		{"symbol", "Symbol or name, e.g. AAPL", []string{"AAPL"}, false},
		{"room", "Which room", nil, false},
	} {
		got := slotOf(domain.Parameter{Name: c.name, Type: domain.TypeString, Description: c.about})
		if !slices.Equal(got.choices, c.choices) || got.closed != c.closed {
			t.Errorf("%s: %q %v, want %q %v", c.about, got.choices, got.closed, c.choices, c.closed)
		}
	}
	if got := slotOf(domain.Parameter{Name: "order_id", Type: domain.TypeString, Description: "Id of the order, such as CM-1234"}); got.kind != ofCode || got.shape != "cm-0" {
		t.Errorf("an id is %v %q", got.kind, got.shape)
	}
	if got := slotOf(domain.Parameter{Name: "symbols", Type: domain.TypeString, Description: "Comma-separated symbols, two to five"}); !got.list {
		t.Error("several symbols are no list")
	}
}
