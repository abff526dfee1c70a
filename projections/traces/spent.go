package traces

import (
	"slices"
	"strings"

	"chalie/domain"
)

// Spent is the models' cost for a trace.
type Spent struct {
	Tokens     uint64 // read and written, by all its calls together
	CostMicros uint64 // millionths of a US dollar; 0 when no price is known
}

// ToolNames are the tools of a trace, by their own names, each once, in the order of
// their first use. It is a text so that lines can be compared.
type ToolNames string

// maxTools bounds how many are kept: a trace that goes on for months may use any.
const maxTools = 16

const between = "\n"

// List is each of them.
func (t ToolNames) List() []string {
	if t == "" {
		return nil
	}
	return strings.Split(string(t), between)
}

// Has reports whether a tool is among them.
func (t ToolNames) Has(name string) bool { return slices.Contains(t.List(), name) }

func (t ToolNames) adding(name string) ToolNames {
	name = strings.ReplaceAll(name, between, " ")
	switch known := t.List(); {
	case name == "" || len(known) == maxTools || slices.Contains(known, name):
		return t
	case len(known) == 0:
		return ToolNames(name)
	}
	return t + ToolNames(between+name)
}

// read takes what a line has from payloads. What can't be read adds nothing.
func (l *Line) read(rec *domain.Record) {
	switch rec.Envelope.Type {
	case domain.ModelRepliedType:
		if p, err := domain.Decode[domain.ModelReplied](rec.Envelope); err == nil {
			u := p.Usage
			for _, tokens := range [...]int{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens} {
				l.Tokens += uint64(max(0, tokens))
			}
			l.CostMicros += uint64(max(0, u.CostMicros))
		}
	case domain.ToolInvokedType:
		if p, err := domain.Decode[domain.ToolInvoked](rec.Envelope); err == nil {
			l.Tools = l.Tools.adding(p.Tool)
		}
	case domain.SpineSignalEmittedType:
		if domain.IsSilent(rec.Envelope) {
			l.Concluded, l.Ended = rec.Position, domain.OutcomeHeld
		}
	case domain.ReasoningConcludedType:
		l.Concluded = rec.Position
		if p, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope); err == nil {
			l.Ended = p.Outcome
		}
	}
}
