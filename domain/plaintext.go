package domain

import (
	"fmt"
	"strings"
)

// maxBlockDepth bounds how deep blocks are followed: an interface may nest as
// deep as it likes.
const maxBlockDepth = 16

// plainText writes blocks as lines of text. Fields are read as JSON gives them
// and as the constructors make them.
type plainText struct {
	strings.Builder
	depth int
}

func (p *plainText) blocks(blocks any) {
	if p.depth++; p.depth > maxBlockDepth {
		p.depth--
		return
	}
	for _, b := range listOf(blocks) {
		switch b := b.(type) {
		case Block:
			p.block(b)
		case map[string]any:
			p.block(b)
		}
	}
	p.depth--
}

func (p *plainText) block(b Block) {
	switch b["type"] {
	case "text", "header", "code":
		p.line(textOf(b["content"]))
	case "list":
		for _, item := range listOf(b["items"]) {
			p.line("- " + textOf(item))
		}
	case "table":
		p.row(b["headers"])
		for _, row := range listOf(b["rows"]) {
			p.row(row)
		}
	case "keyvalue":
		for _, pair := range listOf(b["pairs"]) {
			if pair, ok := pair.(map[string]any); ok {
				p.line(textOf(pair["key"]) + ": " + textOf(pair["value"]))
			}
		}
	case "alert":
		p.line(textOf(b["message"]))
	case "badge", "link":
		p.line(textOf(b["text"]))
	case "image":
		p.line(textOf(b["alt"]))
	case "section", "container", "form":
		p.line(textOf(b["title"]))
		p.blocks(b["blocks"])
	case "columns", "carousel", "tabs":
		for _, name := range []string{"columns", "slides", "tabs"} {
			for _, part := range listOf(b[name]) {
				if part, ok := part.(map[string]any); ok {
					p.line(textOf(part["label"]))
					p.blocks(part["blocks"])
				}
			}
		}
	default:
		p.line(textOf(b["fallback"]))
	}
}

func (p *plainText) row(cells any) {
	texts := make([]string, 0, len(listOf(cells)))
	for _, c := range listOf(cells) {
		texts = append(texts, textOf(c))
	}
	p.line(strings.Join(texts, " | "))
}

// line adds a text on lines of its own; empty ones around it are left out.
func (p *plainText) line(text string) {
	if text = strings.Trim(text, "\r\n"); text == "" {
		return
	}
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	p.WriteString(text)
}

func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// listOf is a list's elements, whatever their Go type.
func listOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []string:
		return widened(v)
	case [][]string:
		return widened(v)
	case []Block:
		return widened(v)
	case []map[string]any:
		return widened(v)
	}
	return nil
}

func widened[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
