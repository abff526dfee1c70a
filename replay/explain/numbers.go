package explain

import (
	"context"
	"maps"

	"chalie/domain"
	"chalie/domain/silence"
	"chalie/replay/narrate"
)

// score adds the recorded numbers: to each piece of evidence those of the world state of
// its conclusion, and to each conclusion the number of items it considered.
func (w *walk) score(ctx context.Context) error {
	grounds := map[domain.TraceID]*domain.ReasoningStarted{}
	for i := range w.out.Nodes {
		n := &w.out.Nodes[i]
		if n.Missing {
			continue
		}
		trace, cited := w.citedBy[n.ID]
		if n.Type == domain.ReasoningConcludedType {
			trace, cited = n.Trace, true
		}
		if !cited {
			continue
		}
		ground, known := grounds[trace]
		if !known {
			var err error
			if ground, err = w.ground(ctx, trace); err != nil {
				return err
			}
			grounds[trace] = ground
			w.relate(ground)
		}
		if ground != nil {
			n.considered(*ground)
			if err := w.weigh(ctx, n, *ground); err != nil {
				return err
			}
		}
	}
	return nil
}

// ground is the reasoning.started of a trace; nil when it is erased or there is none. It
// is the first step, and mostly among the causes already.
func (w *walk) ground(ctx context.Context, trace domain.TraceID) (*domain.ReasoningStarted, error) {
	if rec, ok := w.started[trace]; ok {
		return startedOf(rec.Envelope), nil
	}
	return w.groundOf(ctx, trace)
}

// groundOf is likewise, read from the log.
func (w *walk) groundOf(ctx context.Context, trace domain.TraceID) (*domain.ReasoningStarted, error) {
	first, err := w.log.Select(ctx, domain.Selector{Key: domain.StepKey(trace, 1)}, 1, 1)
	if err != nil {
		return nil, err
	}
	if len(first) > 0 {
		return startedOf(first[0].Envelope), nil
	}
	opening, err := w.log.Find(ctx, trace.ID)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && !domain.IsSilent(opening.Envelope) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := w.silentEpisode(ctx, opening)
	if err != nil || d.silent == nil {
		return nil, err
	}
	return &d.silent.Started, nil
}

// conclusionIn is a conclusion, also that of a silent cycle; nil when it can't be read any more.
func (w *walk) conclusionIn(ctx context.Context, end domain.Record) (*domain.ReasoningConcluded, error) {
	d := &episode{end: end}
	if domain.IsSilent(end.Envelope) {
		var err error
		if d, err = w.silentEpisode(ctx, end); err != nil {
			return nil, err
		}
	}
	return d.conclusion(), nil
}

// silentEpisode is the episode that a silent spine signal is.
func (w *walk) silentEpisode(ctx context.Context, rec domain.Record) (*episode, error) {
	d := &episode{started: rec, end: rec}
	if w.silent == nil {
		w.silent = silence.NewReader(w.log)
	}
	cycle, err := w.silent.Cycle(ctx, rec)
	switch {
	case domain.CodeOf(err) == domain.CodeErased:
		return d, nil
	case err != nil:
		return nil, err
	}
	d.silent = &cycle
	return d, nil
}

// relate keeps the relations between causes, and which of them are plans.
func (w *walk) relate(ground *domain.ReasoningStarted) {
	if ground == nil {
		return
	}
	for _, rel := range ground.Relations {
		if w.node(rel.Commitment) == nil {
			continue
		}
		w.planned[rel.Commitment] = true
		if w.node(rel.Signal) != nil {
			w.related = append(w.related, rel)
		}
	}
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		for _, item := range items {
			if item.Kind.IsMinded() && w.node(item.EnvelopeID) != nil {
				w.planned[item.EnvelopeID] = true
			}
		}
	}
}

func startedOf(e domain.Envelope) *domain.ReasoningStarted {
	started, err := domain.Decode[domain.ReasoningStarted](e)
	if err != nil {
		return nil
	}
	return &started
}

// considered adds to a conclusion the number of items beside its evidence.
func (n *Node) considered(ground domain.ReasoningStarted) {
	if n.Type != domain.ReasoningConcludedType {
		return
	}
	n.Numbers["in_mind"] = float64(len(ground.World.Items))
	n.Numbers["left_out"] = float64(len(ground.World.LeftOut))
}

// weigh adds the scores of a piece of evidence, and keeps its text of that time.
func (w *walk) weigh(ctx context.Context, n *Node, ground domain.ReasoningStarted) error {
	for _, rel := range ground.Relations {
		if (rel.Signal == n.ID || rel.Commitment == n.ID) && rel.Score.Float() > n.Numbers["relation"] {
			n.Numbers["relation"] = rel.Score.Float()
		}
	}
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		for _, item := range items {
			if item.EnvelopeID != n.ID {
				continue
			}
			n.Numbers["salience"] = item.Salience.Float()
			n.Numbers["bonus"] = item.Bonus.Float()
			n.Gate = item.Gate
			w.seen[n.ID], w.asOf[n.ID] = item, ground.AsOf
			since, err := domain.CountsSince(ctx, w.log, w.records[n.ID], ground.World.Position, ground.AsOf)
			if err != nil {
				return err
			}
			n.Numbers["age_ms"] = float64(max(0, ground.AsOf-since))
			if item.Text() == n.ID {
				return nil
			}
			rec, err := w.log.Find(ctx, item.Text())
			if domain.CategoryOf(err) == domain.NotFound {
				return nil
			}
			w.texts[n.ID] = rec.Envelope
			return err
		}
	}
	return nil
}

// nodeOf makes a node of a record, with the numbers in its payload. Its label is set
// later, when all names are known.
func nodeOf(rec domain.Record) Node {
	e := rec.Envelope
	n := Node{
		ID: e.ID, Type: e.Type, Trace: e.Trace, Position: rec.Position, RecordedAt: rec.RecordedAt,
		Source: e.Source, Principal: e.Principal, Numbers: Numbers{}, Erased: e.Payload.Encoding == domain.EncodingErased,
	}
	switch e.Type {
	case domain.SignalReceivedType:
		numbers(n, e, func(p domain.SignalReceived) Numbers { return Numbers{"activation_energy": p.ActivationEnergy} })
	case domain.SpineSignalEmittedType:
		numbers(n, e, func(p domain.SpineSignalEmitted) Numbers {
			return Numbers{"activation_energy": p.ActivationEnergy}
		})
	case domain.ReasoningStartedType:
		numbers(n, e, func(p domain.ReasoningStarted) Numbers {
			return Numbers{"in_mind": float64(len(p.World.Items)), "left_out": float64(len(p.World.LeftOut))}
		})
	case domain.PolicyDecidedType:
		numbers(n, e, func(p domain.PolicyDecided) Numbers {
			n.Codes = narrate.Codes(p)
			return Numbers{"depth": float64(p.Depth)}
		})
	case domain.ModelRepliedType:
		numbers(n, e, repliedNumbers)
	case domain.AnswerVerifiedType:
		numbers(n, e, func(p domain.AnswerVerified) Numbers { return Numbers{"confidence": p.Confidence.Float()} })
	case domain.ReasoningConcludedType:
		numbers(n, e, func(p domain.ReasoningConcluded) Numbers {
			return Numbers{"evidence": float64(len(p.Evidence)), "rejected": float64(len(p.Rejected)), "duration_ms": float64(p.DurationMS)}
		})
	case domain.ToolCompletedType:
		numbers(n, e, func(p domain.ToolCompleted) Numbers { return Numbers{"duration_ms": float64(p.DurationMS)} })
	case domain.ToolFailedType:
		numbers(n, e, func(p domain.ToolFailed) Numbers { return Numbers{"duration_ms": float64(p.DurationMS)} })
	case domain.ToolOutcomeUnknownType:
		numbers(n, e, func(p domain.ToolOutcomeUnknown) Numbers { return Numbers{"duration_ms": float64(p.DurationMS)} })
	}
	return n
}

func repliedNumbers(p domain.ModelReplied) Numbers {
	out := Numbers{
		"confidence": p.Confidence.Float(), "input_tokens": float64(p.Usage.InputTokens),
		"output_tokens": float64(p.Usage.OutputTokens), "cost_micros": float64(p.Usage.CostMicros),
	}
	// In a cycle each finding has a confidence of its own.
	for _, finding := range p.Findings {
		out["confidence"] = max(out["confidence"], finding.Confidence.Float())
	}
	return out
}

// numbers reads a payload's numbers into a node; one that can't be read has none.
func numbers[P any](n Node, e domain.Envelope, read func(P) Numbers) {
	if p, err := domain.Decode[P](e); err == nil {
		maps.Copy(n.Numbers, read(p))
	}
}
