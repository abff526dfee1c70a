package skill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/when"
)

// status tells the items in mind, the plans that are due and Chalie's own state.
func (s *skills) status() tool.Skill {
	return skill{do: s.doStatus, tool: domain.Tool{
		Name:          "status",
		Description:   "Tell in one view what is in mind now, what is due next, and whether all of Chalie works.",
		Documentation: "Takes nothing. For all that is planned use plans.",
		Parameters:    []domain.Parameter{},
	}}
}

// plans tells the plans.
func (s *skills) plans() tool.Skill {
	return skill{do: s.doPlans, tool: domain.Tool{
		Name:          "plans",
		Description:   "Show the reminders, tasks and lists there are.",
		Documentation: "kind narrows it to reminders, tasks or lists; during to what is due then, without lists. The entries of one list are shown by list.",
		Parameters: []domain.Parameter{
			{Name: "kind", Type: domain.TypeString, Description: "reminders, tasks or lists. Left out: all."},
			{Name: "during", Type: domain.TypeString, Description: `A period as people say it: "tomorrow", "on Friday evening", "this week". Left out: whenever.`},
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

func (s *skills) doStatus(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	open, _, err := s.open(ctx, "")
	if err != nil {
		return tool.SkillDone{}, err
	}
	world := commands.Copy(s.cfg.World)
	commands.AskedAt(ctx, world.Through)
	mind := world.Assemble(nil, call.Now)
	var inMind []string
	for _, item := range mind.Items {
		label, err := s.label(ctx, item)
		if err != nil {
			return tool.SkillDone{}, err
		}
		inMind = append(inMind, fmt.Sprintf("%s (%s, %s)", label, item.Kind, item.Salience))
	}
	var due []string
	for _, p := range open {
		if p.Due != 0 && len(due) < dueShown {
			due = append(due, p.line(call))
		}
	}
	var trouble []string
	if s.cfg.Trouble != nil {
		trouble = s.cfg.Trouble()
	}
	sections := []struct {
		title, none string
		lines       []string
	}{
		{"In mind", "Nothing is in mind.", inMind},
		{"Due next", "Nothing is due.", due},
		{"Health", "Everything works.", trouble},
	}
	var blocks []domain.Block
	var text []string
	for _, x := range sections {
		blocks = append(blocks, domain.HeaderBlock(x.title, 3))
		if len(x.lines) == 0 {
			blocks, text = append(blocks, domain.TextBlock(x.none, domain.FormatPlain)), append(text, x.none)
			continue
		}
		blocks, text = append(blocks, domain.ListBlock(x.lines...)), append(text, x.title+": "+strings.Join(x.lines, "; ")+".")
	}
	return answered(strings.Join(text, "\n"), blocks, map[string]any{"in_mind": len(mind.Items), "open": len(open), "healthy": len(trouble) == 0})
}

// label is the text of an item of the world.
func (s *skills) label(ctx context.Context, item domain.Item) (string, error) {
	rec, err := s.cfg.Reader.Find(ctx, item.Text())
	if err != nil {
		return "", err
	}
	var text string
	switch item.Kind {
	case domain.ItemSignal:
		var sig domain.SignalReceived
		sig, err = domain.Decode[domain.SignalReceived](rec.Envelope)
		text = sig.Content
	case domain.ItemReminder, domain.ItemTask:
		text, err = domain.PlanText(rec.Envelope)
	default:
		text = "your surroundings"
	}
	if domain.CodeOf(err) == domain.CodeErased {
		return commands.ErasedText, nil
	}
	const longest = 200
	return commands.Cut(text, longest), err
}

// line is a commitment in one line.
func (p planned) line(call tool.SkillCall) string {
	text := p.text
	if p.Kind == domain.ItemTask && p.Percent > 0 {
		text += fmt.Sprintf(" (%d %%)", p.Percent)
	}
	switch {
	case p.Due == 0:
		return text
	case p.Due <= call.Now:
		return text + ", was due " + when.Say(p.Due, call.Now, call.Zone)
	}
	return text + ", " + when.Say(p.Due, call.Now, call.Zone)
}

func (s *skills) doPlans(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ Kind, During string }](call)
	if err != nil {
		return asksBack(err)
	}
	period := strings.TrimSpace(p.During)
	var from, to domain.Millis
	if period != "" {
		if from, to, err = when.During(period, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
	}
	wanted := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(p.Kind)), "s")
	switch wanted {
	case "", "all", "reminder", "task", "list":
	default:
		return asks(fmt.Sprintf("Which plans: reminders, tasks or lists? %q is none of them.", p.Kind))
	}
	every := wanted == "" || wanted == "all"
	var blocks []domain.Block
	var text []string
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			blocks, text = append(blocks, domain.HeaderBlock(title, 3), domain.ListBlock(lines...)), append(text, title+": "+strings.Join(lines, "; ")+".")
		}
	}
	open, _, err := s.open(ctx, "")
	if err == nil && period != "" {
		open, err = s.dueIn(ctx, open, from, to)
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	lines := map[domain.ItemKind][]string{}
	for _, one := range open {
		lines[one.Kind] = append(lines[one.Kind], one.line(call))
	}
	for _, kind := range []struct {
		kind  domain.ItemKind
		title string
	}{{domain.ItemReminder, "Reminders"}, {domain.ItemTask, "Tasks"}} {
		if every || wanted == string(kind.kind) {
			section(kind.title, lines[kind.kind])
		}
	}
	if period == "" && every || wanted == "list" {
		all, _, err := s.lists(ctx)
		if err != nil {
			return tool.SkillDone{}, err
		}
		var names []string
		for _, l := range all {
			names = append(names, fmt.Sprintf("%s (%d)", l.name, len(l.Items)))
		}
		section("Lists", names)
	}
	if len(text) == 0 {
		text = []string{"Nothing is planned."}
		if period != "" {
			text[0] = "Nothing is planned then: " + period + "."
		}
		blocks = []domain.Block{domain.TextBlock(text[0], domain.FormatPlain)}
	}
	return answered(strings.Join(text, "\n"), blocks, nil)
}

// dueIn are the plans that are due in a period, a recurring one at its first time there.
func (s *skills) dueIn(ctx context.Context, open []planned, from, to domain.Millis) ([]planned, error) {
	var out []planned
	for _, p := range open {
		if p.Recurs && p.Due != 0 && p.Due < from {
			rec, err := s.cfg.Reader.Find(ctx, p.Timing)
			if err != nil {
				return nil, err
			}
			if timing, err := domain.TimingOf(rec.Envelope); err == nil && timing.Recurrence != nil {
				p.Due = when.Next(*timing.Recurrence, from-1, commands.ZoneOf(timing.Zone))
			}
		}
		if p.Due != 0 && from <= p.Due && p.Due < to {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b planned) int { return cmp.Compare(a.Due, b.Due) })
	return out, nil
}
