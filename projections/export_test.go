package projections

import "chalie/domain"

// Bound makes the bounds of what it keeps small enough for a test to meet them.
func (p *Past[V]) Bound(keyframes int, spacing domain.Position, bytes int) {
	p.bounds = pastBounds{2 * keyframes, spacing, bytes}
	p.forget()
}
