package commands

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// Bounds of what a model may say, beside those of an envelope.
const (
	MaxEvidence  = 64 // of one reply, or of one finding
	MaxToolCalls = 16 // of one reply
	MaxFindings  = 16
)

// replied makes the envelope of a reply. Its errors are the model's fault.
func (r *Reasoner) replied(ep *domain.Episode, model Model, reply Reply) (domain.Entry, error) {
	entry, err := domain.New(lineage(ep, ep.LastCall().ID), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, domain.ModelReplied{
		Model: model.Name(), Blocks: listed(reply.Blocks), Topic: reply.Topic, Mode: reply.Mode,
		Confidence: reply.Confidence, Urgent: reply.Urgent, Used: listed(reply.Used), Usage: reply.Usage,
		ToolCalls: screenCalls(reply.ToolCalls), Findings: listed(reply.Findings),
	})
	if err != nil {
		return domain.Entry{}, badReply("it can't be written down: " + err.Error())
	}
	if len(reply.ToolCalls) > 0 {
		entry.Envelope.Keys = []domain.Key{domain.ActsKey(len(ep.Calls))}
	}
	if size := len(entry.Envelope.Payload.Bytes); size > domain.MaxPayloadBytes {
		return domain.Entry{}, badReply(fmt.Sprintf("it takes %d bytes when stored, the bound is %d", size, domain.MaxPayloadBytes))
	}
	return entry, nil
}

// listed is a list that isn't null when it is stored.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// checkReply returns a terminal error about a reply that the port doesn't allow.
// What a reply rests on has to be in the prompt, or lineage would point at
// nothing.
func checkReply(p Prompt, reply Reply) error {
	switch {
	case len(reply.Blocks) == 0 && len(reply.ToolCalls) == 0 && p.Kind == AskedMessage:
		return badReply("it says nothing")
	case strings.TrimSpace(reply.Topic) == "":
		return badReply("it names no topic")
	case reply.Mode != domain.ModeRespond && reply.Mode != domain.ModeAct:
		return badReply(fmt.Sprintf("its mode %q is none", reply.Mode))
	case !isShare(reply.Confidence):
		return badReply(fmt.Sprintf("its confidence %s is not within 0 and 1", reply.Confidence))
	case len(reply.ToolCalls) > 0 && len(p.Tools) == 0:
		return badReply(fmt.Sprintf("it calls %s, and was offered no tools", cut(reply.ToolCalls[0].Tool, domain.MaxNameBytes)))
	case len(reply.ToolCalls) > MaxToolCalls:
		return badReply(fmt.Sprintf("it calls %d tools at once, the bound is %d", len(reply.ToolCalls), MaxToolCalls))
	case len(reply.Findings) > MaxFindings || len(reply.Findings) > 0 && p.Kind != AskedCycle:
		return badReply(fmt.Sprintf("it has %d findings, the bound is %d in a cycle and none in an answer", len(reply.Findings), MaxFindings))
	}
	known := knownTo(p)
	if err := checkEvidence(known, reply.Used); err != nil {
		return err
	}
	for _, f := range reply.Findings {
		if err := checkFinding(known, f); err != nil {
			return err
		}
	}
	return nil
}

func isShare(p domain.PPM) bool { return p >= 0 && p <= domain.One }

// knownTo is everything that a prompt tells of.
func knownTo(p Prompt) map[domain.ID]bool {
	known := map[domain.ID]bool{p.Asked.ID: true}
	for _, item := range p.World {
		known[item.EnvelopeID] = true
	}
	for _, rel := range p.Related {
		known[rel.Signal.EnvelopeID], known[rel.Commitment.EnvelopeID] = true, true
	}
	for _, done := range p.Done {
		known[done.End] = true
	}
	return known
}

func checkFinding(known map[domain.ID]bool, f domain.Finding) error {
	switch {
	case len(f.Blocks) == 0 || strings.TrimSpace(f.Topic) == "" || !isShare(f.Confidence):
		return badReply("a finding says nothing, names no topic, or is surer than 1")
	case len(f.Evidence) == 0:
		return badReply("a finding rests on nothing")
	}
	return checkEvidence(known, f.Evidence)
}

func checkEvidence(known map[domain.ID]bool, evidence []domain.Evidence) error {
	if len(evidence) > MaxEvidence {
		return badReply(fmt.Sprintf("it rests on %d items, the bound is %d", len(evidence), MaxEvidence))
	}
	for _, used := range evidence {
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
