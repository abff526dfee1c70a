package domain_test

import (
	"testing"

	"chalie/domain"
)

func TestContextSignal(t *testing.T) {
	text := func(s string) *string { return &s }
	ppm := func(p domain.PPM) *domain.PPM { return &p }
	home, near, away := &domain.Location{Lat: 52.52, Lon: 13.4}, &domain.Location{Lat: 52.5201, Lon: 13.4001, Name: "Home"}, &domain.Location{Lat: 48.1, Lon: 11.5}
	for name, c := range map[string]struct {
		before, after domain.ContextUpdated
		content       string
		energy        domain.PPM
	}{
		"nothing":          {},
		"the same":         {before: domain.ContextUpdated{Attention: text("focused")}, after: domain.ContextUpdated{Attention: text("focused")}},
		"a new device":     {after: domain.ContextUpdated{Device: &domain.Device{Class: "phone"}}},
		"a first place":    {after: domain.ContextUpdated{Location: home}, content: "place", energy: 800_000},
		"another place":    {before: domain.ContextUpdated{Location: home}, after: domain.ContextUpdated{Location: away}, content: "place", energy: 800_000},
		"another timezone": {before: domain.ContextUpdated{Timezone: text("UTC")}, after: domain.ContextUpdated{Timezone: text("Asia/Tokyo")}, content: "place", energy: 800_000},
		"attention":        {before: domain.ContextUpdated{Attention: text("focused")}, after: domain.ContextUpdated{Attention: text("ambient")}, content: "attention", energy: 600_000},
		"a little energy":  {before: domain.ContextUpdated{Energy: ppm(500_000)}, after: domain.ContextUpdated{Energy: ppm(600_000)}},
		"much energy":      {before: domain.ContextUpdated{Energy: ppm(800_000)}, after: domain.ContextUpdated{Energy: ppm(600_000)}, content: "energy", energy: 500_000},
		"several": {before: domain.ContextUpdated{Attention: text("focused"), Location: home}, after: domain.ContextUpdated{Attention: text("ambient"), Location: away},
			content: "place, attention", energy: 800_000},
		"not measured again": {before: domain.ContextUpdated{Location: near}, after: domain.ContextUpdated{Location: near}},
	} {
		got, ok := domain.ContextSignal(c.before, c.after, domain.ID{})
		if ok != (c.content != "") {
			t.Errorf("%s: worth a signal: %t", name, ok)
			continue
		}
		if ok && (got.Content != "the person's surroundings changed: "+c.content || got.Energy != c.energy || got.Type != domain.AmbientContext) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestPlanSignals(t *testing.T) {
	about := []domain.Key{domain.PlanKey(domain.ID{15: 1})}
	for _, c := range []struct {
		event  domain.EventType
		keys   []domain.Key
		want   domain.SpineType
		energy domain.PPM
	}{
		{"task.created", nil, domain.TaskStateChanged, 600_000},
		{"task.changed", about, domain.TaskStateChanged, 600_000},
		{"task.progressed", about, domain.TaskStateChanged, 500_000},
		{"task.completed", about, domain.TaskStateChanged, 500_000},
		{"task.dropped", about, domain.TaskStateChanged, 500_000},
		{"memory.remembered", nil, domain.TraitChanged, 500_000},
		{"memory.remembered", about, domain.TraitChanged, 700_000},
		{"memory.forgotten", about, domain.TraitChanged, 300_000},
		{"reminder.set", nil, "", 0},
		{"timer.due", nil, "", 0},
	} {
		got, ok := domain.PlanSignal(domain.Envelope{Type: c.event, Keys: c.keys})
		if ok != (c.want != "") || got.Type != c.want || got.Energy != c.energy {
			t.Errorf("%s with %v: %+v", c.event, c.keys, got)
		}
		if ok {
			if made, err := domain.NewSpineSignal(got); err != nil || made.ActivationEnergy != c.energy.Float() {
				t.Errorf("%s becomes %+v, %v", c.event, made, err)
			}
		}
	}
	due, ok := domain.DueSignal(domain.Envelope{Type: "timer.due"})
	if made, err := domain.NewSpineSignal(due); !ok || err != nil || made.SignalType != domain.ScheduleFired || made.ActivationEnergy != 0.5 {
		t.Errorf("something due is %+v, %v", made, err)
	}
	if _, ok := domain.DueSignal(domain.Envelope{Type: "reminder.set"}); ok {
		t.Error("a reminder that was set is due")
	}
}
