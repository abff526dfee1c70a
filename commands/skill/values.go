package skill

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/gauge"
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
	words    string // "today", "this week"; "" when none was asked for
}

func (s *skills) doValues(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct {
		Of, During string
		Worth      bool
	}](call)
	if err != nil {
		return asksBack(err)
	}
	of := listName(strings.TrimRight(strings.TrimSpace(p.Of), ".?!"))
	if of == "" {
		return asks("Of what should I tell the values? Name a list, a memory or a thing.")
	}
	now := call.Now.Time().In(call.Zone)
	asked := period{from: domain.MillisOf(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, call.Zone)), to: call.Now + 1}
	if during := strings.TrimSpace(p.During); during != "" {
		if asked.from, asked.to, err = when.During(during, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
		asked.to, asked.words = min(asked.to, call.Now+1), inPeriod(during)
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
	head  string   // whose names they are
	lines []string // one for each
	notes []string // what else there is to say of all
	data  []any
	heard int // of how many something was heard

	held    []gauge.Holding // of what was counted, with its last value
	counted bool            // of some it is known how many there are
	lacks   string          // the first name of which there is no count, or no value
}

// worth says what all is worth, by how many there are of each and its last value.
func (t *valued) worth() string {
	if !t.counted {
		return "What it is worth in all I don't know: I haven't been told amounts."
	}
	if t.lacks != "" {
		return "What it is worth in all I don't know: of " + t.lacks + " I lack the amount or a value."
	}
	if all, ok := gauge.Worth(t.held); ok {
		return "By these amounts and the last values it is worth " + all + " in all."
	}
	return "What it is worth in all I don't know: the values aren't in one unit."
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
		t.lacks = cmp.Or(t.lacks, name)
		return
	}
	t.held = append(t.held, gauge.Holding{Count: count, Value: figures[0]})
}

// answer is the head, a list of the lines, and the notes.
func (t *valued) answer() (tool.SkillDone, error) {
	var texts []string
	var blocks []domain.Block
	plain := func(text string) {
		texts, blocks = append(texts, text), append(blocks, domain.TextBlock(text, domain.FormatPlain))
	}
	if t.head != "" {
		plain(t.head)
	}
	if len(t.lines) > 0 {
		texts, blocks = append(texts, t.lines...), append(blocks, domain.ListBlock(t.lines...))
	}
	for _, note := range t.notes {
		plain(note)
	}
	return answered(strings.Join(texts, "\n"), blocks, map[string]any{"values": t.data})
}

// names are those that a list or a memory has.
type names struct {
	names []string
	head  string // whose they are, in words
	bare  bool   // nothing is kept under that name: it is a name itself
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
	for _, called := range append([]string{of}, sameSort(of)...) {
		out := names{}
		if one, ok := listCalled(lists, called); ok {
			entries, err := s.entries(ctx, one)
			if err != nil {
				return names{}, err
			}
			for _, e := range entries {
				out.add(e.text)
			}
			out.head = fmt.Sprintf("What I have heard of your list %s:", one.name)
			if len(entries) == 0 {
				return names{}, nil
			}
		}
		for _, m := range slices.Backward(memories) {
			has := heldBy(m, called)
			if out.head == "" && len(has) > 0 {
				out.head = fmt.Sprintf("What I have heard of what you told me, “%s”:", domain.Cut(m.text, maxStateBytes))
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
	want := stems(called)
	for _, ends := range []bool{false, true} {
		for _, l := range all {
			has := stems(l.name)
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

// consists are words between what a memory is about and the names in it.
var consists = regexp.MustCompile(`(?i)^\s*(?:(?:is|are|has|have|contains?|holds?|includes?|consists? of|is made up of|:|=|-)\s*)+(?:(?:the|these|following|names|shares|stocks|of)\b[\s:]*)*`)

// heldBy are the names that a memory has under what it is called by: "my portfolio is AAPL and
// MSFT".
func heldBy(m planned, called string) []string {
	words := strings.Fields(m.text)
	want := stems(called)
	for end := 1; end <= min(len(words)-1, maxSubjectWords); end++ {
		subject := strings.Join(words[:end], " ")
		if !slices.Equal(stems(subject), want) {
			continue
		}
		rest := m.text[strings.Index(m.text, words[end-1])+len(words[end-1]):]
		if strings.HasSuffix(words[end-1], ":") {
			rest = ":" + rest
		}
		if link := consists.FindString(rest); link != "" {
			return itemsOf(strings.ReplaceAll(strings.TrimRight(rest[len(link):], ". !"), " and ", ", "))
		}
	}
	if m.about != "" && slices.Equal(stems(m.about), want) && !strings.ContainsAny(m.text, ".!?") {
		text := m.text
		if c, ok := claimIn(text); ok {
			text = c.value
		}
		if several := itemsOf(strings.ReplaceAll(text, " and ", ", ")); len(several) > 1 {
			return several
		}
	}
	return nil
}

// sorts are words that people use for the same sort of thing, and that signals of it have.
var sorts = [][]string{
	{"portfolio", "watchlist", "stocks", "shares", "investments", "holdings", "tickers"},
	{"garden", "plants", "flowers", "pots", "herbs"},
	{"packages", "parcels", "deliveries", "shipments", "orders"},
	{"crypto", "coins", "cryptocurrencies"},
	{"home", "house", "rooms"},
}

// heardAs are the words that signals of a sort have besides, by its first word.
var heardAs = map[string][]string{
	"portfolio": {"portfolio", "watchlist", "stock", "stocks", "share", "shares", "price", "prices", "quote", "quotes", "ticker", "market", "markets"},
	"garden":    {"garden", "plant", "plants", "soil", "moisture", "pot"},
	"packages":  {"package", "packages", "parcel", "parcels", "delivery", "shipment", "tracking", "courier"},
	"crypto":    {"crypto", "coin", "coins"},
}

// sameSort are other words for what something is called.
func sameSort(of string) []string {
	for _, sort := range sorts {
		for _, w := range sort {
			if slices.Equal(stems(w), stems(of)) {
				return slices.DeleteFunc(slices.Clone(sort), func(o string) bool { return o == w })
			}
		}
	}
	return nil
}

// senses are the words of which a signal of the sort has one.
func senses(of string) [][]string {
	out := [][]string{bynames.TellingWords(of)}
	for _, sort := range sorts {
		if !slices.ContainsFunc(sort, func(w string) bool { return slices.Equal(stems(w), stems(of)) }) {
			continue
		}
		for _, w := range heardAs[sort[0]] {
			out = append(out, []string{w})
		}
	}
	return out
}

// observed is what a signal said of a name.
type observed struct {
	signal
	gauge.Reading
}

// words are the values or the state that it said.
func (o observed) words() string {
	if len(o.Figures) == 0 {
		return "“" + strings.NewReplacer("“", `"`, "”", `"`).Replace(domain.Cut(strings.Join(strings.Fields(o.State), " "), maxStateBytes)) + "”"
	}
	parts := make([]string, len(o.Figures))
	for i, f := range o.Figures {
		parts[i] = strings.TrimSpace(f.Label + " " + f.Text)
	}
	return strings.Join(parts, ", ")
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
func (o observed) quote(ctx context.Context, text string) {
	if seen, ok := ctx.Value(readFor{}).(*[]wording); ok {
		*seen = append(*seen, wording{o.id, text})
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
			out.lines = append(out.lines, fmt.Sprintf("%s: I have heard nothing of it in the last %d days.", name.Text, lookBackDays))
			out.data = append(out.data, map[string]any{"name": name.Text})
			continue
		}
		out.heard++
		out.tell(ctx, call, name.Text, heard[i], asked)
	}
	if more := len(kept.names) - maxValued; more > 0 {
		out.lacks = cmp.Or(out.lacks, "the other names")
		out.notes = append(out.notes, fmt.Sprintf("I looked for the first %d names, and not for the other %d.", maxValued, more))
	}
	out.notes = append(out.notes, back.words(call)...)
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
func (t *valued) tell(ctx context.Context, call tool.SkillCall, name string, all []observed, asked period) {
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
	last.quote(ctx, last.words())
	line := fmt.Sprintf("%s: %s (%s, %s)", name, last.words(), last.sender(), saidAt(last.at, call))
	if len(last.Figures) == 0 {
		line += lastState(ctx, call, all)
	}
	changes := make([]string, len(last.Figures))
	for i, f := range last.Figures {
		changes[i] = changesOf(ctx, call, f, all, asked)
	}
	line += strings.Join(changes, "")
	if since.id != (domain.ID{}) {
		since.quote(ctx, since.words())
		line += fmt.Sprintf("; since then %s (%s, %s)", since.words(), since.sender(), saidAt(since.at, call))
	}
	if asked.words != "" && max(last.at, since.at) < asked.from {
		line += "; nothing " + asked.words
	}
	t.lines = append(t.lines, line+".")
	t.data = append(t.data, map[string]any{"name": name, "value": last.words(), "at": last.at, "from": last.sender()})
}

// lastState is how something was before.
func lastState(ctx context.Context, call tool.SkillCall, all []observed) string {
	if len(all) < 2 {
		return ""
	}
	last, before := all[len(all)-1], all[len(all)-2]
	if sameWords(last.words(), before.words()) {
		return ", as before"
	}
	before.quote(ctx, before.words())
	return fmt.Sprintf(", before %s %s", before.words(), saidAt(before.at, call))
}

// changesOf is how a value differs from the one before, and from the first of the period.
func changesOf(ctx context.Context, call tool.SkillCall, f gauge.Figure, all []observed, asked period) string {
	earlier := all[:len(all)-1]
	label, out := "", ""
	if f.Label != "" {
		label = f.Label + " "
	}
	differs := func(o observed, word string) {
		was, _ := o.figure(f)
		how, _ := f.Change(was)
		o.quote(ctx, was.Text)
		out += fmt.Sprintf(", %s%s %s %s %s", label, how, word, was.Text, saidAt(o.at, call))
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
	if out == "" {
		return ", " + label + "with none before to compare"
	}
	return out
}

// sortOf is what every sender of such signals said last, when there is no list or memory of it:
// those that have one of its words in their sender, kind, topic or text.
func (s *skills) sortOf(ctx context.Context, call tool.SkillCall, of string, asked period) (valued, error) {
	wanted := senses(of)
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
		head := fmt.Sprintf("There is no list or memory called “%s”, and I have heard nothing of it in the last %d days.", of, lookBackDays)
		return valued{head: head, notes: back.words(call)}, nil
	}
	out := valued{head: fmt.Sprintf("There is no list or memory called “%s”. What was said last of the sort:", of)}
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
		out.tell(ctx, call, cmp.Or(last.Name, last.sender()), group, asked)
	}
	if more := len(all) - maxValued; more > 0 {
		out.notes = append(out.notes, fmt.Sprintf("and %d more", more))
	}
	out.notes = append(out.notes, back.words(call)...)
	return out, nil
}
