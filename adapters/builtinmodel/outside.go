package builtinmodel

import (
	"encoding/json"
	"fmt"
	"strings"

	"chalie/commands"
	"chalie/domain"
)

// passOn tells the person what an interface says. It never adds to the words,
// and marks every line of them.
func passOn(reply *commands.Reply, p commands.Prompt) {
	from := cut(oneLine(string(p.Asked.From)), maxNameBytes)
	severity := severityOf(p.Asked.Metadata)
	reply.Urgent = severity != ""
	if reply.Urgent {
		reply.Blocks = append(reply.Blocks, domain.AlertBlock("This came marked as "+severity+".", domain.VariantError))
	}
	says := from + " says:"
	if origin := cut(oneLine(p.Asked.Source), maxNameBytes); origin != "" && origin != from {
		says = fmt.Sprintf("%s passes on from %s:", from, origin)
	}
	reply.Blocks = append(reply.Blocks, domain.TextBlock(says, domain.FormatPlain))
	if text := cut(lines(p.Asked.Text), domain.MaxTextBytes); strings.TrimSpace(text) != "" {
		reply.Blocks = append(reply.Blocks, domain.TextBlock(marked(text), domain.FormatPlain))
	}
	if n := p.Asked.Images; n > 0 {
		reply.Confidence = Unsure
		reply.Blocks = append(reply.Blocks, domain.AlertBlock(fmt.Sprintf(
			"%s attached. I can't look at images yet.", count(n, "image is", "images are")), domain.VariantInfo))
	}
}

// marked puts a mark before every line.
func marked(text string) string { return "> " + strings.ReplaceAll(text, "\n", "\n> ") }

// severityOf is the severity that makes a message urgent, "" for any other.
func severityOf(metadata []byte) string {
	// Only a text counts; what can't be read is no severity.
	var m struct {
		Severity any `json:"severity"`
	}
	if err := json.Unmarshal(metadata, &m); err != nil {
		return ""
	}
	severity, _ := m.Severity.(string)
	switch severity = strings.ToLower(strings.TrimSpace(severity)); severity {
	case "critical", "emergency":
		return severity
	}
	return ""
}
