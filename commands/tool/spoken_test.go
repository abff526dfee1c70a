package tool_test

import (
	"context"
	"strings"
	"testing"

	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// quoter is a skill that names what it was told, and a text of its own.
type quoter struct {
	commandstest.Noter
	theirs domain.ID
}

func (q *quoter) Do(context.Context, tool.SkillCall) (tool.SkillDone, error) {
	said := []speech.Said{{As: speech.Told, Says: []speech.Message{
		{ID: "done", Args: speech.Args{"what": speech.Text{Words: "the roof leaks", In: q.theirs}}},
		{ID: "done", Args: speech.Args{"what": speech.Text{Words: "call AKIAIOSFODNN7EXAMPLE"}}},
	}}}
	return tool.SkillDone{Result: commandstest.Answered("Done: the roof leaks"), Said: said, Quotes: []domain.ID{q.theirs}}, nil
}

// What a skill says is recorded with its words: the values, whose each text is, the language and the version
// of its catalogue, without the secrets that the words are without.
func TestWhatASkillSaysIsRecorded(t *testing.T) {
	w, _ := commandstest.Able(t)
	heard := w.IDs.NewID()
	entry, err := domain.New(domain.Begin(w.IDs.NewTrace(), "house"), heard, 1, "test", domain.SignalReceived{SignalType: "note", Content: "the roof leaks", Source: "house"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	q := &quoter{commandstest.Noter{W: w}, heard}
	w.Skills = []tool.Skill{q}
	if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, notes()); err != nil {
		t.Fatal(err)
	}
	ends := w.Records(domain.TopicTools)
	done := commandstest.Decoded[domain.ToolCompleted](t, ends[len(ends)-1])
	if done.Spoken == nil || done.Spoken.Language != "en" || done.Spoken.Catalogue != speech.English().Version {
		t.Fatalf("recorded is %+v", done.Spoken)
	}
	says := speech.Recorded(done.Spoken)[0].Says
	if got := says[0].Args["what"].(speech.Text); got.Words != "the roof leaks" || got.In != heard || got.Theirs == "" {
		t.Errorf("the words of another are %+v", got)
	}
	if got := says[1].Args["what"].(speech.Text); got.Theirs != "" || strings.Contains(got.Words, "AKIA") {
		t.Errorf("its own words are %+v", got)
	}
}
