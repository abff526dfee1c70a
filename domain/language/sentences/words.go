package sentences

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
	"chalie/domain/language/speech"
)

// Bounds of what is repeated of a text from outside.
const (
	MaxLabelBytes = 240
	MaxNameBytes  = 60
)

// Ago is how long ago something was, in the largest unit that fits: "5 min ago".
func Ago(then, now domain.Millis) string {
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	default:
		return fmt.Sprintf("%d d ago", d/(24*time.Hour))
	}
}

// Count is a number with the words that go with it.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Lines is a text from outside as lines: every way to break a line is the same,
// and characters that show nothing or turn the direction of writing are gone.
func Lines(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
}

// OneLine is a text from outside on one line, without space to spare.
func OneLine(text string) string { return strings.Join(strings.Fields(Lines(text)), " ") }

// Cut shortens a text to at most bound bytes, without splitting a character.
func Cut(text string, bound int) string {
	if len(text) <= bound {
		return text
	}
	const mark = "…"
	end := bound - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimRight(text[:end], " \n") + mark
}

// Span is a length of time in its two largest units: "1 h 50 min".
func Span(d time.Duration) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	var large, small string
	switch {
	case days > 0:
		large, small = fmt.Sprintf("%d d", days), fmt.Sprintf("%d h", hours)
	case hours > 0:
		large, small = fmt.Sprintf("%d h", hours), fmt.Sprintf("%d min", minutes)
	case minutes > 0:
		return fmt.Sprintf("%d min", minutes)
	default:
		return "under 1 min"
	}
	if strings.HasPrefix(small, "0 ") {
		return large
	}
	return large + " " + small
}

// Mention is a text from outside in quotation marks that it can't leave.
func Mention(text string) string {
	text = strings.NewReplacer("“", "\"", "”", "\"").Replace(Cut(OneLine(text), MaxLabelBytes))
	return "“" + text + "”"
}

// Named is a text as it is named by a message.
func Named(text string) speech.Text { return speech.Text{Words: Cut(OneLine(text), MaxLabelBytes)} }

// Plain is a paragraph of plain text.
func Plain(text string) domain.Block { return domain.TextBlock(text, domain.FormatPlain) }

// LeadsTo is a link to one of Chalie's own pages.
func LeadsTo(path, text string) domain.Block {
	return domain.Block{"type": "link", "url": path, "text": text}
}

// Flagged says what a text from outside tries.
func Flagged(whose string, flags []string) domain.Block {
	shown := make([]string, 0, maxFlags+1)
	for _, f := range flags[:min(len(flags), maxFlags)] {
		shown = append(shown, Cut(OneLine(f), MaxLabelBytes))
	}
	if more := len(flags) - maxFlags; more > 0 {
		shown = append(shown, Count(more, "thing more", "things more"))
	}
	return domain.AlertBlock(whose+" tries something with whoever reads it ("+strings.Join(shown, "; ")+"): it is taken as data, and nothing follows from it.", domain.VariantWarning)
}

// maxFlags bounds how many flags are named.
const maxFlags = 5

// WordsIn are the words of a text, for looking up.
func WordsIn(text string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		out[w] = true
	}
	return out
}

// HasAny reports whether a sentence has one of some words.
func HasAny(s Said, words ...string) bool {
	for i := range s.Words {
		if s.Is(i, words...) {
			return true
		}
	}
	return false
}

// AnyOf reports whether a sentence has one of a set of words.
func AnyOf(s Said, words map[string]bool) bool {
	for _, w := range s.Words {
		if words[w.Lower] && !w.Quoted {
			return true
		}
	}
	return false
}

// IsThing reports whether words can only be the names of things: they say nothing of anybody,
// and ask nothing.
func IsThing(s Said) bool {
	if len(s.Words) == 0 || len(s.Words) > 10 || s.Question {
		return false
	}
	for i := range s.Words {
		if s.Is(i, "i", "we", "he", "she", "they", "you", "it", "is", "are", "was", "were", "do", "does", "did", "not", "will", "would", "can", "could", "should", "have", "has", "had", "if", "when", "what", "which", "who", "why", "how", "where", "that", "this", "there", "nothing", "something", "anything", "everything", "longer", "needed", "never", "unless", "until", "add", "remove", "delete", "put", "took", "added", "said", "says", "me", "am") {
			return false
		}
	}
	return !s.Is(0, "show", "read", "tell", "open", "see", "give", "find", "look", "go", "move", "copy", "share", "send", "print", "email", "text", "name", "rename", "work", "start", "begin", "create", "make", "new", "set", "let", "edit", "change", "call", "play", "buy", "view", "display", "list", "count", "sort", "item", "items", "entry", "all", "remember", "remind", "keep", "check", "review", "recite", "pull", "bring", "hear", "get", "anything", "number", "compare", "swap", "replace", "number", "not", "no", "yes", "help", "thing", "things", "first", "second", "last", "next", "blank", "double", "halve", "increase", "reduce", "merge", "combine", "duplicate", "archive", "export", "upload", "download", "mail", "forward", "translate", "pin", "highlight", "undo", "restore", "fix", "adjust", "organize", "organise", "split", "lock", "hide", "push", "turn", "switch", "where", "star", "sync", "prioritize", "take", "log", "how's", "where's", "cancel", "stop", "schedule", "book")
}

// Kindless reports whether a sentence that ends something says nothing of its kind, and not that
// it is cancelled, which plans are.
func Kindless(s Said) bool {
	for _, w := range s.Words {
		if Nouns[w.Lower] != NoNoun || InWords("wake remind reminding telling notifying cancel cancelled canceled call called skip attend", w.Lower) && !(w.Lower == "called" && HasAny(s, "take", "remove", "off")) {
			return false
		}
	}
	return HasAny(s, "delete", "remove", "erase", "drop", "scrap", "scratch", "ditch", "trash", "take", "get", "strike", "kill")
}

// HasStop reports whether a comma or a stop stands within a sentence.
func HasStop(s Said) bool {
	for i := range s.Words[:max(len(s.Words)-1, 0)] {
		if s.Words[i].Stop {
			return true
		}
	}
	return false
}

// Has fits a sentence to the first of some phrases that it fits, and takes what is named.
func Has(s Said, which *Said, moment *string, phrases ...Phrase) bool {
	c, ok := s.Any(phrases...)
	*which, *moment = c.Sentence("which"), c.Get("when")
	return ok
}

// IsNobody reports whether words name nothing that a task could be: "it is done".
func IsNobody(s Said) bool {
	_, ok := s.Any("it|that|this|he|she|they|we|i|you|everything|all|nothing|something|what|who|there|these|those|one|everyone|someone|nobody")
	return ok || s.Is(0, "when", "if", "once", "until", "after", "before", "because", "unless", "while", "i", "is", "are", "what", "as", "how", "he", "she", "they", "we", "you", "not", "nothing", "there")
}

// IsPointing reports whether words only point at an entry.
func IsPointing(item string) bool {
	s, ok := Read(item)
	if !ok {
		return item != ""
	}
	_, points := s.Any("this|that|the|an|a|one|new? new? item|entry|thing|one|items|entries|row", "this|that|it|them|him|her|something|some|more|another|any|following|item|items|entry|these|one", "the? last|first|second|third|next|2nd|1st|3rd item|entry|one|row?", "the? following items|things|entries?", "one|another more|other? item|thing|entry", "one|two|three|four|some|few|several|these|those new|more|other? items|things|entries", "this|that one also|too?", "some items|things", "item *x", "item", "events|event")
	return points
}

// KindWord is what a person calls a commitment.
func KindWord(kind domain.ItemKind) string {
	if kind.IsPlan() || kind == domain.ItemEntry || kind == domain.ItemQuestion {
		return string(kind)
	}
	return "plan"
}

// InWords reports whether a text of words with single spaces has one of them.
func InWords(all, word string) bool { return strings.Contains(" "+all+" ", " "+word+" ") }

// EatingOut are words of a plan to eat out.
var EatingOut = WordsIn("reservation dinner lunch breakfast brunch supper restaurant dine")

// MaxListNameWords bounds the name of a list: what is longer is something else.
const MaxListNameWords = 4

// Erased is the label of what can no longer be read.
const Erased = "(erased)"

// TopicOf is the topic of a conversation by what its sender gave.
func TopicOf(hint string) string {
	hint = Cut(OneLine(hint), domain.MaxTopicHintBytes)
	if strings.TrimSpace(hint) == "" {
		return domain.GeneralTopic
	}
	return hint
}

// SaysHalf reports whether a time of day says which half of the day it is in.
func SaysHalf(text string) bool {
	s, ok := Read(text)
	if !ok {
		return false
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, "am") || strings.Contains(lower, "pm") || strings.Contains(lower, ".m") ||
		HasAny(s, "morning", "noon", "midnight", "evening", "night", "afternoon", "tonight", "lunchtime")
}
