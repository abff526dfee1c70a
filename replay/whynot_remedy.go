package replay

import (
	"context"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Remedy is one thing that could have been otherwise.
type Remedy struct {
	Kind RemedyKind `json:"kind"`
	// Words say what would be otherwise, to stand behind "if".
	Words    string              `json:"words"`
	Edit     *Edit               `json:"edit,omitempty" doc:"Of something that came in."`
	Without  domain.ID           `json:"without,omitzero" doc:"Something that came in, and wouldn't have."`
	Set      map[string]string   `json:"set,omitempty" doc:"A parameter by name."`
	Policy   *domain.PolicyRules `json:"policy,omitempty" doc:"In place of the one that was in force."`
	Decision domain.ID           `json:"decision,omitzero"`
	Trace    domain.TraceID      `json:"trace_id,omitzero" doc:"Of that decision."`
	// Verified says that today's code was run with the change, and let it through.
	Verified bool   `json:"verified" doc:"The decision was made again with it, and let it through."`
	NotTried string `json:"not_tried,omitempty" doc:"Why that was not done; empty when it was."`

	said narrate.Phrase // Words, where they speak of records
}

// RemedyKind is what would be otherwise.
type RemedyKind string

// The kinds.
const (
	ChangeEnergy    RemedyKind = "energy"    // of a signal
	ChangeParameter RemedyKind = "parameter" // that decisions are made by
	ChangeWithout   RemedyKind = "without"   // something would not have come in
	ChangeAttention RemedyKind = "attention" // of the person
	ChangeRelation  RemedyKind = "relation"  // what something has to do with something else
	ChangeTime      RemedyKind = "time"      // when something came, or is due
	ChangePolicy    RemedyKind = "policy"    // a rule
	ChangeApproval  RemedyKind = "approval"  // the person's yes
	ChangeScope     RemedyKind = "scope"     // what an interface is allowed
	ChangeOnline    RemedyKind = "online"    // an interface that answers
	ChangeAsk       RemedyKind = "ask"       // somebody would have asked
)

// inSentence is what would be otherwise, as it stands in a sentence.
func (r Remedy) phrase() narrate.Phrase {
	if len(r.said) > 0 {
		return r.said
	}
	return narrate.Words(r.Words)
}

// maxTrials bounds the changes that are tried for one question.
const maxTrials = 4

// untried is why nothing is replayed where there is no Trial.
const untried = "decisions are not replayed here"

// change finds the smallest change: of those that might help, the smallest first,
// the first that does when the decision is replayed with it. Without one it is the
// first that can't be tried.
func (s *silent) change(ctx context.Context) error {
	if !s.out.Surfaced.IsZero() {
		return nil
	}
	candidates, err := s.candidates(ctx)
	if err != nil {
		return err
	}
	var open *Remedy
	tried := 0
	for i := range candidates {
		c := &candidates[i]
		if !c.Verified && c.NotTried == "" && tried == maxTrials {
			c.NotTried = "enough others were tried"
		}
		if !c.Verified && c.NotTried == "" {
			if err := s.try(ctx, c); err != nil {
				return err
			}
			tried++
		}
		switch {
		case c.Verified:
			s.out.Change = c
			return nil
		case c.NotTried == "":
			s.out.Failed = append(s.out.Failed, *c)
		case open == nil:
			open = c
		}
	}
	s.out.Change = open
	return nil
}

// try replays the decision that a change is about.
func (s *silent) try(ctx context.Context, c *Remedy) error {
	if s.trial == nil {
		c.NotTried = untried
		return nil
	}
	a := Attempt{Remedy: *c, From: s.target.Position, Through: s.tail}
	if s.target.Envelope.Type == domain.SignalReceivedType || s.isPlan() {
		a.About = s.target.Envelope.ID
	}
	for _, one := range s.out.Considered {
		if one.Decision == c.Decision {
			a.Through = one.Position
		}
	}
	var err error
	c.Verified, err = s.trial.Surfaces(ctx, a)
	if domain.CodeOf(err) == CodeNotRecorded || domain.CategoryOf(err) == domain.Validation {
		c.NotTried, err = messageOf(err), nil
	}
	return err
}

// candidates are the changes that might help, the smallest first. Each decision
// is asked by its gate, each gate once: of the same gate the last decision counts,
// or the one that came closest.
func (s *silent) candidates(ctx context.Context) ([]Remedy, error) {
	var out []Remedy
	for _, c := range s.closest() {
		more, err := s.helping(ctx, c)
		if err != nil {
			return nil, err
		}
		for i := range more {
			more[i].Decision, more[i].Trace = c.Decision, c.Trace
			more[i].Words = more[i].phrase().String()
		}
		out = append(out, more...)
	}
	if len(out) == 0 && len(s.out.Considered) == 0 {
		return s.neverHelped(), nil
	}
	return out, nil
}

// helping are the changes that might help past the gate of one decision.
func (s *silent) helping(ctx context.Context, c Considered) ([]Remedy, error) {
	switch c.Kind {
	case ByClock:
		return s.inTime(c), nil
	case ByPolicy, ByTool:
		return s.usable(ctx, c)
	}
	switch c.Gate {
	case domain.GateCooldown, domain.GateAlreadyTold:
		return s.afterTold(ctx, c)
	case domain.GateAttention:
		return s.unfocused(ctx, c)
	case domain.GateBelowThreshold, domain.GateNotInFive, domain.GateOverCapacity, domain.GateUnrelated:
		return s.weightier(ctx, c)
	case domain.GateNothingFound:
		return s.foundSooner(ctx, c)
	case domain.GateNotUsed:
		return []Remedy{{Kind: ChangeAsk, Words: "you had asked about it", NotTried: "nobody asked that"}}, nil
	case domain.GateNotBrought:
		return []Remedy{{Kind: ChangeAsk, Words: "the model had brought it up", NotTried: "another answer of a model can't be made up"}}, nil
	case domain.GateWaits, domain.GateUnderWay:
		return []Remedy{{Kind: ChangeTime, Words: "its turn had come", NotTried: "it may still come"}}, nil
	}
	return nil, nil
}

// ease orders gates by how little is between them and the person.
func ease(gate domain.Gate) int {
	switch gate {
	case domain.GateCooldown, domain.GateAttention, domain.GateApproval, domain.GateApprovalRefused, domain.GateApprovalExpired, domain.GateScope:
		return 0
	case domain.GateAlreadyTold, domain.GatePolicy, domain.GateOffline, domain.GateNotDue, domain.GateLate:
		return 1
	case domain.GateBelowThreshold, domain.GateNotInFive, domain.GateOverCapacity:
		return 2
	case domain.GateUnrelated, domain.GateNothingFound, domain.GateNotBrought:
		return 3
	}
	return 4
}
