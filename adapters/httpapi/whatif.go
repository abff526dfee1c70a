package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/player"
)

// WhatIf replays with a change. It writes nothing, and calls nothing but a model that the
// change names.
type WhatIf func(ctx context.Context, change player.Change, scope player.Scope, told func(done, total domain.Position)) (player.Outcomes, error)

// whatIf answers with lines of progress, and last the different outcomes.
func (x *exchange) whatIf(what player.Request, s api.Supposed) error {
	if x.api.cfg.WhatIf == nil {
		return notRunning("replay")
	}
	change, err := x.change(s)
	if err != nil {
		return err
	}
	zone := time.UTC
	if s.Zone != "" {
		if zone, err = zoneToTell("read body", "zone", s.Zone); err != nil {
			return err
		}
	}
	// An invalid change is found before there is progress, and answered with a status.
	var begun func(any)
	line := func(v any) {
		if begun == nil {
			begun = x.lines()
		}
		begun(v)
	}
	out, err := x.api.cfg.WhatIf(x.r.Context(), change, player.Scope{Trace: what.Trace, Since: what.Since}, x.progressing(line))
	if err != nil {
		return err
	}
	body := api.WhatIf{
		Identical: len(out.Outcomes) == 0, Traces: out.Traces, Skipped: out.Skipped, Aside: out.Aside, Open: out.Open, Gap: out.Gap,
		Outcomes: make([]api.WhatIfOutcome, len(out.Outcomes)), Asked: out.Asked,
	}
	for i, o := range out.Outcomes {
		body.Outcomes[i] = api.WhatIfOutcome{Outcome: o.InWords(), Sentences: o.Sentences(zone)}
	}
	line(body)
	return nil
}

// change reads the change to replay with.
func (x *exchange) change(s api.Supposed) (out player.Change, err error) {
	if out.Without, err = x.envelopes(s.Without); err != nil {
		return out, err
	}
	if out.Approve, err = x.envelopes(s.Approve); err != nil {
		return out, err
	}
	if out.Edits, err = x.edits(s.Edit); err != nil {
		return out, err
	}
	out.Set = s.Set
	out.Policy, err = rulesOf(s.Policy)
	out.Model = s.Model
	return out, err
}

func (x *exchange) envelopes(list []string) (out []domain.ID, err error) {
	for _, text := range list {
		id, err := replay.InputOf(x.r.Context(), x.api.cfg.Log, text)
		if err != nil {
			return nil, x.wentWith(err, text)
		}
		out = append(out, id)
	}
	return out, nil
}

func (x *exchange) edits(list []api.SupposedEdit) (out []player.Edit, err error) {
	for i, e := range list {
		if e.Field == "" || e.Value == nil {
			return nil, domain.Invalid("read body", "edit", fmt.Sprintf("edit[%d] names no field or no value: give envelope_id, field and value", i))
		}
		edit := player.Edit{Field: e.Field, Value: string(e.Value)}
		var text string
		if json.Unmarshal(e.Value, &text) == nil && string(e.Value) != "null" {
			edit.Value = text
		}
		if edit.ID, err = replay.InputOf(x.r.Context(), x.api.cfg.Log, e.ID); err != nil {
			return nil, x.wentWith(err, e.ID)
		}
		out = append(out, edit)
	}
	return out, nil
}

// rulesOf reads the policy; nil without one.
func rulesOf(text json.RawMessage) (*domain.PolicyRules, error) {
	if text == nil {
		return nil, nil
	}
	var rules domain.PolicyRules
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rules); err != nil {
		return nil, domain.Invalid("read body", "policy", "the policy can't be read: "+err.Error()+": give what GET /api/policy shows under policy")
	}
	return &rules, rules.Check()
}
