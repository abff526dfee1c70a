package replay

import (
	"context"
	"encoding/json"
	"errors"

	"chalie/domain"
)

// decide lets today's code make the step that a record begins, and compares.
func (w *performance) decide(ctx context.Context, act Act, rec domain.Record) error {
	batch, err := w.feed.batchAt(ctx, rec)
	if err != nil {
		return err
	}
	w.claimed = batch[len(batch)-1].Position
	tr := w.traces[act.Trace]
	if tr == nil {
		if w.from > w.first {
			return nil // it began before the time that was asked for
		}
		tr = &tracing{cut: true, over: true}
		w.traces[act.Trace] = tr
	}
	tr.decides = true
	if tr.over {
		return nil
	}
	for _, r := range batch {
		if r.Envelope.Payload.Encoding != domain.EncodingJSON {
			w.leave(act.Trace, tr, &tr.erased)
			return nil
		}
	}
	a := w.acts[act]
	if a == nil {
		a = &acting{act: act, log: w.log, opened: tr.opened, last: tr.last}
		w.acts[act] = a
		tr.acts++
	}
	m, err := w.step(ctx, a, batch)
	if err == nil && m == nil {
		tr.last = a.last
		w.report.Steps++
		w.report.Envelopes += len(batch)
		if last := batch[len(batch)-1]; isEnd(last.Envelope, act) || len(batch) > 1 && endsIn(batch, act) {
			m, err = w.finish(ctx, a)
		}
	}
	if err != nil || m == nil {
		return err
	}
	return w.diverged(ctx, tr, a, batch, m)
}

func endsIn(batch []domain.Record, act Act) bool {
	for _, rec := range batch {
		if isEnd(rec.Envelope, act) {
			return true
		}
	}
	return false
}

// step makes one step. The code went on from the step before, or, when the process
// had ended or somebody else had taken it up, from what the log said. What it had seen
// when it decided isn't recorded in every respect: see views. What agrees in one of
// these ways agrees.
func (w *performance) step(ctx context.Context, a *acting, batch []domain.Record) (*miss, error) {
	at := w.momentOf(batch[0])
	var first *miss
	if a.rests() {
		m, err := w.move(ctx, a, batch, at)
		if m == nil || err != nil {
			return m, err
		}
		first = m
	}
	m, err := w.anew(ctx, a, batch, view{at: at})
	if m == nil || err != nil {
		return m, err
	}
	if first == nil || first.field == fieldNext && first.index == 0 {
		first = m
	}
	views, err := w.views(ctx, a, batch)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		if m, err := w.anew(ctx, a, batch, v); m == nil || err != nil {
			return m, err
		}
	}
	return first, nil
}

// anew lets the code begin from what the log says, with a view.
func (w *performance) anew(ctx context.Context, a *acting, batch []domain.Record, v view) (*miss, error) {
	through := w.log.through
	if v.through != 0 {
		w.log.through = v.through
	}
	w.heard, w.known = v.heard, v.known
	defer func() { w.log.through, w.heard, w.known = through, 0, 0 }()
	a.begin(ctx, w.stage)
	return w.move(ctx, a, batch, v.at)
}

// momentOf is the clock of a step, as far as it is recorded.
func (w *performance) momentOf(rec domain.Record) domain.Millis {
	if tr := w.traces[rec.Envelope.Trace]; rec.Envelope.Type == domain.ReasoningStartedType && tr != nil && tr.ground != nil {
		return tr.ground.AsOf
	}
	return rec.Envelope.Timestamp
}

// move lets the code run to its next step and compares that with a batch. Code that
// did not agree has ended.
func (w *performance) move(ctx context.Context, a *acting, batch []domain.Record, at domain.Millis) (*miss, error) {
	a.prepare(batch, at)
	for {
		b, ok := a.resume()
		if !ok {
			return &miss{0, difference{fieldNext, textValue(string(batch[0].Envelope.Type)), nil}}, fatal(ctx, a.err)
		}
		if b.Entries[0].Envelope.Trace != a.act.Trace {
			found, err := w.elsewhere(ctx, a, b)
			if err != nil {
				return nil, err
			}
			if found {
				continue
			}
		}
		m := a.judge(b)
		if m != nil {
			a.end()
		}
		return m, nil
	}
}

// elsewhere looks for a batch that the code appends to another trace: the answer to a
// question for approval goes to what it is about. It was recorded before the step at
// hand.
func (w *performance) elsewhere(ctx context.Context, a *acting, b domain.Batch) (bool, error) {
	const most = 256
	records, err := w.log.Select(ctx, domain.Selector{Trace: b.Entries[0].Envelope.Trace}, a.last.position+1, most)
	if err != nil {
		return false, err
	}
	n := len(b.Entries)
	for i := 0; i+n <= len(records); i++ {
		if compareAll(records[i:i+n], b, renamed{}) == nil {
			a.receipt = receiptOf(records[i : i+n])
			return true, nil
		}
	}
	return false, nil
}

// fatal is an error that the replay can't go on after: the log can't be read, or who
// asked has gone. Whatever else today's code fails of is its own.
func fatal(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case domain.CategoryOf(err) == domain.Dependency && domain.CodeOf(err) != CodeNotRecorded && !errors.Is(err, errBrokenOff):
		return err
	}
	return nil
}

// finish lets the code of an act that has ended come to its end: it must make no
// further step.
func (w *performance) finish(ctx context.Context, a *acting) (*miss, error) {
	if a.rests() {
		w.log.through = w.claimed
		b, more := a.resume()
		w.log.through = a.batch[0].Position - 1
		if more {
			return &miss{len(a.batch), difference{fieldNext, nil, textValue(string(b.Entries[0].Envelope.Type))}}, nil
		}
		if err := fatal(ctx, a.err); err != nil {
			return nil, err
		}
	}
	w.finished(a)
	return nil, nil
}

// diverged notes that a trace is decided differently today, unless what it rested on
// can't be read any more.
func (w *performance) diverged(ctx context.Context, tr *tracing, a *acting, batch []domain.Record, m *miss) error {
	erased, err := w.restsOnErased(ctx, tr, batch)
	if err != nil {
		return err
	}
	if erased {
		w.leave(a.act.Trace, tr, &tr.erased)
		return nil
	}
	where := a.last
	switch {
	case m.field != fieldNext:
		where = markOf(batch[m.index])
	case m.index > 0:
		where = markOf(batch[m.index-1])
	}
	d := &Divergence{
		Trace: a.act.Trace, Envelope: where.id, Position: where.position, Type: where.t,
		Field: m.field, Recorded: orNull(m.recorded), Replayed: orNull(m.replayed), Versions: Versions{Recorded: w.started, Replayed: w.today},
	}
	if tr.ground != nil {
		d.Versions.Recorded = Version{tr.ground.Build, tr.ground.Rules}
	}
	w.report.Diverged++
	if w.report.Divergence == nil {
		w.report.Divergence = d
	}
	if len(w.report.Differing) < MaxDiffering {
		w.report.Differing = append(w.report.Differing, Differing{d.Trace, d.Position, d.Type, d.Field})
	}
	var over bool
	w.leave(a.act.Trace, tr, &over)
	return nil
}

// orNull is a value as JSON; null for none.
func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// restsOnErased reports whether something that a step names, or its episode rests on,
// can't be read any more.
func (w *performance) restsOnErased(ctx context.Context, tr *tracing, batch []domain.Record) (bool, error) {
	for _, id := range referencesOf(tr, batch) {
		rec, err := w.base.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return false, err
		}
		if rec.Envelope.Payload.Encoding != domain.EncodingJSON {
			return true, nil
		}
	}
	return false, nil
}

func referencesOf(tr *tracing, batch []domain.Record) []domain.ID {
	var out []domain.ID
	if g := tr.ground; g != nil {
		for _, items := range [][]domain.SeenItem{g.World.Items, g.World.LeftOut} {
			for _, item := range items {
				out = append(out, item.EnvelopeID, item.Text())
			}
		}
		for _, rel := range g.Relations {
			out = append(out, rel.Signal, rel.Commitment)
		}
		out = append(out, g.Recent...)
	}
	for _, rec := range batch {
		if end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope); err == nil {
			for _, e := range end.Evidence {
				out = append(out, e.EnvelopeID)
			}
		}
	}
	return out
}
