package sentences

import (
	"slices"
	"strings"

	"chalie/domain/language/tongues"
)

// Wanted is what the person says, as far as it decides what a model is shown for it.
// It is read by rules, so that the same words are shown in a replay.
type Wanted struct {
	News      bool // it asks for signals
	Asks      bool // it is a question, or speaks of what others said
	FollowsUp bool // it points back to the last exchange

	vocabulary Vocabulary
	words      []string // that tell something
	lower      string   // all of it, in small letters
	question   bool     // it is a short question
	short      bool     // it may continue the last exchange, if it names no tool
}

// Vocabulary says of a word in small letters how little it tells by itself.
type Vocabulary struct {
	Everyday func(word string) bool // it holds sentences together, tells a time, or is what people do every day
	Function func(word string) bool // it holds sentences together
}

// fewWords bounds the words of a message that is about the last exchange
// or about everything.
const fewWords = 5

// WantedIn reads what the person said, and said behind it.
func WantedIn(text string, vocabulary Vocabulary) Wanted {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	all := tongues.PlainWords(text)
	w := Wanted{vocabulary: vocabulary, lower: " " + strings.Join(all, " ") + " "}
	for _, word := range all {
		if len(word) > 2 && !vocabulary.Everyday(word) {
			w.words = append(w.words, word)
		}
	}
	w.News = len(w.words) == 0 && len(all) <= fewWords && strings.HasSuffix(strings.TrimSpace(text), "?")
	for _, phrase := range newsPhrases() {
		w.News = w.News || strings.Contains(w.lower, " "+phrase+" ")
	}
	has := func(word string) bool { return slices.Contains(all, word) }
	w.Asks = strings.Contains(text, "?") || slices.ContainsFunc(askingWords(), has)
	w.FollowsUp = slices.ContainsFunc(pointers(), has)
	w.short = len(all) <= 3 || slices.ContainsFunc(linkWords(), has)
	w.question = len(all) <= fewWords && strings.Contains(text, "?")
	return w
}

// NamesNoTool notes of the message that it names none of the tools: a short question asks for signals, in
// whatever language, and "and in Gozo" goes on with what was said last, where "lights on again" is an order of
// its own.
func (w *Wanted) NamesNoTool() {
	w.News = w.News || w.question
	w.FollowsUp = w.FollowsUp || w.short
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

// AsksAbout reports whether it asks about what one of the texts tells.
func (w Wanted) AsksAbout(texts ...string) bool { return w.Asks && w.About(texts...) }

// About reports whether it shares a telling word with any of the texts.
func (w Wanted) About(texts ...string) bool {
	for _, text := range texts {
		for _, word := range tongues.PlainWords(strings.ToLower(text)) {
			if len(word) > 2 && isAmong(w.words, word) && !w.vocabulary.Everyday(word) {
				return true
			}
		}
	}
	return false
}

// AboutTool reports whether it names a tool by one of its names, or what the tool is for. What people do
// every day counts here: that is what tools are called by.
func (w Wanted) AboutTool(texts ...string) bool {
	own := tongues.PlainWords(w.lower)
	for _, word := range tongues.PlainWords(strings.ToLower(strings.Join(texts, " "))) {
		if len(word) > 2 && isAmong(own, word) && !w.vocabulary.Function(word) {
			return true
		}
	}
	return false
}

func isAmong(words []string, word string) bool {
	return slices.ContainsFunc(words, func(own string) bool { return sameStem(own, word) })
}

// sameStem reports whether two words are one, or one with an ending.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || b == a+"s" || len(a) > 3 && len(b)-len(a) <= 3 && strings.HasPrefix(b, a)
}
