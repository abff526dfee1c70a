package domaintest

import (
	"sync"
	"testing"

	"chalie/domain"
)

// Bet is a kind of plan that Chalie doesn't have, as a row of the table of plans: something that is
// told at its time and may come further. A test has it whole by WithKind.
var Bet = domain.PlanKind{Kind: "bet", Ends: domain.EndsWhenTold, Followed: true, Verbs: map[domain.PlanVerb]domain.PlanEvent{
	domain.PlanMade: domain.NewPlanEvent("bet.made", 1, "", func(_ domain.Commitment, p domain.Plan) BetMade {
		return BetMade{p.Text, p.Time.Start, p.Time.Zone}
	}),
	domain.PlanChanged: domain.NewPlanEvent("bet.changed", 1, "raise", func(c domain.Commitment, p domain.Plan) BetChanged {
		return BetChanged{c.ID, p.Text, p.Time.Start}
	}),
	domain.PlanProgressed: domain.NewPlanEvent("bet.came_closer", 1, "progress", func(c domain.Commitment, p domain.Plan) BetCameCloser {
		return BetCameCloser{c.ID, p.Percent}
	}),
	domain.PlanDone: domain.NewPlanEvent("bet.won", 1, "win", func(c domain.Commitment, _ domain.Plan) BetWon {
		return BetWon{c.ID}
	}),
	domain.PlanDropped: domain.NewPlanEvent("bet.called_off", 1, "call off", func(c domain.Commitment, _ domain.Plan) BetCalledOff {
		return BetCalledOff{c.ID}
	}),
}}

// WithKind has a kind of plans more until the test ends. Such tests don't run in parallel to others.
func WithKind(t testing.TB, kind domain.PlanKind) {
	before := domain.Events
	domain.Events = sync.OnceValue(func() *domain.Catalogue { return domain.CatalogueOf(append(domain.PlanKinds(), kind)...) })
	t.Cleanup(func() { domain.Events = before })
}

// BetMade is a bet that was made.
type BetMade struct {
	On   string        `json:"on"`
	Ends domain.Millis `json:"ends"`
	Zone string        `json:"zone"`
}

// BetChanged is a bet that was raised: its text stays where it is "".
type BetChanged struct {
	BetID domain.ID     `json:"bet_id"`
	On    string        `json:"on"`
	Ends  domain.Millis `json:"ends"`
}

// BetCameCloser is a bet that has come so far.
type BetCameCloser struct {
	BetID   domain.ID `json:"bet_id"`
	Percent int       `json:"percent"`
}

// BetWon is a bet that was won.
type BetWon struct {
	BetID domain.ID `json:"bet_id"`
}

// BetCalledOff is a bet that was called off.
type BetCalledOff struct {
	BetID domain.ID `json:"bet_id"`
}

// Says implements domain.PlanSaying.
func (b BetMade) Says(p *domain.Plan) bool {
	p.Text, p.Time = b.On, domain.Appointment{Start: b.Ends, Zone: b.Zone}
	return true
}

// Says implements domain.PlanSaying.
func (b BetChanged) Says(p *domain.Plan) bool {
	p.Time.Start = b.Ends
	if b.On != "" {
		p.Text = b.On
	}
	return b.On != ""
}

// Says implements domain.PlanSaying.
func (b BetCameCloser) Says(p *domain.Plan) bool {
	p.Percent = b.Percent
	return false
}

// Keys go onto the event's envelope.
func (b BetChanged) Keys() []domain.Key { return []domain.Key{domain.PlanKey(b.BetID)} }

// Keys go onto the event's envelope.
func (b BetCameCloser) Keys() []domain.Key { return []domain.Key{domain.PlanKey(b.BetID)} }

// Keys go onto the event's envelope.
func (b BetWon) Keys() []domain.Key { return []domain.Key{domain.PlanKey(b.BetID)} }

// Keys go onto the event's envelope.
func (b BetCalledOff) Keys() []domain.Key { return []domain.Key{domain.PlanKey(b.BetID)} }
