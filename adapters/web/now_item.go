package web

import (
	"fmt"
	"slices"

	"chalie/adapters/api"
	"chalie/domain"
)

// held is an item of the world state, with what the page shows with it.
type held struct {
	api.WorldItem

	Decay plot     `json:"-"`
	Bears []string `json:"-"` // what it has to do with others: their labels
	Now   bool     `json:"-"` // it is of now, and not of the past
	Rules rulesNow `json:"-"`
}

// rulesNow are the numbers that the page explains saliences with.
type rulesNow struct {
	HalfLife, DueHalfLife, FiredFor string
	Slots                           string
}

// Heard reports whether it came in as a signal, and can be supposed not to have come.
func (h held) Heard() bool { return h.Kind == domain.ItemSignal || h.Kind == domain.ItemContext }

// Comes reports whether it has yet to come to mind.
func (h held) Comes() bool { return h.Gate == domain.GateBelowThreshold }

// Share is its salience in hundredths, for the bar.
func (h held) Share() string { return fmt.Sprintf("%.1f", 100*h.Salience) }

// Doubled is what a signal began with.
func (h held) Doubled() float64 { return min(1, 2*h.ActivationEnergy) }

// group is what was left out for one reason.
type group struct {
	Key, Title, Why string
	Items, Rest     []held // Rest are those behind "show all"
	Open            bool   // shown at once
}

// Count is how many it has.
func (g group) Count() int { return len(g.Items) + len(g.Rest) }

// shownAtOnce is how many of a group are shown before one asks for the rest.
const shownAtOnce = 8

// byGate are what was left out, by the gate that kept it out.
func byGate(items []held, rules rulesNow) []group {
	groups := []group{
		{Key: "crowded", Title: "Other things matter more", Why: fmt.Sprintf("Only %s go into an answer at a time. These come next when one of them fades.", inWords(rules.Slots)), Open: true},
		{Key: "early", Title: "Its time isn't near yet", Why: "What is planned for later comes to mind by itself when its time comes near."},
		{Key: "faded", Title: "Faded", Why: "It was heard too long ago, or was too faint to begin with."},
		{Key: "over", Title: "Over", Why: "It was told or done more than " + rules.FiredFor + " ago."},
		{Key: "pushed", Title: "Pushed out by newer things", Why: "Only so much is remembered at a time. It stays in the log, and in its trace."},
	}
	for _, item := range items {
		at := slices.IndexFunc(groups, func(g group) bool { return g.Key == gateKey(item) })
		g := &groups[max(0, at)]
		if len(g.Items) < shownAtOnce {
			g.Items = append(g.Items, item)
		} else {
			g.Rest = append(g.Rest, item)
		}
	}
	return slices.DeleteFunc(groups, func(g group) bool { return g.Count() == 0 })
}

// gateKey is the group that an item belongs to.
func gateKey(item held) string {
	switch item.Gate {
	case domain.GateBelowThreshold:
		if item.Phase == domain.PhasePending {
			return "early"
		}
		return "faded"
	case domain.GateExpired:
		return "over"
	case domain.GateOverCapacity:
		return "pushed"
	}
	return "crowded"
}

// inWords is a small number in words.
func inWords(n string) string {
	words := map[string]string{"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"}
	if word, ok := words[n]; ok {
		return word
	}
	return n
}
