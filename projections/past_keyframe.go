package projections

import (
	"maps"

	"chalie/domain"
)

// keep saves the projections in a keyframe over the last one, and lets them go on
// from there.
func (p *Past[V]) keep(at domain.Position, ps []Projection) error {
	last := p.keyframes[len(p.keyframes)-1]
	k := keyframe{at, make([]*Overlay, len(ps))}
	for i, proj := range ps {
		k.stores[i] = NewOverlay(last.stores[i])
		if err := guard(func() error { return k.stores[i].Update(at, proj.Save) }); err != nil {
			return foldFailed(proj, "into a keyframe", err)
		}
		if c, ok := proj.(Committer); ok {
			c.Saved()
		}
	}
	if err := k.load(ps); err != nil {
		return err
	}
	p.keyframes = append(p.keyframes, k)
	p.bytes += k.size()
	// Thinned out so that the last one stays: the fold goes on from it.
	if n := len(p.keyframes); n > p.bounds.keyframes || n > 4 && n%2 == 1 && p.bytes > p.bounds.bytes {
		p.thin()
	}
	return nil
}

// thin keeps every second keyframe, with what changed since the one before it.
// The others stay as they are, because queries may still read them.
func (p *Past[V]) thin() {
	kept := p.keyframes[:1:1]
	p.bytes = 0
	for i := 2; i < len(p.keyframes); i += 2 {
		before, skipped, k := kept[len(kept)-1], p.keyframes[i-1], p.keyframes[i]
		stores := make([]*Overlay, len(k.stores))
		for j := range stores {
			stores[j] = mergeOverlays(before.stores[j], skipped.stores[j], k.stores[j])
		}
		merged := keyframe{k.at, stores}
		kept, p.bytes = append(kept, merged), p.bytes+merged.size()
	}
	p.keyframes, p.spacing = kept, 2*p.spacing
}

// size is about how many bytes a keyframe adds to the one before.
func (k keyframe) size() (n int) {
	for _, o := range k.stores {
		for key, value := range o.values {
			n += 2*len(key) + len(value) + 64 // what a map takes for it
		}
	}
	return n
}

// mergeOverlays is base with the changes of two overlays that follow it.
func mergeOverlays(base, first, second *Overlay) *Overlay {
	out := NewOverlay(base)
	out.values = maps.Clone(first.values)
	maps.Copy(out.values, second.values)
	for key := range out.values {
		out.keys = append(out.keys, key)
	}
	out.pos, out.updated = second.pos, true
	return out
}
