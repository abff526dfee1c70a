package hearing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/bynames"
)

// toPerson answers the person: with tool calls, with their results, with a
// question for what is missing, or else with what it has heard.
func toPerson(ctx context.Context, reply *language.Reply, p language.Prompt) {
	if p.Instead != "" {
		reply.Blocks = append(reply.Blocks, plain("The built-in model answers instead: "+sentence(p.Instead)))
	}
	l := newListener(p).under(ctx)
	w := l.wish()
	if l.isGivenUp() {
		return
	}
	todo := l.plan(w.wanted)
	if len(p.Done) == 0 && w.unclear != "" && len(todo.calls)+len(todo.asks) > 0 {
		todo = plan{asks: []string{fmt.Sprintf("I don't know how %s changes what you asked for, so nothing was done. Say it anew in one sentence.", quoted(p.Steers))}}
	}
	switch {
	case len(todo.calls) > 0:
		reply.ToolCalls, reply.Mode = todo.calls, domain.ModeAct
		reply.Readings = l.readings(w.wanted, todo.calls)
		return
	case len(p.Done) > 0:
		reply.Mode = domain.ModeAct
		results(reply, p)
		switch added := todo.late || w.unclear != "" || w.stopped; {
		case added && slices.ContainsFunc(p.Done, mayBeDone):
			todo.asks = append(todo.asks, fmt.Sprintf("That was done before you added %s: say in one sentence what should change.", quoted(p.Steers)))
		case added && !w.stopped:
			todo.asks = append(todo.asks, fmt.Sprintf("What you added, %s, changed nothing: say in one sentence what you want instead.", quoted(p.Steers)))
		}
	case w.stopped:
		reply.Blocks = append(reply.Blocks, inTongue(p, plain(l.leaving()))...)
	case len(todo.asks) == 0 && len(w.wanted) == 0 && len(p.Steers) == 0 && smallTalk(p) != "":
		reply.Blocks = append(reply.Blocks, plain(smallTalk(p)))
	case len(todo.asks) == 0:
		show(reply, p, todo.known, w)
	}
	if len(p.Done) == 0 && len(todo.asks) > 0 {
		reply.Readings = l.readings(w.wanted, nil)
	}
	for _, question := range todo.asks {
		reply.Confidence = Unsure
		reply.Blocks = append(reply.Blocks, inTongue(p, plain(question))...)
	}
	if len(todo.offers) > 0 {
		reply.Blocks = append(reply.Blocks, inTongue(p, domain.ActionsBlock(todo.offers...))...)
	}
	if n := p.Asked.Images; n > 0 {
		reply.Confidence = Unsure
		reply.Blocks = append(reply.Blocks, domain.AlertBlock(fmt.Sprintf("I can't look at images yet: I know that %s attached, not what can be seen.", count(n, "image is", "images are")), domain.VariantInfo))
	}
	if len(p.Issues) > 0 {
		reply.Confidence = Unsure
		reply.Blocks = append(reply.Blocks, plain(fmt.Sprintf("A check found this answer wanting (%s). I can't do better: this is all I have.", cut(oneLine(strings.Join(p.Issues, "; ")), maxIssuesBytes))))
	}
}

// maxIssuesBytes bounds what is repeated of a check's complaints.
const maxIssuesBytes = 1 << 10

// show answers what it has no other answer for: where it isn't sure what is meant in one line,
// with what of the world shares a word with it, and otherwise with what it has heard.
func show(reply *language.Reply, p language.Prompt, known bool, w wish) {
	beyond := beyondIt(p, known, w)
	told := telling(withoutMessages(p))
	switch {
	case beyond == cantAnswer && len(told) > 0:
		reply.Confidence = Unsure
		reply.Blocks = append(reply.Blocks, plain(toldOf(p, told)))
		reply.Used = used(told)
	case beyond != "":
		reply.Confidence = Unsure
		near := sharing(withoutMessages(p))
		reply.Blocks = append(reply.Blocks, domain.AlertBlock(beyond+nearby(near), domain.VariantInfo))
		reply.Used = used(near)
	case len(p.Recent) == 0:
		reply.Blocks = append(reply.Blocks, plain("Hello."))
	}
	if beyond == "" {
		reply.Blocks = append(reply.Blocks, worldBlocks(p)...)
		reply.Used = used(shown(p))
	}
	if w.unclear != "" {
		reply.Confidence = Unsure
		// Not in the alert: only a text block says that its words are plain.
		reply.Blocks = append(reply.Blocks, plain(fmt.Sprintf(
			"I have taken up what you added, %s, but I don't understand it yet, so it changes nothing above.", quoted(p.Steers))))
	}
}

// beyondIt says what about this message the model can't do, and what it would
// need; "" when there is nothing to say.
func beyondIt(p language.Prompt, known bool, w wish) string {
	switch text := strings.TrimSpace(p.Asked.Text); {
	case text == "" || isGreeting(text) || asksForWorld(text):
		return ""
	case text == erased:
		return "What you said can't be read any more: say it again."
	case known && len(w.wanted) == 1 && w.wanted[0].tool == skillStatus:
		return "" // what is shown is what was asked for
	case known:
		return "I understand what you ask for, but the tool it needs isn't on offer now."
	case isTooLong(text):
		return fmt.Sprintf("That is longer than I can read as a request, so I did nothing: one sentence has %d words at most. Say it shorter, or in several messages.", maxSaidWords)
	case strings.ContainsAny(text, "?？؟"):
		return cantAnswer
	}
	return notSure
}

// What is said of a message that isn't understood.
const (
	notSure    = "I'm not sure what to do about that, so I did nothing."
	cantAnswer = "I can't answer that."
)

// maxNearby bounds what is named of the world because it shares a word.
const maxNearby = 3

// sharing are the items of the world that share a telling word with what was said.
func sharing(p language.Prompt) []language.ContextItem {
	var out []language.ContextItem
	said := bynames.TellingWords(p.Asked.Text)
	for _, item := range p.World {
		words := bynames.TellingWords(item.Label)
		if len(out) < maxNearby && slices.ContainsFunc(said, func(w string) bool { return len(w) > 3 && !emptyWords[w] && bynames.HasAll(words, []string{w}) }) {
			out = append(out, item)
		}
	}
	return out
}

// nearby says what shares a word with what wasn't understood, or where to find what is.
func nearby(items []language.ContextItem) string {
	if len(items) == 0 {
		return " Say “help” for what I can do."
	}
	names := make([]string, len(items))
	for i, item := range items {
		kind := string(item.Kind)
		if item.Kind == domain.ItemSignal {
			kind = "heard from " + cut(oneLine(item.Source), maxNameBytes)
		}
		names[i] = mention(item.Label) + " (" + kind + ")"
	}
	return " What I have in mind that shares a word: " + strings.Join(names, ", ") + "."
}

// telling are the signals in mind that a plain question is about: they have all its telling
// words, in any form, or two at least and most of them.
func telling(p language.Prompt) []language.ContextItem {
	var said []string
	for _, w := range bynames.TellingWords(p.Asked.Text) {
		if !emptyWords[w] && !slices.Contains(said, w) {
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
func toldOf(p language.Prompt, items []language.ContextItem) string {
	says := make([]string, len(items))
	for i, item := range items {
		says[i] = fmt.Sprintf("%s (%s, %s)", mention(item.Label), cut(oneLine(item.Source), maxNameBytes), ago(item.RecordedAt, p.AsOf))
	}
	return "What I have heard of that: " + strings.Join(says, "; ") + "."
}

// quoted are the last few of what was added.
func quoted(texts []string) string {
	const few, bound = 3, 160
	var out []string
	if more := len(texts) - few; more > 0 {
		out = append(out, count(more, "text before", "texts before"))
		texts = texts[more:]
	}
	for _, t := range texts {
		out = append(out, "“"+cut(oneLine(t), bound)+"”")
	}
	return strings.Join(out, ", ")
}

// asksForWorld reports whether a text asks for what is shown anyway.
func asksForWorld(text string) bool {
	s, ok := read(text)
	if !ok {
		return false
	}
	s, _ = s.request()
	_, ok = s.any("what is on|in your mind now?", "what do you have on|in your? mind now?", "what have you got? in|on your? mind", "what matters now|today?", "what have you heard today?", "what did you hear today?")
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
	l := newListener(p)
	w := l.wish()
	todo := l.plan(w.wanted)
	if len(p.Done) == 0 && w.unclear != "" {
		return nil
	}
	return todo.calls
}
