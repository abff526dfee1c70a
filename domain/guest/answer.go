package guest

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"

	"chalie/domain"
)

// maxLabel bounds the address on a button, in bytes. Where it leads stands at its beginning.
const maxLabel = 80

// Open is the block for an address that a tool wants to be opened: a button, which opens it
// outside of the page. Nothing opens by itself: a person presses it or doesn't.
func (h Host) Open(address string) domain.Block {
	to, why := h.Follow(address)
	if why != Followed {
		return note("It would open " + Told(address, why))
	}
	label := shown(to)
	if len(label) > maxLabel {
		label = strings.ToValidUTF8(label[:maxLabel], "") + "…"
	}
	return domain.Block{"type": "actions", "buttons": []any{map[string]any{"label": "Open " + label, "openUrl": to}}}
}

// Said is the part of a tool's answer that clients may be sent.
type Said struct {
	Text   *string
	Blocks []domain.Block
	Open   *string // an address to open; nil for none
}

// Answer is a tool's answer without what isn't followed. That it would have opened
// something is told below its blocks, or below its text where it has none.
func (h Host) Answer(a Said) Said {
	a.Blocks = h.Blocks(a.Blocks)
	return h.opening(a)
}

// PageAnswer is Answer for the page of a program.
func (h Host) PageAnswer(a Said) Said {
	a.Blocks = h.Page(a.Blocks)
	return h.opening(a)
}

func (h Host) opening(a Said) Said {
	if a.Open == nil || *a.Open == "" {
		return a
	}
	to, why := h.Follow(*a.Open)
	if why == Followed {
		a.Open = &to
		return a
	}
	said := "It would open " + Told(*a.Open, why)
	switch {
	case len(a.Blocks) > 0:
		a.Blocks = append(slices.Clip(a.Blocks), note(said))
	case a.Text == nil || *a.Text == "":
		a.Text = &said
	case json.Valid([]byte(*a.Text)): // results for a program, in words for nobody
		a.Blocks = []domain.Block{note(*a.Text), note(said)}
	default:
		a.Text = new(*a.Text + "\n" + said)
	}
	a.Open = nil
	return a
}

// Frame is a frame as a person's client may draw it. Its buttons ask for skills and tools by
// their payloads alone, and fields that ask for a secret have a name that says so: what is
// typed there isn't kept.
func (h Host) Frame(f domain.Frame) domain.Frame {
	w := walk{host: h, talk: true, typed: true}
	f.Blocks = w.top(f.Blocks)
	for _, address := range f.Open {
		f.Blocks = append(slices.Clip(f.Blocks), h.Open(address))
	}
	f.Card = h.Card(f.Card)
	return f
}

// link and linkEnd are a link's tags in the HTML of a card, as it is written once it
// was cleaned; target is the address in the first.
var (
	link   = regexp.MustCompile(`(?i)<a\s[^<>]*>`)
	target = regexp.MustCompile(`(?i)\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)
)

const linkEnd = "</a>"

// Card is a card whose links lead to no place on this machine. Its HTML was cleaned
// before it was stored, so that what looks like a tag is one.
func (h Host) Card(card domain.Card) domain.Card {
	var out strings.Builder
	rest := card.HTML
	for {
		at := link.FindStringIndex(rest)
		if at == nil {
			break
		}
		tag := rest[at[0]:at[1]]
		out.WriteString(rest[:at[0]])
		rest = rest[at[1]:]
		why, address := h.target(tag)
		if why == Followed {
			out.WriteString(tag)
			continue
		}
		inside, after := rest, ""
		if end := strings.Index(strings.ToLower(rest), linkEnd); end >= 0 {
			inside, after = rest[:end], rest[end+len(linkEnd):]
		}
		rest = after
		out.WriteString("<span>" + inside + "</span> (" + html.EscapeString(Told(address, why)) + ")")
	}
	if out.Len() == 0 {
		return card
	}
	card.HTML = out.String() + rest
	return card
}

// target judges where a link's tag leads.
func (h Host) target(tag string) (why Refusal, address string) {
	all := target.FindAllStringSubmatch(tag, -1)
	if len(all) == 0 {
		return Followed, ""
	}
	for _, m := range all {
		address = html.UnescapeString(m[1] + m[2] + m[3])
		if _, why := h.Follow(address); why != Followed {
			return why, address
		}
	}
	return Followed, address
}
