package mcpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"chalie/commands"
)

// answerOf is an answer as Chalie keeps it: texts, and what is structured, as it was written.
// Pictures, sounds and files are told and left out, and what is of no known kind is told.
func answerOf(result json.RawMessage) commands.Result {
	var in map[string]json.RawMessage
	switch {
	case json.Unmarshal(result, &in) == nil && in != nil:
	case bytes.HasPrefix(result, []byte("[")), bytes.HasPrefix(result, []byte(`"`)):
		in = map[string]json.RawMessage{"content": result}
	default:
		in = map[string]json.RawMessage{"structuredContent": result}
	}
	var out commands.Result
	text := strings.ToValidUTF8(strings.Join(partsOf(in["content"]), "\n"), "\uFFFD")
	if text != "" {
		out.Text = &text
	}
	if structured := in["structuredContent"]; len(structured) > 0 && string(structured) != "null" {
		out.Data = oneLine(structured)
	} else if !has(in, "content") {
		out.Data = others(in)
	}
	switch failed := truth(in["isError"]); {
	case failed && text == "":
		text = "it failed, and says no more"
		fallthrough
	case failed:
		out.Text, out.Error = nil, &text
	case wordsOf(in["resultType"]) == "input_required":
		why := "it asks for more than a call can give it, which Chalie doesn't support"
		out.Error = &why
	}
	return out
}

func has(in map[string]json.RawMessage, name string) bool {
	return len(in[name]) > 0 && string(in[name]) != "null"
}

// others are the members of an answer that has none of those that an answer has; nil for none.
func others(in map[string]json.RawMessage) json.RawMessage {
	rest := map[string]json.RawMessage{}
	for name, value := range in {
		switch name {
		case "_meta", "isError", "resultType", "content", "structuredContent":
		default:
			rest[name] = value
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return encoded(rest)
}

// partsOf are the parts of an answer in words. What isn't a list is its only part.
func partsOf(content json.RawMessage) (texts []string) {
	if len(content) == 0 || string(content) == "null" {
		return nil
	}
	parts := []json.RawMessage{content}
	if content[0] == '[' {
		_ = json.Unmarshal(content, &parts) // it is a list
	}
	for _, part := range parts {
		if text := partOf(part); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func partOf(part json.RawMessage) string {
	var in map[string]json.RawMessage
	if json.Unmarshal(part, &in) != nil || in == nil {
		return wordsOf(part)
	}
	kind, mime := wordsOf(in["type"]), wordsOf(in["mimeType"])
	switch kind {
	case "text":
		return wordsOf(in["text"])
	case "image":
		return fmt.Sprintf("(A picture, %s, %d bytes, that isn't kept.)", mime, bytesOf(in["data"]))
	case "audio":
		return fmt.Sprintf("(A recording, %s, %d bytes, that isn't kept.)", mime, bytesOf(in["data"]))
	case "resource_link":
		return strings.TrimSpace(fmt.Sprintf("%s: %s", wordsOf(in["name"]), wordsOf(in["uri"])))
	case "resource":
		return resourceOf(in["resource"])
	}
	if has(in, "text") {
		return wordsOf(in["text"])
	}
	if kind == "" {
		return wordsOf(part)
	}
	return fmt.Sprintf("(Something of the kind %s, which Chalie can't show.)", quoted(kind))
}

func resourceOf(text json.RawMessage) string {
	var in map[string]json.RawMessage
	if json.Unmarshal(text, &in) != nil {
		return wordsOf(text)
	}
	uri := wordsOf(in["uri"])
	switch {
	case has(in, "text"):
		return strings.TrimSpace(uri + "\n" + wordsOf(in["text"]))
	case uri == "" && !has(in, "blob"):
		return ""
	}
	return fmt.Sprintf("(%s, %s, %d bytes, that isn't kept.)", uri, wordsOf(in["mimeType"]), bytesOf(in["blob"]))
}

// bytesOf is how many bytes a text in base64 stands for.
func bytesOf(text json.RawMessage) int {
	return len(strings.TrimRight(wordsOf(text), "=")) * 3 / 4
}

// oneLine is a JSON value without spaces between.
func oneLine(value json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, value) != nil {
		return value
	}
	return out.Bytes()
}
