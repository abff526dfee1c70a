package models

import (
	"fmt"

	"chalie/adapters/models/dialogue"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// telling tells of an answer as it comes: with our own names, and without what is only for us.
// The zero telling tells nobody.
type telling struct {
	of    *asking
	to    reasoning.Follower
	prose prose
	calls []toldCall
	taken map[string]bool // the ids of calls
}

// toldCall is a call that was told of.
type toldCall struct {
	id, tool string
	told     int  // bytes of its parameters
	renamed  bool // its parameters have other names here: they are told when all are there
}

// tell is what a client tells; nil when nobody listens.
func (t *telling) tell() dialogue.Tell {
	if t == nil || t.to == nil {
		return nil
	}
	return t.piece
}

func (t *telling) piece(p dialogue.Piece) {
	switch {
	case p.Back != "":
		t.again(p.Back)
	case p.Call == 0:
		t.text(t.prose.add(p.Text))
	case p.Call == len(t.calls)+1:
		t.begin(p)
	case p.Call <= len(t.calls):
		t.more(&t.calls[p.Call-1], p)
	}
}

func (t *telling) text(text string) {
	if text != "" {
		t.to.Heard(domain.StreamEvent{Type: domain.StreamText, Delta: text})
	}
}

func (t *telling) begin(p dialogue.Piece) {
	if t.taken == nil {
		t.taken = map[string]bool{}
	}
	tool := t.of.tools.Back(p.Tool)
	c := toldCall{id: callID(t.taken, len(t.calls), p.ID), tool: tool}
	if names := t.of.params[tool]; names != nil {
		c.renamed = names.Renames()
	}
	t.calls = append(t.calls, c)
	t.to.Heard(domain.StreamEvent{Type: domain.StreamCallStart, ID: c.id, Name: c.tool})
}

func (t *telling) more(c *toldCall, p dialogue.Piece) {
	if c.told += len(p.Params); c.told > dialogue.MaxAnswerBytes {
		return // such a call isn't taken
	}
	if p.Params != "" && !c.renamed {
		t.to.Heard(domain.StreamEvent{Type: domain.StreamCallDelta, ID: c.id, ArgsDelta: p.Params})
	}
	if !p.Ended || objectFault(p.Whole) != "" { // such an answer is handed back
		return
	}
	whole := p.Whole
	if c.renamed {
		whole = renamed(whole, t.of.params[c.tool].Back)
	}
	whole = compact(whole)
	if c.renamed || c.told == 0 {
		t.to.Heard(domain.StreamEvent{Type: domain.StreamCallDelta, ID: c.id, ArgsDelta: string(whole)})
	}
	t.to.Heard(domain.StreamEvent{Type: domain.StreamCallEnd, ID: c.id, Args: whole})
}

// again takes back what was told.
func (t *telling) again(why string) {
	if t == nil || t.to == nil {
		return
	}
	t.prose, t.calls, t.taken = prose{}, nil, nil
	t.to.Again(why)
}

// end tells what is left of the text.
func (t *telling) end() {
	if t != nil && t.to != nil {
		t.text(t.prose.rest())
	}
}

// callID is the id of the i-th call, from 0: its own, cut to what is stored, or another when
// that is taken or there is none.
func callID(taken map[string]bool, i int, own string) string {
	id := cut(own, domain.MaxNameBytes)
	for n := i + 1; id == "" || taken[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	taken[id] = true
	return id
}
