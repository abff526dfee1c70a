package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/domain"
	"chalie/domain/guard"
	"chalie/domain/language"
)

// Bounds of what one text takes of a question.
const (
	maxLabelBytes  = 4 << 10
	maxResultBytes = 32 << 10
)

// item is one item of the world state, as a line of data.
type item struct {
	N      int      `json:"n"`
	Kind   string   `json:"kind"`
	Flags  []string `json:"flags,omitempty"`
	Text   string   `json:"text"`
	From   string   `json:"from,omitempty"`
	Type   string   `json:"type,omitempty"`
	Topic  string   `json:"topic,omitempty"`
	When   string   `json:"when,omitempty"` // heard or set
	Due    string   `json:"due,omitempty"`
	Done   string   `json:"done,omitempty"`
	Weight float64  `json:"weight"`
}

// situation is everything but the message itself: the time, what is in mind, what
// bears on what is planned, and what was said before.
func (a *asking) situation(p language.Prompt) string {
	var out strings.Builder
	zone := p.Zone
	if zone == nil {
		zone = time.UTC
	}
	now := p.AsOf.Time().In(zone)
	fmt.Fprintf(&out, "It is %s (%s).\n", now.Format("Monday, 2 January 2006, 15:04"), zone)
	if len(p.World) == 0 {
		out.WriteString("\nNothing is in mind now.\n")
	} else {
		out.WriteString("\nIn mind now, what matters most first:\n")
	}
	for _, x := range p.World {
		out.WriteString(a.item(x, p.AsOf, zone) + "\n")
	}
	if n := len(p.Out); n > 0 {
		fmt.Fprintf(&out, "Left out, because it matters less: %d more.\n", n)
	}
	a.related(&out, p, zone)
	if len(p.Recent) > 0 {
		out.WriteString("\nSaid before, oldest first:\n")
	}
	for _, turn := range p.Recent {
		line := map[string]string{"when": ago(turn.RecordedAt, p.AsOf), "said": cut(clean(turn.Prompt), maxLabelBytes)}
		if turn.Reply != "" {
			line["you_answered"] = cut(clean(turn.Reply), maxLabelBytes)
		}
		out.WriteString(jsonLine(line) + "\n")
	}
	return out.String()
}

// related says which items belong together, and shows those that are not in mind.
func (a *asking) related(out *strings.Builder, p language.Prompt, zone *time.Location) {
	if len(p.Related) == 0 {
		return
	}
	shown := map[domain.ID]bool{}
	for _, x := range p.World {
		shown[x.EnvelopeID] = true
	}
	out.WriteString("\nHeard, and perhaps of consequence for what is planned, strongest first:\n")
	for _, r := range p.Related {
		for _, x := range []language.ContextItem{r.Signal, r.Commitment} {
			if !shown[x.EnvelopeID] {
				shown[x.EnvelopeID] = true
				out.WriteString(a.item(x, p.AsOf, zone) + "\n")
			}
		}
		out.WriteString(jsonLine(map[string]any{
			"heard": a.number(r.Signal), "planned": a.number(r.Commitment),
			"strength": json.Number(r.Score.String()), "shared": cleanList(r.Shared),
		}) + "\n")
	}
}

func (a *asking) number(x language.ContextItem) int {
	return a.sources.number(x.EnvelopeID, roleOf(x.Kind), x.Salience)
}

func (a *asking) item(x language.ContextItem, now domain.Millis, zone *time.Location) string {
	line := item{
		N: a.number(x), Kind: string(x.Kind), Flags: x.Flags, Text: cut(clean(x.Label), maxLabelBytes), From: clean(x.Source),
		Type: clean(x.SignalType), Topic: clean(x.Topic), Weight: x.Salience.Float(),
	}
	if x.RecordedAt != 0 {
		line.When = ago(x.RecordedAt, now)
	}
	if x.Moment != 0 {
		at := x.Moment.Time().In(zone).Format("Mon 2 Jan 2006 15:04")
		if x.Phase == domain.PhaseDone {
			line.Done = at + ", " + ago(x.Moment, now)
		} else {
			line.Due = at + ", " + ago(x.Moment, now)
		}
	}
	return jsonLine(line)
}

// message is what is to be answered.
func message(m language.Asked, person bool) string {
	var out strings.Builder
	if person {
		out.WriteString("\nThe person says:\n" + clean(m.Text) + "\n")
	} else {
		line := map[string]any{"program": clean(string(m.Via)), "text": clean(m.Text)}
		if m.Source != "" {
			line["on_behalf_of"] = clean(m.Source)
		}
		if m.Topic != "" {
			line["topic"] = clean(m.Topic)
		}
		if len(m.Flags) > 0 {
			line["flags"] = m.Flags
		}
		if data := cleanJSON(m.Metadata); len(data) > 2 {
			line["metadata"] = data
		}
		out.WriteString("\nA program reports:\n" + jsonLine(line) + "\n")
	}
	if missing := m.Images - len(m.Pictures); missing > 0 {
		fmt.Fprintf(&out, "\n%d attached, which can't be shown to you.\n", missing)
	}
	return out.String()
}

// ago is a moment as seen from now, in one unit.
func ago(at, now domain.Millis) string {
	d, form := now.Sub(at), "%s ago"
	if d < 0 {
		d, form = -d, "in %s"
	}
	var span string
	switch {
	case d < time.Minute:
		return "now"
	case d < 2*time.Hour:
		span = fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		span = fmt.Sprintf("%d h", d/time.Hour)
	default:
		span = fmt.Sprintf("%d days", d/(24*time.Hour))
	}
	return fmt.Sprintf(form, span)
}

// jsonLine writes a value as one line, without the escapes that only HTML needs.
func jsonLine(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return `"(can't be written)"`
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// clean is a text without secrets.
func clean(text string) string {
	out, _ := guard.Redact(text)
	return out
}

// cleanJSON is a JSON value in one line, without secrets; empty for none.
func cleanJSON(value json.RawMessage) json.RawMessage {
	var line bytes.Buffer
	if json.Compact(&line, value) != nil || line.String() == "null" {
		return nil
	}
	out, _ := guard.RedactJSON(line.Bytes())
	return out
}

func cleanList(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = cut(clean(text), maxLabelBytes)
	}
	return out
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
