package builtinmodel

import (
	"maps"
	"slices"

	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/tongue"
)

// inTongue tells blocks of Chalie's own in the language of the message. Sentences that the
// language has nothing for stay as they are, and so does what they quote.
func inTongue(p reasoning.Prompt, blocks ...domain.Block) []domain.Block {
	t, ok := tongueOf(p)
	if !ok {
		return blocks
	}
	out := make([]domain.Block, len(blocks))
	var heading any
	for i, b := range blocks {
		out[i] = maps.Clone(b)
		told := func(field string, class tongue.Class) {
			if text, ok := b[field].(string); ok {
				out[i][field] = t.Tell(text, class)
			}
		}
		switch b["type"] {
		case "text":
			told("content", tongue.Sentence)
		case "alert":
			told("message", tongue.Sentence)
		case "header":
			heading = b["content"]
			told("content", tongue.Heading)
		case "list":
			if overPlans[heading] {
				out[i]["items"] = toldItems(t, b["items"])
			}
		case "actions":
			out[i]["buttons"] = toldButtons(t, b["buttons"])
		}
	}
	return out
}

// overPlans are headings over entries that have a time; those of other lists are what people
// wrote.
var overPlans = map[any]bool{"Reminders": true, "Alarms": true, "Appointments": true, "Tasks": true, "Lists": true}

func toldItems(t *tongue.Tongue, items any) any {
	switch items := items.(type) {
	case []string:
		out := make([]string, len(items))
		for i, item := range items {
			out[i] = t.Tell(item, tongue.Entry)
		}
		return out
	case []any:
		out := slices.Clone(items)
		for i, item := range items {
			if text, ok := item.(string); ok {
				out[i] = t.Tell(text, tongue.Entry)
			}
		}
		return out
	}
	return items
}

func toldButtons(t *tongue.Tongue, buttons any) any {
	all, ok := buttons.([]any)
	if !ok {
		return buttons
	}
	out := slices.Clone(all)
	for i, button := range all {
		if b, ok := button.(map[string]any); ok {
			if label, ok := b["label"].(string); ok {
				b = maps.Clone(b)
				b["label"], out[i] = t.Tell(label, tongue.Label), b
			}
		}
	}
	return out
}

// readBack is the prompt with the last reply in English, which may have been told in the
// language of what was said lately.
func readBack(p reasoning.Prompt) reasoning.Prompt {
	const lately = 3 // messages: short ones are in the language of those before
	n := len(p.Recent)
	for _, turn := range slices.Backward(p.Recent[max(0, n-lately):]) {
		t, ok := tongue.Of(turn.Prompt)
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
