package replay

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/domain"
)

// said is what the person was told by a record: the text of what a conclusion
// shows, or the message of a failure they saw; "" when they were told nothing.
func (w *walk) said(rec domain.Record) string { return w.saidBy(rec, domain.PlainText) }

// saying is said as it stands in a sentence.
func (w *walk) saying(rec domain.Record) string { return w.saidBy(rec, inASentence) }

func (w *walk) saidBy(rec domain.Record, text func([]domain.Block) string) string {
	e := rec.Envelope
	if e.Type != domain.ReasoningConcludedType {
		return ""
	}
	c, err := domain.ConclusionOf(e)
	switch {
	case err != nil:
		return ""
	case c.Shown == domain.ShownNot:
		if c.Outcome == domain.OutcomeFailed && e.Principal == domain.PrincipalOperator && len(e.Errors) > 0 {
			return e.Errors[0].Message
		}
		return ""
	case unreadableLabel(e) != "":
		return unreadableLabel(e)
	case len(c.Blocks) > 0:
		return text(c.Blocks)
	}
	reply, ok := w.records[c.Reply]
	if !ok {
		reply, ok = w.beside[c.Reply]
	}
	if !ok {
		return w.absentLabelOf(c.Reply)
	}
	if gone := unreadableLabel(reply.Envelope); gone != "" {
		return gone
	}
	if completed, err := domain.Decode[domain.ToolCompleted](reply.Envelope); err == nil {
		if completed.Error != nil {
			return *completed.Error
		}
		return answerOf(completed)
	}
	replied, err := domain.Decode[domain.ModelReplied](reply.Envelope)
	if err != nil {
		return ""
	}
	return shownText(replied, c.Findings, text)
}

// foundText is what a reply of a cycle found, shown or not.
func foundText(p domain.ModelReplied) string {
	var texts []string
	for _, finding := range p.Findings {
		texts = append(texts, domain.PlainText(finding.Blocks))
	}
	return strings.Join(texts, "\n")
}

// shownText is what of a reply is shown: its blocks, or some of its findings.
func shownText(p domain.ModelReplied, findings []int, text func([]domain.Block) string) string {
	if len(findings) == 0 {
		return text(p.Blocks)
	}
	var texts []string
	for _, i := range findings {
		if i >= 0 && i < len(p.Findings) {
			texts = append(texts, text(p.Findings[i].Blocks))
		}
	}
	return strings.Join(texts, "\n")
}

// inASentence is what blocks say on one line: of a table what its rows begin with, as
// all cells in a row say nothing.
func inASentence(blocks []domain.Block) string {
	var out []string
	for i, b := range blocks {
		text := domain.PlainText([]domain.Block{b})
		if rows, ok := b["rows"].([]any); ok && b["type"] == "table" {
			text = firstCells(rows)
		}
		if b["type"] == "header" && i+1 < len(blocks) {
			text += ":"
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

func firstCells(rows []any) string {
	var out []string
	for _, row := range rows {
		if cells, ok := row.([]any); ok && len(cells) > 0 {
			out = append(out, fmt.Sprint(cells[0]))
		}
	}
	return strings.Join(out, "; ")
}

// clause tells an envelope as what somebody did and when, to stand behind
// "because".
func (t *teller) clause(n Node) string {
	switch {
	case n.Dropped:
		return "something happened that is no longer kept"
	case n.Missing:
		return "something happened that is not in this log"
	}
	if planned := t.plannedClause(n, t.records[n.ID].Envelope); planned != "" {
		return planned
	}
	if t.isSpoken(n) {
		return t.deed(n) + " at " + t.clock(n.RecordedAt)
	}
	return "at " + t.clock(n.RecordedAt) + " " + t.deed(n)
}

// isSpoken reports whether what an envelope says is told in quotation marks, so that
// something can stand behind it.
func (t *teller) isSpoken(n Node) bool {
	deed := unmarked(t.deed(n))
	return n.Type != domain.SpineSignalEmittedType && (strings.HasSuffix(deed, `"`) || !strings.ContainsAny(deed, ":,"))
}

// deed tells an envelope as what somebody did.
func (t *teller) deed(n Node) string {
	rec, e := t.records[n.ID], t.records[n.ID].Envelope
	text := t.quotedOf(rec)
	switch e.Type {
	case domain.SignalReceivedType:
		if t.repeats(e) {
			text = t.mark(rec, "it")
		}
		return t.who(rec, "something it listens to") + " reported " + text
	case domain.MessageReceivedType:
		return t.who(rec, "somebody") + " " + t.uttered(rec)
	case domain.ActionReceivedType:
		return "you pressed " + text
	case domain.SteerReceivedType:
		return "you added " + text
	case domain.ContextUpdatedType:
		return t.mark(rec, "your surroundings were reported")
	case domain.SpineSignalEmittedType:
		return t.mark(rec, t.noticed(e))
	case domain.ToolCompletedType:
		return t.toolNamed(e) + " answered " + text
	case domain.ModelRepliedType, domain.ReasoningConcludedType:
		return "it had said " + text
	}
	if subject, ok := subjectOf(e); ok && unreadableLabel(e) == "" {
		return t.mark(rec, subject+n.Label)
	}
	return "this happened: " + t.mark(rec, quoted(n.Label))
}

// uttered is what a message says, with its verb: who sends nothing but an image says
// nothing.
func (t *teller) uttered(rec domain.Record) string {
	if p, ok := decoded[domain.MessageReceived](rec.Envelope); ok && strings.TrimSpace(p.Text) == "" && len(p.ImageIDs) > 0 {
		return "sent " + t.mark(rec, oneOf(len(p.ImageIDs), "an image", fmt.Sprintf("%d images", len(p.ImageIDs))))
	}
	text := t.quotedOf(rec)
	if strings.HasSuffix(unmarked(text), `?"`) {
		return "asked " + text
	}
	return "said " + text
}

// repeats reports whether what was said is, for the most part, what a signal
// reported.
func (t *teller) repeats(e domain.Envelope) bool {
	content := strings.TrimRight(shortened(textIn(e), maxQuote), ".! ")
	said := shortened(t.out.Target.Said, maxLabel)
	return content != "" && strings.Contains(said, content) && 2*len(content) > len(said)
}

// who is what the sender of a record was called then.
func (t *teller) who(rec domain.Record, otherwise string) string {
	e := rec.Envelope
	source := ""
	switch e.Type {
	case domain.SignalReceivedType:
		source = words(e, func(p domain.SignalReceived) string { return p.Source })
	case domain.MessageReceivedType:
		source = words(e, func(p domain.MessageReceived) string { return p.Source })
	}
	if name := sender(e, source, t.called[e.ID]); name != "" {
		return name
	}
	return otherwise
}

// quotedOf is what a record says, in quotation marks, and marked as speaking of it.
func (t *teller) quotedOf(rec domain.Record) string { return t.mark(rec, t.sayingOf(rec.Envelope)) }

// sayingOf is what an envelope says, in quotation marks.
func (t *teller) sayingOf(e domain.Envelope) string {
	if then, ok := t.texts[e.ID]; ok {
		e = then
	}
	if gone := unreadableLabel(e); gone != "" {
		return quoted(gone)
	}
	var text string
	switch e.Type {
	case domain.MessageReceivedType:
		text = words(e, textOrImage)
	case domain.ActionReceivedType:
		text = words(e, domain.ActionReceived.Name)
	case domain.ToolCompletedType:
		text = words(e, func(p domain.ToolCompleted) string {
			if p.Error != nil {
				return *p.Error
			}
			return answerOf(p)
		})
	case domain.ModelRepliedType:
		text = words(e, func(p domain.ModelReplied) string {
			return cmp.Or(shownText(p, t.shown[e.ID].findings, inASentence), foundText(p))
		})
	case domain.ReasoningConcludedType:
		text = t.saying(domain.Record{Envelope: e})
	default:
		if text = t.planText(e); text == "" {
			text = textIn(e)
		}
	}
	if strings.TrimSpace(text) == "" {
		text = labelOf(e, t.called[e.ID])
	}
	return quoted(text)
}

// noticed tells a spine signal.
func (t *teller) noticed(e domain.Envelope) string {
	p, err := domain.Decode[domain.SpineSignalEmitted](e)
	if err != nil {
		if kind, ok := domain.SpineTypeOf(e); ok {
			return meaningOf(kind) + " " + unreadable(e)
		}
		return "something was noticed " + unreadable(e)
	}
	told := meaningOf(p.SignalType)
	if p.SignalType == domain.IdleDiscovery {
		told = "nothing had been said or done for a while"
	}
	switch {
	case p.Content == nil || strings.TrimSpace(*p.Content) == "" || p.SignalType == domain.IdleDiscovery: // which says that again
		return told
	case p.SignalType == domain.AmbientContext: // and so does this, with what has changed
		return strings.Replace(shortened(*p.Content, maxQuote), "the person's ", "your ", 1)
	}
	return told + ": " + quoted(*p.Content)
}

// clock is a moment as a person would say it beside the target: the day only when
// it is another one.
func (t *teller) clock(m domain.Millis) string {
	zone, suffix := t.zone, ""
	if zone == nil {
		zone, suffix = time.UTC, " UTC"
	}
	at, target := m.Time().In(zone), t.target.RecordedAt.Time().In(zone)
	layout := "15:04"
	switch {
	case at.Year() != target.Year():
		layout = "15:04 on 2 January 2006"
	case at.YearDay() != target.YearDay():
		layout = "15:04 on 2 January"
	}
	hour, day, _ := strings.Cut(at.Format(layout), " ")
	if day != "" {
		day = " " + day
	}
	return hour + suffix + day
}

// sentence ends a text with one full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(unmarked(text), `"`)); strings.ContainsRune(".…!?", last) {
		return text
	}
	return text + "."
}

func quoted(text string) string { return `"` + shortened(text, maxQuote) + `"` }

// span is a length of time in its largest units.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 10*time.Hour && d%time.Hour >= time.Minute:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}
