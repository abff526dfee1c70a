package reasoning

import (
	"context"
	"slices"
	"strings"
	"sync"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/relate"
)

// WorldMind is the Mind over the world state's projection. What was heard and
// what is planned is read from the log, and compared by package relate. It is
// safe for concurrent use.
type WorldMind struct {
	world  commands.View[domain.World]
	around commands.View[domain.ContextUpdated]
	reader domain.Reader

	mu    sync.Mutex
	terms map[reading]relate.Terms // of what counted when the ground was last laid
	found map[domain.ID]found      // and what it found of each signal
}

// found is what a comparison found of a signal.
type found struct {
	pairs []relate.Relation
	as    domain.SignalRelations // as it is recorded
}

// reading is what the terms of an item follow from: a plan that was moved or put in
// other words is read again. What a text says doesn't change, until it is erased.
type reading struct {
	item, text domain.ID
	moment     domain.Millis
	zone       string
}

func readingOf(item domain.SeenItem, zone string) reading {
	return reading{item.EnvelopeID, item.Text(), item.Moment, zone}
}

var _ Mind = (*WorldMind)(nil)

// NewMind reads the texts of world's items with reader.
func NewMind(world commands.View[domain.World], around commands.View[domain.ContextUpdated], reader domain.Reader) *WorldMind {
	return &WorldMind{world: world, around: around, reader: reader, terms: map[reading]relate.Terms{}}
}

// Ground relates whatever still counts at now. Messages of programs are related to nothing.
func (m *WorldMind) Ground(ctx context.Context, now domain.Millis, opening domain.ID) (ContextSnapshot, error) {
	state := commands.Copy(m.world)
	state.Messages = slices.DeleteFunc(state.Messages, func(h domain.Heard) bool { return h.EnvelopeID == opening })
	commands.AskedAt(ctx, state.Through)
	rules := state.Rules
	out := ContextSnapshot{Params: state.Settings.Params(), Through: state.Through, Relations: []domain.SeenRelation{}}
	out.Params.World = rules
	if zone := commands.Copy(m.around).Timezone; zone != nil {
		out.Zone = *zone
	}
	var heard, planned []relate.Terms
	kept := make(map[reading]relate.Terms)
	for _, c := range append(state.Candidates(now), state.Interests.Candidates(&state.Setbacks, now)...) {
		if !bears(rules, c, now) {
			continue
		}
		item := domain.SeenItem{EnvelopeID: c.EnvelopeID, TextID: c.TextID, Kind: c.Kind, Moment: c.Moment}
		terms, ok, err := m.read(ctx, item, out.Zone)
		if err != nil {
			return ContextSnapshot{}, err
		}
		if !ok {
			continue
		}
		kept[readingOf(item, out.Zone)] = terms
		if c.Kind == domain.ItemSignal {
			heard = append(heard, terms)
		} else {
			planned = append(planned, terms)
		}
	}
	related, near := relate.Weigh(heard, planned)
	all, err := m.findings(ctx, heard, related, near)
	if err != nil {
		return ContextSnapshot{}, err
	}
	m.keep(kept, all)
	out.Found, out.News = state.Found, state.News(all.recorded())
	var bonuses []domain.Relation
	for _, rel := range related {
		out.Relations = append(out.Relations, domain.SeenRelation{Signal: rel.Signal, Commitment: rel.Commitment, Score: rel.Score})
		if rel.Score >= rules.Surfaces {
			bonuses = append(bonuses, domain.Relation{A: rel.Signal, B: rel.Commitment, Bonus: rel.Score})
		}
	}
	out.Assembly = state.Assemble(bonuses, now)
	return out, nil
}

// bears reports whether a candidate is related to others. What was heard has to
// matter still; what is planned counts from when it was planned: news of a flight
// next week matters now, and not only when it comes near. What else news may bear on
// counts as long as it is known.
func bears(rules domain.WorldRules, c domain.Candidate, now domain.Millis) bool {
	salience, expired := rules.Salience(c, now)
	switch {
	case c.Kind == domain.ItemSignal:
		return !expired && salience >= rules.Threshold
	case c.Kind.IsPlan():
		return c.Phase != domain.PhaseDone
	}
	return c.Kind.IsInterest()
}

// findings is what was found of signals.
type findings map[domain.ID]found

func (f findings) recorded() map[domain.ID]domain.SignalRelations {
	out := make(map[domain.ID]domain.SignalRelations, len(f))
	for id, one := range f {
		out[id] = one.as
	}
	return out
}

// findings is what was found of each signal that was compared. A signal of which the same
// was found the last time isn't read again.
func (m *WorldMind) findings(ctx context.Context, heard []relate.Terms, related, near []relate.Relation) (findings, error) {
	out := make(findings, len(heard))
	for _, terms := range heard {
		out[terms.ID()] = found{}
	}
	for _, pairs := range [][]relate.Relation{related, near} {
		for _, pair := range pairs {
			one := out[pair.Signal]
			one.pairs = append(one.pairs, pair)
			out[pair.Signal] = one
		}
	}
	m.mu.Lock()
	known := m.found
	m.mu.Unlock()
	for id, one := range out {
		if before, ok := known[id]; ok && slices.EqualFunc(before.pairs, one.pairs, samePair) {
			out[id] = before
			continue
		}
		var said domain.SignalReceived
		if len(one.pairs) > 0 {
			rec, err := m.reader.Find(ctx, id)
			if err == nil {
				said, err = domain.Decode[domain.SignalReceived](rec.Envelope)
			}
			// What was erased since has no words to point at.
			if err != nil && domain.CodeOf(err) != domain.CodeErased {
				return nil, err
			}
		}
		one.as = relate.Record(id, said, one.pairs)
		out[id] = one
	}
	return out, nil
}

func samePair(a, b relate.Relation) bool {
	return a.Commitment == b.Commitment && a.Score == b.Score && slices.Equal(a.Evidence, b.Evidence)
}

// keep remembers what was read and found of what still counts, and forgets the rest.
func (m *WorldMind) keep(terms map[reading]relate.Terms, all findings) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.terms, m.found = terms, all
}

// read reads an item's text; false when it can no longer be read. What was erased
// is forgotten, though its terms are still there.
func (m *WorldMind) read(ctx context.Context, item domain.SeenItem, zone string) (relate.Terms, bool, error) {
	rec, err := m.reader.Find(ctx, item.Text())
	if domain.CategoryOf(err) == domain.NotFound || err == nil && rec.Envelope.Payload.Encoding == domain.EncodingErased {
		return relate.Terms{}, false, nil
	}
	if err != nil {
		return relate.Terms{}, false, err
	}
	if terms, ok := m.known(item, zone); ok {
		return terms, true, nil
	}
	in := language.ContextItem{SeenItem: item, RecordedAt: rec.Clock()}
	told, ok, err := tellItem(rec)
	if err != nil || !ok {
		return relate.Terms{}, false, err
	}
	told.into(&in)
	if item.Kind == domain.ItemQuestion && !relate.Asks(in.Label) {
		return relate.Terms{}, false, nil
	}
	return termsOf(in, zone), true, nil
}

func (m *WorldMind) known(item domain.SeenItem, zone string) (relate.Terms, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	terms, ok := m.terms[readingOf(item, zone)]
	return terms, ok
}

// Recall reads an item's text by reference.
func (m *WorldMind) Recall(ctx context.Context, item domain.SeenItem) (language.ContextItem, error) {
	out := language.ContextItem{SeenItem: item, Label: commands.ErasedText}
	rec, err := m.reader.Find(ctx, item.Text())
	if domain.CategoryOf(err) == domain.NotFound {
		return out, nil
	}
	if err != nil {
		return language.ContextItem{}, err
	}
	out.RecordedAt = rec.Clock()
	told, ok, err := tellItem(rec)
	if ok {
		told.into(&out)
	}
	return out, err
}

// Shared compares the two by themselves.
func (m *WorldMind) Shared(signal, commitment language.ContextItem, zone string) []string {
	return relate.Between(m.termsOf(signal, zone), m.termsOf(commitment, zone)).Shared()
}

// termsOf are the terms of what was recalled. Of what was erased meanwhile none are
// left, whatever is still known.
func (m *WorldMind) termsOf(in language.ContextItem, zone string) relate.Terms {
	if in.Label != commands.ErasedText {
		if terms, ok := m.known(in.SeenItem, zone); ok {
			return terms
		}
	}
	return termsOf(in, zone)
}

func termsOf(in language.ContextItem, zone string) relate.Terms {
	return relate.Read(relate.Text{
		ID: in.EnvelopeID, Kind: relate.Kind(in.Kind), Text: in.Label, Source: in.Source, Topic: in.Topic,
		At: in.RecordedAt, Due: in.Moment,
	}, commands.ZoneOf(zone))
}

// itemText is the text of an item of the world state.
type itemText struct {
	label, source, signalType, topic string
	flags                            []string
}

// tellItem reads an item's text from the envelope that has it; false when it was
// erased, or has none. The error is CodeUndecodable.
func tellItem(rec domain.Record) (itemText, bool, error) {
	switch rec.Envelope.Type {
	case domain.SignalReceivedType:
		return tell(rec, func(p domain.SignalReceived) itemText {
			out := itemText{label: p.Content, source: p.Source, signalType: p.SignalType, flags: p.Marks.Warnings()}
			if p.Topic != nil {
				out.topic = *p.Topic
			}
			return out
		})
	case domain.ListItemAddedType:
		return tell(rec, func(p domain.ListItemAdded) itemText { return itemText{label: p.Text} })
	case domain.MessageReceivedType:
		return tell(rec, func(p domain.MessageReceived) itemText { return messageText(rec.Envelope, p) })
	case domain.ContextUpdatedType:
		return tell(rec, func(p domain.ContextUpdated) itemText { return itemText{label: contextInWords(p)} })
	}
	if verb, _, _ := domain.VerbOf(rec.Envelope.Type); verb != domain.PlanMade && verb != domain.PlanChanged {
		return itemText{}, false, nil
	}
	text, err := domain.PlanWords(rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return itemText{}, false, nil
	}
	return itemText{label: text}, text != "", err
}

// messageText is the text of a message: of a program's with its sender.
func messageText(e domain.Envelope, p domain.MessageReceived) itemText {
	out := itemText{label: p.Text}
	if e.Principal == domain.PrincipalOperator {
		return out
	}
	out.source, out.flags = p.Sender(e.Source), p.Marks.Warnings()
	if p.Topic != nil {
		out.topic = *p.Topic
	}
	return out
}

// into fills in the item as a model is shown it.
func (t itemText) into(in *language.ContextItem) {
	in.Label, in.Source, in.SignalType, in.Topic, in.Flags = t.label, t.source, t.signalType, t.topic, t.flags
}

func tell[P any](rec domain.Record, text func(P) itemText) (itemText, bool, error) {
	p, err := domain.Decode[P](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return itemText{}, false, nil
	}
	if err != nil {
		return itemText{}, false, err
	}
	out := text(p)
	return out, out.label != "", nil
}

// contextInWords is a report of the person's surroundings in words.
func contextInWords(c domain.ContextUpdated) string {
	var parts []string
	if c.Location != nil && c.Location.Name != "" {
		parts = append(parts, "at "+c.Location.Name)
	}
	if c.Attention != nil {
		parts = append(parts, *c.Attention)
	}
	if c.Device != nil && c.Device.Class != "" {
		parts = append(parts, "on a "+c.Device.Class)
	}
	return strings.Join(parts, ", ")
}
