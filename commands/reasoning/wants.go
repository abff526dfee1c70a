package reasoning

import (
	"context"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/relate"
)

// wanted is what the person says, as far as it decides what a model is shown for it.
// It is read by rules, so that the same words are shown in a replay.
type wanted struct {
	words     []string // that tell something
	lower     string   // all of it, in small letters
	news      bool     // it asks for signals
	asks      bool     // it is a question, or speaks of what others said
	followsUp bool     // it points back to the last exchange
	question  bool     // it is a short question
	short     bool     // it may continue the last exchange, if it names no tool
}

// wants reads what the person said and added. What a program says wants nothing.
func (r *Reasoner) wants(ctx context.Context, ep *domain.Episode, said openingEvent) (wanted, error) {
	if !ep.ByOperator() {
		return wanted{}, nil
	}
	texts := []string{said.message.Text}
	if said.message.Topic != nil {
		texts = append(texts, *said.message.Topic)
	}
	for _, id := range ep.Steers {
		_, s, err := recall[domain.SteerReceived](ctx, r.cfg.Reader, id)
		if err != nil {
			return wanted{}, err
		}
		if s != nil {
			texts = append(texts, s.Text)
		}
	}
	return readWanted(strings.Join(texts, "\n")), nil
}

// shortest bounds the words of a message that is about the last exchange
// or about everything.
const shortest = 5

func readWanted(text string) wanted {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	all := commands.PlainWords(text)
	w := wanted{lower: " " + strings.Join(all, " ") + " "}
	for _, word := range all {
		if len(word) > 2 && !relate.Everyday(word) {
			w.words = append(w.words, word)
		}
	}
	w.news = len(w.words) == 0 && len(all) <= shortest && strings.HasSuffix(strings.TrimSpace(text), "?")
	for _, phrase := range newsPhrases() {
		w.news = w.news || strings.Contains(w.lower, " "+phrase+" ")
	}
	has := func(word string) bool { return slices.Contains(all, word) }
	w.asks = strings.Contains(text, "?") || slices.ContainsFunc(askingWords(), has)
	w.followsUp = slices.ContainsFunc(pointers(), has)
	w.short = len(all) <= 3 || slices.ContainsFunc(linkWords(), has)
	w.question = len(all) <= shortest && strings.Contains(text, "?")
	return w
}

// names notes what it makes of the message that it names none of the tools: a short
// question asks for signals, in whatever language, and "and in Gozo" goes on
// with what was said last, where "lights on again" is an order of its own.
func (w *wanted) names(offers []domain.Offer) {
	if slices.ContainsFunc(offers, func(o domain.Offer) bool { return w.aboutTool(o) }) {
		return
	}
	w.news = w.news || w.question
	w.followsUp = w.followsUp || w.short
}

// askingWords are of people who want to know something, or have it done with what others
// said. Others' words are shown to those, and not for an order such as "dim the kitchen",
// which shares a word with whatever the kitchen tells.
func askingWords() []string {
	return []string{"what", "when", "where", "who", "whose", "whom", "which", "why", "how", "tell", "told", "tells", "show", "explain", "summarize", "summarise", "repeat",
		"read", "say", "says", "said", "mentioned", "wrote", "written", "sent", "according", "answer", "reply", "forward", "messages", "mails", "emails", "letter", "letters", "article", "suggested", "recommended"}
}

// newsPhrases are how people ask for signals.
func newsPhrases() []string {
	return []string{
		"new", "news", "update", "updates", "heard", "overheard", "happened", "happening", "signals", "notifications", "alerts", "headlines",
		"what is up", "what s up", "whats up", "should i know", "need to know", "in mind", "on your mind", "in your mind", "catch me up", "brief me", "briefing",
		"did i miss", "have i missed", "going on", "matters now", "matters today", "hello", "good morning", "good evening",
	}
}

// pointers are words that point back to earlier exchanges.
func pointers() []string {
	return []string{"it", "that", "this", "them", "they", "those", "these", "he", "him", "she", "there", "one", "same", "instead", "first", "second", "last", "why"}
}

// linkWords join a message to what was said before, unless it says by itself what is to be
// done.
func linkWords() []string { return []string{"again", "yes", "no", "ok", "okay", "also", "too", "more"} }

// asksAbout reports whether it asks about what one of the texts tells.
func (w wanted) asksAbout(texts ...string) bool { return w.asks && w.about(texts...) }

// about reports whether it shares a telling word with any of the texts.
func (w wanted) about(texts ...string) bool {
	for _, text := range texts {
		for _, word := range commands.PlainWords(strings.ToLower(text)) {
			if len(word) > 2 && !relate.Everyday(word) && slices.ContainsFunc(w.words, func(own string) bool { return sameStem(own, word) }) {
				return true
			}
		}
	}
	return false
}

// aboutTool reports whether it names a tool, or what the tool is for. What people do
// every day counts here: that is what tools are called by.
func (w wanted) aboutTool(o domain.Offer) bool {
	own := commands.PlainWords(w.lower)
	for _, word := range commands.PlainWords(strings.ToLower(strings.Join([]string{o.Name, o.Tool.Name, o.Tool.Description, o.Interface.Name}, " "))) {
		if len(word) > 2 && !relate.Function(word) && slices.ContainsFunc(own, func(w string) bool { return sameStem(w, word) }) {
			return true
		}
	}
	return false
}

// sameStem reports whether two words are one, or one with an ending.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || b == a+"s" || len(a) > 3 && len(b)-len(a) <= 3 && strings.HasPrefix(b, a)
}
