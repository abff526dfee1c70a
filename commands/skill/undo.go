package skill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
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
		return asks("Only the person takes back what they changed.")
	}
	at := s.cfg.Tail.Tail()
	if err := s.caughtUp(ctx); err != nil {
		return tool.SkillDone{}, err
	}
	of, err := s.changeBehind(ctx, p.Of)
	if err != nil {
		return asksBack(err)
	}
	one, known, err := s.undoable(ctx, call.Now, of)
	if err == nil && len(one.records) == 0 && !of.IsZero() && !slices.ContainsFunc(known.changes, func(c change) bool { return c.id == of }) {
		one, known, err = s.undoable(ctx, call.Now, domain.ID{}) // the answer only told something
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	foreign, err := s.foreignCall(ctx, max(known.acted, one.position()), call.Now, one.id)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if len(one.records) == 0 {
		text := "There is nothing to take back."
		if foreign != "" {
			text = fmt.Sprintf("The last thing that was done is %s, and I can't take that back. There is nothing else to take back.", foreign)
		}
		return answered(text, []domain.Block{domain.TextBlock(text, domain.FormatPlain)}, nil)
	}
	u := undoing{skills: s, call: call, at: at, change: one, isNow: known.isNow}
	if err := u.invert(ctx); err != nil {
		return tool.SkillDone{}, err
	}
	elsewhere, err := s.isElsewhere(ctx, call, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	said, err := s.wordsOf(ctx, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if question := u.question(foreign, said, elsewhere); question != "" && !p.Confirmed {
		agreed := yes()
		agreed.With["of"] = one.records[0].Envelope.ID.String()
		return asksFor(question, agreed, no())
	}
	return u.done(known)
}

// change is what one call changed, or one request.
type change struct {
	id      domain.ID       // domain.ChangeOf its records
	records []domain.Record // oldest first
}

// position is that of the last record; 0 of no change.
func (c change) position() domain.Position {
	if len(c.records) == 0 {
		return 0
	}
	return c.records[len(c.records)-1].Position
}

// pastChanges are the changes since a moment.
type pastChanges struct {
	changes []change                // oldest first
	back    map[domain.ID]bool      // those that took another back
	undone  map[domain.ID]bool      // those that were taken back
	isNow   map[domain.ID]domain.ID // what was made anew by taking something back, by what it had been
	acted   domain.Position         // the last record of what took another back
	others  bool                    // somebody else changed something since, and nothing was taken back after that
}

// changeBehind is the change that an answer says was made, by its id: what one call appended has the
// parent of its answer. It is zero for "".
func (s *skills) changeBehind(ctx context.Context, answer string) (domain.ID, error) {
	if blank(answer) {
		return domain.ID{}, nil
	}
	id, err := domain.ParseID(strings.TrimSpace(answer))
	if err != nil {
		return id, err
	}
	rec, err := s.cfg.Reader.Find(ctx, id)
	return domain.ChangeOf(rec.Envelope), err
}

// undoable is the change that is taken back next, or the one that is asked for, with what is known
// of the later ones; none when there is none.
func (s *skills) undoable(ctx context.Context, now domain.Millis, of domain.ID) (change, pastChanges, error) {
	var known pastChanges
	for _, back := range []time.Duration{lately, 30 * lately, time.Duration(now) * time.Millisecond} {
		from, err := s.cfg.Reader.Since(ctx, now.Add(-back))
		if err != nil {
			return change{}, known, err
		}
		if known, err = s.changesFrom(ctx, from); err != nil {
			return change{}, known, err
		}
		for _, one := range slices.Backward(known.changes) {
			if known.back[one.id] || known.undone[one.id] || !of.IsZero() && one.id != of {
				continue
			}
			own, err := s.byPerson(ctx, one.records[0].Envelope)
			if err != nil || own {
				return one, known, err
			}
			known.others = known.others || one.position() > known.acted
		}
	}
	return change{}, known, nil
}

// changesFrom are the changes from a position on.
func (s *skills) changesFrom(ctx context.Context, from domain.Position) (pastChanges, error) {
	var all []domain.Record
	for _, of := range []domain.Selector{{Topic: domain.TopicCommitments}, {Topic: domain.TopicMemory}, {Key: domain.SettingsKey}, {Key: domain.PolicyKey}} {
		if _, err := domain.Look(ctx, s.cfg.Reader, of, from, maxLooked, func(rec domain.Record) { all = append(all, rec) }); err != nil {
			return pastChanges{}, err
		}
	}
	domain.SortFunc(all, func(a, b domain.Record) int { return cmp.Compare(a.Position, b.Position) })
	out := pastChanges{back: map[domain.ID]bool{}, undone: map[domain.ID]bool{}, isNow: map[domain.ID]domain.ID{}}
	for _, rec := range all {
		id := domain.ChangeOf(rec.Envelope)
		if undone, ok := out.takesBack(rec.Envelope); ok {
			out.back[id], out.undone[undone], out.acted = true, true, rec.Position
		}
		if _, known := inverseOf(rec.Envelope.Type); !known {
			continue
		}
		at := slices.IndexFunc(out.changes, func(c change) bool { return c.id == id })
		if n := len(out.changes); n > 0 && out.changes[n-1].id == id {
			at = n - 1
		} else if at < 0 {
			at = n
			out.changes = append(out.changes, change{id: id})
		}
		out.changes[at].records = append(out.changes[at].records, rec)
	}
	return out, nil
}

// maxLooked bounds the records of a kind that are looked at.
const maxLooked = 1_000_000

// takesBack is the change that an envelope takes back. What can't be read any more takes
// nothing back.
func (p *pastChanges) takesBack(e domain.Envelope) (domain.ID, bool) {
	switch e.Type {
	case domain.ChangeUndoneType:
		if undone, err := domain.Decode[domain.ChangeUndone](e); err == nil {
			for _, one := range undone.Remade {
				p.isNow[one.WasID] = one.IsID
			}
			return undone.ChangeID, true
		}
	case domain.SettingsChangedType:
		if set, err := domain.Decode[domain.SettingsChanged](e); err == nil && !set.Undoes.IsZero() {
			return set.Undoes, true
		}
	}
	return domain.ID{}, false
}

// byPerson reports whether the person wanted a change, and no interface or program.
func (s *skills) byPerson(ctx context.Context, e domain.Envelope) (bool, error) {
	if e.Principal != domain.PrincipalOperator {
		return false, nil
	}
	cause, err := s.cfg.Reader.Find(ctx, e.Parent)
	if e.Parent.IsZero() || domain.CategoryOf(err) == domain.NotFound {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	decided, err := tool.DecisionOn(ctx, s.cfg.Reader, cause.Envelope)
	return decided == nil || decided.Actor == domain.ActorOperator, err
}

// foreignCall names the last call of an interface's tool behind a position that the person
// wanted and that may have changed something; "" without one. The call with which a yes was
// recorded is a part of that change.
func (s *skills) foreignCall(ctx context.Context, after domain.Position, now domain.Millis, of domain.ID) (string, error) {
	from, err := s.cfg.Reader.Since(ctx, now.Add(-lately))
	if err != nil {
		return "", err
	}
	var calls []domain.Envelope
	_, err = domain.Look(ctx, s.cfg.Reader, domain.Selector{Topic: domain.TopicTools}, max(from, after+1), maxLooked, func(rec domain.Record) {
		if rec.Envelope.Type == domain.ToolDispatchedType && rec.Envelope.Principal == domain.PrincipalOperator {
			calls = append(calls, rec.Envelope)
		}
	})
	if err != nil {
		return "", err
	}
	for _, dispatched := range slices.Backward(calls) {
		if id, ok := domain.InvocationOf(dispatched); ok && id == of {
			continue
		}
		if name, err := s.foreignEffect(ctx, dispatched); err != nil || name != "" {
			return name, err
		}
	}
	return "", nil
}

// foreignEffect names the tool that was called, when it is an interface's and did not
// fail; "" otherwise.
func (s *skills) foreignEffect(ctx context.Context, dispatched domain.Envelope) (string, error) {
	decided, err := tool.DecisionOn(ctx, s.cfg.Reader, dispatched)
	if err != nil || decided == nil || !decided.SideEffects || decided.Actor != domain.ActorOperator {
		return "", err
	}
	rec, err := s.cfg.Reader.Find(ctx, decided.InvocationID)
	if err != nil {
		return "", err
	}
	invoked, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return "", nil
	}
	if err != nil || invoked.InterfaceID.IsZero() { // one of Chalie's own
		return "", err
	}
	const few = 8
	steps, err := s.cfg.Reader.Select(ctx, domain.Selector{Key: domain.InvocationKey(decided.InvocationID)}, 1, few)
	failed := func(r domain.Record) bool {
		return r.Envelope.Type == domain.ToolFailedType || r.Envelope.Type == domain.ToolCompletedType && len(r.Envelope.Errors) > 0
	}
	if err != nil || slices.ContainsFunc(steps, failed) {
		return "", err
	}
	return fmt.Sprintf("“%s”", invoked.Tool) + s.ofInterface(ctx, invoked.InterfaceID), nil
}

// ofInterface says whose a tool is; "" when that isn't known.
func (s *skills) ofInterface(ctx context.Context, id domain.ID) string {
	rec, err := s.cfg.Reader.Find(ctx, id)
	if err != nil {
		return ""
	}
	if paired, err := domain.Decode[domain.InterfacePaired](rec.Envelope); err == nil {
		return " of " + paired.Name
	}
	if registered, err := domain.Decode[domain.InterfaceRegistered](rec.Envelope); err == nil {
		return " of " + registered.Name
	}
	return ""
}

// isElsewhere reports whether a change was made by anything but the last answer of the conversation
// that it is to be taken back in. Where that isn't asked for in a conversation nothing is elsewhere.
func (s *skills) isElsewhere(ctx context.Context, call tool.SkillCall, one change) (bool, error) {
	opening, err := s.cfg.Reader.Find(ctx, call.Lineage.Trace.ID)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && opening.Envelope.Type != domain.MessageReceivedType {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	made := one.records[0].Envelope.Trace
	if made == call.Lineage.Trace {
		return false, nil
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

// wordsOf are the words by which the person asked for a change, between quotation marks; "" where
// it wasn't asked for in words, or they can't be read any more.
func (s *skills) wordsOf(ctx context.Context, one change) (string, error) {
	opening, err := s.cfg.Reader.Find(ctx, one.records[0].Envelope.Trace.ID)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && opening.Envelope.Type != domain.MessageReceivedType {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	received, err := domain.Decode[domain.MessageReceived](opening.Envelope)
	if _, short := tongues.AnswerIn(received.Text); domain.CodeOf(err) == domain.CodeErased || err == nil && (short || received.Text == "") {
		return "", nil // a yes names nothing
	}
	const most = 80
	return "“" + domain.Cut(strings.Join(strings.Fields(received.Text), " "), most) + "”", err
}

// question asks before something is taken back that the person may not have in mind: another's
// doing, an older change, or one of another answer than the last; "" for no question.
func (u *undoing) question(foreign, said string, elsewhere bool) string {
	if len(u.back) == 0 {
		return ""
	}
	made := u.change.records[0].Envelope.Timestamp
	switch {
	case foreign != "":
		return fmt.Sprintf("The last thing that was done is %s, and I can't take that back. Should I take back what you changed before, so that %s? Say yes.", foreign, told(u.back))
	case u.call.Now.Sub(made) > lately || elsewhere:
		at := when.Say(made, u.call.Now, u.call.Zone)
		if said != "" {
			at += ": " + said
		}
		return fmt.Sprintf("The last change was %s. Should I take it back, so that %s? Say yes.", at, told(u.back))
	}
	return ""
}

// done is the answer, with all that makes the change good.
func (u *undoing) done(known pastChanges) (tool.SkillDone, error) {
	undone := domain.ChangeUndone{ChangeID: u.change.id, Remade: u.remade}
	if _, err := add(u, undone, undone.Keys()); err != nil {
		return tool.SkillDone{}, err
	}
	text, look := "I can't take that back: "+told(u.left)+".", domain.VariantWarning
	if len(u.back) > 0 {
		text, look = "Taken back: "+told(u.back)+".", domain.VariantSuccess
		if len(u.left) > 0 {
			text += " Not taken back: " + told(u.left) + "."
		}
	}
	if known.others {
		text += " What others have changed since stays."
	}
	u.rests(domain.UndoneKey())
	out, err := answered(text, []domain.Block{domain.AlertBlock(text, look)}, map[string]any{"change_id": u.change.id.UUID(), "plans": append([]map[string]any{}, u.spoken...)}, u.entries...)
	out.Conditions = u.conditions
	return out, err
}

// outcome says what comes of things: their names, and what is so of them.
type outcome struct {
	names     []string
	one, many string // what is so of one, and of several
}

// told are outcomes in one line.
func told(all []outcome) string {
	lines := make([]string, len(all))
	for i, o := range all {
		lines[i] = strings.Join(o.names, ", ") + o.one
		if len(o.names) > 1 {
			lines[i] = strings.Join(o.names, ", ") + o.many
		}
	}
	return strings.Join(lines, "; ")
}

// with adds an outcome; what is so of the last one too is told together with it.
func with(all []outcome, name, one, many string) []outcome {
	if n := len(all); n > 0 && all[n-1].one == one && many != "" {
		all[n-1].names = append(all[n-1].names, name)
		return all
	}
	return append(all, outcome{[]string{name}, one, many})
}
