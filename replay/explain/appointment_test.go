package explain_test

import (
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// TestWhyNotOfAnAppointment asks why an appointment wasn't told, as it stands.
func TestWhyNotOfAnAppointment(t *testing.T) {
	for _, c := range []struct {
		name, want string
		gate       domain.Gate
		then       func(p *past, set domain.Record)
		silent     bool
	}{
		{name: "ahead", gate: domain.GateNotDue, want: "the appointment \"meeting with Joe\"", then: func(*past, domain.Record) {}},
		{name: "not to be told", gate: domain.GateNoDeadline, want: "isn't to be told before", then: func(*past, domain.Record) {}, silent: true},
		{name: "cancelled", gate: domain.GateEnded, want: "cancelled before it was due", then: func(p *past, set domain.Record) {
			begin(p, domain.PrincipalOperator, domain.AppointmentCancelled{AppointmentID: set.Envelope.ID}, domain.PlanKey(set.Envelope.ID))
		}},
		{name: "over", gate: domain.GateEnded, want: "it is over", then: func(p *past, set domain.Record) {
			begin(p, domain.PrincipalOperator, domain.AppointmentPassed{AppointmentID: set.Envelope.ID}, domain.PlanKey(set.Envelope.ID))
		}, silent: true},
	} {
		p := newPast(t)
		start := domain.MillisOf(p.clock.Now().Add(2 * time.Hour))
		set := domain.AppointmentSet{Text: "meeting with Joe", Start: start, End: start.Add(time.Hour), Zone: "UTC", Tell: start - 1}
		if c.silent {
			set.Tell = 0
		}
		made := begin(p, domain.PrincipalOperator, set)
		c.then(p, made)
		got, err := p.whyNot(made.Envelope.ID.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		last := got.Considered[len(got.Considered)-1]
		if said := strings.Join(got.Sentences, "\n"); last.Gate != c.gate || !strings.Contains(said, c.want) {
			t.Errorf("%s: gate %s, want %s, and it says\n%s", c.name, last.Gate, c.gate, said)
		}
	}
}
