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
	"chalie/domain/language/gauge"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
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
	out := valued{call: call, asked: speech.Period{Since: domain.MillisOf(midnight(call.Now, call.Zone)), Before: call.Now + 1}}
	if !blank(p.During) {
		if out.asked, err = timing.Period(p.During, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
	}
	names, err := out.namesOf(ctx, s, of)
	if err == nil && len(names) > 0 {
		err = out.valuesOf(ctx, s, names)
	}
	if err == nil && out.heard == 0 && out.head.IsZero() {
		err = out.sortOf(ctx, s, of)
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	if p.Worth {
		out.notes = append(out.notes, out.worth())
	}
	told := slices.Concat(each(speech.Told, out.head), each(speech.Item, out.lines...), each(speech.Told, out.notes...))
	return pointing(tool.SkillDone{Said: told}, map[string]any{"values": out.data})
}

// valued is an answer in the making.
type valued struct {
	call  tool.SkillCall
	asked speech.Period // of today, without words, when none was asked for

	head  speech.Message   // whose names they are; none of what is a name itself
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
	unknown := t.lacks
	switch all, ok := gauge.Worth(t.held); {
	case !t.counted:
		unknown = args{"why": speech.Kind("uncounted")}
	case unknown != nil:
	case ok:
		return say("values.worth", args{"total": theirOwn(all)})
	default:
		unknown = args{"why": speech.Kind("units")}
	}
	return say("values.worth_unknown", unknown)
}

// holds notes how many there are of something, and its last value.
func (t *valued) holds(name, count string, last observed) {
	t.counted = t.counted || count != ""
	switch figures := last.Figures; {
	case count != "" && len(figures) == 1 && figures[0].Label == "":
		t.held = append(t.held, gauge.Holding{Count: count, Value: figures[0]})
	case t.lacks == nil:
		t.lacks = args{"why": speech.Kind("one"), "name": theirOwn(name)}
	}
}

// namesOf are the names on the list that is so called, and in memories of it; or else that name
// itself.
func (t *valued) namesOf(ctx context.Context, s *skills, of string) ([]string, error) {
	lists, _, err := s.lists(ctx)
	if err != nil {
		return nil, err
	}
	memories, _, err := s.memories(ctx)
	if err != nil {
		return nil, err
	}
	for _, called := range append([]string{of}, gauge.SameSort(of)...) {
		var names []string
		add := func(name string) { // once
			name = strings.TrimSpace(name)
			if name != "" && name != commands.ErasedText && !slices.ContainsFunc(names, func(o string) bool { return strings.EqualFold(o, name) }) {
				names = append(names, name)
			}
		}
		var head speech.Message
		if one, ok := listCalled(lists, called); ok {
			entries, err := s.entries(ctx, one)
			if err != nil || len(entries) == 0 {
				return nil, err
			}
			for _, e := range entries {
				add(e.text)
			}
			head = say("values.of", args{"list": theirOwn(one.name)})
		}
		for _, m := range slices.Backward(memories) {
			stated := m.text
			if c, ok := bynames.ClaimIn(m.text); ok {
				stated = c.Value
			}
			has := gauge.NamesIn(m.text, stated, m.about, called)
			if head.IsZero() && len(has) > 0 {
				head = say("values.of", args{"memory": m.called(domain.Cut(m.text, maxStateBytes)).its()})
			}
			for _, name := range has {
				add(name)
			}
		}
		if len(names) > 0 {
			t.head = head
			return names, nil
		}
	}
	if words := bynames.TellingWords(of); len(words) == 0 || len(words) > 4 {
		return nil, nil
	}
	return []string{of}, nil
}

// listCalled is the list whose name is just that, or ends so: portfolio is enough for a stock
// portfolio, and garden isn't for garden tools.
func listCalled(all []listing, called string) (listing, bool) {
	want := bynames.Stems(called)
	for _, ends := range []bool{false, true} {
		for _, l := range all {
			has := bynames.Stems(l.name)
			if ends {
				has = has[max(0, len(has)-len(want)):]
			}
			if len(want) > 0 && slices.Equal(has, want) {
				return l, true
			}
		}
	}
	return listing{}, false
}

// observed is what a signal said of a name.
type observed struct {
	signal
	gauge.Reading
}

// words are the values or the state that it said, in a message and as text.
func (o observed) words() (args, string) {
	var values speech.List
	var texts []string
	for _, f := range o.Figures {
		one := strings.TrimSpace(f.Label + " " + f.Text)
		values, texts = append(values, o.text(one)), append(texts, one)
	}
	if len(values) > 0 {
		return args{"values": values}, strings.Join(texts, ", ")
	}
	state := marksOut.Replace(onOneLine(o.State, maxStateBytes))
	return args{"state": o.text(state)}, "“" + state + "”"
}

// said is what it said in a message, and when. The answer may then quote it.
func (o observed) said(ctx context.Context, id speech.ID, call tool.SkillCall, more args) speech.Message {
	said, words := o.words()
	o.quote(ctx, words)
	return say(id, said, more, args{"at": moment(o.at, call)})
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

// valuesOf tells what was heard of names.
func (t *valued) valuesOf(ctx context.Context, s *skills, names []string) error {
	shown := names[:min(len(names), maxValued)]
	all, counts := make([]gauge.Name, len(shown)), make([]string, len(shown))
	for i, entry := range shown {
		var name string
		name, counts[i] = gauge.Counted(entry)
		all[i] = gauge.NameOf(name, gauge.Also(name)...)
	}
	heard := make([][]observed, len(all))
	bounded, err := s.lookBack(ctx, t.call, t.asked.Before, func(one signal) {
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
		return err
	}
	for i, name := range all {
		if len(heard[i]) > 0 {
			t.holds(name.Text, counts[i], t.tell(ctx, theirOwn(name.Text), inOrder(heard[i])))
			continue
		}
		t.holds(name.Text, counts[i], observed{})
		t.lines = append(t.lines, say("value.unheard", args{"name": theirOwn(name.Text), "days": speech.Count(lookBackDays)}))
		t.data = append(t.data, map[string]any{"name": name.Text})
	}
	if more := len(names) - len(shown); more > 0 {
		if t.lacks == nil {
			t.lacks = args{"why": speech.Kind("others")}
		}
		t.notes = append(t.notes, say("values.first", args{"n": speech.Count(maxValued), "left": speech.Count(more)}))
	}
	t.notes = append(t.notes, bounded...)
	return nil
}

// inOrder are observations, oldest first.
func inOrder(all []observed) []observed {
	domain.SortStableFunc(all, func(a, b observed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.id.String(), b.id.String()))
	})
	return all
}

// tell adds the line of one name, and returns its last value: when and from whom, and how that differs from
// the one before and from the first of the period. What was said since in words alone, of what
// has values, stands behind it.
func (t *valued) tell(ctx context.Context, name speech.Text, all []observed) observed {
	latest, n := all[len(all)-1], len(all)
	for i, o := range slices.Backward(all) {
		if len(o.Figures) > 0 {
			all = all[:i+1]
			break
		}
	}
	last := all[len(all)-1]
	entry := args{"name": name, "said": last.said(ctx, "value.said", t.call, last.who())}
	if changes := t.changes(ctx, all); len(changes) > 0 {
		entry["changes"] = changes
	}
	if len(all) < n {
		entry["since"] = latest.said(ctx, "value.said", t.call, latest.who())
	}
	if t.asked.Said != "" && latest.at < t.asked.Since {
		entry["nothing"] = t.asked
	}
	_, words := last.words()
	t.heard++
	t.lines = append(t.lines, say("value.entry", entry))
	t.data = append(t.data, map[string]any{"name": name.Words, "value": words, "at": last.at, "from": last.sender()})
	return last
}

// changes are how the last of what was said differs from what was said before.
func (t *valued) changes(ctx context.Context, all []observed) (out speech.List) {
	last, earlier := all[len(all)-1], all[:len(all)-1]
	for _, f := range last.Figures {
		out = append(out, t.changesOf(ctx, f, last, earlier)...)
	}
	if len(out) > 0 || len(earlier) == 0 {
		return out
	}
	before := earlier[len(earlier)-1]
	_, was := before.words()
	if _, is := last.words(); bynames.SameWords(is, was) {
		return speech.List{say("value.same")}
	}
	return speech.List{before.said(ctx, "value.before", t.call, nil)}
}

// changesOf is how a value differs from the one before, and from the first of the period.
func (t *valued) changesOf(ctx context.Context, f gauge.Figure, last observed, earlier []observed) speech.List {
	named := func(words string) speech.Value {
		if words == "" {
			return nil
		}
		return last.text(words)
	}
	number := func(digits string) speech.Value {
		if digits == "" {
			return nil
		}
		return speech.Number(digits)
	}
	differs := func(o observed, than string) speech.Message {
		was, _ := o.figure(f)
		how, _ := f.Change(was)
		o.quote(ctx, was.Text)
		change := args{
			"label": named(f.Label), "way": speech.Kind(how.Way), "by": number(how.By), "points": number(how.Points), "unit": named(how.Unit),
			"share": number(how.Share), "below": number(how.Below), "at": moment(o.at, t.call),
		}
		change[than] = o.text(was.Text)
		return say("value.change", change)
	}
	alike := slices.DeleteFunc(slices.Clone(earlier), func(o observed) bool {
		_, ok := o.figure(f)
		return !ok
	})
	if len(alike) == 0 {
		return speech.List{say("value.alone", args{"label": named(f.Label)})}
	}
	before := alike[len(alike)-1]
	out := speech.List{differs(before, "from")}
	first := slices.IndexFunc(alike, func(o observed) bool { return o.at >= t.asked.Since })
	if first >= 0 && alike[first].id != before.id {
		out = append(out, differs(alike[first], "since"))
	}
	return out
}

// sortOf tells what every sender of such signals said last, when there is no list or memory of it:
// those that have one of its words in their sender, kind, topic or text.
func (t *valued) sortOf(ctx context.Context, s *skills, of string) error {
	wanted := gauge.Senses(of)
	groups := map[string][]observed{}
	bounded, err := s.lookBack(ctx, t.call, t.asked.Before, func(one signal) {
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
		return err
	}
	*t = valued{call: t.call, asked: t.asked, head: say("values.of_sort", args{"called": theirOwn(of)})}
	if len(groups) == 0 {
		t.head = say("values.none", args{"called": theirOwn(of), "days": speech.Count(lookBackDays)})
	}
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
		t.tell(ctx, last.text(cmp.Or(last.Name, last.sender())), group)
	}
	t.notes = append(beyond("earlier", len(all)-maxValued), bounded...)
	return nil
}
