package domain_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
)

// TestErasedConclusionKeepsItsEnding holds that the key tells how a conclusion
// was shown, and nothing of the rest.
func TestErasedConclusionKeepsItsEnding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConclusion(t)
		e := conclusion(t, rapid.SampledFrom(everyone).Draw(t, "principal"), c)
		want := domain.ReasoningConcluded{Shown: c.Shown}
		if c.Shown == domain.ShownNot && c.Outcome == domain.OutcomeFailed {
			want.Outcome = domain.OutcomeFailed
		}
		if got, err := domain.ConclusionOf(erased(e)); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("of %+v is left %+v, %v; want %+v", c, got, err, want)
		}
		if got, err := domain.ConclusionOf(e); err != nil || !reflect.DeepEqual(got, c) {
			t.Fatalf("%+v reads as %+v, %v", c, got, err)
		}
	})
}

func TestConclusionOfSomethingElse(t *testing.T) {
	e := frameEnvelope(t, domain.PrincipalOperator, domain.MessageReceived{Text: "hi"})
	if _, err := domain.ConclusionOf(e); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("the error is %v", err)
	}
}
