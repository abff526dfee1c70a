package skill_test

import (
	"strings"
	"testing"
)

// TestDoneToday lists what is over under what was done, and not among what is planned.
func TestDoneToday(t *testing.T) {
	p := newPlanner(t)
	if got := p.call("plans", `{"done":true}`); got != "Nothing was done today, and nothing that was planned is over." {
		t.Errorf("at first: %q", got)
	}
	p.call("task", `{"what":"feed the cat"}`)
	p.call("task", `{"what":"tidy the cellar"}`)
	p.call("task", `{"action":"complete","which":"cat"}`)
	for _, c := range []struct{ params, want string }{
		{`{"done":true}`, "Done today: feed the cat (done at 10:00)."},
		{`{"done":true,"during":"today"}`, "Done today: feed the cat (done at 10:00)."},
		{`{"done":true,"during":"yesterday"}`, "Nothing was done yesterday, and nothing that was planned is over."},
	} {
		if got := p.call("plans", c.params); got != c.want {
			t.Errorf("%s answers %q, want %q", c.params, got, c.want)
		}
	}
	if got := p.call("status", `{}`); !strings.Contains(got, "\nDone today: feed the cat (done at 10:00).\n") {
		t.Errorf("the status is %q", got)
	}
}
