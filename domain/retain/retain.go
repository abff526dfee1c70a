// Package retain finds out which records may go from a log: those whose time to be kept is
// over and that nothing rests on. It reads the log, changes nothing, and comes to the same for
// the same records, times and moment.
//
// # What goes
//
// An episode goes whole or not at all. It goes when all its records are of topics with a time
// to keep, and older than that, and it is silent: it told nobody anything, did nothing, and its
// reasoning has ended. So of what follows it stays:
//
//   - what was told, answered or done, with the whole episode, by which it is explained;
//   - what one of those rests on: parents, evidence, and whatever else it refers to, but for what was
//     looked at and left out; and in turn what that rests on;
//   - all that a record refers to which is younger than the shortest time to keep, what was left out
//     included: so why-not and replays of that time lack nothing;
//   - what Needs names: what the folds' state refers to;
//   - the log's first record, by which its first epoch is named, and all that was written while
//     the clock was put back, because ages go by it.
package retain

import (
	"cmp"
	"context"
	"slices"

	"chalie/domain"
)

// Log is what is read of a log.
type Log interface {
	domain.Selecter
	domain.Tailer
}

// Rule says what may go.
type Rule struct {
	Kept  []domain.KeptFor // the times to keep, all more than 0
	Now   domain.Millis
	Needs func(domain.ID) bool // envelopes that stay whatever their age; nil for none
}

// MostAtOnce bounds the records that go at once: what says where they were has to fit into a record.
const MostAtOnce = 200_000

// Found is what goes next.
type Found struct {
	Span domain.SpanRetired // its record; of none it has no Records
	Runs domain.Runs        // the positions
	Old  Weight             // of all that is old enough for any of it to go
}

// Weight is how much a log's records are through a position.
type Weight struct {
	Through domain.Position
	Bytes   uint64 // before they are compressed
}

// Next is what goes next, at most MostAtOnce records. Errors are the log's and ctx's.
func Next(ctx context.Context, log Log, rule Rule) (Found, error) {
	none := Found{Span: domain.SpanRetired{Kept: []domain.KeptFor{}, Counts: []domain.RetiredCount{}}}
	if len(rule.Kept) == 0 {
		return none, nil
	}
	s := &search{Rule: rule, log: log, tail: log.Tail(), most: MostAtOnce, episodes: map[domain.TraceID]*episode{}, of: map[domain.ID]*episode{}}
	s.recent = rule.Now - slices.MinFunc(rule.Kept, func(a, b domain.KeptFor) int { return cmp.Compare(a.For, b.For) }).For
	for _, step := range []func(context.Context) error{s.collect, s.relate, s.revive} {
		if err := step(ctx); err != nil {
			return none, err
		}
	}
	return s.span(ctx)
}

// search is one look for what goes.
type search struct {
	Rule
	log    Log
	tail   domain.Position
	recent domain.Millis // what was recorded then or later keeps all it refers to
	most   int

	old      Weight
	first    domain.Position
	found    int                         // records of episodes that may go
	episodes map[domain.TraceID]*episode // that have a record older than recent
	of       map[domain.ID]*episode      // by the envelopes of those that may go
	kept     []*episode                  // that are to stay after all, and whose records aren't looked at yet
}

// episode is a trace as far as it matters here.
type episode struct {
	trace  domain.TraceID
	loud   bool // it told or did something, or may
	young  bool // something in it is too young to go, or of a topic without a time
	recent bool // something in it keeps all it refers to
	stays  bool // something rests on it
	open   int  // reasoning that hasn't ended
	at     []domain.Position
	ids    []domain.ID
}

// goes reports whether an episode goes, as far as is known.
func (e *episode) goes() bool { return !e.loud && !e.young && !e.stays && e.open <= 0 }

// collect reads the log for the first time: which episodes may go by themselves.
func (s *search) collect(ctx context.Context) error {
	return s.each(ctx, func(rec *domain.Record) error {
		if s.first == 0 {
			s.first = rec.Position
		}
		if rec.RecordedAt < s.recent {
			s.old.Through, s.old.Bytes = rec.Position, s.old.Bytes+uint64(rec.Size())
		}
		e := s.episodes[rec.Envelope.Trace]
		if e == nil {
			if rec.RecordedAt >= s.recent {
				return nil // nothing of it can go
			}
			e = &episode{trace: rec.Envelope.Trace, stays: s.found >= s.most}
			s.episodes[rec.Envelope.Trace] = e
		}
		e.loud = e.loud || isLoud(rec)
		e.young = e.young || !s.over(rec) || rec.Position == s.first
		e.recent = e.recent || rec.RecordedAt >= s.recent
		e.open += opens(&rec.Envelope)
		if e.loud || e.young || e.stays {
			s.forget(e)
			return nil
		}
		e.at, e.ids = append(e.at, rec.Position), append(e.ids, rec.Envelope.ID)
		s.of[rec.Envelope.ID] = e
		s.found++
		return nil
	})
}

// forget lets go of what is noted of an episode that stays.
func (s *search) forget(e *episode) {
	for _, id := range e.ids {
		delete(s.of, id)
	}
	s.found -= len(e.ids)
	e.at, e.ids = nil, nil
}

// over reports whether a record's time to be kept is over.
func (s *search) over(rec *domain.Record) bool {
	i := slices.IndexFunc(s.Kept, func(k domain.KeptFor) bool { return k.Topic == rec.Topic })
	return i >= 0 && rec.RecordedAt < s.Now-s.Kept[i].For && !domain.IsBehind(rec)
}

// opens is by how much a record changes the number of reasonings in its episode that haven't
// ended.
func opens(e *domain.Envelope) int {
	switch {
	case domain.IsSilent(*e):
		return 0 // its end is in it
	case domain.OpensReasoning(e.Type):
		return 1
	case e.Type == domain.ReasoningConcludedType, e.Type == domain.SpineSignalDroppedType:
		return -1
	}
	return 0
}

// isLoud reports whether somebody was told or did something by a record, or may have been.
func isLoud(rec *domain.Record) bool {
	switch rec.Topic {
	case domain.TopicSignals, domain.TopicReasoning, domain.TopicSpine:
	default:
		return true
	}
	e := rec.Envelope
	switch e.Type {
	case domain.TimerDueType, domain.ReasoningGivenUpType:
		return true
	case domain.ReasoningConcludedType:
		if c, err := domain.ConclusionOf(e); err != nil || c.Shown != domain.ShownNot {
			return true
		}
	}
	frames, err := domain.FrameTypes(e)
	if err != nil || len(frames) > 0 {
		return true
	}
	frames, err = domain.ConsoleTypes(e)
	return err != nil || len(frames) > 0
}

// relate reads the log for the second time: what stays keeps what it rests on.
func (s *search) relate(ctx context.Context) error {
	for id, e := range s.of {
		if s.Needs != nil && s.Needs(id) {
			s.keep(e)
		}
	}
	return s.each(ctx, func(rec *domain.Record) error {
		if e := s.episodes[rec.Envelope.Trace]; e == nil || !e.goes() {
			s.rest(rec, e)
		}
		return nil
	})
}

// rest keeps what a record of an episode that stays rests on.
func (s *search) rest(rec *domain.Record, e *episode) {
	all := e == nil || e.recent
	s.keep(s.of[rec.Envelope.Parent])
	if !all && !e.loud && !e.stays {
		return // an episode that is silent keeps nothing but its causes
	}
	for _, id := range references(rec, all) {
		s.keep(s.of[id])
	}
}

// keep has an episode stay; nil is none.
func (s *search) keep(e *episode) {
	if e == nil || !e.goes() {
		return
	}
	e.stays = true
	s.kept = append(s.kept, e)
}

// revive looks at what stays after all: it keeps what it rests on, too.
func (s *search) revive(ctx context.Context) error {
	for len(s.kept) > 0 {
		e := s.kept[len(s.kept)-1]
		s.kept = s.kept[:len(s.kept)-1]
		for _, at := range e.at {
			records, err := s.log.Select(ctx, domain.Selector{}, at, 1)
			if err != nil {
				return err
			}
			if len(records) > 0 && records[0].Position == at {
				s.rest(&records[0], e)
			}
		}
	}
	return nil
}

// span is what goes.
func (s *search) span(ctx context.Context) (Found, error) {
	var positions []domain.Position
	for _, e := range s.episodes {
		if e.goes() {
			positions = append(positions, e.at...)
		}
	}
	slices.Sort(positions)
	var runs domain.Runs
	for _, pos := range positions {
		runs = runs.Add(pos, pos)
	}
	out := Found{domain.SpanRetired{Through: s.tail, Runs: runs.Write(), Kept: s.Kept, Counts: []domain.RetiredCount{}}, runs, s.old}
	err := s.count(ctx, &out.Span, runs)
	return out, err
}

// count says of which type they are, and how large.
func (s *search) count(ctx context.Context, out *domain.SpanRetired, runs domain.Runs) error {
	type kind struct {
		topic domain.Topic
		of    domain.EventType
	}
	counts := map[kind]uint64{}
	for _, run := range runs {
		_, err := domain.Look(ctx, s.log, domain.Selector{}, run.From, int(run.Through-run.From)+1, func(rec domain.Record) {
			if rec.Position > run.Through {
				return
			}
			counts[kind{rec.Topic, rec.Envelope.Type}]++
			out.Records++
			out.Bytes += uint64(rec.Size())
			if out.Oldest == 0 {
				out.Oldest = rec.RecordedAt
			}
			out.Newest = rec.RecordedAt
		})
		if err != nil {
			return err
		}
	}
	for k, n := range counts {
		out.Counts = append(out.Counts, domain.RetiredCount{Topic: k.topic, Type: k.of, Records: n})
	}
	slices.SortFunc(out.Counts, func(a, b domain.RetiredCount) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Type, b.Type))
	})
	return nil
}

// each calls fn with every record through the tail as it was when the search began.
func (s *search) each(ctx context.Context, fn func(*domain.Record) error) error {
	const page = 2048
	for next := domain.Position(1); next <= s.tail; {
		records, cut, err := domain.SelectWithin(ctx, s.log, domain.Selector{}, next, page, domain.PageBytes)
		if err != nil {
			return err
		}
		for i := range records {
			if records[i].Position > s.tail {
				return nil
			}
			if err := fn(&records[i]); err != nil {
				return err
			}
			next = records[i].Position + 1
		}
		if !cut && len(records) < page {
			return nil
		}
	}
	return nil
}
