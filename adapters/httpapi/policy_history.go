package httpapi

import (
	"maps"
	"net/http"
	"slices"

	"chalie/adapters/api"
	"chalie/domain"
)

// policyHistory is GET /api/policy/history?before=&limit=&at=: every regime there was,
// the newest first. The last of the last page is what Chalie came with. At a moment
// the newest is the one that was in force then.
func (x *exchange) policyHistory() error {
	if x.api.cfg.Past == nil {
		return notRunning("look back")
	}
	q, err := x.query()
	if err != nil {
		return err
	}
	before, err := q.count("before")
	if err != nil {
		return err
	}
	limit, err := q.count("limit")
	if err != nil {
		return err
	}
	then, err := x.asOf(q)
	if err != nil {
		return err
	}
	log, changes := x.api.cfg.Log, domain.Selector{Key: domain.PolicyKey}
	through := log.Tail()
	if then != nil {
		through = then.Position
	}
	if before == 0 || before > uint64(through) {
		before = uint64(through) + 1
	}
	found, err := newest(x.r.Context(), log, logQuery{selector: changes, before: domain.Position(before), limit: int(limit)})
	if err != nil {
		return err
	}
	// What ended the newest of them is the change after it.
	var until domain.Millis
	if before <= uint64(through) {
		after, err := log.Select(x.r.Context(), changes, domain.Position(before), 1)
		if err != nil {
			return err
		}
		if len(after) > 0 && after[0].Position <= through {
			until = after[0].RecordedAt
		}
	}
	more := found.cut || len(found.records) == int(limit)
	regimes, err := x.regimes(found.records, until, !more)
	if err != nil {
		return err
	}
	out := api.Regimes{AsOf: then, Regimes: regimes}
	if more {
		out.Next = found.records[len(found.records)-1].Position
	}
	return x.answer(http.StatusOK, out)
}

// regimes are those that changes put in force, the newest first; with the one
// before all of them when they are the first there were.
func (x *exchange) regimes(newestFirst []domain.Record, until domain.Millis, first bool) ([]api.Regime, error) {
	var book domain.Rulebook
	out := []api.Regime{}
	if first {
		out = append(out, api.Regime{ID: book.ID(), Change: "default", Policy: book.Rules(), Manifests: map[string]domain.CapabilityChanged{}})
	} else if oldest := newestFirst[len(newestFirst)-1]; oldest.Position > 1 {
		then, err := x.api.cfg.Past.Policy(x.r.Context(), oldest.Position-1)
		if err != nil {
			return nil, err
		}
		// A book of the past is shared, and this one is folded further.
		then.Read(func(b *domain.Rulebook) {
			book = *b
			book.Manifests = said(b)
		})
	}
	for _, rec := range slices.Backward(newestFirst) {
		if err := book.Evolve(rec); err != nil {
			return nil, err
		}
		change := "policy"
		if rec.Envelope.Type == domain.CapabilityChangedType {
			change = "capability"
		}
		out = append(out, api.Regime{
			ID: book.ID(), Since: rec.RecordedAt, Position: rec.Position, EnvelopeID: rec.Envelope.ID,
			Principal: rec.Envelope.Principal, Source: rec.Envelope.Source, Change: change, Policy: book.Rules(), Manifests: said(&book),
		})
	}
	slices.Reverse(out)
	for i := range out {
		out[i].Until = until
		until = out[i].Since
	}
	return out, nil
}

// said is a copy of what the person says of capabilities, never null.
func said(b *domain.Rulebook) map[string]domain.CapabilityChanged {
	out := make(map[string]domain.CapabilityChanged, len(b.Manifests))
	maps.Copy(out, b.Manifests)
	return out
}
