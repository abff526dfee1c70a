package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/gauge"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// values tells what signals said last of the names on a list or in a memory.
func (s *skills) values() tool.Skill {
	return skill{do: s.doValues, tool: domain.Tool{
		Name:        "values",
		Description: "Sum up what was heard of the names on a list or in a memory, such as a portfolio, plants or parcels: the last value or state of each, and its change.",
		Documentation: "of is the name of a list (portfolio), or what a memory is about (my portfolio is AAPL and MSFT), or such a name itself (AAPL). " +
			"Without a list or memory so called it tells what was said last of the sort. It reads signals of 30 days back, 5000 at most, and says when there were more. What all is worth is known only when every name has an amount, such as 10 AAPL.",
		Parameters: []domain.Parameter{
			{Name: "of", Type: domain.TypeString, Required: true, Description: "The list or memory, or the thing itself: portfolio, plants, AAPL."},
			{Name: "during", Type: domain.TypeString, Description: `A period as people say it: "today", "yesterday", "this week". Left out: whenever, with the change of today.`},
			{Name: "worth", Type: domain.TypeBoolean, Description: "True when it was asked what all of it is worth."},
		},
	}}
}

// Bounds of what is told of values.
const (
	maxValued     = 20 // names
	maxStateBytes = 120
)

// period is that of a question after values.
type period struct {
	from, to domain.Millis
	said     speech.Value // nil when none was asked for
}

func (s *skills) doValues(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct {
		Of, During string
		Worth      bool
	}](call)
	if err != nil {
		return asksBack(err)
	}
	of := bynames.ListName(strings.TrimRight(strings.TrimSpace(p.Of), ".?!"))
	if of == "" {
		return ask(say("value.of_what"))
	}
	now := call.Now.Time().In(call.Zone)
	asked := period{from: domain.MillisOf(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, call.Zone)), to: call.Now + 1}
	if during := strings.TrimSpace(p.During); during != "" {
		if asked.from, asked.to, err = when.During(during, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
		asked.to, asked.said = min(asked.to, call.Now+1), periodSaid(during, call)
	}
	kept, err := s.namesOf(ctx, of)
	if err != nil {
		return tool.SkillDone{}, err
	}
	var out valued
	if len(kept.names) > 0 {
		if out, err = s.valuesOf(ctx, call, kept, asked); err != nil {
			return tool.SkillDone{}, err
		}
	}
	if len(kept.names) == 0 || kept.bare && out.heard == 0 {
		if out, err = s.sortOf(ctx, call, of, asked); err != nil {
			return tool.SkillDone{}, err
		}
	}
	if p.Worth {
		out.notes = append(out.notes, out.worth())
	}
	return out.answer()
}

// valued is an answer in the making.
type valued struct {
	head  speech.Message   // whose names they are
	lines []speech.Message // one for each
	notes []speech.Message // what else there is to say of all
	data  []any
	heard int // of how many something was heard

	held    []gauge.Holding // of what was counted, with its last value
	counted bool            // of some it is known how many there are
	lacks   args            // the first name of which there is no count, or no value
}

// worth says what all is worth, by how many there are of each and its last value.
func (t *valued) worth() speech.Message {
	unknown := args{"why": speech.Kind("uncounted")}
	if t.counted && t.lacks != nil {
		unknown = t.lacks
	} else if t.counted {
		if all, ok := gauge.Worth(t.held); ok {
			return say("values.worth", args{"total": theirOwn(all)})
		}
		unknown["why"] = speech.Kind("units")
	}
	return say("values.worth_unknown", unknown)
}

// holds notes how many there are of something, and its last value.
func (t *valued) holds(name, count string, all []observed) {
	var figures []gauge.Figure
	for _, o := range slices.Backward(all) {
		if figures = o.Figures; len(figures) > 0 {
			break
		}
	}
	t.counted = t.counted || count != ""
	if count == "" || len(figures) != 1 || figures[0].Label != "" {
		if t.lacks == nil {
			t.lacks = args{"why": speech.Kind("one"), "name": theirOwn(name)}
		}
		return
	}
	t.held = append(t.held, gauge.Holding{Count: count, Value: figures[0]})
}

// answer is the head, a list of the lines, and the notes.
func (t *valued) answer() (tool.SkillDone, error) {
	var out tool.SkillDone
	add := func(as speech.Look, says ...speech.Message) {
		for _, m := range says {
			if !m.IsZero() {
				out.Said = append(out.Said, speech.Said{As: as, Says: []speech.Message{m}})
			}
		}
	}
	add(speech.Told, t.head)
	add(speech.Item, t.lines...)
	add(speech.Told, t.notes...)
	return pointing(out, map[string]any{"values": t.data})
}

// names are those that a list or a memory has.
type names struct {
	names []string
	head  speech.Message // whose they are
	bare  bool           // nothing is kept under that name: it is a name itself
}

// namesOf are the names on the list that is so called, and in memories of it; or else that name
// itself.
func (s *skills) namesOf(ctx context.Context, of string) (names, error) {
	lists, _, err := s.lists(ctx)
	if err != nil {
		return names{}, err
	}
	memories, _, err := s.memories(ctx)
	if err != nil {
		return names{}, err
	}
	for _, called := range append([]string{of}, gauge.SameSort(of)...) {
		out := names{}
		if one, ok := listCalled(lists, called); ok {
			entries, err := s.entries(ctx, one)
			if err != nil {
				return names{}, err
			}
			for _, e := range entries {
				out.add(e.text)
			}
			out.head = say("values.of_list", args{"list": theirOwn(one.name)})
			if len(entries) == 0 {
				return names{}, nil
			}
		}
		for _, m := range slices.Backward(memories) {
			stated := m.text
			if c, ok := claimIn(m.text); ok {
				stated = c.value
			}
			has := gauge.NamesIn(m.text, stated, m.about, called)
			if out.head.IsZero() && len(has) > 0 {
				what := m.its()
				what.Words = domain.Cut(what.Words, maxStateBytes)
				out.head = say("values.of_memory", args{"what": what})
			}
			for _, name := range has {
				out.add(name)
			}
		}
		if len(out.names) > 0 {
			return out, nil
		}
	}
	if words := bynames.TellingWords(of); len(words) == 0 || len(words) > 4 {
		return names{}, nil
	}
	return names{names: []string{of}, bare: true}, nil
}

// listCalled is the list whose name is just that, or ends so: portfolio is enough for a stock
// portfolio, and garden isn't for garden tools.
func listCalled(all []listing, called string) (listing, bool) {
	want := bynames.Stems(called)
	for _, ends := range []bool{false, true} {
		for _, l := range all {
			has := bynames.Stems(l.name)
			if ends && len(has) > len(want) {
				has = has[len(has)-len(want):]
			}
			if len(want) > 0 && slices.Equal(has, want) {
				return l, true
			}
		}
	}
	return listing{}, false
}

// add adds a name, once.
func (n *names) add(name string) {
	name = strings.TrimSpace(name)
	if name != "" && name != commands.ErasedText && !slices.ContainsFunc(n.names, func(o string) bool { return strings.EqualFold(o, name) }) {
		n.names = append(n.names, name)
	}
}

// observed is what a signal said of a name.
type observed struct {
	signal
	gauge.Reading
}

// words are the values or the state that it said.
func (o observed) words() string {
	if len(o.Figures) == 0 {
		return "“" + marksOut.Replace(domain.Cut(strings.Join(strings.Fields(o.State), " "), maxStateBytes)) + "”"
	}
	parts := make([]string, len(o.Figures))
	for i, f := range o.Figures {
		parts[i] = strings.TrimSpace(f.Label + " " + f.Text)
	}
	return strings.Join(parts, ", ")
}

// text are words of it.
func (o observed) text(words string) speech.Text { return speech.Text{Words: words, In: o.id} }

// said is what it said in a message. The answer may then quote it.
func (o observed) said(ctx context.Context) args {
	o.quote(ctx, o.words())
	if len(o.Figures) == 0 {
		return args{"state": o.text(strings.Trim(o.words(), "“”"))}
	}
	values := make(speech.List, len(o.Figures))
	for i, f := range o.Figures {
		values[i] = o.text(strings.TrimSpace(f.Label + " " + f.Text))
	}
	return args{"values": values}
}

// told is what it said, when and from whom.
func (o observed) told(ctx context.Context, call tool.SkillCall) speech.Message {
	return say("value.said", o.said(ctx), o.who(), args{"at": moment(o.at, call)})
}

// figure is its value of a label that can be compared with another.
func (o observed) figure(like gauge.Figure) (gauge.Figure, bool) {
	for _, f := range o.Figures {
		if _, ok := like.Change(f); ok && f.Label == like.Label {
			return f, true
		}
	}
	return gauge.Figure{}, false
}

// about are the words by which its sender says about what it is.
func (one signal) about() string {
	return one.Source + " " + one.SignalType + " " + topicOf(one)
}

// quote notes that an answer may quote what a signal said.
func (one signal) quote(ctx context.Context, text string) {
	if seen, ok := ctx.Value(readFor{}).(*[]wording); ok {
		*seen = append(*seen, wording{one.id, text})
	}
}

// valuesOf is what was heard of names.
func (s *skills) valuesOf(ctx context.Context, call tool.SkillCall, kept names, asked period) (valued, error) {
	all := make([]gauge.Name, 0, maxValued)
	counts := make([]string, 0, maxValued)
	for _, entry := range kept.names[:min(len(kept.names), maxValued)] {
		name, count := gauge.Counted(entry)
		all, counts = append(all, gauge.NameOf(name, gauge.Also(name)...)), append(counts, count)
	}
	heard := make([][]observed, len(all))
	back, err := s.lookBack(ctx, asked.to, func(one signal) {
		lower := strings.ToLower(one.Content + " " + string(one.Metadata) + " " + one.about())
		for i, name := range all {
			if !name.MayBeIn(lower) {
				continue
			}
			if read, ok := gauge.Of(name, slices.Concat(all[:i], all[i+1:]), one.Content, one.Metadata, one.about()); ok {
				heard[i] = append(heard[i], observed{one, read})
			}
		}
	})
	if err != nil {
		return valued{}, err
	}
	out := valued{head: kept.head}
	for i, name := range all {
		out.holds(name.Text, counts[i], inOrder(heard[i]))
		if len(heard[i]) == 0 {
			out.lines = append(out.lines, say("value.unheard", args{"name": theirOwn(name.Text), "days": speech.Count(lookBackDays)}))
			out.data = append(out.data, map[string]any{"name": name.Text})
			continue
		}
		out.heard++
		out.tell(ctx, call, theirOwn(name.Text), heard[i], asked)
	}
	if more := len(kept.names) - maxValued; more > 0 {
		if out.lacks == nil {
			out.lacks = args{"why": speech.Kind("others")}
		}
		out.notes = append(out.notes, say("values.first", args{"n": speech.Count(maxValued), "left": speech.Count(more)}))
	}
	out.notes = append(out.notes, back.says(call)...)
	return out, nil
}

// inOrder are observations, oldest first.
func inOrder(all []observed) []observed {
	domain.SortStableFunc(all, func(a, b observed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.id.String(), b.id.String()))
	})
	return all
}

// tell adds the line of one name: its last value, when and from whom, and how that differs from
// the one before and from the first of the period. What was said since in words alone, of what
// has values, stands behind it.
func (t *valued) tell(ctx context.Context, call tool.SkillCall, name speech.Text, all []observed, asked period) {
	last, since := all[len(all)-1], observed{}
	for i, o := range slices.Backward(all) {
		if len(o.Figures) > 0 {
			if i < len(all)-1 {
				since = last
			}
			last, all = o, all[:i+1]
			break
		}
	}
	entry := args{"name": name, "said": last.told(ctx, call)}
	changes := lastState(ctx, call, all)
	for _, f := range last.Figures {
		changes = append(changes, changesOf(ctx, call, f, all, asked)...)
	}
	if len(changes) > 0 {
		entry["changes"] = changes
	}
	if since.id != (domain.ID{}) {
		entry["since"] = since.told(ctx, call)
	}
	if asked.said != nil && max(last.at, since.at) < asked.from {
		entry["nothing"] = asked.said
	}
	t.lines = append(t.lines, say("value.entry", entry))
	t.data = append(t.data, map[string]any{"name": name.Words, "value": last.words(), "at": last.at, "from": last.sender()})
}

// lastState is how something without a value was before; nothing of what has one.
func lastState(ctx context.Context, call tool.SkillCall, all []observed) speech.List {
	last := all[len(all)-1]
	if len(all) < 2 || len(last.Figures) > 0 {
		return nil
	}
	before := all[len(all)-2]
	if sameWords(last.words(), before.words()) {
		return speech.List{say("value.same")}
	}
	return speech.List{say("value.before", before.said(ctx), args{"at": moment(before.at, call)})}
}

// changesOf is how a value differs from the one before, and from the first of the period.
func changesOf(ctx context.Context, call tool.SkillCall, f gauge.Figure, all []observed, asked period) (out speech.List) {
	earlier, last := all[:len(all)-1], all[len(all)-1]
	label := args{}
	if f.Label != "" {
		label["label"] = last.text(f.Label)
	}
	differs := func(o observed, than string) {
		was, _ := o.figure(f)
		how, _ := f.Change(was)
		o.quote(ctx, was.Text)
		change := args{"way": speech.Kind(how.Way), "at": moment(o.at, call)}
		change[than] = o.text(was.Text)
		for name, digits := range map[string]string{"by": how.By, "points": how.Points, "share": how.Share, "below": how.Below} {
			if digits != "" {
				change[name] = speech.Number(digits)
			}
		}
		if how.Unit != "" {
			change["unit"] = last.text(how.Unit)
		}
		out = append(out, say("value.change", label, change))
	}
	before := domain.ID{}
	for _, o := range slices.Backward(earlier) {
		if _, ok := o.figure(f); ok {
			before = o.id
			differs(o, "from")
			break
		}
	}
	for _, o := range earlier {
		if _, ok := o.figure(f); ok && o.at >= asked.from {
			if o.id != before {
				differs(o, "since")
			}
			break
		}
	}
	if out == nil {
		return speech.List{say("value.alone", label)}
	}
	return out
}

// sortOf is what every sender of such signals said last, when there is no list or memory of it:
// those that have one of its words in their sender, kind, topic or text.
func (s *skills) sortOf(ctx context.Context, call tool.SkillCall, of string, asked period) (valued, error) {
	wanted := gauge.Senses(of)
	groups := map[string][]observed{}
	back, err := s.lookBack(ctx, asked.to, func(one signal) {
		words := bynames.TellingWords(strings.ReplaceAll(one.about(), "_", " ") + " " + one.Content)
		if !slices.ContainsFunc(wanted, func(said []string) bool { return len(said) > 0 && bynames.HasAll(words, said) }) {
			return
		}
		read := gauge.All(one.Content, one.Metadata)
		if len(read) == 0 {
			read = []gauge.Reading{{State: one.Content}}
		}
		for _, r := range read {
			key := one.sender() + "\x00" + strings.ToLower(r.Name)
			groups[key] = append(groups[key], observed{one, r})
		}
	})
	if err != nil {
		return valued{}, err
	}
	if len(groups) == 0 {
		head := say("values.none", args{"called": theirOwn(of), "days": speech.Count(lookBackDays)})
		return valued{head: head, notes: back.says(call)}, nil
	}
	out := valued{head: say("values.of_sort", args{"called": theirOwn(of)})}
	all := make([][]observed, 0, len(groups))
	for _, group := range groups {
		all = append(all, inOrder(group))
	}
	domain.SortFunc(all, func(a, b []observed) int {
		x, y := a[len(a)-1], b[len(b)-1]
		return cmp.Or(cmp.Compare(y.at, x.at), strings.Compare(x.id.String(), y.id.String()), strings.Compare(x.Name, y.Name))
	})
	for _, group := range all[:min(len(all), maxValued)] {
		last := group[len(group)-1]
		out.heard++
		out.tell(ctx, call, last.text(cmp.Or(last.Name, last.sender())), group, asked)
	}
	if more := len(all) - maxValued; more > 0 {
		out.notes = append(out.notes, say("heard.more", args{"n": speech.Count(more)}))
	}
	out.notes = append(out.notes, back.says(call)...)
	return out, nil
}
