package player_test

import (
	"slices"
	"testing"
	"time"

	"chalie/domain"
	"chalie/replay/player"
)

func TestOutcomeInWords(t *testing.T) {
	at := domain.MillisOf(time.Date(2026, time.January, 1, 18, 0, 0, 0, time.UTC))
	told := player.Ending{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Text: "Luigi's\nis closed", At: at}
	held := player.Ending{Outcome: domain.OutcomeHeld, At: at}
	answered := player.Ending{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Text: "It is 20 degrees.", At: at}
	failed := player.Ending{Outcome: domain.OutcomeFailed, Text: "it was denied", At: at}
	dim := player.MadeCall{Tool: "dim", Params: []byte(`{"room":"hall"}`), Outcome: "tool.completed"}
	with := func(e player.Ending, change func(*player.Ending)) player.Ending { change(&e); return e }
	for name, c := range map[string]struct {
		then, now player.Ending
		want      []string
	}{
		"gone":      {told, held, []string{`Would not have told you: “Luigi's is closed”`}},
		"new":       {held, told, []string{`Would have told you at 19:00 on 1 January 2026: “Luigi's is closed”`}},
		"at once":   {held, with(told, func(e *player.Ending) { e.Shown = domain.ShownEscalation }), []string{`Would have told you at once at 19:00 on 1 January 2026: “Luigi's is closed”`}},
		"otherwise": {answered, with(answered, func(e *player.Ending) { e.Text = "It is 5 degrees." }), []string{"Would have answered “It is 5 degrees.” instead of “It is 20 degrees.”"}},
		"on other things": {answered, with(answered, func(e *player.Ending) { e.Evidence = []domain.ID{{1}} }),
			[]string{"Would have answered the same, resting on other things: “It is 20 degrees.”"}},
		"failed":     {answered, failed, []string{"Would have failed (“it was denied”), and so not have answered: “It is 20 degrees.”"}},
		"never said": {answered, player.Ending{Outcome: domain.EndingNone}, []string{"Would not have answered: “It is 20 degrees.”"}},
		"calls": {with(answered, func(e *player.Ending) {
			e.Calls = []player.MadeCall{{Tool: "read", Params: []byte("{}"), Outcome: "tool.completed"}}
		}),
			with(answered, func(e *player.Ending) { e.Calls = []player.MadeCall{dim} }), []string{"Would have called dim with room hall.", "Would not have called read."}},
		"waits": {answered, player.Ending{Outcome: domain.EndingWaits, Waits: []string{"dim of house"}},
			[]string{"Would not have answered: “It is 20 degrees.”", "Would have waited for your approval: dim of house."}},
		"waits no more": {player.Ending{Outcome: domain.EndingWaits, Waits: []string{"dim of house"}}, player.Ending{Outcome: domain.EndingDone, Text: "dimmed", At: at},
			[]string{"Would not be waiting for your approval: dim of house."}},
		"by hand": {player.Ending{Outcome: domain.EndingDone, Text: "dimmed", At: at}, failed, []string{"Would have come to a failure, “it was denied” instead of an answer, “dimmed”."}},
		"unknown": {answered, player.Ending{Outcome: domain.EndingUnknown, Model: "oracle"},
			[]string{"Would have asked oracle something else, and a replay asks nobody: name a model that is to answer, and what would have come of it can be told."}},
		"broken": {answered, player.Ending{Outcome: domain.EndingUnknown, Text: "the code failed."}, []string{"What would have come of it can't be told: the code failed."}},
		"held":   {with(held, func(e *player.Ending) { e.Outcome = domain.OutcomeYielded }), held, []string{"Would have come to keeping it to itself instead of giving up to make room."}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (player.Outcome{Recorded: c.then, Replayed: c.now}).Sentences(time.FixedZone("", 3600)); !slices.Equal(got, c.want) {
				t.Errorf("it says\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}
