package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/replay/wording"
)

const (
	maxLabel = 160 // of a label, in characters
	maxQuote = 120 // of what is quoted in a sentence
	maxSaid  = 320 // of what the person was told, where that is explained
)

const (
	erasedLabel = "(erased)"
	sealedLabel = "(sealed)"
)

// label says of each node what it is, with the names of then.
func (w *walk) label(ctx context.Context) error {
	for i := range w.out.Nodes {
		n := &w.out.Nodes[i]
		if n.Missing {
			continue
		}
		rec := w.records[n.ID]
		name, err := w.nameOf(ctx, rec)
		if err != nil {
			return err
		}
		w.called[n.ID] = name
		n.Label = labelOf(rec.Envelope, name)
		if n.Type == domain.ReasoningConcludedType {
			if err := w.fetchReply(ctx, rec.Envelope); err != nil {
				return err
			}
			if said := w.saying(rec); said != "" && !isAbsent(said) && unreadableLabel(rec.Envelope) == "" && rec.Envelope.Errors == nil {
				n.Label = shortened(n.Label+": "+said, maxLabel)
			}
		}
		if then, ok := w.texts[n.ID]; ok && textIn(then) != "" {
			n.Label = shortened(n.Label+", at that time: "+textIn(then), maxLabel)
		}
	}
	return nil
}

// ownName stands for who has a tool that is Chalie's own skill.
const ownName = "Chalie"

// nameOf is what the sender of a record was called then, or whose the tool is that
// it invokes.
func (w *walk) nameOf(ctx context.Context, rec domain.Record) (string, error) {
	e := rec.Envelope
	who := e.Principal
	switch {
	case e.Type == domain.ToolInvokedType:
		who = domain.Principal(words(e, func(p domain.ToolInvoked) string { return string(domain.Interface{ID: p.InterfaceID}.Principal()) }))
		if who == "" && unreadableLabel(e) == "" {
			return ownName, nil
		}
	case !sentFromOutside(rec):
		return "", nil
	}
	name, err := w.names.at(ctx, who, rec.Position)
	if err != nil || name != "" {
		return shortened(name, maxName), err
	}
	if isName(who) {
		return shortened(string(who), maxName), nil
	}
	return "", nil
}

// isName reports whether a principal is one that a person can read: that of an
// interface is its id.
func isName(who domain.Principal) bool {
	_, err := domain.ParseID(string(who))
	return who != "" && err != nil
}

// maxName bounds a name in a label or sentence, in characters.
const maxName = 40

// labelOf says what an envelope is, in one short line for a person. A type that
// this version has no words for is told by its name.
func labelOf(e domain.Envelope, name string) string {
	if unreadable := unreadableLabel(e); unreadable != "" {
		return unreadable
	}
	told := ""
	for _, tell := range []func(domain.Envelope, string) string{saidLabel, thoughtLabel, spineLabel, toolLabel, approvalLabel, planLabel, senderLabel, houseLabel} {
		if told = tell(e, name); told != "" {
			break
		}
	}
	if told == "" {
		told = string(e.Type)
		if text := textIn(e); text != "" {
			told += ": " + text
		}
	}
	return shortened(told, maxLabel)
}

func unreadableLabel(e domain.Envelope) string {
	switch e.Payload.Encoding {
	case domain.EncodingErased:
		return erasedLabel
	case domain.EncodingSealed:
		return sealedLabel
	}
	return ""
}

// decoded is a payload, and whether this version can read it.
func decoded[P any](e domain.Envelope) (P, bool) {
	p, err := domain.Decode[P](e)
	return p, err == nil
}

// words tells a payload by its fields; "" when this version can't read it.
func words[P any](e domain.Envelope, tell func(P) string) string {
	p, readable := decoded[P](e)
	if !readable {
		return ""
	}
	return tell(p)
}

// textIn is the first text for a person in a payload of any type: the fields that
// hold one are named alike.
func textIn(e domain.Envelope) string {
	if e.Payload.Encoding != domain.EncodingJSON || e.Type == domain.ForeignMessageType {
		return ""
	}
	var p struct{ Text, Content, Title, Name, What, Reason json.RawMessage }
	if json.Unmarshal(e.Payload.Bytes, &p) != nil {
		return ""
	}
	for _, field := range []json.RawMessage{p.Text, p.Content, p.Title, p.Name, p.What, p.Reason} {
		var text string
		if json.Unmarshal(field, &text) == nil && strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// shortened is a text on one line, without characters that steer a terminal or mark
// a part, cut to so many characters. It is cut between two words where it can be: half
// a word is no word, neither to a person nor under a pseudonym.
func shortened(text string, most int) string {
	var out []rune
	for word := range strings.FieldsFuncSeq(text, unicode.IsSpace) {
		whole := len(out)
		if len(out) > 0 {
			out = append(out, ' ')
		}
		for _, r := range word {
			if !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && r != unicode.ReplacementChar && !isMark(r) {
				out = append(out, r)
			}
		}
		if len(out) > most && whole > most/2 {
			return strings.TrimRight(string(out[:whole]), " ") + "…"
		}
		if len(out) > most {
			return strings.TrimRight(string(out[:most-1]), " ") + "…"
		}
	}
	return strings.TrimRight(string(out), " ")
}

// with is a text and what it is about, if there is anything.
func with(text, detail string) string {
	if strings.TrimSpace(detail) == "" {
		return text
	}
	return text + ": " + detail
}

func counted(n int, one, many string) string { return fmt.Sprintf("%d %s", n, oneOf(n, one, many)) }

// oneOf is the word for a number of things.
func oneOf(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// gateWords and reasonWords are words that may hold a name from outside.
func gateWords(gate domain.Gate) string { return shortened(wording.Gate(gate), maxLabel) }

func reasonWords(p domain.PolicyDecided) string {
	return shortened(wording.Reasons(p), maxLabel)
}
