// Package cards is what is told unasked: a card for each plan that something heard bears on, with the buttons by
// which a person answers it.
package cards

import (
	"strings"

	"chalie/domain"
	"chalie/domain/guard"
	"chalie/domain/language"
	"chalie/domain/language/tools"
)

// Bounds of what a card takes of others' words.
const (
	MaxHeadlineBytes = 160
	maxSenderBytes   = 30 // on a button
)

// Buttons are what may follow from any finding: more of it, not this, and nothing of this
// kind from the sender of lead, the strongest of the signals that it rests on. plan is none of
// a finding that is about no plan.
func Buttons(plan domain.ID, signals []domain.ID, lead language.ContextItem) []domain.Button {
	ids := make([]string, len(signals))
	for i, id := range signals {
		ids[i] = id.String()
	}
	of := map[string]any{"signals": strings.Join(ids, " ")}
	dismiss := map[string]any{"action": "dismiss", "signals": of["signals"]}
	if !plan.IsZero() {
		of["plan"], dismiss["plan"] = plan.String(), plan.String()
	}
	return []domain.Button{
		{Label: "Tell me more", Skill: tools.SkillMore, Params: of},
		{Label: "Not this", Skill: tools.SkillNotice, Params: dismiss},
		{Label: "Nothing of this kind from " + domain.Cut(SenderOf(lead), maxSenderBytes), Skill: tools.SkillNotice, Params: map[string]any{"action": "silence", "signals": lead.EnvelopeID.String()}},
	}
}

// SenderOf names a signal's sender; "a program" where that name tries something with its
// reader, or is none.
func SenderOf(signal language.ContextItem) string {
	const most = 120
	if source := domain.Cut(strings.Join(strings.Fields(signal.Source), " "), most); source != "" && len(guard.Threats(source)) == 0 {
		return source
	}
	return "a program"
}
