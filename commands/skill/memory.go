package skill

import (
	"cmp"
	"context"
	"slices"
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
		same := sameWords(known.text, memory.Text)
		if same && (memory.About == "" || strings.EqualFold(known.about, memory.About)) {
			return confirm(say("memory.known", args{"what": known.its()}), known.data("memory_id"))
		}
		if memory.About != "" && (strings.EqualFold(known.about, memory.About) && !p.Keep || same && known.about == "") {
			memory.Replaces = known.ID
		}
	}
	if old, question := contradicted(memory.Text, all); !question.IsZero() && memory.Replaces.IsZero() && !p.Keep {
		if !p.Replace {
			return ask(question, tool.Answer{Says: say("label.word", args{"on": speech.Kind("yes")}), With: map[string]any{"replace": true}}, tool.Answer{Says: say("label.word", args{"on": speech.Kind("keep_both")}), With: map[string]any{"keep": true}}, no())
		}
		memory.Replaces, memory.About = old.ID, cmp.Or(memory.About, old.about)
	}
	e, err := entry(s, call, memory, memory.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	done, err := confirm(say("memory.made", args{"what": theirOwn(memory.Text)}), map[string]any{"memory_id": e.Envelope.ID.UUID()}, e)
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
	found := bestShared(bynames.TellingWords(p.About), all)
	if len(found) == 0 {
		about := args{}
		if p.About != "" {
			about["about"] = theirOwn(p.About)
		}
		done, err := tell(say("memories.none", about))
		if err != nil {
			return done, err
		}
		return pointing(done, map[string]any{"memories": []any{}})
	}
	var out tool.SkillDone
	var data []any
	for _, m := range found {
		out.Said = append(out.Said, m.recalled(call))
		data = append(data, map[string]any{"memory_id": m.ID.UUID(), "text": m.text, "about": m.about})
		if p.About == "" {
			continue
		}
		before, err := s.replacedBy(ctx, m)
		if err != nil {
			return tool.SkillDone{}, err
		}
		for _, was := range before {
			out.Said = append(out.Said, was.recalled(call))
			data = append(data, map[string]any{"memory_id": was.ID.UUID(), "text": was.text, "until": dayTold(was.Due, call)})
		}
	}
	return pointing(out, map[string]any{"memories": data})
}

// recalled is a memory on a line of its own; one that was replaced, with the day until which it was so.
func (m planned) recalled(call tool.SkillCall) speech.Said {
	return speech.Said{As: speech.Item, Says: []speech.Message{say("memory.recalled", args{"what": m.its(), "until": moment(m.Due, call)})}}
}

// maxBefore bounds what is told of what a memory has replaced.
const maxBefore = 3

// replacedBy is what a memory has replaced, the latest first, with the moment until which it was so.
func (s *skills) replacedBy(ctx context.Context, m planned) ([]planned, error) {
	var out []planned
	rec, err := s.cfg.Reader.Find(ctx, m.ID)
	for text := m.text; err == nil && len(out) < maxBefore; {
		later, wrong := domain.Decode[domain.MemoryRemembered](rec.Envelope)
		if wrong != nil || later.Replaces.IsZero() {
			break
		}
		until := rec.Envelope.Timestamp
		if rec, err = s.cfg.Reader.Find(ctx, later.Replaces); err != nil {
			break
		}
		earlier, wrong := wordsOf(ctx, rec.Envelope)
		if wrong != nil || earlier == commands.ErasedText {
			break
		}
		if !sameWords(earlier, text) {
			out = append(out, planned{Commitment: domain.Commitment{ID: rec.Envelope.ID, Due: until}, text: earlier})
		}
		text = earlier
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

// askingWords are words of a question about a memory that the memory itself needn't have.
var askingWords = []string{"name", "names", "called", "where", "when", "which", "how", "are", "was", "were", "does", "did", "our", "your", "now", "there", "tell", "remember", "can", "t"}

// conditions are words for how somebody is, each with others by which a memory says it. Where one is
// asked for, only what says that of that person is an answer.
var conditions = map[string][]string{
	"allergic": {"allergy", "allergies", "intolerant", "intolerance"},
	"eat":      {"allergic", "allergy", "allergies", "intolerant", "intolerance", "vegetarian", "vegan", "diet"},
	"afraid":   {"fear", "fears", "scared", "phobia"},
}

// oneThing are words for one thing, in each language that is read.
var oneThing = [][]string{
	{"phone", "telephone", "tel", "mobile", "cell", "cellphone"}, {"email", "mail"}, {"birthday", "birthdate"}, {"doctor", "dr", "physician"},
	{"téléphone", "tel", "portable", "mobile"}, {"telefon", "telefonnummer", "handy", "handynummer", "mobilnummer"}, {"teléfono", "tel", "móvil", "celular"},
	{"allergisch", "allergie", "allergien"}, {"allergique", "allergiques", "allergie", "allergies"}, {"alérgico", "alérgica", "alergia", "alergias"}, //nolint:misspell // German
}

// tells reports whether a memory with these words has one that was asked for, or another for it.
func tells(told []string, word string) bool {
	among := func(others []string) func(string) bool {
		return func(w string) bool { return slices.Contains(others, w) }
	}
	for _, group := range oneThing {
		if slices.Contains(group, word) && slices.ContainsFunc(told, among(group)) {
			return true
		}
	}
	stem := relate.Stem(word)
	return slices.ContainsFunc(told, func(w string) bool { return relate.Stem(w) == stem }) ||
		bynames.HasAll(told, []string{word}) || slices.ContainsFunc(conditions[word], func(w string) bool { return bynames.HasAll(told, []string{w}) })
}

// bestShared are the memories with all the words, those that say something of it before
// those that mention it, and of either the latest first. When there are none,
// these are those that share the most, if that is half of the words. Without words
// they are the latest.
func bestShared(words []string, all []planned) []planned {
	asked := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(askingWords, w) })
	if len(asked) == 0 {
		asked = words
	}
	best, most := []planned(nil), max(1, (len(asked)+1)/2)
	switch {
	case len(asked) == 0:
		most = 0
	case slices.ContainsFunc(asked, func(w string) bool { return conditions[w] != nil }):
		most = len(asked)
	}
	for _, m := range slices.Backward(all) {
		told, shared := bynames.TellingWords(m.text+" "+m.about), 0
		for _, w := range asked {
			if tells(told, w) {
				shared++
			}
		}
		if shared > most {
			best, most = nil, shared
		}
		if shared == most {
			best = append(best, m)
		}
	}
	domain.SortStableFunc(best, func(a, b planned) int { return cmp.Compare(sayOf(b, asked), sayOf(a, asked)) })
	return best[:min(len(best), recalled)]
}

// sayOf is 1 of a memory that says something of what is asked about, and 0 of one that
// only mentions it.
func sayOf(m planned, asked []string) int {
	if c, ok := claimIn(m.text); ok && len(asked) > 0 && bynames.HasAll(bynames.TellingWords(c.subject), asked) {
		return 1
	}
	return 0
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
	if p.All {
		return s.forgetAll(call, all, through, p.Confirmed)
	}
	if strings.TrimSpace(p.What) == "" {
		return ask(say("plan.which", args{"kind": speech.Kind("memory")}))
	}
	if several := memoriesByID(p.What, all); len(several) > 1 {
		return s.forgetSeveral(call, several, through)
	}
	one, question := pick(p.What, "memory", all)
	if !question.IsZero() && len(matching(p.What, all)) == 0 && !bynames.IsKindOfPlan(p.What) { // a plan may be meant
		if done, ok, err := s.elsewhere(ctx, call, request{naming: naming{Which: p.What}, kind: "memory", verb: domain.PlanDropped}); ok || err != nil {
			return done, err
		}
	}
	if !question.IsZero() {
		return ask(question, eachMemory(p.What, all)...)
	}
	gone := domain.MemoryForgotten{MemoryID: one.ID}
	e, err := entry(s, call, gone, gone.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(confirm(say("memory.let_go", args{"what": textsOf([]planned{one})}), one.data("memory_id"), e))
}

// eachMemory are the memories that some words may mean as the answers to which of them is meant;
// none where none or one is.
func eachMemory(which string, all []planned) []tool.Answer {
	found := matching(which, all)
	if len(found) < 2 {
		return nil
	}
	out := make([]tool.Answer, 0, maxNamed)
	for _, m := range found[:min(len(found), maxNamed)] {
		out = append(out, tool.Answer{Label: m.text, With: map[string]any{"what": m.ID.UUID()}})
	}
	return out
}

// memoriesByID are the memories that ids name; none when a word isn't the id of one.
func memoriesByID(ids string, all []planned) []planned {
	var out []planned
	for _, id := range idsIn(ids) {
		at := slices.IndexFunc(all, func(m planned) bool { return m.ID == id })
		if at < 0 {
			return nil
		}
		out = append(out, all[at])
	}
	return out
}

// forgetSeveral forgets memories together.
func (s *skills) forgetSeveral(call tool.SkillCall, several []planned, through domain.Position) (tool.SkillDone, error) {
	var entries []domain.Entry
	for _, one := range several {
		gone := domain.MemoryForgotten{MemoryID: one.ID}
		e, err := entry(s, call, gone, gone.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries = append(entries, e)
	}
	done, err := confirm(say("memory.let_go", args{"what": textsOf(several)}), map[string]any{"forgotten": len(several)}, entries...)
	done.Conditions = []domain.Condition{{Key: domain.MemoriesKey(), After: through}}
	return done, err
}

// maxForgotten bounds the memories that are forgotten at once.
const maxForgotten = 1000

// forgetAll forgets everything, when that was confirmed.
func (s *skills) forgetAll(call tool.SkillCall, all []planned, through domain.Position, confirmed bool) (tool.SkillDone, error) {
	switch {
	case len(all) == 0:
		return tell(say("memories.none"))
	case len(all) > maxForgotten:
		return ask(say("memories.too_many", args{"n": speech.Count(len(all)), "most": speech.Count(maxForgotten)}))
	case !confirmed:
		return sure(say("memories.sure", args{"memories": alikeApart(all)}), yes(), no())
	}
	var entries []domain.Entry
	for _, one := range all {
		gone := domain.MemoryForgotten{MemoryID: one.ID}
		e, err := entry(s, call, gone, gone.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries = append(entries, e)
	}
	done, err := confirm(say("memories.let_go"), map[string]any{"forgotten": len(all)}, entries...)
	done.Conditions = []domain.Condition{{Key: domain.MemoriesKey(), After: through}}
	return done, err
}
