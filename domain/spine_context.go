package domain

import "strings"

// How sure it is that a change of the person's surroundings is one: a place is
// measured, an attention is what a device makes of it, an energy is felt.
const (
	surePlace     = 8 // tenths
	sureAttention = 6
	sureEnergy    = 5
)

// energyStep is how far the person's energy has to go to have changed.
const energyStep = One / 5

// ContextSignal is the spine signal that a change of surroundings is worth; false
// when nothing changed that would make something else matter. Its energy is the
// confidence of the surest change. It names what changed, and no place.
func ContextSignal(before, after ContextUpdated, ref ID) (SpineSignal, bool) {
	s := SpineSignal{Type: AmbientContext, Source: ServiceSurroundings, ContentRef: ref}
	var what []string
	changed := func(name string, sure PPM) {
		what = append(what, name)
		s.Energy = max(s.Energy, tenths(sure))
	}
	if after.Location != nil && (before.Location == nil || after.Location.Snapped() != before.Location.Snapped()) {
		changed("place", surePlace)
	} else if after.Timezone != nil && (before.Timezone == nil || *after.Timezone != *before.Timezone) {
		changed("place", surePlace)
	}
	if after.Attention != nil && (before.Attention == nil || *after.Attention != *before.Attention) {
		changed("attention", sureAttention)
	}
	if after.Energy != nil && (before.Energy == nil || max(*after.Energy-*before.Energy, *before.Energy-*after.Energy) >= energyStep) {
		changed("energy", sureEnergy)
	}
	if len(what) == 0 {
		return SpineSignal{}, false
	}
	s.Content = "the person's surroundings changed: " + strings.Join(what, ", ")
	return s, true
}
