package domain

// Block is one piece of what a person is shown: its type and that type's fields.
// Everything shown is blocks; no HTML and no bare text goes over the wire. A
// client that doesn't know a type shows its "fallback".
//
// It is a map because types are many and open: an interface may send one that
// this build doesn't know, and it must come out as it went in. JSON writes its
// fields in alphabetical order, so the same block is always the same text.
type Block map[string]any

// Format says how a text block is to be read.
type Format string

// The formats.
const (
	FormatPlain    Format = "plain"
	FormatMarkdown Format = "markdown"
)

// TextBlock is a paragraph.
func TextBlock(content string, format Format) Block {
	return Block{"type": "text", "content": content, "format": string(format)}
}

// HeaderBlock is a heading; level 1 is the largest.
func HeaderBlock(content string, level int) Block {
	return Block{"type": "header", "content": content, "level": level}
}

// ListBlock is a list without numbers.
func ListBlock(items ...string) Block {
	return Block{"type": "list", "style": "unordered", "items": items}
}

// TableBlock is a table; each row has as many cells as there are headers.
func TableBlock(headers []string, rows [][]string) Block {
	return Block{"type": "table", "headers": headers, "rows": rows}
}

// Variant is the tone of an alert or a badge.
type Variant string

// The variants.
const (
	VariantInfo    Variant = "info"
	VariantSuccess Variant = "success"
	VariantWarning Variant = "warning"
	VariantError   Variant = "error"
)

// AlertBlock is a sentence that stands out.
func AlertBlock(message string, variant Variant) Block {
	return Block{"type": "alert", "message": message, "variant": string(variant)}
}

// PlainText is what blocks say, as text: for clients and terminals that show no
// blocks. Blocks without words of their own are passed over.
func PlainText(blocks []Block) string {
	var out plainText
	out.blocks(blocks)
	return out.String()
}
