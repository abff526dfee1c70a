package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// Policies shows and changes the policy. Its methods are those of *tool.Policies, which
// says their errors.
type Policies interface {
	InForce() (regime string, rules domain.PolicyRules)
	Change(ctx context.Context, c commands.Caller, rules domain.PolicyRules, against string) (regime string, err error)
	Doubts(rules domain.PolicyRules) []string
	Trust(ctx context.Context, c commands.Caller, tool string, said domain.CapabilityChanged, against string) (domain.Manifest, error)
}

var _ Policies = (*tool.Policies)(nil)

func policyHandlers() handlers {
	return handlers{"policy": (*exchange).policy, "changePolicy": (*exchange).changePolicy, "checkPolicy": (*exchange).checkPolicy, "policyHistory": (*exchange).policyHistory}
}

// policy is GET /api/policy?at=. Answers about the past have no warnings, because they
// depend on the tools there are now.
func (x *exchange) policy() error {
	then, err := x.asOf(x.query())
	if err != nil {
		return err
	}
	if then != nil {
		return x.policyThen(*then)
	}
	if x.api.cfg.Policies == nil {
		return notRunning("show the policy")
	}
	regime, rules := x.api.cfg.Policies.InForce()
	x.catchUp()
	return x.answerPolicy(regime, rules)
}

// answerPolicy answers with the policy in force. Its regime is its entity tag too.
func (x *exchange) answerPolicy(regime string, rules domain.PolicyRules) error {
	x.w.Header().Set("ETag", strconv.Quote(regime))
	return x.answer(http.StatusOK, api.Policy{RegimeID: regime, Policy: rules, Warnings: x.api.cfg.Policies.Doubts(rules)})
}

func (x *exchange) policyThen(then api.AsOf) error {
	book, err := x.api.cfg.Past.Policy(x.r.Context(), then.Position)
	if err != nil {
		return err
	}
	out := api.Policy{AsOf: &then, Warnings: []string{}}
	book.Read(func(b *domain.Rulebook) { out.RegimeID, out.Policy = b.ID(), b.Rules() })
	return x.answer(http.StatusOK, out)
}

// changePolicy is PUT /api/policy: it replaces the whole policy; with If-Match only if
// its regime is the one in force.
func (x *exchange) changePolicy() error {
	if x.api.cfg.Policies == nil {
		return notRunning("change the policy")
	}
	var rules domain.PolicyRules
	if err := x.strictly(&rules, "the policy"); err != nil {
		return err
	}
	regime, err := x.api.cfg.Policies.Change(x.r.Context(), x.caller, rules, x.ifMatch())
	if err != nil {
		return err
	}
	x.catchUp()
	return x.answerPolicy(regime, rules)
}

// ifMatch is the entity tag of If-Match; "" without the header.
func (x *exchange) ifMatch() string {
	tag := strings.TrimSpace(strings.Join(x.r.Header.Values("If-Match"), ","))
	if tag == "*" {
		return ""
	}
	return strings.Trim(tag, `"`)
}

// trustTool is PUT /api/tools/:name/manifest: the person's overrides of what a tool
// declares. A missing or null member keeps the tool's declaration. With If-Match only if
// its regime is the one in force.
func (x *exchange) trustTool() error {
	if x.api.cfg.Policies == nil {
		return notRunning("change a manifest")
	}
	var said api.Trust
	if err := x.strictly(&said, "the manifest"); err != nil {
		return err
	}
	x.catchUp()
	manifest, err := x.api.cfg.Policies.Trust(x.r.Context(), x.caller, x.params.ByName("name"), said.Statement(), x.ifMatch())
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, manifest)
}

// strictly reads the body and refuses unknown names: a misspelt one would make a rule
// match too much.
func (x *exchange) strictly(into any, what string) error {
	body, err := x.body()
	if err != nil {
		return err
	}
	if err := domain.CheckNesting("read "+what, "", body, 0); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return domain.Invalid("read "+what, "", what+" can't be read: "+err.Error())
	}
	if _, err := d.Token(); err != io.EOF {
		return domain.Invalid("read "+what, "", "there is more after "+what+": send one JSON object")
	}
	return nil
}

// policyHistory is GET /api/policy/history?before=&limit=&at=: all regimes, the newest
// first. The last one of all is the built-in policy. With "at" the newest is the one that
// was in force then.
func (x *exchange) policyHistory() error {
	if x.api.cfg.Past == nil {
		return notRunning("look back")
	}
	q := x.query()
	before, limit := q.count("before"), q.count("limit")
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
	// The newest of them ended with the change after it.
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

// regimes are the regimes that changes put in force, the newest first; with first, the
// built-in one follows them.
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
		// A rulebook of the past is shared, and this one is folded further.
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

// said is a copy of the person's statements on capabilities, never null.
func said(b *domain.Rulebook) map[string]domain.CapabilityChanged {
	out := make(map[string]domain.CapabilityChanged, len(b.Manifests))
	maps.Copy(out, b.Manifests)
	return out
}
