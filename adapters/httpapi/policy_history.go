package httpapi

import (
	"maps"
	"math"
	"net/http"
	"slices"

	"chalie/domain"
)

// regimeBody is one line of GET /api/policy/history: a regime, and the change that
// put it in force.
type regimeBody struct {
	RegimeID   string           `json:"regime_id"`
	Since      domain.Millis    `json:"since"` // 0 for what was in force from the beginning
	Until      domain.Millis    `json:"until"` // 0 for the one in force
	Position   domain.Position  `json:"position"`
	EnvelopeID domain.ID        `json:"envelope_id"`
	Principal  domain.Principal `json:"principal"` // who changed it
	Source     domain.Source    `json:"source"`    // through what
	Change     string           `json:"change"`    // policy, capability, or default for the first

	Policy    domain.PolicyRules                  `json:"policy"`
	Manifests map[string]domain.CapabilityChanged `json:"manifests"` // what the person says of capabilities
}

// The bounds of a page of the history.
const (
	usualRegimes = 20
	mostRegimes  = 100
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
	before, err := q.count("before", math.MaxInt64, 1, math.MaxInt64)
	if err != nil {
		return err
	}
	limit, err := q.count("limit", usualRegimes, 1, mostRegimes)
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
	before = min(before, uint64(through)+1)
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
	out := struct {
		AsOf    *asOf           `json:"as_of,omitempty"` // when at was asked
		Regimes []regimeBody    `json:"regimes"`
		Next    domain.Position `json:"next"` // before it there are more; 0 when there is none
	}{AsOf: then, Regimes: regimes}
	if more {
		out.Next = found.records[len(found.records)-1].Position
	}
	return x.answer(http.StatusOK, out)
}

// regimes are those that changes put in force, the newest first; with the one
// before all of them when they are the first there were.
func (x *exchange) regimes(newestFirst []domain.Record, until domain.Millis, first bool) ([]regimeBody, error) {
	var book domain.Rulebook
	out := []regimeBody{}
	if first {
		out = append(out, regimeBody{RegimeID: book.ID(), Change: "default", Policy: book.Rules(), Manifests: map[string]domain.CapabilityChanged{}})
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
		out = append(out, regimeBody{
			RegimeID: book.ID(), Since: rec.RecordedAt, Position: rec.Position, EnvelopeID: rec.Envelope.ID,
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
