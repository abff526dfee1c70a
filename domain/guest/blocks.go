package guest

import (
	"encoding/json"
	"strings"

	"chalie/domain"
	"chalie/domain/guard"
)

// Blocks is what a person's client is sent of blocks: no address leads to this
// machine, and no field hides what is typed. Types that aren't known lose the
// addresses that aren't followed and stay what they are.
func (h Host) Blocks(blocks []domain.Block) []domain.Block {
	w := walk{host: h}
	return w.top(blocks)
}

// Page is Blocks for the page of a program, whose fields are sent back to it by
// their names: those that ask for a secret get a name that says so. Typed undoes it.
func (h Host) Page(blocks []domain.Block) []domain.Block {
	w := walk{host: h, typed: true}
	return w.top(blocks)
}

// walk goes through blocks once. What it changes it copies.
type walk struct {
	host    Host
	typed   bool // fields that ask for a secret are named so
	talk    bool // of the conversation, where there is no page to execute anything
	changed bool
}

// top is blocks as they were when nothing had to change.
func (w *walk) top(blocks []domain.Block) []domain.Block {
	out := make([]domain.Block, 0, len(blocks))
	before := ""
	for _, b := range blocks {
		out = append(out, w.block(b, &before)...)
	}
	if !w.changed {
		return blocks
	}
	return out
}

// list is a member that is a list of blocks, whatever its Go type.
func (w *walk) list(value any) any {
	var blocks []any
	switch v := value.(type) {
	case []any:
		blocks = v
	case []domain.Block:
		for _, b := range v {
			blocks = append(blocks, b)
		}
	case []map[string]any:
		for _, b := range v {
			blocks = append(blocks, b)
		}
	default:
		return value
	}
	out := make([]any, 0, len(blocks))
	before := ""
	for _, b := range blocks {
		m, ok := object(b)
		if !ok {
			out = append(out, b)
			continue
		}
		for _, made := range w.block(m, &before) {
			out = append(out, map[string]any(made))
		}
	}
	return out
}

func object(value any) (domain.Block, bool) {
	switch v := value.(type) {
	case domain.Block:
		return v, true
	case map[string]any:
		return v, true
	}
	return nil, false
}

// block is what one becomes. before is the text that stands above it, which may be
// what a field is called; it becomes this one's.
func (w *walk) block(b domain.Block, before *string) []domain.Block {
	label := *before
	*before = wordsOf(b)
	switch b["type"] {
	case "text":
		return w.text(b)
	case "link":
		return w.link(b)
	case "image":
		return w.image(b)
	case "actions":
		return w.actions(b)
	case "input":
		*before = label
		return w.input(b, label)
	}
	return []domain.Block{w.members(b)}
}

// wordsOf are the words of a block that may stand over a field.
func wordsOf(b domain.Block) string {
	for _, name := range [...]string{"content", "message", "text", "title", "label"} {
		if text, ok := b[name].(string); ok {
			return text
		}
	}
	return ""
}

// members goes through what a block of any other type has. What a button sends and
// what a poll asks with are data, and lead nowhere.
func (w *walk) members(b map[string]any) map[string]any {
	out := make(map[string]any, len(b))
	for name, value := range b {
		switch v := value.(type) {
		case string:
			if certainly, perhaps := leads(name); certainly || perhaps {
				to, why := w.host.Follow(v)
				switch {
				case why == Followed:
					w.changed = w.changed || to != v
					value = to
				case certainly || strings.ContainsAny(v, `:/\`):
					w.changed = true
					continue
				}
			}
		case []any, []domain.Block, []map[string]any:
			value = w.list(v)
		case map[string]any:
			if name != "payload" && name != "params" && name != "poll" {
				value = w.members(v)
			}
		case domain.Block:
			value = w.members(v)
		}
		out[name] = value
	}
	return out
}

// leads reports whether a member is an address that a client follows or loads, or may
// be one beside other things.
func leads(name string) (certainly, perhaps bool) {
	switch strings.ToLower(name) {
	case "url", "openurl", "open_url", "href", "src":
		return true, false
	case "link", "action", "poster", "image", "icon":
		return false, true
	}
	return false, false
}

// note is a text that stands where something was taken away.
func note(text string) domain.Block { return domain.TextBlock(text, domain.FormatPlain) }

// maxShown bounds an address that is shown as text, in bytes.
const maxShown = 2 << 10

// Told is an address that isn't followed, for a person to read and copy.
func Told(address string, why Refusal) string {
	return shown(address) + " (not a link: " + string(why) + ")"
}

func shown(address string) string {
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(address, "\uFFFD"))
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}

func (w *walk) text(b domain.Block) []domain.Block {
	content, ok := b["content"].(string)
	if !ok || b["format"] == string(domain.FormatPlain) || b["format"] == domain.FormatPlain {
		return []domain.Block{w.members(b)}
	}
	safe, readable := w.host.markdown(content)
	if safe == content && readable {
		return []domain.Block{w.members(b)}
	}
	w.changed = true
	out := w.members(b)
	out["content"] = safe
	if !readable {
		out["format"] = string(domain.FormatPlain)
	}
	return []domain.Block{out}
}

func (w *walk) link(b domain.Block) []domain.Block {
	address, text := textIn(b, "url"), textIn(b, "text")
	if _, why := w.host.Follow(address); why != Followed {
		w.changed = true
		if text != "" && text != address {
			return []domain.Block{note(text + ": " + Told(address, why))}
		}
		return []domain.Block{note(Told(address, why))}
	}
	return []domain.Block{w.members(b)}
}

func (w *walk) image(b domain.Block) []domain.Block {
	address, alt := textIn(b, "url"), textIn(b, "alt")
	_, why := w.host.Follow(address)
	if why == Followed {
		return []domain.Block{w.members(b)}
	}
	w.changed = true
	said := "A picture isn't shown"
	if alt != "" {
		said = "The picture “" + alt + "” isn't shown"
	}
	if address == "" || strings.HasPrefix(address, "data:") {
		return []domain.Block{note(said + ".")}
	}
	return []domain.Block{note(said + ": " + Told(address, why))}
}

// actions are buttons. One that would open what isn't followed keeps what else it
// does, and says below what it doesn't.
func (w *walk) actions(b domain.Block) []domain.Block {
	out := w.members(b)
	var notes []domain.Block
	for _, button := range listed(b["buttons"]) {
		address := textIn(button, "openUrl")
		if _, why := w.host.Follow(address); address != "" && why != Followed {
			w.changed = true
			notes = append(notes, note("“"+or(textIn(button, "label"), "A button")+"” would open "+Told(address, why)))
		}
	}
	if w.talk {
		for _, button := range listed(out["buttons"]) { // its own copies
			if _, executes := button["execute"]; executes {
				delete(button, "execute")
				w.changed = true
			}
		}
	}
	return append([]domain.Block{out}, notes...)
}

func listed(value any) (out []domain.Block) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			if b, ok := object(e); ok {
				out = append(out, b)
			}
		}
	case []domain.Block:
		return v
	case []map[string]any:
		for _, b := range v {
			out = append(out, b)
		}
	}
	return out
}

func textIn(b domain.Block, name string) string {
	text, _ := b[name].(string)
	return text
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// typedSuffix marks the name of a field that asks for a secret. Package guard takes
// what ends so for a password, so that its value isn't kept.
const typedSuffix = ".typed-password"

// asks is what stands over a field that asks for a secret.
const asks = "A program asks for a secret here. What you type can be seen as you type it, and goes to that program. Never give it the password of Chalie."

// input is a field. None hides what is typed: a page of Chalie's is where a program
// would ask for Chalie's own password.
func (w *walk) input(b domain.Block, label string) []domain.Block {
	out := w.members(b)
	kind, given := b["inputType"]
	hides := given && !shows(kind)
	if hides {
		w.changed = true
		delete(out, "inputType")
	}
	name := textIn(b, "name")
	if !strings.EqualFold(textIn(b, "inputType"), "password") &&
		!guard.Names(name) && !guard.Names(textIn(b, "placeholder")) && !guard.Names(textIn(b, "label")) && !guard.Names(label) {
		return []domain.Block{out}
	}
	w.changed = true
	if w.typed && name != "" {
		out["name"] = name + typedSuffix
	}
	return []domain.Block{domain.AlertBlock(asks, domain.VariantWarning), out}
}

// shows reports whether a kind of field is one of those that show what is typed.
func shows(kind any) bool {
	switch kind {
	case nil, "text", "email", "number", "date", "time", "datetime-local", "month", "week", "url", "tel", "search", "color", "range":
		return true
	}
	return false
}

// Typed gives what a page of a program sends back the names that the program knows.
// What is to be kept of it are the parameters as they came.
func Typed(params json.RawMessage) (sent json.RawMessage, renamed bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(params, &members) != nil {
		return params, false
	}
	out := make(map[string]json.RawMessage, len(members))
	for name, value := range members {
		plain, marked := strings.CutSuffix(name, typedSuffix)
		renamed = renamed || marked
		if _, twice := members[plain]; marked && twice {
			continue // it was sent under its own name, too
		}
		out[plain] = value
	}
	if !renamed {
		return params, false
	}
	sent, err := json.Marshal(out)
	if err != nil {
		return params, false
	}
	return sent, true
}
