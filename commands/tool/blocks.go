package tool

import (
	"slices"
	"strings"

	"chalie/domain"
)

// textBlocks are the types of blocks whose members are texts, which clients escape. In any
// other a client may take them for HTML.
var textBlocks = []string{
	"text", "header", "code", "list", "table", "keyvalue", "image", "link", "divider", "carousel", "columns", "section", "tabs",
	"container", "form", "input", "select", "toggle", "badge", "alert", "loading", "actions",
}

// rawMembers are the members that are HTML in a block of any type.
var rawMembers = []string{"html", "innerHTML", "outerHTML", "srcdoc"}

// hasMarkup reports whether a browser may read more than words from a text.
func hasMarkup(text string) bool {
	for i := range len(text) - 1 {
		if behind := text[i+1]; text[i] == '<' && (strings.IndexByte("/!?", behind) >= 0 || 'a' <= behind|0x20 && behind|0x20 <= 'z') {
			return true
		}
	}
	return false
}

// cleanedBlocks are an answer's blocks as they may be shown: HTML in them is cleaned as that
// of a card is, and left out where nothing of it may be.
func (t *Tools) cleanedBlocks(blocks []domain.Block) []domain.Block {
	out := slices.Clone(blocks)
	for i, b := range out {
		out[i] = t.cleanedMembers(b, false)
	}
	return out
}

// cleanedMembers are the members of a block, or of a part of one. raw says that texts in it
// may be taken for HTML.
func (t *Tools) cleanedMembers(in map[string]any, raw bool) map[string]any {
	if kind, typed := in["type"].(string); typed {
		raw = !slices.Contains(textBlocks, kind)
	}
	if format, _ := in["format"].(string); format == "html" {
		raw = true
	}
	out := make(map[string]any, len(in))
	for name, value := range in {
		isRaw := raw && name != "fallback" || slices.Contains(rawMembers, name)
		if value = t.cleanedValue(value, isRaw); value != nil || in[name] == nil {
			out[name] = value
		}
	}
	return out
}

// cleanedValue is a value with its HTML cleaned; nil when nothing of it may be shown.
func (t *Tools) cleanedValue(value any, raw bool) any {
	switch v := value.(type) {
	case string:
		if !raw || !hasMarkup(v) {
			return v
		}
		if t.cfg.Cards == nil {
			return nil
		}
		if html, _, _ := t.cfg.Cards.Clean(v, ""); html != "" {
			return html
		}
		return nil
	case domain.Block:
		return domain.Block(t.cleanedMembers(v, raw))
	case map[string]any:
		return t.cleanedMembers(v, raw)
	case []domain.Block:
		return t.cleanedBlocks(v)
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = t.cleanedValue(out[i], raw)
		}
		return out
	}
	return value
}
