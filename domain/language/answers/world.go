package answers

import (
	"slices"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// maxItems bounds what is shown of the world state.
const maxItems = 20 // more only with other rules than the default ones

// sayWorld says what the world state holds, and leads to the page that says how much
// each weighs, and why.
func sayWorld(reply *language.Reply, p language.Prompt) {
	says := func(m speech.Message) { abroad.Say(reply, p, nil, told(m)) }
	switch items := shown(p); {
	case len(items) > 0:
		lines := []speech.Said{{As: speech.Heading, Says: []speech.Message{tools.Says("world", "what", speech.Kind("heading"))}}}
		for _, item := range items {
			lines = append(lines, speech.Said{As: speech.Entry, Says: []speech.Message{listed(item, p.AsOf)}})
		}
		abroad.Say(reply, p, nil, lines...)
		if more := len(p.World) - len(items); more > 0 {
			says(tools.Says("world", "what", speech.Kind("more"), "n", speech.Count(more)))
		}
	case len(p.Out) > 0:
		says(tools.Says("world", "what", speech.Kind("faded")))
	default:
		says(tools.Says("world", "what", speech.Kind("never")))
	}
	if len(p.Out) > 0 {
		says(leftOut(p.Out))
	}
	if len(p.World) > 0 {
		weights := speech.Said{As: speech.Link, Says: []speech.Message{tools.Says("world", "what", speech.Kind("weights"))}}
		abroad.Say(reply, p, []domain.Block{sentences.LeadsTo("/now", "")}, weights)
	}
}

func shown(p language.Prompt) []language.ContextItem { return p.World[:min(len(p.World), maxItems)] }

// used are the items that are named, as evidence.
func used(items []language.ContextItem) []domain.Evidence {
	out := make([]domain.Evidence, len(items))
	for i, item := range items {
		out[i] = domain.Evidence{EnvelopeID: item.EnvelopeID, Role: "named", Weight: item.Salience}
	}
	return out
}

// listed is an item in a line: what it is, where it is from, and its time.
func listed(item language.ContextItem, now domain.Millis) speech.Message {
	var about speech.List
	if item.Source != "" {
		about = append(about, tools.Says("world.about", "what", speech.Kind("from"), "source", sourceOf(item)))
	}
	if at := timed(item, now); !at.IsZero() {
		about = append(about, at)
	}
	if item.Bonus > 0 {
		about = append(about, tools.Says("world.about", "what", speech.Kind("tied")))
	}
	out := tools.Says("world.entry", "what", labelOf(item))
	if len(about) > 0 {
		out.Args["about"] = about
	}
	return out
}

// labelOf are the words of an item, which are others' where it was heard.
func labelOf(item language.ContextItem) speech.Text {
	words := sentences.Cut(sentences.OneLine(item.Label), sentences.MaxLabelBytes)
	return speech.Text{Words: words, In: item.EnvelopeID, Theirs: sourceOf(item).Words}
}

// sourceOf is who says an item.
func sourceOf(item language.ContextItem) speech.Text {
	return speech.Text{Words: sentences.Cut(sentences.OneLine(item.Source), sentences.MaxNameBytes)}
}

// timed is the time of an item: of what is planned when it is due, of what is over when
// that was, and of everything else when it came. The zero message when that isn't known.
func timed(item language.ContextItem, now domain.Millis) speech.Message {
	was := func(what speech.Kind, at domain.Millis) speech.Message {
		return tools.Says("world.about", "what", what, "at", speech.Time{At: at})
	}
	switch left := item.Moment.Sub(now); {
	case item.Phase == domain.PhasePending && item.Moment == 0:
		return speech.Message{}
	case item.Phase == domain.PhasePending && left < 0:
		return tools.Says("world.about", "what", speech.Kind("overdue"), "length", speech.Length(-left))
	case item.Phase == domain.PhasePending:
		return tools.Says("world.about", "what", speech.Kind("due"), "length", speech.Length(left))
	case item.Phase == domain.PhaseDone && item.Moment != 0 && item.Kind == domain.ItemReminder:
		return was("reminded", item.Moment)
	case item.Phase == domain.PhaseDone && item.Moment != 0:
		return was("done", item.Moment)
	case item.RecordedAt == 0:
		return speech.Message{}
	case item.Phase == domain.PhaseOpen:
		return was("down", item.RecordedAt)
	}
	return was("came", item.RecordedAt)
}

// leftOut counts what is not in, by the gate that kept it out.
func leftOut(items []domain.SeenItem) speech.Message {
	gates := []domain.Gate{domain.GateNotInFive, domain.GateBelowThreshold, domain.GateExpired, domain.GateOver, domain.GateOverCapacity}
	const other = "elsewise"
	counts := map[domain.Gate]int{}
	for _, item := range items {
		gate := item.Gate
		if !slices.Contains(gates, gate) {
			gate = other
		}
		counts[gate]++
	}
	var parts speech.List
	for _, gate := range append(gates, other) {
		if n := counts[gate]; n > 0 {
			parts = append(parts, tools.Says("world.about", "what", speech.Kind(gate), "n", speech.Count(n)))
		}
	}
	return tools.Says("world", "what", speech.Kind("left_out"), "out", parts)
}
