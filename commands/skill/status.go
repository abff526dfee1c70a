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

func (s *skills) doStatus(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ Waiting bool }](call)
	if err != nil {
		return asksBack(err)
	}
	var out tool.SkillDone
	tells := func(kind speech.Kind, lines []speech.Message) { // a part, if there are lines
		if len(lines) > 0 {
			out.Said = append(out.Said, underHeading(say("status.heading", args{"kind": kind}), lines).Said...)
		}
	}
	always := func(kind speech.Kind, lines []speech.Message) { // or that there is nothing
		if tells(kind, lines); len(lines) == 0 {
			out.Said = append(out.Said, each(speech.Told, say("status.nothing", args{"kind": kind}))...)
		}
	}
	waits, err := s.waiting(ctx, call)
	switch {
	case err != nil:
		return tool.SkillDone{}, err
	case p.Waiting && len(waits) > 0:
		tells("waiting", waits)
		return pointing(out, map[string]any{"waiting": len(waits)})
	case p.Waiting:
		always("waiting", nil)
		return out, nil
	}
	tells("waiting", waits)
	open, err := s.openTimed(ctx, "")
	if err != nil {
		return tool.SkillDone{}, err
	}
	messages, err := s.messages(ctx, call.Now)
	if err != nil {
		return tool.SkillDone{}, err
	}
	messages = messages[max(0, len(messages)-messagesShown):]
	slices.Reverse(messages) // the newest first
	tells("messages", linesOf(ctx, messages, call))
	mind, inMind, heard, err := s.inMind(ctx, call, messages)
	if err != nil {
		return tool.SkillDone{}, err
	}
	always("mind", inMind)
	var due []speech.Message
	for _, p := range open {
		if p.Due != 0 && len(due) < dueShown {
			due = append(due, p.entry(call))
		}
	}
	always("due", due)
	_, over, err := s.overIn(ctx, speech.Period{Since: domain.MillisOf(midnight(call.Now, call.Zone)), Before: call.Now + 1}, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	more := len(over) - doneShown
	tells("done", append(beyond("earlier", more), over[max(0, more):]...))
	var trouble speech.List
	if s.cfg.Trouble != nil {
		for _, one := range s.cfg.Trouble() {
			trouble = append(trouble, theirOwn(one))
		}
	}
	if len(trouble) > 0 {
		out.Said = append(out.Said, each(speech.Listed, say("status.health", args{"trouble": trouble}))...)
	} else {
		always("health", nil)
	}
	linkTo(&out, append(messages, heard...))
	return pointing(out, map[string]any{"in_mind": len(mind.Items), "open": len(open), "healthy": len(trouble) == 0})
}

// inMind is the world state, with a line for each item in it that isn't a message that is told already, and what was
// heard of those.
func (s *skills) inMind(ctx context.Context, call tool.SkillCall, told []signal) (
	mind domain.Assembly, lines []speech.Message, heard []signal, err error,
) {
	world := commands.Copy(s.cfg.World)
	commands.AskedAt(ctx, world.Through)
	mind = world.Assemble(nil, call.Now)
	for _, item := range mind.Items {
		if slices.ContainsFunc(told, func(one signal) bool { return one.id == item.EnvelopeID }) {
			continue
		}
		line, one, err := s.minds(ctx, item)
		if err != nil {
			return mind, nil, nil, err
		}
		lines, heard = append(lines, line), append(heard, one)
	}
	pushedBack := 0 // signals that would be in mind if others didn't weigh more
	for _, item := range mind.LeftOut {
		if item.Kind == domain.ItemSignal && item.Gate == domain.GateNotInFive {
			pushedBack++
		}
	}
	return mind, append(lines, beyond("missed", pushedBack)...), heard, nil
}

// minds is an item of the world in one line, and what was heard of one that is; a signal that tries something with its
// reader isn't repeated.
func (s *skills) minds(ctx context.Context, item domain.Item) (line speech.Message, one signal, err error) {
	rec, err := s.cfg.Reader.Find(ctx, item.Text())
	if err != nil {
		return line, one, err
	}
	said := args{"kind": speech.Kind(item.Kind), "salience": speech.Number(item.Salience.String())}
	var text string
	switch item.Kind {
	case domain.ItemContext:
		return say("mind.surroundings", said), one, nil
	case domain.ItemSignal, domain.ItemMessage:
		var there bool
		one, there, err = heardIn(rec)
		switch text = one.Content; {
		case err != nil:
			return line, one, err
		case !there:
			text = commands.ErasedText
		case one.isFlagged():
			return say("mind.withheld", said, one.who()), one, nil
		case item.Kind == domain.ItemMessage:
			maps.Copy(said, one.who())
		}
		one.quote(ctx, text)
	default:
		if text, err = wordsOf(ctx, rec.Envelope); err != nil {
			return line, one, err
		}
	}
	const longest = 200
	said["what"] = speech.Text{Words: domain.Cut(text, longest), In: item.Text()}
	return say("mind.entry", said), one, nil
}
