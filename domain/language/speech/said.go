package speech

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"chalie/domain"
)

// Said is a part of an answer: sentences that are shown together, one after the other.
type Said struct {
	As   Look      `json:"as"`
	Says []Message `json:"says"`
}

// Look is how a part of an answer is shown.
type Look string

// The looks.
const (
	Did     Look = "did"     // something was done
	Asked   Look = "asked"   // something is missing, or is asked
	Told    Look = "told"    // neither
	Noted   Look = "noted"   // beside what somebody else says
	Warned  Look = "warned"  // something couldn't be done, and nothing is asked
	Heading Look = "heading" // over the entries that follow
	Entry   Look = "entry"   // of a list
	Item    Look = "item"    // of a list that has no heading, on a line of its own
	Listed  Look = "listed"  // one message: its list stands below what is said without it
	Label   Look = "label"   // of a button, in the order of the buttons
	Link    Look = "link"    // of a link, in the order of the links
)

// Check returns the first error of its messages.
func (p Said) Check() error {
	for _, m := range p.Says {
		if err := m.Check(); err != nil {
			return err
		}
	}
	return nil
}

// InWords reports whether a part has a sentence that isn't a message yet.
func (p Said) InWords() bool {
	return slices.ContainsFunc(p.Says, func(m Message) bool { return m.Words() != "" })
}

// Theirs are the parts with the texts of an envelope marked as words of somebody else.
func Theirs(said []Said, in domain.ID, whose string) []Said {
	out := make([]Said, len(said))
	for i, p := range said {
		out[i] = Said{As: p.As, Says: make([]Message, len(p.Says))}
		for j, m := range p.Says {
			out[i].Says[j], _ = theirs(m, in, whose).(Message)
		}
	}
	return out
}

func theirs(v Value, in domain.ID, whose string) Value {
	switch v := v.(type) {
	case Text:
		if v.In == in {
			v.Theirs = whose
		}
		return v
	case List:
		out := make(List, len(v))
		for i, one := range v {
			out[i] = theirs(one, in, whose)
		}
		return out
	case Message:
		args := make(Args, len(v.Args))
		for name, arg := range v.Args {
			args[name] = theirs(arg, in, whose)
		}
		return Message{ID: v.ID, Args: args}
	}
	return v
}

// Sentences are the words of a part.
func (c *Catalogue) Sentences(p Said, v Voice) string {
	words := make([]string, len(p.Says))
	for i, m := range p.Says {
		words[i] = c.Say(m, v)
	}
	return strings.Join(words, " ")
}

// Plain are an answer's words as text: a line for each part, entries behind their heading and items below each other.
func (c *Catalogue) Plain(said []Said, v Voice) string {
	var out strings.Builder
	for i, p := range said {
		switch {
		case p.As == Label || p.As == Link:
			continue
		case i == 0:
		case p.As == Entry && said[i-1].As == Heading:
			out.WriteString(": ")
		case p.As == Entry:
			out.WriteString("; ")
		default:
			out.WriteString("\n")
		}
		out.WriteString(c.Sentences(p, v))
		if next := i + 1; p.As == Entry && (next == len(said) || said[next].As != Entry) {
			out.WriteString(".")
		}
	}
	return out.String()
}

// Blocks are an answer's words as they are shown. The links and buttons are those of rows, which are the answer as
// it was recorded, with the words of this language.
func (c *Catalogue) Blocks(said []Said, rows []domain.Block, v Voice) []domain.Block {
	var out []domain.Block
	var entries, labels, links []string
	list := func() {
		if len(entries) > 0 {
			out, entries = append(out, domain.ListBlock(entries...)), nil
		}
	}
	for _, p := range said {
		words := c.Sentences(p, v)
		if p.As != Entry && p.As != Item {
			list()
		}
		switch p.As {
		case Did:
			out = append(out, domain.AlertBlock(words, domain.VariantSuccess))
		case Asked, Warned:
			out = append(out, domain.AlertBlock(words, domain.VariantWarning))
		case Noted:
			out = append(out, domain.AlertBlock(words, domain.VariantInfo))
		case Told:
			out = append(out, domain.TextBlock(words, domain.FormatPlain))
		case Heading:
			out = append(out, domain.HeaderBlock(words, third))
		case Entry, Item:
			entries = append(entries, words)
		case Listed:
			for _, m := range p.Says {
				out = append(out, c.listed(m, v)...)
			}
		case Label:
			labels = append(labels, words)
		case Link:
			links = append(links, words)
		}
	}
	list()
	return append(out, labelled(rows, labels, links)...)
}

// third is the level of headings in an answer.
const third = 3

// listed is a message as a heading over the values of its list.
func (c *Catalogue) listed(m Message, v Voice) []domain.Block {
	heading := Message{ID: m.ID, Args: Args{}}
	var entries []string
	for name, arg := range m.Args {
		l, ok := arg.(List)
		if !ok {
			heading.Args[name] = arg
		}
		for _, one := range l {
			entries = append(entries, c.voice(v).value(one, nil, "", nil))
		}
	}
	return []domain.Block{domain.HeaderBlock(c.Say(heading, v), third), domain.ListBlock(entries...)}
}

// labelled are links and rows of buttons with other words, as far as there are such, in the order of the rows.
func labelled(rows []domain.Block, labels, links []string) []domain.Block {
	var out []domain.Block
	for _, row := range rows {
		if row["type"] == "link" && len(links) > 0 {
			row = maps.Clone(row)
			row["text"], links = links[0], links[1:]
			out = append(out, row)
			continue
		}
		all, ok := row["buttons"].([]any)
		if row["type"] != "actions" || !ok {
			continue
		}
		row = maps.Clone(row)
		relabelled := make([]any, len(all))
		for i, b := range all {
			relabelled[i] = b
			if b, ok := b.(map[string]any); ok && len(labels) > 0 {
				b = maps.Clone(b)
				b["label"], labels = labels[0], labels[1:]
				relabelled[i] = b
			}
		}
		row["buttons"] = relabelled
		out = append(out, row)
	}
	return out
}

// Stored is what was said as it is recorded with its words; false when it takes more than an answer may,
// and then the words stand alone.
func (c *Catalogue) Stored(said []Said) (*domain.Spoken, bool) {
	out := &domain.Spoken{Said: make([]json.RawMessage, len(said)), Language: c.Language, Catalogue: c.Version}
	size := 0
	for i, p := range said {
		raw, err := json.Marshal(p)
		if err != nil {
			return nil, false
		}
		if out.Said[i], size = raw, size+len(raw); size > MaxBytes {
			return nil, false
		}
	}
	return out, len(said) > 0
}

// Recorded are the values that were recorded with words. What this build can't read is left out with all
// the rest: half an answer says something else.
func Recorded(spoken *domain.Spoken) []Said {
	if spoken == nil {
		return nil
	}
	out := make([]Said, len(spoken.Said))
	for i, raw := range spoken.Said {
		if json.Unmarshal(raw, &out[i]) != nil {
			return nil
		}
	}
	return out
}
