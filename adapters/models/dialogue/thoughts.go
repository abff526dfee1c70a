package dialogue

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Thoughts leaves out of a text, as it comes, what a model thinks aloud: what stands between
// tags of that kind, and all before an end whose begin went missing, as it does with servers
// that write the begin into the question. What is quoted, as `<think>` or in a fenced block,
// is part of the text. A begin in the middle of a line that never ends is, too: who explains
// such tags names one. The zero value is ready.
type Thoughts struct {
	text strings.Builder // without thoughts
	told int             // how much of it Add has given
	held string          // may become a tag

	depth   int
	inside  strings.Builder // since the thoughts began or one in them ended: given back when they never end
	mention bool            // they began in the middle of a line
	ended   bool            // within them some have ended
	paired  bool            // thoughts had their begin and their end
	before  string          // what an end without a begin took away

	ticks  int  // backticks directly before
	begun  bool // the line has more than blanks
	fenced bool // within a fenced block
}

// Text is the text so far.
func (t *Thoughts) Text() string { return t.text.String() }

// Add is what came of the text after more was added. With back all that was given before was
// thoughts, and more is all there is now.
func (t *Thoughts) Add(text string) (more string, back bool) {
	t.held += text
	return t.read(false)
}

// Rest is what is left at the end.
func (t *Thoughts) Rest() (more string, back bool) {
	more, back = t.read(true)
	if t.depth > 0 && (t.mention || t.ended) {
		t.depth = 0
		t.put(t.inside.String())
	}
	if t.paired && strings.TrimSpace(t.text.String()) == "" {
		t.text.WriteString(t.before) // the end was one too many
	}
	rest := t.text.String()[t.told:]
	t.told = t.text.Len()
	return more + rest, back
}

func (t *Thoughts) read(last bool) (more string, back bool) {
	for t.held != "" {
		at := strings.IndexAny(t.held, "<[◁`\n")
		if at < 0 {
			at = len(t.held)
		}
		if at > 0 {
			t.put(t.held[:at])
			t.held = t.held[at:]
			continue
		}
		n, orphan := t.special(last)
		if n == 0 {
			break
		}
		back = back || orphan
		t.held = t.held[n:]
	}
	more = t.text.String()[t.told:]
	t.told = t.text.Len()
	return more, back
}

// special reads what stands at the begin of held; 0 when that isn't whole. An orphan is an end
// without a begin.
func (t *Thoughts) special(last bool) (n int, orphan bool) {
	switch t.held[0] {
	case '\n', '`':
		t.put(t.held[:1])
		return 1, false
	}
	kind, n := tagAt(t.held)
	switch {
	case n == 0 && !last && mayBecomeTag(t.held):
		return 0, false
	case n == 0:
		_, n = utf8.DecodeRuneInString(t.held)
		t.put(t.held[:n])
		return n, false
	case n == len(t.held) && !last: // what is behind may quote it
		return 0, false
	}
	found, behind := t.held[:n], t.held[n:]
	if t.depth == 0 && (t.fenced || t.ticks == 1 || strings.HasPrefix(behind, "`")) {
		t.put(found)
		return n, false
	}
	switch {
	case kind == tagBegin:
		t.begin(found, behind)
	case kind == tagEnd && t.depth == 0:
		t.before, orphan = t.text.String(), true
		t.text.Reset()
		t.told = 0
	case (kind == tagEnd || kind == tagTurn) && t.depth > 0:
		t.end()
	}
	t.ticks = 0
	return n, orphan
}

func (t *Thoughts) begin(found, behind string) {
	if t.depth == 0 {
		t.mention, t.ended = t.begun && !strings.HasPrefix(behind, "\n"), false
		t.inside.Reset()
	}
	t.depth++
	if t.mention {
		t.inside.WriteString(found)
	}
}

func (t *Thoughts) end() {
	t.depth--
	t.inside.Reset()
	t.mention, t.ended = false, true
	t.paired = t.paired || t.depth == 0
}

// put adds what is no tag.
func (t *Thoughts) put(text string) {
	if t.depth > 0 {
		if t.mention || t.ended {
			t.inside.WriteString(text)
		}
		return
	}
	if t.text.Len() == 0 { // blanks aren't begun with
		if text = strings.TrimLeft(text, " \t\r\n"); text == "" {
			return
		}
	}
	t.text.WriteString(text)
	switch text {
	case "`":
		if t.ticks++; t.ticks == len("```") && !t.begun {
			t.fenced = !t.fenced
		}
		return
	case "\n":
		t.begun = false
	default:
		t.begun = t.begun || strings.TrimSpace(text) != "" || t.ticks > 0
	}
	t.ticks = 0
}

// tagKind is what a tag says.
type tagKind int

const (
	tagNone  tagKind = iota
	tagBegin         // thoughts begin
	tagEnd           // they end
	tagTurn          // whatever there was ends; of a text that is no thoughts it is only its end
	tagMark          // nothing for a reader
)

// thoughtNames are the names that models give to what they think aloud.
const thoughtNames = `think|thinking|thought|thoughts|thought_process|reason|reasoning|reflection|analysis|scratchpad|scratch_pad|` +
	`monologue|inner_monologue|internal_monologue|inner_thoughts|internal|deliberation|rationale|cot|chain_of_thought|antthinking`

// tags are those of thoughts, at the begin of a text. Templates of models have them in many forms.
var tags = []struct {
	form *regexp.Regexp
	kind tagKind
}{
	{regexp.MustCompile(`(?i)^<\s*(?:[a-z]{1,12}:)?(?:` + thoughtNames + `)(?:\s[^<>\n]{0,80})?/>`), tagMark},
	{regexp.MustCompile(`(?i)^<\s*(?:[a-z]{1,12}:)?(?:` + thoughtNames + `)(?:\s[^<>\n]{0,80})?>`), tagBegin},
	{regexp.MustCompile(`(?i)^<\s*/\s*(?:[a-z]{1,12}:)?(?:` + thoughtNames + `)\s{0,80}>`), tagEnd},
	{regexp.MustCompile(`(?i)^\[(?:think|thinking)\]`), tagBegin},
	{regexp.MustCompile(`(?i)^\[/(?:think|thinking)\]`), tagEnd},
	{regexp.MustCompile(`(?i)^◁think▷`), tagBegin},
	{regexp.MustCompile(`(?i)^◁/think▷`), tagEnd},
	{regexp.MustCompile(`(?i)^<\|(?:begin_of_thought|start_thinking|think_start|thinking|think)\|>`), tagBegin},
	{regexp.MustCompile(`(?i)^<\|(?:end_of_thought|end_thinking|think_end|/thinking|/think)\|>`), tagEnd},
	{regexp.MustCompile(`(?i)^<\|channel\|?>\s{0,8}(?:analysis|commentary|thought)`), tagBegin},
	{regexp.MustCompile(`(?i)^<channel\|>`), tagTurn},
	{regexp.MustCompile(`(?i)^<\|(?:end|return|call)\|>`), tagTurn},
	{regexp.MustCompile(`(?i)^<\|channel\|?>\s{0,8}final`), tagMark},
	{regexp.MustCompile(`(?i)^<\|start\|>\s{0,8}assistant`), tagMark},
	{regexp.MustCompile(`(?i)^<\|(?:message|begin_of_solution|end_of_solution|start_response|end_response)\|>`), tagMark},
}

// tagAt is the tag that a text begins with, and its length.
func tagAt(text string) (tagKind, int) {
	for _, t := range tags {
		if found := t.form.FindString(text); found != "" {
			return t.kind, len(found)
		}
	}
	return tagNone, 0
}

// openTags are what a text ends in that may become a tag. The first has its name and what is
// behind that.
var openTags = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^<\s*/?\s*(?:[a-z]{1,12}:)?([a-z_]*)(\s[^<>\n]{0,80}|/)?$`),
	regexp.MustCompile(`(?i)^<\|?[a-z_/]{0,20}\|?$`),
	regexp.MustCompile(`(?i)^<\|(?:channel\|?|start\|)>\s{0,8}[a-z]{0,10}$`),
	regexp.MustCompile(`(?i)^◁/?[a-z]{0,5}$`),
}

// mayBecomeTag reports whether a text may be the begin of a tag.
func mayBecomeTag(text string) bool {
	const longest = 200
	if len(text) > longest {
		return false
	}
	if found := openTags[0].FindStringSubmatch(text); found != nil {
		name, whole := strings.ToLower(found[1]), found[2] != ""
		if slices.ContainsFunc(strings.Split(thoughtNames, "|"), func(known string) bool {
			return known == name || !whole && strings.HasPrefix(known, name)
		}) {
			return true
		}
	}
	if strings.HasPrefix(text, "[") {
		name := strings.ToLower(strings.TrimPrefix(text[1:], "/"))
		const whole = "thinking]"
		return strings.HasPrefix(whole, name)
	}
	return slices.ContainsFunc(openTags[1:], func(form *regexp.Regexp) bool { return form.MatchString(text) })
}
