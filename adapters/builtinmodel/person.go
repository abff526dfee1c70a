package builtinmodel

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chalie/commands"
	"chalie/domain"
)

// toPerson answers the person.
func toPerson(reply *commands.Reply, p commands.Prompt) {
	if len(p.Recent) == 0 {
		reply.Blocks = append(reply.Blocks, domain.TextBlock("Hello.", domain.FormatPlain))
	}
	reply.Blocks = append(reply.Blocks, worldBlocks(p)...)
	reply.Used = used(p)
	if beyond := beyondIt(p); len(beyond) > 0 {
		reply.Confidence = Unsure
		reply.Blocks = append(reply.Blocks, domain.AlertBlock(strings.Join(beyond, " "), domain.VariantInfo))
	}
	if len(p.Steers) > 0 {
		reply.Confidence = Unsure
		// Not in the alert: only a text block says that its words are plain.
		reply.Blocks = append(reply.Blocks, domain.TextBlock(fmt.Sprintf(
			"I have taken up what you added, %s, but I don't understand it yet, so it changes nothing above.", quoted(p.Steers)), domain.FormatPlain))
	}
}

// beyondIt says what about this message the model can't do, and nothing about
// others.
func beyondIt(p commands.Prompt) []string {
	var out []string
	switch text := strings.TrimSpace(p.Asked.Text); {
	case text == "" || isGreeting(text):
	case strings.ContainsAny(text, "?？؟"):
		out = append(out, "I can't answer questions yet: all I can tell is what I have heard and how much of it still matters.")
	default:
		out = append(out, "I don't understand requests yet, and use no tools by myself: all I can do is show what I have heard.")
	}
	if n := p.Asked.Images; n > 0 {
		out = append(out, fmt.Sprintf("I can't look at images yet: I know that %s attached, not what can be seen.", count(n, "image is", "images are")))
	}
	return out
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

// isGreeting reports whether a text asks for nothing but to be greeted.
func isGreeting(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	greeting := strings.Join(words, " ")
	return slices.Contains([]string{
		"hello", "hi", "hey", "hello there", "hi there", "hey there", "good morning", "good afternoon", "good evening",
		"hello chalie", "hi chalie", "hey chalie", "good morning chalie", "good afternoon chalie", "good evening chalie",
	}, greeting)
}
