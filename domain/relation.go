package domain

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"io"
)

// RelationsFound is recorded with the reasoning.started that found it: what relates each
// signal to the plans, with the reasons for and against. It has only the signals of which
// something else was found than was recorded before, so that reasoning that finds what the
// last found refers to that. What relates nothing is in none.
type RelationsFound struct {
	Signals []SignalRelations `json:"signals"`
	Before  ID                `json:"before,omitzero"` // the relations.found before it, which has the other signals
}

// SignalRelations are the plans that a signal bears on; when there is none, the one that
// comes closest; and none at all when it has nothing in common with any.
type SignalRelations struct {
	Signal ID             `json:"signal"`
	Plans  []PlanRelation `json:"plans"` // strongest first
}

// PlanRelation is the relation of a signal to one plan.
type PlanRelation struct {
	Commitment ID       `json:"commitment"`
	Score      PPM      `json:"score"`
	Reasons    []Reason `json:"reasons"` // the weightiest first, what speaks against it last
}

// Reason is one reason for or against a relation. The weights add up to the score, as far
// as that stays within 0 … One.
type Reason struct {
	By     string `json:"by"`     // its kind, as package relate names them
	Weight PPM    `json:"weight"` // below 0 of what speaks against it
	// Words are the signal's words that it goes by: a reference, so that they are gone when
	// the signal is erased. None of what is said of the signal as a whole.
	Words []Span `json:"words,omitempty"`
	// Says is such a reason's name, when its kind has several; never a text from outside.
	Says string `json:"says,omitempty"`
}

// Span is a part of a signal's text.
type Span struct {
	In   string `json:"in,omitempty"` // "topic" or "source"; "" is its content
	From int    `json:"from"`         // in bytes
	To   int    `json:"to"`
}

// The texts of a signal that a Span may be part of, besides its content.
const (
	InTopic  = "topic"
	InSource = "source"
)

// Of is the part of a signal's text; "" where it hasn't that much.
func (s Span) Of(signal SignalReceived) string {
	text := signal.Content
	switch s.In {
	case InTopic:
		text = ""
		if signal.Topic != nil {
			text = *signal.Topic
		}
	case InSource:
		text = signal.Source
	}
	if s.From < 0 || s.To < s.From || s.To > len(text) {
		return ""
	}
	return text[s.From:s.To]
}

// sum tells what was found of a signal apart from anything else that could be; 0 is
// nothing.
func (r SignalRelations) sum() uint64 {
	if len(r.Plans) == 0 {
		return 0
	}
	h := fnv.New64a()
	number := func(n int) {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], uint64(n))
		_, _ = h.Write(b[:]) // a hash takes every write
	}
	text := func(s string) {
		number(len(s))
		_, _ = io.WriteString(h, s)
	}
	for _, p := range r.Plans {
		_, _ = h.Write(p.Commitment[:])
		number(int(p.Score))
		number(len(p.Reasons))
		for _, reason := range p.Reasons {
			text(reason.By)
			number(int(reason.Weight))
			text(reason.Says)
			number(len(reason.Words))
			for _, w := range reason.Words {
				text(w.In)
				number(w.From)
				number(w.To)
			}
		}
	}
	return h.Sum64()
}

// evolveFound folds what was found of the signals that are remembered.
func (w *World) evolveFound(rec Record) error {
	found, err := Decode[RelationsFound](rec.Envelope)
	if CodeOf(err) == CodeErased {
		return nil
	}
	if err != nil {
		return err
	}
	w.Found = rec.Envelope.ID
	for _, one := range found.Signals {
		for i := range w.Signals {
			if w.Signals[i].EnvelopeID == one.Signal {
				w.Signals[i].Found = one.sum()
			}
		}
	}
	return nil
}

// News is what was found of the compared signals and isn't recorded yet, in the order in
// which those were heard. It is no more than one record has room for: what is left is news the next time.
func (w *World) News(found map[ID]SignalRelations) []SignalRelations {
	const around = 64 // bytes that the record has besides
	var out []SignalRelations
	room := MaxPayloadBytes - around
	for _, s := range w.Signals {
		one, compared := found[s.EnvelopeID]
		if !compared || one.sum() == s.Found {
			continue
		}
		text, err := json.Marshal(one)
		if size := len(text) + len(","); err == nil && size <= room {
			room -= size
			out = append(out, one)
		}
	}
	return out
}
