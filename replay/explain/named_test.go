package explain_test

import (
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay/explain"
)

// A question by words is about the latest that has them all, and names what else has.
func TestWhyNotByWords(t *testing.T) {
	p := newPast(t)
	first := p.signal("The passport office is closed on Friday", 0.3)
	plan := p.dinner()
	office := p.signal("Passport office: closed all day", 0.3)
	p.signal("A comet passes", 0.3)
	p.message("why didn't you tell me about the passport office?")
	for words, want := range map[string]domain.Record{
		"passport office":             office,
		"the Passport OFFICE, Friday": first,
		"reservations at Luigi's":     plan,
	} {
		got, err := p.whyNot(words, nil)
		if err != nil || got.Target.ID != want.Envelope.ID {
			t.Errorf("%q is about %s, %v", words, got.Target.Label, err)
		}
	}
	got, err := p.whyNot("passport", nil)
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(got.Sentences, "\n"); !strings.Contains(said, "The same words are in 1 earlier record: the latest is") || !strings.Contains(said, "closed on Friday") {
		t.Errorf("it says %s", said)
	}
	p.refers(got.Sentences, got.Parts)
}

// Why finds what was said by words of it or of what it rests on, and never an answer of
// why.
func TestWhyByWords(t *testing.T) {
	p := newPast(t)
	concluded := noticed(p)
	asked := p.message("why did you tell me that Luigi's is closed?")
	invoked := then(p, asked, domain.ToolInvoked{Tool: "why", Params: []byte(`{}`), Actor: "core"})
	replied := then(p, invoked, says("I said that Luigi's is closed tonight, because the oven broke"))
	p.concluded(replied, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: replied.Envelope.ID})
	for _, words := range []string{"closed tonight", "Luigi's", "dinner reservation"} {
		target, err := explain.TargetOf(t.Context(), p.log, words)
		if err != nil {
			t.Errorf("%q: %v", words, err)
			continue
		}
		if rec, err := target.Locate(t.Context(), p.log); err != nil || rec.Envelope.ID.String() != concluded {
			t.Errorf("%q is %+v, %v", words, rec, err)
		}
	}
	for words, code := range map[string]domain.Code{"the moon": "no_words", "of the": "invalid", "pos:x": "invalid", "": "invalid"} {
		if _, err := explain.TargetOf(t.Context(), p.log, words); domain.CodeOf(err) != code {
			t.Errorf("%q: %v", words, err)
		}
	}
}
