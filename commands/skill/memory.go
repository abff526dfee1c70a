package skill

import (
	"cmp"
	"context"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/relate"
)

// remember keeps something that the person wants Chalie to know.
func (s *skills) remember() tool.Skill {
	return skill{effects: true, do: s.doRemember, tool: domain.Tool{
		Name:        "remember",
		Description: "Remember something about the person or their world, for later.",
		Documentation: "Only what the person wants to be remembered. about is what it answers, in a word or two, such as dentist: " +
			"a memory with the same about is replaced, which is how to correct one. What contradicts a memory is asked about: " +
			"replace is the answer that it is so from now on, keep that both are. What is to come at a time is a reminder, what is to be done a task.",
		Parameters: []domain.Parameter{
			{Name: "what", Type: domain.TypeString, Required: true, Description: "What to remember, as a sentence."},
			{Name: "about", Type: domain.TypeString, Description: "What it is about, in a word or two."},
			{Name: "replace", Type: domain.TypeBoolean, Description: "True when the person said that this is so now, in place of what was remembered."},
			{Name: "keep", Type: domain.TypeBoolean, Description: "True when the person said that both are so: nothing is replaced."},
		},
	}}
}

// recall tells memories.
func (s *skills) recall() tool.Skill {
	return skill{do: s.doRecall, tool: domain.Tool{
		Name:          "recall",
		Description:   "Tell what is remembered about something.",
		Documentation: "Finds the memories with the words of about, or those that share the most of them, with what they have replaced. Without about it tells the latest.",
		Parameters: []domain.Parameter{
			{Name: "about", Type: domain.TypeString, Description: "What to look for, in words, such as dentist."},
		},
	}}
}

// forget takes a memory back.
func (s *skills) forget() tool.Skill {
	return skill{effects: true, takesBack: true, do: s.doForget, tool: domain.Tool{
		Name:          "forget",
		Description:   "Forget something that was remembered.",
		Documentation: "Finds the memory by words of it, or by its id; when several fit, the answer asks which one. all forgets every memory, when confirmed is given too.",
		Parameters: []domain.Parameter{
			{Name: "what", Type: domain.TypeString, Description: "Words of the memory, or its id."},
			{Name: "all", Type: domain.TypeBoolean, Description: "True to forget everything that is remembered."},
			{Name: "confirmed", Type: domain.TypeBoolean, Description: "True when the person was asked and said yes."},
		},
	}}
}

// memories are all of them, oldest first, and the position they were folded through.
func (s *skills) memories(ctx context.Context) ([]planned, domain.Position, error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, 0, err
	}
	var ids []domain.ID
	var through domain.Position
	s.cfg.Memory.Read(func(m *domain.Memories) { ids, through = append(ids, m.All...), m.Through })
	out, err := s.kept(ctx, ids)
	return out, through, err
}

func (s *skills) doRemember(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct {
		What, About   string
		Replace, Keep bool
	}](call)
	if err != nil {
		return asksBack(err)
	}
	memory := domain.MemoryRemembered{Text: strings.TrimSpace(p.What), About: strings.TrimSpace(p.About)}
	if err := memory.Check(); err != nil {
		return asksBack(err)
	}
	all, through, err := s.memories(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if len(all) >= maxMemories {
		return ask(say("memory.full"))
	}
	for _, known := range all {
		same := bynames.SameWords(known.text, memory.Text)
		if same && (memory.About == "" || strings.EqualFold(known.about, memory.About)) {
			return confirm(say("memory.known", args{"what": known.its()}), known.data("memory_id"))
		}
		if memory.About != "" && (strings.EqualFold(known.about, memory.About) && !p.Keep || same && known.about == "") {
			memory.Replaces = known.ID
		}
	}
	if old, question := contradicted(memory.Text, all); !question.IsZero() && memory.Replaces.IsZero() && !p.Keep {
		if !p.Replace {
			replace := tool.Answer{Says: say("label.word", args{"on": speech.Kind("yes")}), With: map[string]any{"replace": true}}
			keep := tool.Answer{Says: say("label.word", args{"on": speech.Kind("keep_both")}), With: map[string]any{"keep": true}}
			return ask(question, replace, keep, no())
		}
		memory.Replaces, memory.About = old.ID, cmp.Or(memory.About, old.about)
	}
	d := doing{skills: s, call: call, at: through}
	id := d.does(domain.MemoriesKey(), memory)
	return d.did(say("memory.made", args{"what": theirOwn(memory.Text)}), map[string]any{"memory_id": id.UUID()})
}

// maxMemories bounds what is remembered.
const maxMemories = 5000

// recalled bounds the memories of an answer.
const recalled = 5

func (s *skills) doRecall(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ About string }](call)
	if err != nil {
		return asksBack(err)
	}
	all, _, err := s.memories(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	found := bynames.Recall(p.About, recalled, all, relate.Stem, func(m planned) (text, subject string) {
		if said, ok := bynames.ClaimIn(m.text); ok {
			subject = said.Subject
		}
		return m.text + " " + m.about, subject
	})
	var out tool.SkillDone
	data := []any{}
	line := func(m planned, name, value string) {
		of := args{"what": m.its(), "until": moment(m.Due, call)} // of one that was replaced, until when it was so
		out.Said = append(out.Said, speech.Said{As: speech.Item, Says: []speech.Message{say("memory.recalled", of)}})
		data = append(data, map[string]any{"memory_id": m.ID.UUID(), "text": m.text, name: value})
	}
	for _, m := range found {
		line(m, "about", m.about)
		if p.About == "" {
			continue
		}
		before, err := s.replacedBy(ctx, m)
		if err != nil {
			return tool.SkillDone{}, err
		}
		for _, was := range before {
			line(was, "until", dayTold(was.Due, call))
		}
	}
	if none := say("memories.none"); len(data) == 0 {
		if p.About != "" {
			none = say("memories.none", args{"about": theirOwn(p.About)})
		}
		out, _ = tell(none)
	}
	return pointing(out, map[string]any{"memories": data})
}

// maxBefore bounds what is told of what a memory has replaced.
const maxBefore = 3

// replacedBy is what a memory has replaced, the latest first, with the moment until which it was so.
func (s *skills) replacedBy(ctx context.Context, m planned) (out []planned, err error) {
	e, text, err := s.read(ctx, m.ID)
	for err == nil && len(out) < maxBefore {
		later, wrong := domain.Decode[domain.MemoryRemembered](e)
		if wrong != nil || later.Replaces.IsZero() {
			break
		}
		until, after := e.Timestamp, text
		if e, text, err = s.read(ctx, later.Replaces); text == commands.ErasedText {
			break
		}
		if err == nil && !bynames.SameWords(text, after) {
			out = append(out, planned{Commitment: domain.Commitment{ID: e.ID, Due: until}, text: text})
		}
	}
	return out, err
}

// dayTold is a day for a program, with its year when that is another one.
func dayTold(m domain.Millis, call tool.SkillCall) string {
	day := m.Time().In(call.Zone)
	if day.Year() == call.Now.Time().In(call.Zone).Year() {
		return day.Format("2 January")
	}
	return day.Format("2 January 2006")
}

func (s *skills) doForget(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct {
		What           string
		All, Confirmed bool
	}](call)
	if err != nil {
		return asksBack(err)
	}
	all, through, err := s.memories(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	d := doing{skills: s, call: call, at: through}
	several := memoriesByID(p.What, all)
	switch {
	case p.All && len(all) == 0:
		return tell(say("memories.none"))
	case p.All && len(all) > maxForgotten:
		return ask(say("memories.too_many", args{"n": speech.Count(len(all)), "most": speech.Count(maxForgotten)}))
	case p.All && !p.Confirmed:
		return sure(say("memories.sure", args{"memories": alikeApart(all)}), yes(), no())
	case p.All:
		return d.forgets(all, domain.MemoriesKey(), say("memories.let_go"), map[string]any{"forgotten": len(all)})
	case blank(p.What):
		return ask(say("plan.which", args{"kind": speech.Kind("memory")}))
	case len(several) > 1:
		let := say("memory.let_go", args{"what": listOf(several, planned.its)})
		return d.forgets(several, domain.MemoriesKey(), let, map[string]any{"forgotten": len(several)})
	}
	one, question := pick(p.What, "memory", all)
	found := matching(p.What, all)
	if !question.IsZero() && len(found) == 0 && !bynames.IsKindOfPlan(p.What) { // a plan may be meant
		r := request{naming: naming{Which: p.What}, kind: "memory", verb: domain.PlanDropped}
		if done, ok, err := s.elsewhere(ctx, call, r); ok || err != nil {
			return done, err
		}
	}
	if !question.IsZero() && len(found) < 2 {
		return ask(question)
	} else if !question.IsZero() {
		return ask(question, eachNamed(found, func(m planned) map[string]any { return map[string]any{"what": m.ID.UUID()} })...)
	}
	let := say("memory.let_go", args{"what": speech.List{one.its()}})
	return d.forgets([]planned{one}, domain.PlanKey(one.ID), let, one.data("memory_id"))
}

// maxForgotten bounds the memories that are forgotten at once.
const maxForgotten = 1000

// forgets has memories forgotten together.
func (d *doing) forgets(some []planned, key domain.Key, told speech.Message, points map[string]any) (tool.SkillDone, error) {
	for _, one := range some {
		d.does(key, domain.MemoryForgotten{MemoryID: one.ID})
	}
	return d.did(told, points)
}

// memoriesByID are the memories that ids name; none when a word isn't the id of one.
func memoriesByID(ids string, all []planned) (out []planned) {
	for _, id := range idsIn(ids) {
		one, question := pick(id.UUID(), "memory", all)
		if !question.IsZero() {
			return nil
		}
		out = append(out, one)
	}
	return out
}
