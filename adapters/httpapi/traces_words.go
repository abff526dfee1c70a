package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"chalie/domain"
	"chalie/projections/traces"
)

// words are what is looked for, in small letters. An envelope has them when its texts
// hold each.
type words []string

// maxWords bounds how many count.
const maxWords = 8

func wordsOf(text string) words {
	out := strings.Fields(strings.ToLower(text))
	return out[:min(maxWords, len(out))]
}

// in reports whether a payload's texts hold all of them. Names of fields are no texts.
func (w words) in(p domain.Payload) bool {
	if p.Encoding != domain.EncodingJSON || !w.maybeIn(p.Bytes) {
		return false
	}
	var value any
	if json.Unmarshal(p.Bytes, &value) != nil {
		return false
	}
	var all strings.Builder
	texts(value, &all)
	text := strings.ToLower(all.String())
	for _, word := range w {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// maybeIn passes over most payloads without reading them. JSON may spell a character
// that isn't ASCII, or one of its own, in another way.
func (w words) maybeIn(payload []byte) bool {
	small := bytes.ToLower(payload)
	for _, word := range w {
		if !strings.ContainsFunc(word, func(r rune) bool { return r > '~' || strings.ContainsRune(`"\/<>&`, r) }) && !bytes.Contains(small, []byte(word)) {
			return false
		}
	}
	return true
}

// texts writes all texts of a JSON value, with a line for each.
func texts(value any, out *strings.Builder) {
	switch v := value.(type) {
	case string:
		out.WriteString(v)
		out.WriteByte('\n')
	case []any:
		for _, element := range v {
			texts(element, out)
		}
	case map[string]any:
		for _, field := range v {
			texts(field, out)
		}
	}
}

// wordsIn finds out which traces of a batch say the words.
type wordsIn struct {
	search  *traceSearch
	lines   []traces.Line // those that began last first
	said    map[domain.TraceID]bool
	records int // that were read
}

// read looks at the stretch of the log in which the traces of the batch began, which
// holds most of them whole, and then for the rest of those that went on behind it.
// When they lie far apart each is looked at by itself.
func (b *wordsIn) read(ctx context.Context) error {
	first, last := b.lines[len(b.lines)-1].First, b.lines[0].First
	behind := last + 1
	if together := int(last-first) + 1; together <= 16*len(b.lines) {
		if err := b.look(ctx, domain.Selector{}, first, together); err != nil {
			return err
		}
	} else {
		behind = first
	}
	for _, line := range b.lines {
		if b.said[line.Trace] || line.Last < behind {
			continue
		}
		if err := b.look(ctx, domain.Selector{Trace: line.Trace}, max(behind, line.First), mostOfOne); err != nil {
			return err
		}
	}
	return nil
}

func (b *wordsIn) look(ctx context.Context, which domain.Selector, from domain.Position, limit int) error {
	looked, err := domain.Look(ctx, b.search.api.cfg.Log, which, from, limit, func(rec domain.Record) {
		if trace := rec.Envelope.Trace; !b.said[trace] && b.search.words.in(rec.Envelope.Payload) {
			b.said[trace] = true
		}
	})
	b.records += looked + 1
	return err
}
