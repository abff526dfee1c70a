package skill

import (
	"encoding/json"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
)

// maxSpoken bounds the plans that the data of one answer names.
const maxSpoken = 100

// spoken is a plan in the data of an answer, so that what is said next can point at it.
func (p planned) spoken() map[string]any {
	out := map[string]any{string(p.Kind) + "_id": p.ID.UUID(), "text": p.text}
	if p.Due != 0 {
		out["due"] = p.Due
	}
	if around := strings.TrimSpace(p.appointment.Place + " " + strings.Join(p.appointment.People, " ")); around != "" {
		out["around"] = around // which may tell it from another of its name
	}
	if p.End > p.Due {
		out["end"] = p.End
	}
	if p.Recurs || p.recurrence != nil {
		out["recurs"] = true
		if len(p.times) > 0 {
			out["once"] = true // it was spoken of at this time of it
		}
	}
	return out
}

// speakingOf are plans in the data of an answer.
func speakingOf(all []planned) map[string]any {
	named := make([]map[string]any, 0, min(len(all), maxSpoken))
	for _, p := range all[:min(len(all), maxSpoken)] {
		named = append(named, p.spoken())
	}
	return map[string]any{"plans": named}
}

// mentioning adds the plans to an answer that it names.
func mentioning(done tool.SkillDone, err error, all []planned) (tool.SkillDone, error) {
	if err != nil || len(all) == 0 {
		return done, err
	}
	done.Result.Data, err = json.Marshal(speakingOf(all))
	return done, err
}

// ended is a plan in the data of an answer that says that it has ended.
func (p planned) ended() map[string]any {
	out := p.spoken()
	out["ended"] = true
	return out
}

// called is a plan with other words.
func (p planned) called(text string) planned {
	p.text = text
	return p
}

// dataAt is a plan in the data of an answer that gives it another time.
func (p planned) dataAt(due, end domain.Millis, recurs bool) map[string]any {
	p.Due, p.End, p.Recurs, p.recurrence, p.times = due, end, recurs, nil, nil
	return p.spoken()
}
