package skill

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// section is a part of a status.
type section struct {
	title, none string
	lines       []string
}

// messagesTitle stands over what programs told lately.
const messagesTitle = "Messages"

// dueShown bounds the due plans that a status names.
const dueShown = 5

// waiting are what waits for the person's yes or no, a sentence each.
func (s *skills) waiting(ctx context.Context, call tool.SkillCall) ([]string, error) {
	var out []string
	if s.cfg.Invocations != nil {
		all, err := tool.Waiting(ctx, s.cfg.Reader, s.cfg.Invocations, call.Now)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			out = append(out, p.Summary+": approve or refuse it by its button.")
		}
	}
	if s.cfg.Registry != nil {
		commands.Asked(ctx, s.cfg.Registry)
		s.cfg.Registry.Read(func(r *domain.Registry) {
			for _, i := range r.Listed() {
				if i.Status() == domain.StatusPending {
					out = append(out, fmt.Sprintf("%q wants to be paired: approve or remove it under Interfaces.", i.Name))
				}
			}
		})
	}
	return out, nil
}

func toldWaiting(waits []string) (tool.SkillDone, error) {
	if len(waits) == 0 {
		return says("Nothing waits for your approval.")
	}
	return answered("Waiting for you: "+strings.Join(waits, " "), []domain.Block{domain.HeaderBlock("Waiting for you", 3), domain.ListBlock(waits...)}, map[string]any{"waiting": len(waits)})
}

func (s *skills) doStatus(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ Waiting bool }](call)
	if err != nil {
		return asksBack(err)
	}
	waits, err := s.waiting(ctx, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if p.Waiting {
		return toldWaiting(waits)
	}
	open, err := s.openTimed(ctx, "")
	if err != nil {
		return tool.SkillDone{}, err
	}
	messages, err := s.latestMessages(ctx, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	mind, inMind, kept, err := s.inMind(ctx, call, messages.ids)
	if err != nil {
		return tool.SkillDone{}, err
	}
	var due []speech.Message
	for _, p := range open {
		if p.Due != 0 && len(due) < dueShown {
			due = append(due, p.entry(call))
		}
	}
	over, err := s.doneToday(ctx, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	var trouble []string
	if s.cfg.Trouble != nil {
		trouble = s.cfg.Trouble()
	}
	sections := []section{
		{"In mind", "Nothing is in mind.", inMind},
		{"Due next", "Nothing is due.", inEnglish(due, call)},
		{"Health", "Everything works.", trouble},
	}
	var blocks []domain.Block
	var text []string
	if done := inEnglish(over, call); len(done) > 0 {
		sections = slices.Insert(sections, 2, section{"Done today", "", done})
	}
	if len(messages.lines) > 0 {
		sections = slices.Insert(sections, 0, section{messagesTitle, "", messages.lines})
	}
	if len(waits) > 0 {
		sections = slices.Insert(sections, 0, section{"Waiting for you", "", waits})
	}
	for _, x := range sections {
		blocks = append(blocks, domain.HeaderBlock(x.title, 3))
		if len(x.lines) == 0 {
			blocks, text = append(blocks, domain.TextBlock(x.none, domain.FormatPlain)), append(text, x.none)
			continue
		}
		blocks = append(blocks, domain.ListBlock(x.lines...))
		switch x.title {
		case "In mind":
			blocks = append(blocks, kept...)
		case messagesTitle:
			blocks = append(blocks, messages.links...)
		}
		text = append(text, x.title+": "+strings.Join(x.lines, "; ")+".")
	}
	return answered(strings.Join(text, "\n"), blocks, map[string]any{"in_mind": len(mind.Items), "open": len(open), "healthy": len(trouble) == 0})
}

// inMind is the world state, with a line for each item in it that isn't told already, and what leads
// to words that aren't repeated.
func (s *skills) inMind(ctx context.Context, call tool.SkillCall, already []domain.ID) (mind domain.Assembly, lines []string, kept []domain.Block, err error) {
	world := commands.Copy(s.cfg.World)
	commands.AskedAt(ctx, world.Through)
	mind = world.Assemble(nil, call.Now)
	for _, item := range mind.Items {
		if slices.Contains(already, item.EnvelopeID) {
			continue
		}
		label, link, err := s.label(ctx, call, item)
		if err != nil {
			return mind, nil, nil, err
		}
		kept = append(kept, link...)
		lines = append(lines, fmt.Sprintf("%s (%s, %s)", label, item.Kind, item.Salience))
	}
	if more := pushedBack(mind); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: say “what did I miss?”", more))
	}
	return mind, lines, kept, nil
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

// label is the text of an item of the world. What was heard and tries something with its reader isn't
// repeated, but led to.
func (s *skills) label(ctx context.Context, call tool.SkillCall, item domain.Item) (string, []domain.Block, error) {
	rec, err := s.cfg.Reader.Find(ctx, item.Text())
	if err != nil {
		return "", nil, err
	}
	var text string
	switch item.Kind {
	case domain.ItemSignal, domain.ItemMessage:
		var one signal
		if one, err = heardIn(rec); err == nil && one.isFlagged() {
			return "words of " + one.sender() + " that I don't repeat: they try something with whoever reads them", []domain.Block{one.linkBlock(call)}, nil
		}
		text = one.Content
		if item.Kind == domain.ItemMessage && err == nil {
			text = one.sender() + ": " + text
		}
	case domain.ItemContext:
		text = "your surroundings"
	default:
		text, err = domain.PlanText(rec.Envelope)
	}
	if domain.CodeOf(err) == domain.CodeErased {
		return commands.ErasedText, nil, nil
	}
	const longest = 200
	return domain.Cut(text, longest), nil, err
}
