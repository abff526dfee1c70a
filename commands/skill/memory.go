package skill

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// remember keeps something that the person wants Chalie to know.
func (s *skills) remember() tool.Skill {
	return skill{effects: true, do: s.doRemember, tool: domain.Tool{
		Name:        "remember",
		Description: "Remember something about the person or their world, for later.",
		Documentation: "Only what the person wants to be remembered. about is what it answers, in a word or two, such as dentist: " +
			"a memory with the same about is replaced, which is how to correct one. What is to come at a time is a reminder, what is to be done a task.",
		Parameters: []domain.Parameter{
			{Name: "what", Type: domain.TypeString, Required: true, Description: "What to remember, as a sentence."},
			{Name: "about", Type: domain.TypeString, Description: "What it is about, in a word or two."},
		},
	}}
}

// recall tells memories.
func (s *skills) recall() tool.Skill {
	return skill{do: s.doRecall, tool: domain.Tool{
		Name:          "recall",
		Description:   "Tell what is remembered about something.",
		Documentation: "Finds memories by the words of about, those that share the most first. Without about it tells the latest.",
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
		Documentation: "Finds the memory by words of it, or by its id; when several fit, the answer asks which one.",
		Parameters: []domain.Parameter{
			{Name: "what", Type: domain.TypeString, Required: true, Description: "Words of the memory, or its id."},
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
	out := make([]planned, 0, len(ids))
	for _, id := range ids {
		e, text, err := s.read(ctx, id)
		if err != nil {
			return nil, 0, err
		}
		p := planned{Commitment: domain.Commitment{ID: id}, text: text}
		if m, err := domain.Decode[domain.MemoryRemembered](e); err == nil {
			p.about = m.About
		}
		out = append(out, p)
	}
	return out, through, nil
}

func (s *skills) doRemember(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ What, About string }](call)
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
		return asks("There is no room for another memory: forget some first.")
	}
	for _, known := range all {
		if strings.EqualFold(known.text, memory.Text) && strings.EqualFold(known.about, memory.About) {
			return did("I know that already: "+known.text, known.data("memory_id"))
		}
		if memory.About != "" && strings.EqualFold(known.about, memory.About) {
			memory.Replaces = known.ID
		}
	}
	e, err := entry(s, call, memory, memory.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	done, err := did("I'll remember: "+memory.Text, map[string]any{"memory_id": e.Envelope.ID.UUID()}, e)
	done.Conditions = []domain.Condition{{Key: domain.MemoriesKey(), After: through}}
	return done, err
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
	found := bestShared(commands.TellingWords(p.About), all)
	if len(found) == 0 {
		text := "I remember nothing."
		if p.About != "" {
			text = fmt.Sprintf("I remember nothing about %q.", p.About)
		}
		return answered(text, []domain.Block{domain.TextBlock(text, domain.FormatPlain)}, map[string]any{"memories": []any{}})
	}
	texts, data := make([]string, len(found)), make([]any, len(found))
	for i, m := range found {
		texts[i] = m.text
		data[i] = map[string]any{"memory_id": m.ID.UUID(), "text": m.text, "about": m.about}
	}
	return answered(strings.Join(texts, "\n"), []domain.Block{domain.ListBlock(texts...)}, map[string]any{"memories": data})
}

// bestShared are the memories that share the most words, the latest first on ties.
// Without words these are the latest.
func bestShared(words []string, all []planned) []planned {
	best := make([][]planned, len(words)+1)
	for _, m := range slices.Backward(all) {
		told, shared := commands.TellingWords(m.text+" "+m.about), 0
		for _, w := range words {
			if commands.HasAll(told, []string{w}) {
				shared++
			}
		}
		best[shared] = append(best[shared], m)
	}
	var out []planned
	for shared := len(words); shared >= min(1, len(words)); shared-- {
		out = append(out, best[shared]...)
	}
	return out[:min(len(out), recalled)]
}

func (s *skills) doForget(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ What string }](call)
	if err != nil {
		return asksBack(err)
	}
	all, through, err := s.memories(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if strings.TrimSpace(p.What) == "" {
		return asks("What should be forgotten?")
	}
	one, question := pick(p.What, "memory", all)
	if question != "" {
		return asks(question)
	}
	gone := domain.MemoryForgotten{MemoryID: one.ID}
	e, err := entry(s, call, gone, gone.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(did("Forgotten: "+one.text, one.data("memory_id"), e))
}
