package abroad

import (
	"maps"
	"slices"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
)

// InTongue tells blocks of Chalie's own in the language of the message. Sentences that the
// language has nothing for stay as they are, and so does what they quote.
func InTongue(p language.Prompt, blocks ...domain.Block) []domain.Block {
	t, ok := sentences.TongueOf(p)
	if !ok {
		return blocks
	}
	out := make([]domain.Block, len(blocks))
	for i, b := range blocks {
		out[i] = maps.Clone(b)
		told := func(field string, class tongues.Class) {
			text, ok := b[field].(string)
			if said := saidBefore(p, text); ok && said != nil {
				out[i][field] = Catalogue(p).Plain(said, speech.Voice{Now: p.AsOf, Zone: p.Zone})
			} else if ok {
				out[i][field] = t.Tell(text, class)
			}
		}
		switch b["type"] {
		case "text":
			told("content", tongues.Sentence)
		case "alert":
			told("message", tongues.Sentence)
		case "actions":
			out[i]["buttons"] = toldButtons(t, b["buttons"])
		}
	}
	return out
}

func toldButtons(t *tongues.Tongue, buttons any) any {
	all, ok := buttons.([]any)
	if !ok {
		return buttons
	}
	out := slices.Clone(all)
	for i, button := range all {
		if b, ok := button.(map[string]any); ok {
			if label, ok := b["label"].(string); ok {
				b = maps.Clone(b)
				b["label"], out[i] = t.Tell(label, tongues.Label), b
			}
		}
	}
	return out
}

// ReadBack is the prompt with the last reply in English, which may have been told in the
// language of what was said lately.
func ReadBack(p language.Prompt) language.Prompt {
	const lately = 3 // messages: short ones are in the language of those before
	n := len(p.Recent)
	for _, turn := range slices.Backward(p.Recent[max(0, n-lately):]) {
		t, ok := tongues.Of(turn.Prompt)
		if !ok {
			continue
		}
		last := p.Recent[n-1]
		last.Reply = t.Told(last.Reply)
		p.Recent = append(slices.Clone(p.Recent[:n-1]), last)
		break
	}
	return p
}
