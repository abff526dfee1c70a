package domain

// Postings are the indexes of a log in memory: at which positions an id, a topic, a
// trace, a parent or a key stands, in order. The zero Postings is empty.
type Postings struct {
	ids     map[ID]Position
	topics  map[Topic][]Position
	traces  map[TraceID][]Position
	parents map[ID][]Position
	keys    map[Key][]Position
}

// Add notes a record. Positions only rise.
func (p *Postings) Add(rec Record) {
	if p.ids == nil {
		*p = Postings{map[ID]Position{}, map[Topic][]Position{}, map[TraceID][]Position{}, map[ID][]Position{}, map[Key][]Position{}}
	}
	pos, env := rec.Position, rec.Envelope
	p.ids[env.ID] = pos
	p.topics[rec.Topic] = append(p.topics[rec.Topic], pos)
	p.traces[env.Trace] = append(p.traces[env.Trace], pos)
	if !env.Parent.IsZero() {
		p.parents[env.Parent] = append(p.parents[env.Parent], pos)
	}
	for _, k := range env.Keys {
		// A key that an envelope carries twice picks it once.
		if p.Last(k) != pos {
			p.keys[k] = append(p.keys[k], pos)
		}
	}
}

// Find is the position of an envelope; false when it isn't there.
func (p *Postings) Find(id ID) (Position, bool) {
	pos, ok := p.ids[id]
	return pos, ok
}

// Last is the last position with a key; 0 without one.
func (p *Postings) Last(k Key) Position {
	if postings := p.keys[k]; len(postings) > 0 {
		return postings[len(postings)-1]
	}
	return 0
}

// Picked are the positions a selector picks, or all of them. The caller doesn't
// change them. A selector with more than one field is a validation error.
func (p *Postings) Picked(s Selector) (positions []Position, all bool, err error) {
	switch s {
	case Selector{}, Selector{Topic: TopicAll}:
		return nil, true, nil
	case Selector{Topic: s.Topic}:
		return p.topics[s.Topic], false, nil
	case Selector{Trace: s.Trace}:
		return p.traces[s.Trace], false, nil
	case Selector{Parent: s.Parent}:
		return p.parents[s.Parent], false, nil
	case Selector{Key: s.Key}:
		return p.keys[s.Key], false, nil
	}
	return nil, false, Invalid("select", "selector", "a selector has one field: set topic, trace, parent or key")
}
