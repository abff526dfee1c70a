package guest

import (
	"chalie/domain"
)

// From names the interface whose page is in a frame.
func From(i domain.Interface) string {
	if i.Status() == domain.StatusPending {
		return "From " + i.Name + ", which hasn't been let in"
	}
	return "From " + i.Name
}

// Pending is the page of a program that waits for the person's decision, to be looked
// at: nothing of it can be pressed, filled in or followed, nothing asks for anything
// by itself, and all of it is in a frame with a title.
func (h Host) Pending(title string, blocks []domain.Block) []domain.Block {
	inside := append([]any{map[string]any(note("You can look at its page. What could be pressed, filled in or followed comes when you let it in."))}, still(listed(anyOf(blocks)))...)
	return []domain.Block{{"type": "section", "title": title, "blocks": inside}}
}

func anyOf(blocks []domain.Block) []any {
	out := make([]any, len(blocks))
	for i, b := range blocks {
		out[i] = b
	}
	return out
}

// still is blocks without anything to press, fill in or follow.
func still(blocks []domain.Block) []any {
	out := make([]any, 0, len(blocks))
	for _, b := range blocks {
		for _, made := range stilled(b) {
			out = append(out, map[string]any(made))
		}
	}
	return out
}

// stilled is one block, stilled. Types that aren't known show their words.
func stilled(b domain.Block) []domain.Block {
	switch kind := textIn(b, "type"); kind {
	case "text":
		return []domain.Block{note(textIn(b, "content"))}
	case "header", "code", "list", "table", "keyvalue", "badge", "alert", "divider", "loading":
		return []domain.Block{only(b, "content", "level", "language", "style", "items", "headers", "rows", "pairs", "text", "message", "variant", "label")}
	case "section", "form", "container":
		return []domain.Block{{"type": "section", "title": textIn(b, "title"), "blocks": still(listed(b["blocks"]))}}
	case "columns", "carousel", "tabs":
		name := map[string]string{"columns": "columns", "carousel": "slides", "tabs": "tabs"}[kind]
		parts := []any{}
		for _, part := range listed(b[name]) {
			made := map[string]any(only(part, "label", "title", "width"))
			made["blocks"] = still(listed(part["blocks"]))
			parts = append(parts, made)
		}
		return []domain.Block{{"type": kind, name: parts}}
	case "link":
		address, text := textIn(b, "url"), textIn(b, "text")
		if text != "" && text != address {
			text += ": "
		} else {
			text = ""
		}
		return []domain.Block{note("[A link] " + text + shown(address))}
	case "image":
		return []domain.Block{note("[A picture] " + textIn(b, "alt"))}
	case "input", "select":
		return []domain.Block{note("[A field] " + or(textIn(b, "placeholder"), textIn(b, "name")))}
	case "toggle":
		return []domain.Block{note("[A switch] " + or(textIn(b, "label"), textIn(b, "name")))}
	case "actions":
		var out []domain.Block
		for _, button := range listed(b["buttons"]) {
			out = append(out, note("[A button] "+textIn(button, "label")))
		}
		return out
	}
	if fallback := textIn(b, "fallback"); fallback != "" {
		return []domain.Block{note(fallback)}
	}
	return nil
}

// only is a block with some of its members, of those that are texts, numbers and
// lists of them.
func only(b domain.Block, names ...string) domain.Block {
	out := domain.Block{}
	if kind, ok := b["type"]; ok {
		out["type"] = kind
	}
	for _, name := range names {
		if value, ok := b[name]; ok {
			out[name] = value
		}
	}
	return out
}
