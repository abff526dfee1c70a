package explain_test

import (
	"strings"
	"testing"
	"time"

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

// Calls that ended differently are told apart, and of one without an outcome nobody says
// that it wasn't made.
func TestFailuresAreToldApart(t *testing.T) {
	p := newPast(t)
	p.governed(domain.AutonomyFull)
	hospital := p.registered("hospital")
	for _, why := range []string{"paper jam in tray 2", "paper jam in tray 2", "the toner is empty"} {
		invoked, decided := p.wanted(hospital)
		then(p, decided, domain.ToolFailed{InvocationID: invoked.Envelope.ID, Reason: "failed", Detail: why}, domain.InvocationKey(invoked.Envelope.ID))
		p.clock.Advance(time.Hour)
	}
	said := strings.Join(p.mustWhyNot("appointments").Sentences, "\n")
	if !strings.HasPrefix(said, `The tool "appointments" was asked for, and failed.`) || strings.Count(said, "paper jam") != 1 || !strings.Contains(said, "; the same once more") || strings.Count(said, "toner") != 1 {
		t.Errorf("it says %s", said)
	}
	invoked, decided := p.wanted(hospital)
	left := then(p, decided, domain.ToolDispatched{InvocationID: invoked.Envelope.ID}, domain.InvocationKey(invoked.Envelope.ID))
	then(p, left, domain.ToolOutcomeUnknown{InvocationID: invoked.Envelope.ID}, domain.InvocationKey(invoked.Envelope.ID))
	got := p.mustWhyNot("appointments")
	if !strings.HasPrefix(got.Sentences[0], `The tool "appointments" was called, and nobody knows what came of it.`) {
		t.Errorf("it says %q", got.Sentences)
	}
	if got := p.mustWhyNot(invoked.Envelope.ID.String()); got.Change != nil {
		t.Errorf("it offers %+v", got.Change)
	}
}

func (p *past) mustWhyNot(target string) explain.NotTold {
	p.t.Helper()
	got, err := p.whyNot(target, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return got
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
