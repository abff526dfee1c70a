package answers

import (
	"encoding/json"
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
)

// passOn tells the person what an interface says. It never adds to the words,
// and marks every line of them.
func passOn(reply *language.Reply, p language.Prompt) {
	from := speaker(p.Asked)
	severity := severityOf(p.Asked.Metadata)
	reply.Urgent = severity != ""
	if reply.Urgent {
		reply.Blocks = append(reply.Blocks, domain.AlertBlock("This came marked as "+severity+".", domain.VariantError))
	}
	says := from + " says:"
	switch origin := sentences.Cut(sentences.OneLine(p.Asked.Source), sentences.MaxNameBytes); {
	case origin == "" || origin == from:
	case isNamed(p.Asked.Via, origin):
		says = origin + " says:" // the same name, as it is written
	default:
		says = fmt.Sprintf("%s passes on from %s:", from, origin)
	}
	reply.Blocks = append(reply.Blocks, domain.TextBlock(says, domain.FormatPlain))
	if text := sentences.Cut(sentences.Lines(p.Asked.Text), domain.MaxTextBytes); strings.TrimSpace(text) != "" {
		reply.Blocks = append(reply.Blocks, domain.TextBlock(marked(text), domain.FormatPlain))
	}
	if len(p.Asked.Flags) > 0 {
		reply.Blocks = append(reply.Blocks, sentences.Flagged("This", p.Asked.Flags))
	}
	if n := p.Asked.Images; n > 0 {
		reply.Confidence = hearing.Unsure
		reply.Blocks = append(reply.Blocks, domain.AlertBlock(fmt.Sprintf(
			"%s attached. I can't look at images yet.", sentences.Count(n, "image is", "images are")), domain.VariantInfo))
	}
}

// speaker is who says it, by the name that a person knows it under: the principal of an
// interface and of a program is an id.
func speaker(a language.Asked) string {
	from := string(a.From)
	if name, ok := strings.CutPrefix(string(a.Via), interfacePrefix); ok {
		from = name
	} else if _, ok := a.From.Program(); ok {
		from = string(a.Via)
	}
	return sentences.Cut(sentences.OneLine(from), sentences.MaxNameBytes)
}

// interfacePrefix stands before the name in the source of an interface.
const interfacePrefix = "interface/"

// isNamed reports whether an interface that a source stands for has this name.
func isNamed(via domain.Source, name string) bool {
	return strings.HasPrefix(string(via), interfacePrefix) && domain.Interface{Name: name}.Source() == via
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
