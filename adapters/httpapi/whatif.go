package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"chalie/domain"
	"chalie/replay"
)

// WhatIf tells what would have come of a change. It writes nothing; it asks nobody but
// a model that the change names.
type WhatIf func(ctx context.Context, change replay.Change, scope replay.Scope, told func(done, total domain.Position)) (replay.Outcomes, error)

// maxSupposed bounds each kind of change in one request.
const maxSupposed = 64

// supposed is what is to be otherwise in a replay: {without?: [id…], edit?: [{envelope_id,
// field, value}…], set?: {parameter: value}, policy?, model?, zone?}.
type supposed struct{ without, edit, set, policy, model, zone value }

// with adds the members of a body that are supposed.
func (s *supposed) with(into map[string]*value) map[string]*value {
	maps.Copy(into, map[string]*value{"without": &s.without, "edit": &s.edit, "set": &s.set, "policy": &s.policy, "model": &s.model, "zone": &s.zone})
	return into
}

func (s *supposed) anything() bool {
	return s.without.given() || s.edit.given() || s.set.given() || s.policy.given() || s.model.given()
}

// outcome is one, in words too.
type outcome struct {
	replay.Outcome
	Sentences []string `json:"sentences"`
}

type outcomesBody struct {
	Identical bool      `json:"identical"` // nothing would have come otherwise
	Traces    int       `json:"traces"`
	Skipped   int       `json:"skipped"`
	Open      int       `json:"open"`
	Outcomes  []outcome `json:"outcomes"` // never null

	Asked *replay.Asked `json:"asked,omitempty"` // when a model was really asked
}

// whatIf answers with progress, and what would have come otherwise last.
func (x *exchange) whatIf(what replay.Request, s supposed) error {
	if x.api.cfg.WhatIf == nil {
		return notRunning("replay")
	}
	change, err := x.change(s)
	if err != nil {
		return err
	}
	zone, err := s.zoneOf()
	if err != nil {
		return err
	}
	// What can't be is found before there is any progress, and answered with a status.
	var begun func(any)
	line := func(v any) {
		if begun == nil {
			begun = x.lines()
		}
		begun(v)
	}
	out, err := x.api.cfg.WhatIf(x.r.Context(), change, replay.Scope(what), x.progressing(line))
	if err != nil {
		return err
	}
	body := outcomesBody{len(out.Outcomes) == 0, out.Traces, out.Skipped, out.Open, make([]outcome, len(out.Outcomes)), out.Asked}
	for i, o := range out.Outcomes {
		body.Outcomes[i] = outcome{o, o.Sentences(zone)}
	}
	line(body)
	return nil
}

// change reads what is to be otherwise.
func (x *exchange) change(s supposed) (replay.Change, error) {
	var out replay.Change
	texts, err := s.without.texts("without", maxSupposed)
	if err != nil {
		return out, err
	}
	for _, text := range texts {
		id, err := replay.InputOf(x.r.Context(), x.api.cfg.Log, text)
		if err != nil {
			return out, err
		}
		out.Without = append(out.Without, id)
	}
	if out.Edits, err = x.edits(s.edit); err != nil {
		return out, err
	}
	if out.Params, err = s.params(); err != nil {
		return out, err
	}
	if out.Policy, err = s.rules(); err != nil {
		return out, err
	}
	out.Model, err = s.model.text("model")
	return out, err
}

func (x *exchange) edits(list value) ([]replay.Edit, error) {
	if !list.given() {
		return nil, nil
	}
	elements, count, err := list.elements("edit", maxSupposed)
	if err != nil {
		return nil, err
	}
	if count > maxSupposed {
		return nil, domain.Invalid("read body", "edit", fmt.Sprintf("edit has %d elements, the bound is %d", count, maxSupposed))
	}
	var out []replay.Edit
	for i, e := range elements {
		what := fmt.Sprintf("edit[%d]", i)
		var id, field, to value
		if err := e.fields(what, map[string]*value{"envelope_id": &id, "field": &field, "value": &to}); err != nil {
			return nil, err
		}
		text, err := id.text(what + ".envelope_id")
		if err != nil {
			return nil, err
		}
		edit := replay.Edit{Value: string(to.raw)}
		if to.kind == isString {
			edit.Value = to.unquote()
		}
		if edit.Field, err = field.text(what + ".field"); err != nil {
			return nil, err
		}
		if edit.Field == "" || to.kind == absent {
			return nil, domain.Invalid("read body", "edit", what+" names no field or no value: give envelope_id, field and value")
		}
		if edit.ID, err = replay.InputOf(x.r.Context(), x.api.cfg.Log, text); err != nil {
			return nil, err
		}
		out = append(out, edit)
	}
	return out, nil
}

// params are the parameters as they are set; nil when none is.
func (s *supposed) params() (*domain.Params, error) {
	set, err := s.set.textMap("set", maxSupposed)
	if err != nil || len(set) == 0 {
		return nil, err
	}
	p := domain.DefaultParams()
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if err := p.Set(name, set[name]); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

// rules are the policy; nil when none is given.
func (s *supposed) rules() (*domain.PolicyRules, error) {
	text, err := s.policy.object("policy")
	if err != nil || text == nil {
		return nil, err
	}
	var rules domain.PolicyRules
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rules); err != nil && !errors.Is(err, io.EOF) {
		return nil, domain.Invalid("read body", "policy", "the policy can't be read: "+err.Error()+": give what GET /api/policy shows under policy")
	}
	return &rules, rules.Check()
}

func (s *supposed) zoneOf() (*time.Location, error) {
	name, err := s.zone.text("zone")
	if err != nil || name == "" {
		return time.UTC, err
	}
	return zoneToTell("read body", "zone", name)
}
