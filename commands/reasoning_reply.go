package commands

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"chalie/domain"
)

// Bounds of what a model may say, beside those of an envelope.
const (
	MaxEvidence   = 64 // of one reply
	maxFaultBytes = 2 << 10
)

// replied makes the envelope of a reply. Its errors are the model's fault.
func (r *Reasoner) replied(ep *domain.Episode, reply Reply) (domain.Entry, error) {
	if reply.Used == nil {
		reply.Used = []domain.Evidence{}
	}
	entry, err := domain.New(lineage(ep, ep.LastCall().ID), r.cfg.IDs.NewID(), r.now(), reasoningSource, domain.ModelReplied{
		Model: r.cfg.Model.Name(), Blocks: reply.Blocks, Topic: reply.Topic, Mode: reply.Mode,
		Confidence: reply.Confidence, Urgent: reply.Urgent, Used: reply.Used, Usage: reply.Usage,
	})
	if err != nil {
		return domain.Entry{}, badReply("it can't be written down: " + err.Error())
	}
	if size := len(entry.Envelope.Payload.Bytes); size > domain.MaxPayloadBytes {
		return domain.Entry{}, badReply(fmt.Sprintf("it takes %d bytes when stored, the bound is %d", size, domain.MaxPayloadBytes))
	}
	return entry, nil
}

// checkReply returns a terminal error about a reply that the port doesn't allow.
// What a reply rests on has to be in the prompt, or lineage would point at
// nothing.
func checkReply(p Prompt, reply Reply) error {
	switch {
	case len(reply.Blocks) == 0:
		return badReply("it says nothing")
	case strings.TrimSpace(reply.Topic) == "":
		return badReply("it names no topic")
	case reply.Mode != domain.ModeRespond && reply.Mode != domain.ModeAct:
		return badReply(fmt.Sprintf("its mode %q is none", reply.Mode))
	case reply.Confidence < 0 || reply.Confidence > domain.One:
		return badReply(fmt.Sprintf("its confidence %s is not within 0 and 1", reply.Confidence))
	case len(reply.Used) > MaxEvidence:
		return badReply(fmt.Sprintf("it rests on %d items, the bound is %d", len(reply.Used), MaxEvidence))
	}
	known := map[domain.ID]bool{p.Asked.ID: true}
	for _, item := range p.World {
		known[item.EnvelopeID] = true
	}
	for _, used := range reply.Used {
		if !known[used.EnvelopeID] || len(used.Role) > domain.MaxNameBytes {
			return badReply(fmt.Sprintf("it rests on %s, which it wasn't told of, or gives it a role over %d bytes", used.EnvelopeID, domain.MaxNameBytes))
		}
	}
	return nil
}

func badReply(why string) error {
	return &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "bad_reply",
		Message: "the model's reply can't be used, " + why + ": ask again, or choose another model"}
}

// cut shortens a text to at most bound bytes, without splitting a character.
func cut(text string, bound int) string {
	if len(text) <= bound {
		return text
	}
	const mark = "…"
	end := bound - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
