package explain

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// said is the text that a record showed the person: that of a conclusion's blocks, or a
// failure's message; "" for none.
func (w *walk) said(rec domain.Record) string { return w.saidBy(rec, inFull) }

// saying is said for use in a sentence.
func (w *walk) saying(rec domain.Record) string { return w.saidBy(rec, forASentence) }

func (w *walk) saidBy(rec domain.Record, how telling) string {
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
	case narrate.Unreadable(e) != "":
		return narrate.Unreadable(e)
	case c.Reply.IsZero() && len(c.Blocks) > 0:
		return how.text(c.Blocks)
	}
	reply, ok := w.records[c.Reply]
	if !ok {
		reply, ok = w.beside[c.Reply]
	}
	if !ok {
		return w.absentLabelOf(c.Reply)
	}
	if gone := narrate.Unreadable(reply.Envelope); gone != "" {
		return gone
	}
	if completed, err := domain.Decode[domain.ToolCompleted](reply.Envelope); err == nil {
		if completed.Error != nil {
			return *completed.Error
		}
		return narrate.AnswerOf(completed)
	}
	replied, err := domain.Decode[domain.ModelReplied](reply.Envelope)
	if err != nil {
		return ""
	}
	shown := shownText(replied, c.Findings, how)
	if len(c.Blocks) > 0 {
		shown += "\n" + how.text(c.Blocks)
	}
	return shown
}

// foundText is the findings of a cycle's reply, shown or not.
func foundText(p domain.ModelReplied) string {
	var texts []string
	for _, finding := range p.Findings {
		texts = append(texts, inASentence(headlined(finding)))
	}
	return strings.Join(texts, forASentence.between)
}

// headlined is a finding in a sentence: its headline, or all of it without one.
func headlined(f domain.Finding) []domain.Block {
	if f.Headline == "" {
		return f.Blocks
	}
	return []domain.Block{domain.TextBlock(f.Headline, domain.FormatPlain)}
}

// shownText is the shown part of a reply: its blocks, or some of its findings.
func shownText(p domain.ModelReplied, findings []int, how telling) string {
	if len(findings) == 0 {
		return how.text(p.Blocks)
	}
	var texts []string
	for _, i := range findings {
		if i >= 0 && i < len(p.Findings) {
			texts = append(texts, how.text(how.card(p.Findings[i])))
		}
	}
	return strings.Join(texts, how.between)
}

// telling is how what was shown is put into words.
type telling struct {
	text    func([]domain.Block) string
	card    func(domain.Finding) []domain.Block
	between string // findings
}

// The ways.
var (
	inFull       = telling{domain.PlainText, domain.Finding.Card, "\n"}
	forASentence = telling{inASentence, headlined, " · "}
)

// inASentence is the text of blocks on one line: of a table only the first cells, because
// a row of all cells reads as gibberish.
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

// reason tells an envelope as an action with its time, worded to follow "because".
func (t *narrator) reason(n Node) narrate.Phrase {
	switch {
	case n.Dropped:
		return narrate.Words("something happened that is no longer kept")
	case n.Missing:
		return narrate.Words("something happened that is not in this log")
	}
	if t.seen[n.ID].Kind == domain.ItemQuestion {
		return narrate.Asked(t.scene(n))
	}
	// A plan may be known only by the message that made it.
	if rec := t.records[n.ID]; t.planned[n.ID] && (rec.Topic != domain.TopicCommitments || narrate.Unreadable(rec.Envelope) != "") {
		return narrate.Planned(t.scene(n))
	}
	return narrate.Reason(t.scene(n))
}

// clause tells an envelope as an action.
func (t *narrator) clause(n Node) narrate.Phrase { return narrate.Clause(t.scene(n)) }

// scene is a node's record with the records around it.
type scene struct {
	*narrator
	rec  domain.Record
	node Node
}

var _ narrate.Scene = scene{}

func (t *narrator) scene(n Node) scene { return scene{t, t.records[n.ID], n} }

func (s scene) Record() domain.Record { return s.rec }

func (s scene) Quote() narrate.Phrase { return s.quotedOf(s.rec) }

func (s scene) Tool() narrate.Phrase { return s.toolNamed(s.rec.Envelope) }

func (s scene) Proposal() narrate.Phrase { return s.proposed(s.rec.Envelope) }

func (s scene) Label() string { return s.node.Label }

func (s scene) Clock(at domain.Millis) string { return s.clock(at) }

func (s scene) Sender(otherwise string) string { return s.who(s.rec, otherwise) }

// Repeated reports whether the text that was told is mostly the signal's own.
func (s scene) Repeated() bool {
	content := strings.TrimRight(narrate.Shortened(narrate.Text(s.rec.Envelope), narrate.MaxQuote), ".! ")
	said := narrate.Shortened(s.out.Target.Said, narrate.MaxLabel)
	return content != "" && strings.Contains(said, content) && 2*len(content) > len(said)
}

// Due is the due time of a plan as reasoning saw it, or else as it was set.
func (s scene) Due(word string, set domain.Millis) string {
	if item, ok := s.seen[s.node.ID]; ok && item.Phase == domain.PhasePending && item.Moment != 0 {
		set = item.Moment
	}
	if set == 0 {
		return ""
	}
	return word + s.clock(set)
}

// who is the name of a record's sender at that time.
func (t *narrator) who(rec domain.Record, otherwise string) string {
	if name := narrate.SenderOf(rec.Envelope, t.called[rec.Envelope.ID]); name != "" {
		return name
	}
	return otherwise
}

// quotedOf quotes a record's text, with a reference to it.
func (t *narrator) quotedOf(rec domain.Record) narrate.Phrase {
	return narrate.About(rec, t.sayingOf(rec.Envelope))
}

// sayingOf quotes an envelope's text.
func (t *narrator) sayingOf(e domain.Envelope) string {
	if then, ok := t.texts[e.ID]; ok {
		e = then
	}
	if gone := narrate.Unreadable(e); gone != "" {
		return narrate.Quoted(gone)
	}
	var text string
	switch e.Type {
	case domain.MessageReceivedType:
		text = words(e, narrate.TextOrImage)
	case domain.ActionReceivedType:
		text = words(e, domain.ActionReceived.Name)
	case domain.ToolCompletedType:
		text = words(e, func(p domain.ToolCompleted) string {
			if p.Error != nil {
				return *p.Error
			}
			return narrate.AnswerOf(p)
		})
	case domain.ModelRepliedType:
		text = words(e, func(p domain.ModelReplied) string {
			return cmp.Or(shownText(p, t.shown[e.ID].findings, forASentence), foundText(p))
		})
	case domain.ReasoningConcludedType:
		text = t.saying(domain.Record{Envelope: e})
	default:
		if text = t.planText(e); text == "" {
			text = narrate.Text(e)
		}
	}
	if strings.TrimSpace(text) == "" {
		text = narrate.Label(e, t.called[e.ID])
	}
	return narrate.Quoted(text)
}

// planText is a plan's text from the causes of e: its own, its parent's, or that of the
// message that made it.
func (t *narrator) planText(e domain.Envelope) string {
	plan, _ := domain.PlanOf(e)
	for _, about := range []domain.Envelope{e, t.records[e.Parent].Envelope, t.records[plan].Envelope} {
		if gone := narrate.Unreadable(about); gone != "" {
			return gone
		}
		if _, isPlan := domain.PlanOf(about); !isPlan && about.ID != plan {
			continue
		}
		if text := narrate.Text(about); text != "" {
			return text
		}
	}
	return ""
}

// clock is a moment for a sentence, with the day only when it differs from the target's.
func (t *narrator) clock(m domain.Millis) string {
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
