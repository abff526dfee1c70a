package skill

import (
	"context"
	"maps"
	"slices"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// status tells what programs told lately, the items in mind, the plans that are due, what was done today, and Chalie's own
// state.
func (s *skills) status() tool.Skill {
	return skill{do: s.doStatus, tool: domain.Tool{
		Name:          "status",
		Description:   "Tell in one view what is in mind now, what is due next, what was done today, what programs told today, what waits for the person, and whether all of Chalie works.",
		Documentation: "For all that is planned use plans.",
		Parameters: []domain.Parameter{
			{Name: "waiting", Type: domain.TypeBoolean, Description: "True to tell only what waits for the person's yes or no."},
		},
	}}
}

// why tells why something was said.
func (s *skills) why() tool.Skill {
	return skill{do: s.doWhy, tool: domain.Tool{
		Name:          "why",
		Description:   "Explain why Chalie said or did something, or why it did not: what that rests on, with the numbers as they were then.",
		Documentation: "Without about it explains the last thing that Chalie said; with not, the last thing that it kept to itself.",
		Parameters: []domain.Parameter{
			{Name: "about", Type: domain.TypeString, Description: "The id of what is to be explained, or words of it, or last."},
			{Name: "not", Type: domain.TypeBoolean, Description: "True to ask why the person was not told of it, or why it was not done."},
		},
	}}
}

// dueShown bounds the due plans that a status names.
const dueShown = 5

// waiting are what waits for the person's yes or no.
func (s *skills) waiting(ctx context.Context, call tool.SkillCall) (out []speech.Message, err error) {
	if s.cfg.Invocations != nil {
		all, err := tool.Waiting(ctx, s.cfg.Reader, s.cfg.Invocations, call.Now)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			out = append(out, say("waiting.call", args{"what": theirOwn(p.Summary)}))
		}
	}
	if s.cfg.Registry != nil {
		commands.Asked(ctx, s.cfg.Registry)
		s.cfg.Registry.Read(func(r *domain.Registry) {
			for _, i := range r.Listed() {
				if i.Status() == domain.StatusPending {
					out = append(out, say("waiting.pairing", args{"name": speech.Text{Words: i.Name, Theirs: i.Name}}))
				}
			}
		})
	}
	return out, nil
}

// parts is an answer in parts: each a heading over lines, or that there is nothing.
type parts struct{ tool.SkillDone }

// add adds a part, if there are lines.
func (p *parts) add(kind speech.Kind, lines []speech.Message) {
	if len(lines) > 0 {
		p.Said = append(p.Said, underHeading(say("status.heading", args{"kind": kind}), lines).Said...)
	}
}

// addAlways adds a part, and says that there is nothing where there are no lines.
func (p *parts) addAlways(kind speech.Kind, lines []speech.Message) {
	if p.add(kind, lines); len(lines) == 0 {
		p.Said = append(p.Said, speech.Said{As: speech.Told, Says: []speech.Message{say("status.nothing", args{"kind": kind})}})
	}
}

func (s *skills) doStatus(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ Waiting bool }](call)
	if err != nil {
		return asksBack(err)
	}
	var out parts
	waits, err := s.waiting(ctx, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if p.Waiting {
		if out.addAlways("waiting", waits); len(waits) == 0 {
			return out.SkillDone, nil
		}
		return pointing(out.SkillDone, map[string]any{"waiting": len(waits)})
	}
	out.add("waiting", waits)
	open, err := s.openTimed(ctx, "")
	if err != nil {
		return tool.SkillDone{}, err
	}
	messages, err := s.latestMessages(ctx, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	out.add("messages", messages.lines)
	mind, inMind, flagged, err := s.inMind(ctx, call, messages.ids)
	if err != nil {
		return tool.SkillDone{}, err
	}
	out.addAlways("mind", inMind)
	var due []speech.Message
	for _, p := range open {
		if p.Due != 0 && len(due) < dueShown {
			due = append(due, p.entry(call))
		}
	}
	out.addAlways("due", due)
	over, err := s.doneToday(ctx, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	out.add("done", over)
	var trouble speech.List
	if s.cfg.Trouble != nil {
		for _, one := range s.cfg.Trouble() {
			trouble = append(trouble, theirOwn(one))
		}
	}
	if len(trouble) > 0 {
		out.Said = append(out.Said, speech.Said{As: speech.Listed, Says: []speech.Message{say("status.health", args{"trouble": trouble})}})
	} else {
		out.addAlways("health", nil)
	}
	for _, one := range append(messages.flagged, flagged...) {
		one.link(&out.SkillDone)
	}
	return pointing(out.SkillDone, map[string]any{"in_mind": len(mind.Items), "open": len(open), "healthy": len(trouble) == 0})
}

// inMind is the world state, with a line for each item in it that isn't told already, and the signals whose
// words aren't repeated.
func (s *skills) inMind(ctx context.Context, call tool.SkillCall, already []domain.ID) (mind domain.Assembly, lines []speech.Message, flagged []signal, err error) {
	world := commands.Copy(s.cfg.World)
	commands.AskedAt(ctx, world.Through)
	mind = world.Assemble(nil, call.Now)
	for _, item := range mind.Items {
		if slices.Contains(already, item.EnvelopeID) {
			continue
		}
		line, withheld, err := s.minds(ctx, item)
		if err != nil {
			return mind, nil, nil, err
		}
		lines, flagged = append(lines, line), append(flagged, withheld...)
	}
	if more := pushedBack(mind); more > 0 {
		lines = append(lines, say("mind.more", args{"n": speech.Count(more)}))
	}
	return mind, lines, flagged, nil
}

// pushedBack counts the signals that would be in mind if others didn't weigh more.
func pushedBack(mind domain.Assembly) (n int) {
	for _, item := range mind.LeftOut {
		if item.Kind == domain.ItemSignal && item.Gate == domain.GateNotInFive {
			n++
		}
	}
	return n
}

// heardIn is what was heard in a record: a signal, or a program's message.
func heardIn(rec domain.Record) (signal, error) {
	if rec.Envelope.Type == domain.MessageReceivedType {
		m, err := domain.Decode[domain.MessageReceived](rec.Envelope)
		return messageHeard(m, rec), err
	}
	heard, err := domain.Decode[domain.SignalReceived](rec.Envelope)
	return signal{heard, rec.Envelope.ID, rec.RecordedAt}, err
}

// minds is an item of the world in one line; a signal that tries something with its reader isn't repeated.
func (s *skills) minds(ctx context.Context, item domain.Item) (line speech.Message, withheld []signal, err error) {
	rec, err := s.cfg.Reader.Find(ctx, item.Text())
	if err != nil {
		return line, nil, err
	}
	said := args{"kind": speech.Kind(item.Kind), "salience": speech.Number(item.Salience.String())}
	var text string
	switch item.Kind {
	case domain.ItemContext:
		return say("mind.surroundings", said), nil, nil
	case domain.ItemSignal, domain.ItemMessage:
		one, err := heardIn(rec)
		switch text = one.Content; {
		case domain.CodeOf(err) == domain.CodeErased:
			text = commands.ErasedText
		case err != nil:
			return line, nil, err
		case one.isFlagged():
			return say("mind.withheld", said, one.who()), []signal{one}, nil
		case item.Kind == domain.ItemMessage:
			maps.Copy(said, one.who())
		}
		one.quote(ctx, text)
	default:
		if text, err = wordsOf(ctx, rec.Envelope); err != nil {
			return line, nil, err
		}
	}
	const longest = 200
	said["what"] = speech.Text{Words: domain.Cut(text, longest), In: item.Text()}
	return say("mind.entry", said), nil, nil
}
