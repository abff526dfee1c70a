package gist

import (
	"fmt"

	"chalie/domain"
)

// spineGist tells what a service noticed, and who didn't get to hear of it.
func spineGist(e domain.Envelope) string {
	if e.Type == domain.SpineSignalDroppedType {
		return say(e, func(p domain.SpineSignalDropped) string {
			return fmt.Sprintf("%s has too much to do and misses %s", p.Consumer, p.Signal.UUID())
		})
	}
	return say(e, func(p domain.SpineSignalEmitted) string {
		if p.Content == nil {
			return string(p.SignalType)
		}
		return fmt.Sprintf("%s: %s", p.SignalType, *p.Content)
	})
}

// lifeGist tells which service died, or lives again.
func lifeGist(e domain.Envelope) string {
	if e.Type == domain.ServiceDiedType {
		return say(e, func(p domain.ServiceDied) string { return p.Service + " " + p.Reason })
	}
	return say(e, func(p domain.ServiceRecovered) string { return p.Service + " lives again" })
}
