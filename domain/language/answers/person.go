package answers

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/bynames"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/turns"
)

// toPerson answers the person: with tool calls, with their results, with a
// question for what is missing, or else with what it has heard.
func toPerson(ctx context.Context, reply *language.Reply, p language.Prompt) {
	if p.Instead != "" {
		abroad.Say(reply, p, nil, told(say("limit", args{"what": speech.Kind("instead"), "said": speech.Text{Words: sentence(p.Instead)}})))
	}
	l := turns.NewTalk(p).Under(ctx)
	w := l.Wish()
	if l.IsGivenUp() {
		return
	}
	todo := l.Plan(w.Wanted)
	if len(p.Done) == 0 && w.Unclear != "" && len(todo.Calls)+len(todo.Asks) > 0 {
		todo = turns.Plan{Asks: []speech.Said{told(added("unclear", p.Steers))}}
	}
	switch {
	case len(todo.Calls) > 0:
		reply.ToolCalls, reply.Mode = todo.Calls, domain.ModeAct
		reply.Readings = readings(l, w.Wanted, todo.Calls)
		return
	case len(p.Done) > 0:
		reply.Mode = domain.ModeAct
		results(reply, p)
		switch late := todo.Late || w.Unclear != "" || w.Stopped; {
		case late && slices.ContainsFunc(p.Done, mayBeDone):
			todo.Asks = append(todo.Asks, told(added("late", p.Steers)))
		case late && !w.Stopped:
			todo.Asks = append(todo.Asks, told(added("useless", p.Steers)))
		}
	case w.Stopped:
		abroad.Say(reply, p, nil, told(l.Leaving()))
	case len(todo.Asks) == 0 && (len(w.Wanted) > 0 || len(p.Steers) > 0 || !talks(reply, p)):
		show(reply, p, todo.Known, w)
	}
	if len(p.Done) == 0 && len(todo.Asks) > 0 {
		reply.Readings = readings(l, w.Wanted, nil)
	}
	for _, question := range todo.Asks {
		reply.Confidence = hearing.Unsure
		abroad.Say(reply, p, nil, question)
	}
	if len(todo.Offers) > 0 {
		abroad.Say(reply, p, []domain.Block{domain.ActionsBlock(todo.Offers...)}, todo.Labels...)
	}
	if n := p.Asked.Images; n > 0 {
		reply.Confidence = hearing.Unsure
		images := say("limit", args{"what": speech.Kind("images"), "n": speech.Count(n)})
		abroad.Say(reply, p, nil, speech.Said{As: speech.Noted, Says: []speech.Message{images}})
	}
	if len(p.Issues) > 0 {
		reply.Confidence = hearing.Unsure
		issues := speech.Text{Words: sentences.Cut(sentences.OneLine(strings.Join(p.Issues, "; ")), maxIssuesBytes)}
		abroad.Say(reply, p, nil, told(say("limit", args{"what": speech.Kind("checked"), "said": issues})))
	}
}

// told is a paragraph of a reply.
func told(says ...speech.Message) speech.Said { return speech.Said{As: speech.Told, Says: says} }

// maxIssuesBytes bounds what is repeated of a check's complaints.
const maxIssuesBytes = 1 << 10

// show answers what it has no other answer for: where it isn't sure what is meant in one line,
// with what of the world shares a word with it, and otherwise with what it has heard.
func show(reply *language.Reply, p language.Prompt, known bool, w turns.Wish) {
	beyond := beyondIt(p, known, w)
	heard := telling(hearing.WithoutMessages(p))
	switch {
	case beyond.Args["why"] == speech.Kind("question") && len(heard) > 0:
		reply.Confidence = hearing.Unsure
		abroad.Say(reply, p, nil, told(toldOf(heard)))
		reply.Used = used(heard)
	case !beyond.IsZero():
		reply.Confidence = hearing.Unsure
		near := sharing(hearing.WithoutMessages(p))
		nearby(beyond, near)
		abroad.Say(reply, p, nil, speech.Said{As: speech.Noted, Says: []speech.Message{beyond}})
		reply.Used = used(near)
	case len(p.Recent) == 0:
		abroad.Say(reply, p, nil, told(talk("hello")))
	}
	if beyond.IsZero() {
		sayWorld(reply, p)
		reply.Used = used(shown(p))
	}
	if w.Unclear != "" {
		reply.Confidence = hearing.Unsure
		// Not in the alert: only a text block says that its words are plain.
		abroad.Say(reply, p, nil, told(added("other", p.Steers)))
	}
}

// beyondIt says what about this message the model can't do, and what it would
// need; the zero message when there is nothing to say.
func beyondIt(p language.Prompt, known bool, w turns.Wish) speech.Message {
	why := speech.Kind("unsure")
	switch text := strings.TrimSpace(p.Asked.Text); {
	case text == "" || isGreeting(text) || asksForWorld(text):
		return speech.Message{}
	case text == sentences.Erased:
		why = "erased"
	case known && len(w.Wanted) == 1 && w.Wanted[0].Tool == tools.SkillStatus:
		return speech.Message{} // what is shown is what was asked for
	case known:
		why = "unoffered"
	case sentences.IsTooLong(text):
		return tools.Says("beyond", "why", speech.Kind("long"), "most", speech.Count(sentences.MaxSaidWords))
	case strings.ContainsAny(text, "?？؟"):
		why = "question"
	}
	return tools.Says("beyond", "why", why)
}

// maxNearby bounds what is named of the world because it shares a word.
const maxNearby = 3

// sharing are the items of the world that share a telling word with what was said.
func sharing(p language.Prompt) []language.ContextItem {
	var out []language.ContextItem
	said := bynames.TellingWords(p.Asked.Text)
	for _, item := range p.World {
		words := bynames.TellingWords(item.Label)
		if len(out) < maxNearby && slices.ContainsFunc(said, func(w string) bool {
			return len(w) > 3 && !sentences.EmptyWords[w] && bynames.HasAll(words, []string{w})
		}) {
			out = append(out, item)
		}
	}
	return out
}

// nearby says beside what wasn't understood what shares a word with it, or where to find what is.
func nearby(beyond speech.Message, items []language.ContextItem) {
	if len(items) == 0 {
		beyond.Args["help"] = speech.Kind("help")
		return
	}
	near := make(speech.List, len(items))
	for i, item := range items {
		near[i] = tools.Says("beyond.item", "what", labelOf(item), "how", speech.Kind("item"), "kind", speech.Kind(item.Kind))
		if item.Kind == domain.ItemSignal {
			near[i] = tools.Says("beyond.item", "what", labelOf(item), "how", speech.Kind("heard"), "source", sourceOf(item))
		}
	}
	beyond.Args["near"] = near
}

// telling are the signals in mind that a plain question is about: they have all its telling
// words, in any form, or two at least and most of them.
func telling(p language.Prompt) []language.ContextItem {
	var said []string
	for _, w := range bynames.TellingWords(p.Asked.Text) {
		if !sentences.EmptyWords[w] && !slices.Contains(said, w) {
			said = append(said, w)
		}
	}
	var out []language.ContextItem
	for _, item := range p.World {
		if item.Kind != domain.ItemSignal || len(out) == maxNearby {
			continue
		}
		words, has := bynames.TellingWords(item.Label+" "+item.Source), 0
		for _, w := range said {
			if bynames.HasAll(words, []string{w}) {
				has++
			}
		}
		if has > 0 && (has == len(said) || has > 1 && 2*has > len(said)) {
			out = append(out, item)
		}
	}
	return out
}

// toldOf answers a question with what was heard of it, word for word, with when and from whom.
func toldOf(items []language.ContextItem) speech.Message {
	says := make(speech.List, len(items))
	for i, item := range items {
		says[i] = tools.Says("beyond.item", "what", labelOf(item), "how", speech.Kind("told"), "source", sourceOf(item), "at", speech.Time{At: item.RecordedAt})
	}
	return tools.Says("beyond", "why", speech.Kind("heard"), "heard", says)
}

// added says of the last few of what was added what becomes of it.
func added(how speech.Kind, texts []string) speech.Message {
	const few, bound = 3, 160
	args := speech.Args{"how": how}
	if more := len(texts) - few; more > 0 {
		args["more"], texts = speech.Count(more), texts[more:]
	}
	var all speech.List
	for _, t := range texts {
		all = append(all, speech.Text{Words: sentences.Cut(sentences.OneLine(t), bound)})
	}
	args["added"] = all
	return speech.New("added", args)
}

// asksForWorld reports whether a text asks for what is shown anyway.
func asksForWorld(text string) bool {
	s, ok := sentences.Read(text)
	if !ok {
		return false
	}
	s, _ = s.Request()
	_, ok = s.Any("what is on|in your mind now?", "what do you have on|in your? mind now?", "what have you got? in|on your? mind", "what matters now|today?", "what have you heard today?", "what did you hear today?")
	return ok
}

// isGreeting reports whether a text asks for nothing but to be greeted.
func isGreeting(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	greeting := strings.Join(words, " ")
	return slices.Contains([]string{
		"hello", "hi", "hey", "hello there", "hi there", "hey there", "good morning", "good afternoon", "good evening",
		"hello chalie", "hi chalie", "hey chalie", "good morning chalie", "good afternoon chalie", "good evening chalie",
	}, greeting)
}

// Hears are the calls that the person's own words in the prompt ask for and that weren't made yet, in order.
func Hears(p language.Prompt) []domain.ToolCall {
	if p.Kind != language.AskedMessage || p.Asked.From != domain.PrincipalOperator {
		return nil
	}
	l := turns.NewTalk(p)
	w := l.Wish()
	todo := l.Plan(w.Wanted)
	if len(p.Done) == 0 && w.Unclear != "" {
		return nil
	}
	return todo.Calls
}
