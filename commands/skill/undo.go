package skill

import (
	"context"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
)

// undo takes back the latest change.
func (s *skills) undo() tool.Skill {
	return skill{effects: true, takesBack: true, do: s.doUndo, tool: domain.Tool{
		Name:        "undo",
		Description: "Take back the last change of reminders, tasks, lists, memories or settings that the person made.",
		Documentation: "All that one call changed is taken back together; asked again it takes back the change before that one. What an interface did isn't taken back. " +
			"When that was the last thing done, the change is older than a day, or another answer than the last one of the conversation made it, the answer names what would be taken back and asks: confirmed says yes to it.",
		Parameters: []domain.Parameter{
			{Name: "of", Type: domain.TypeString, Description: "The id of the answer that said what is to be taken back. Left out: whatever was changed last, here or elsewhere."},
			{Name: "confirmed", Type: domain.TypeBoolean, Description: "True when the person said yes to taking back what the answer named."},
		},
	}}
}

// lately is how long a change is taken back without a question.
const lately = 24 * time.Hour

func (s *skills) doUndo(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct {
		Of        string
		Confirmed bool
	}](call)
	if err != nil {
		return asksBack(err)
	}
	if call.Lineage.Principal != domain.PrincipalOperator {
		return ask(say("undo.none", args{"why": speech.Kind("not_by_you")}))
	}
	u := &undoing{doing: doing{skills: s, call: call, at: s.cfg.Tail.Tail()}}
	if err := s.caughtUp(ctx); err != nil {
		return tool.SkillDone{}, err
	}
	of, err := s.changeBehind(ctx, p.Of)
	if err != nil {
		return asksBack(err)
	}
	if err := u.find(ctx, of); err != nil {
		return tool.SkillDone{}, err
	}
	foreign, err := u.foreignCall(ctx)
	switch {
	case err != nil:
		return tool.SkillDone{}, err
	case u.change.Last() == 0 && foreign != nil:
		return tell(say("undo.by_tool", foreign), say("undo.none", args{"why": speech.Kind("nothing_else")}))
	case u.change.Last() == 0:
		return tell(say("undo.none", args{"why": speech.Kind("nothing")}))
	}
	u.invert(ctx)
	var question []speech.Message
	if u.err == nil && len(u.back) > 0 && !p.Confirmed {
		question, u.err = u.question(ctx, foreign)
	}
	if u.err == nil && len(question) > 0 {
		agreed := yes()
		agreed.With["of"] = u.change.Records[0].Envelope.ID.String()
		return askAll(append(question, say("say_yes")), agreed, no())
	}
	return u.done()
}

// question asks before something is taken back that the person may not have in mind: another's
// doing, an older change, or one of another answer than the last; none is needed for any other.
func (u *undoing) question(ctx context.Context, foreign args) ([]speech.Message, error) {
	if foreign != nil {
		return []speech.Message{say("undo.by_tool", foreign), say("undo.sure_before", args{"back": u.back})}, nil
	}
	made := u.change.Records[0].Envelope
	elsewhere, err := u.isElsewhere(ctx, u.call, made.Trace)
	if err != nil || !elsewhere && u.call.Now.Sub(made.Timestamp) <= lately {
		return nil, err
	}
	asked, err := u.askedFor(ctx, made.Trace)
	return []speech.Message{say("undo.sure", args{"at": moment(made.Timestamp, u.call), "asked": asked, "back": u.back})}, err
}

// isElsewhere reports whether a change was made by anything but the last answer of the conversation
// that it is to be taken back in. Where that isn't asked for in a conversation nothing is elsewhere.
func (s *skills) isElsewhere(ctx context.Context, call tool.SkillCall, made domain.TraceID) (bool, error) {
	opening, some, err := s.openingMessage(ctx, call.Lineage.Trace)
	if err != nil || !some || made == call.Lineage.Trace {
		return false, err
	}
	from, err := s.cfg.Reader.Since(ctx, call.Now.Add(-lately))
	if err != nil {
		return false, err
	}
	var last domain.TraceID
	in := domain.ConversationOf(opening.Envelope)
	_, err = domain.Look(ctx, s.cfg.Reader, domain.Selector{Topic: domain.TopicMessages}, from, maxLooked, func(rec domain.Record) {
		switch e := rec.Envelope; {
		case rec.Position >= opening.Position || e.Principal != domain.PrincipalOperator || domain.ConversationOf(e) != in:
		case e.Type == domain.MessageReceivedType, e.Type == domain.ActionReceivedType:
			last = e.Trace
		}
	})
	return last != made, err
}

// askedFor are the words by which the person asked for a change; nil where it wasn't asked for in
// words, or they can't be read any more. A yes names nothing.
func (s *skills) askedFor(ctx context.Context, made domain.TraceID) (speech.Value, error) {
	opening, some, err := s.openingMessage(ctx, made)
	if err != nil || !some {
		return nil, err
	}
	received, err := domain.Decode[domain.MessageReceived](opening.Envelope)
	if _, short := tongues.AnswerIn(received.Text); domain.CodeOf(err) == domain.CodeErased || err == nil && (short || received.Text == "") {
		return nil, nil
	}
	const most = 80
	return speech.Text{Words: domain.Cut(strings.Join(strings.Fields(received.Text), " "), most), In: opening.Envelope.ID}, err
}

// openingMessage is the message that opened a trace; false where none did.
func (s *skills) openingMessage(ctx context.Context, trace domain.TraceID) (domain.Record, bool, error) {
	rec, err := s.cfg.Reader.Find(ctx, trace.ID)
	if domain.CategoryOf(err) == domain.NotFound {
		return rec, false, nil
	}
	return rec, err == nil && rec.Envelope.Type == domain.MessageReceivedType, err
}

// done is the answer, with all that makes the change good.
func (u *undoing) done() (tool.SkillDone, error) {
	u.does(domain.UndoneKey(), domain.ChangeUndone{ChangeID: u.change.ID, Remade: u.remade})
	if u.err != nil {
		return tool.SkillDone{}, u.err
	}
	said := speech.Said{As: speech.Did, Says: []speech.Message{say("undo.done", args{"back": u.back, "left": orNone(u.left)})}}
	if len(u.back) == 0 {
		said = speech.Said{As: speech.Warned, Says: []speech.Message{say("undo.cannot", args{"left": u.left})}}
	}
	if u.others {
		said.Says = append(said.Says, say("undo.others_stay"))
	}
	points := map[string]any{"change_id": u.change.ID.UUID(), "plans": append([]map[string]any{}, u.spoken...)}
	return pointing(tool.SkillDone{Said: []speech.Said{said}, Entries: u.entries, Conditions: u.conditions}, points)
}
