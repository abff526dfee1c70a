package tools

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/sentences"
)

// Slot is a parameter of a tool, with what its name and description say of its values.
type Slot struct {
	domain.Parameter
	kind     kind
	choices  []string             // the values that its description lists
	closed   bool                 // it takes no others
	list     bool                 // it takes several, with commas between
	items    domain.ParameterType // of an array that is filled like a list of texts; "" for no array
	format   string               // "date-time", "date" or "time" where its schema says so
	nullable bool                 // null is one of its values
	writes   form                 // how it writes days and times
	means    [][2]string          // of a number: what some of them are called, with the number
	shape    string               // of an id, from an example: letters as they are, digits as 0
	words    []string             // of its name, as they are compared
	about    []string             // of its description, as they are compared
	leads    []string             // what leads to it in the tool's own description: a refill of a medication
}

// kind is what a parameter's value is like.
type kind int

const (
	anything kind = iota
	ofText        // a message: everything behind "saying"
	ofTitle       // what something is called
	ofQuery       // what is looked for
	ofGiver       // who it is from, or by
	ofTaker       // who it is for
	ofPlace       // where something is: behind "in", "on", "at" or "of"
	ofCode        // an id
	ofDay
	ofClock
	ofMoment // a day with a time of day
	ofPeriod // so far back, or so long
	ofColor
	ofReason // why, or what for
	ofLanguage
)

// kindWords are the words in a parameter's name that tell its kind, the last word first.
var kindWords = map[string]kind{
	"text": ofText, "message": ofText, "body": ofText, "content": ofText, "note": ofText, "notes": ofText, "remarks": ofText, "comment": ofText, "caption": ofText, "description": ofText,
	"title": ofTitle, "subject": ofTitle, "name": ofTitle, "summary": ofTitle, "headline": ofTitle,
	"query": ofQuery, "q": ofQuery, "term": ofQuery, "keyword": ofQuery, "keywords": ofQuery, "search": ofQuery, "topic": ofQuery, "category": ofQuery,
	"from": ofGiver, "sender": ofGiver, "author": ofGiver, "artist": ofGiver, "origin": ofGiver, "source": ofGiver, "by": ofGiver,
	"to": ofTaker, "recipient": ofTaker, "recipients": ofTaker, "receiver": ofTaker, "addressee": ofTaker, "destination": ofTaker, "target": ofTaker, "assignee": ofTaker,
	"room": ofPlace, "city": ofPlace, "location": ofPlace, "place": ofPlace, "repo": ofPlace, "repository": ofPlace, "project": ofPlace, "folder": ofPlace, "owner": ofPlace, "zone": ofPlace,
	"area": ofPlace, "country": ofPlace, "channel": ofPlace, "board": ofPlace, "org": ofPlace, "team": ofPlace, "branch": ofPlace, "playlist": ofPlace, "restaurant": ofPlace, "in": ofPlace, "at": ofPlace,
	"id": ofCode, "uuid": ofCode, "code": ofCode, "key": ofCode, "isbn": ofCode, "reference": ofCode, "ref": ofCode, "number": ofCode, "no": ofCode, "nr": ofCode, "ticket": ofCode, "order": ofCode, "flight": ofCode,
	"date": ofDay, "day": ofDay, "time": ofClock, "when": ofMoment, "deadline": ofMoment, "due": ofMoment, "until": ofMoment, "till": ofMoment, "start": ofMoment, "end": ofMoment, "moment": ofMoment, "datetime": ofMoment, "since": ofDay, "before": ofDay, "after": ofDay,
	"reason": ofReason, "purpose": ofReason, "why": ofReason, "memo": ofReason, "language": ofLanguage, "lang": ofLanguage,
	"with": ofTaker, "color": ofColor, "colour": ofColor,
	"period": ofPeriod, "range": ofPeriod, "timeframe": ofPeriod, "interval": ofPeriod, "span": ofPeriod, "window": ofPeriod, "duration": ofPeriod,
}

// slotIn is slotOf for a parameter of a tool that declares a schema: the values that it lists
// are all there are, and an array of plain values is said like a list of texts.
func slotIn(p domain.Parameter, schema json.RawMessage) Slot {
	if len(schema) == 0 {
		return slotOf(p)
	}
	var items domain.ParameterType
	if p.Type == domain.TypeArray {
		switch items = domain.ItemsOf(schema, p.Name); items {
		case domain.TypeString, domain.TypeNumber, domain.TypeInteger:
			p.Type = domain.TypeString
		default:
			return slotOf(p) // it can't be said in words
		}
	}
	s := slotOf(p)
	s.nullable = domain.TakesNull(schema, p.Name)
	if format := domain.FormatOf(schema, p.Name); items == "" && p.Type == domain.TypeString && layouts[format] != "" {
		s.format, s.writes = format, form{}
		s.kind = map[string]kind{"date-time": ofMoment, "date": ofDay, "time": ofClock}[format]
		s.choices, s.closed, s.list, s.shape = nil, false, false, ""
	}
	if values := domain.ValuesOf(schema, p.Name); len(values) > 0 && p.Type == domain.TypeString {
		s.choices, s.closed, s.list = values, true, false
		if s.kind == ofCode || isWhen(s.kind) {
			s.kind, s.shape = anything, ""
		}
	}
	if s.items = items; items != "" && !s.closed {
		s.list, s.choices, s.shape = true, nil, ""
	}
	return s
}

// valuesOf are the values in what was said for an array; false when one of them isn't of
// its type.
func (p Slot) valuesOf(text string) ([]any, bool) {
	var out []any
	for _, part := range splitsList.Split(text, -1) {
		if part = strings.Trim(part, " \"'`"); part == "" {
			continue
		}
		if p.items == domain.TypeString {
			out = append(out, part)
			continue
		}
		number, ok := numberOf(part, p.items)
		if !ok {
			return nil, false
		}
		out = append(out, number)
	}
	return out, len(out) > 0
}

// slotOf reads what a parameter's name and description say.
func slotOf(p domain.Parameter) Slot {
	s := Slot{Parameter: p}
	name := NameWords(p.Name)
	for _, w := range name {
		s.words = append(s.words, TermOf(w))
	}
	about := textWords(p.Description)
	for _, w := range about[:min(len(about), maxTermWords)] {
		s.about = append(s.about, TermOf(w))
	}
	for i := len(name) - 1; i >= 0 && s.kind == anything; i-- {
		s.kind = kindWords[name[i]]
	}
	if first := strings.Join(about[:min(len(about), 2)], " "); s.kind != ofText && (first == "what for" || strings.HasPrefix(first, "why") || strings.HasPrefix(first, "reason") || strings.HasPrefix(first, "purpose")) {
		s.kind = ofReason
	}
	if slices.Contains(about, "new") && p.Required && (s.kind == anything || s.kind == ofTitle) {
		s.kind = ofTaker // it is renamed to this
	}
	if slices.Contains(about, "date") && (s.kind == anything || s.kind == ofPlace) {
		s.kind = ofDay
	}
	if slices.Contains(name, "start") && slices.Contains(name, "time") || slices.Contains(name, "end") && slices.Contains(name, "time") || s.kind == ofDay && slices.Contains(about, "time") && !slices.Contains(about, "period") || s.kind == ofClock && slices.Contains(about, "date") {
		s.kind = ofMoment
	}
	if p.Type != domain.TypeString {
		for _, m := range meaning.FindAllStringSubmatch(strings.ToLower(p.Description), 4) {
			s.means = append(s.means, [2]string{TermOf(m[2]), m[1]})
		}
		return s
	}
	s.writes = formOf(p.Description)
	if s.writes.moment != "" && (s.kind == ofClock || s.kind == ofDay) {
		s.kind = ofMoment
	}
	if written := s.writes; written != (form{}) && !isWhen(s.kind) && s.kind != ofText && s.kind != ofQuery {
		switch {
		case written.moment != "":
			s.kind = ofMoment
		case written.day != "":
			s.kind = ofDay
		case s.kind == anything:
			s.kind = ofClock
		}
	}
	s.choices, s.closed = choicesIn(patterns.ReplaceAllString(p.Description, ""))
	if hasWord(s, "query", "q", "search", "term", "keyword", "keywords") {
		s.closed = s.closed && strings.Contains(p.Description, "|") // "dish or ingredient" says what is looked for
	}
	lower := strings.ToLower(p.Description)
	s.list = strings.Contains(lower, "comma") || slices.Contains(about, "list") && slices.Contains(about, "of") && isSeveral(name) || isSeveral(name) && !s.closed && strings.Contains(lower, ",")
	if s.list {
		s.closed = false
	}
	if twoPart.MatchString(p.Description) && !isWhen(s.kind) && s.kind != ofText {
		s.shape, s.kind, s.choices, s.closed = twoParts, ofCode, nil, false
		return s
	}
	if s.kind == ofCode || s.kind == anything {
		for _, c := range s.choices {
			if s.closed && slices.ContainsFunc(s.choices, func(c string) bool { return !strings.ContainsAny(c, "0123456789") }) {
				break // a value may have a digit in it
			}
			if shape := shapeOf(c); strings.Contains(shape, "0") && len(shape) > 2 && !coded.MatchString(c) && !strings.HasPrefix(shape, "0") {
				s.shape, s.kind, s.choices, s.closed = shape, ofCode, nil, false
				break
			}
		}
	}
	return s
}

// twoPart is an id of two words in an example: a few letters, and a number.
var twoPart = regexp.MustCompile(`(?:e\.g\.,?|such as|for example,?|like)\s*["']?[A-Z]{1,4} \d+`)

// twoParts is the shape of such ids.
const twoParts = "a 0"

// meaning is a number with what it is called: 0 = closed.
var meaning = regexp.MustCompile(`\b(\d+)\s*(?:=|:|means|is)\s*(?:fully |completely )?(\pL{3,})`)

// patterns are ways of writing in a description, which are no values.
var patterns = regexp.MustCompile(`(?i)\b(?:hh:mm(?::ss)?|yyyy[-/]mm[-/]dd(?:thh:mm(?::ss)?)?|dd[./-]mm[./-]yyyy|mm/dd/yyyy|iso[ -]?8601|24[ -]?h(?:ours?)?|12[ -]?h(?:ours?)?)\b|[,;]?\s*[\pL\d-]+ (?:by default|if (?:unset|omitted|missing|empty|not given|not set)|unless given|when (?:unset|omitted|missing))`)

// numberFor is the number that a word means for a parameter: a closed one, or to close it.
func (p Slot) numberFor(word string) string {
	for _, m := range p.means {
		if t := TermOf(word); m[0] == t || m[0] == t+"d" || m[0]+"e" == t || strings.TrimSuffix(m[0], "n")+"n" == t {
			return m[1]
		}
	}
	return ""
}

func isSeveral(name []string) bool {
	return len(name) > 0 && strings.HasSuffix(name[len(name)-1], "s") && !strings.HasSuffix(name[len(name)-1], "ss") && name[len(name)-1] != "status"
}

// shapeOf is a word with its digits as 0, however many stand together.
func shapeOf(word string) string {
	var out strings.Builder
	last := ' '
	for _, r := range strings.ToLower(word) {
		if r >= '0' && r <= '9' {
			r = '0'
			if last == '0' {
				continue
			}
		}
		out.WriteRune(r)
		last = r
	}
	return out.String()
}

var (
	// listing are values that a description lists: "one of: a, b, c", "a, b or c", "a|b".
	listing = regexp.MustCompile(`["'` + "`" + `]?[\p{L}\d_+-]+["'` + "`" + `]?(?:\s*(?:,\s*(?:or|and)?|\||/|\bor\b|\band\b)\s*["'` + "`" + `]?[\p{L}\d_+-]+["'` + "`" + `]?)+`)
	// leadsIn are words before a list of examples.
	leadsIn = regexp.MustCompile(`(?i)(?:such as|e\.g\.,?|for example|for instance|like|example:?|examples:?)\s*:?\s*$`)
	// onlyThese are words before all values that there are.
	onlyThese = regexp.MustCompile(`(?i)(?:one of|either|allowed(?: values)?|options|values|choices|must be|can be|valid)(?:\s+(?:are|the))?\s*:?\s*$|(?::|\s[-–—])\s*$`)
	// examples are words behind "such as" that stand alone.
	examples   = regexp.MustCompile(`(?i)(?:such as|e\.g\.,?|for example,?|like|example:)\s*:?\s*\(?(?:'([^']+)'|"([^"]+)"|([\p{L}\d_+-]+))`)
	splitsList = regexp.MustCompile(`\s*(?:,\s*(?:or\b|and\b)?|\||/|\bor\b|\band\b)\s*`)
)

// exempli are words before examples, which no list of all values goes on behind.
var exempli = regexp.MustCompile(`(?i)[,;(]?\s*\b(?:e\.g\.?|eg\.|for example|for instance|such as|ex\.|i\.e\.)`)

// kindNouns are words for what values are, in a description that tells which kinds of them will
// do: title or uid, song or album.
var kindNouns = sentences.WordsIn(`name names title uid uuid id url uri link path symbol ticker isin address email e-mail phone number code key song songs album albums artist artists playlist track genre word words text phrase company person user username handle place address station city town country location zip postcode airport file folder keyword keywords topic query date time datetime day timestamp string integer iso`)

// ofKinds reports whether what is listed are kinds of values, and no values.
func ofKinds(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return kindNouns[strings.ToLower(v)] })
}

// choicesIn are the values that a description lists, and whether there are no others.
func choicesIn(about string) (values []string, closed bool) {
	about = about[:min(len(about), 1<<10)]
	listed := about
	if at := exempli.FindStringIndex(about); at != nil {
		listed = about[:at[0]]
	}
	if values := phrasesIn(listed); values != nil {
		return values, true
	}
	for _, at := range listing.FindAllStringIndex(about, 4) {
		text, before, after := about[at[0]:at[1]], about[:at[0]], about[at[1]:]
		if at[0] < len(listed) && at[1] > len(listed) {
			continue // it runs into an example
		}
		quoted := strings.ContainsAny(text, "\"'`")
		parts := splitsList.Split(text, -1)
		values = nil
		for i, p := range parts {
			p = strings.Trim(p, "\"'` ")
			if p != "" && !(i == len(parts)-1 && (p == "if" || p == "default")) {
				values = append(values, p)
			}
		}
		if strings.Contains(text, "/") && slices.ContainsFunc(values, func(v string) bool {
			return slices.Contains([]string{"owner", "repo", "name", "id", "user", "org", "city", "country", "lat", "lon"}, strings.ToLower(v))
		}) {
			continue // how it is written
		}
		lower := strings.ToLower(text) == text
		ends := strings.TrimSpace(after) == "" || strings.ContainsAny(strings.TrimSpace(after)[:1], ".;,()—-") || strings.HasPrefix(strings.TrimSpace(after), "default")
		// A list that goes on in a phrase, such as "a, b or kind of c", is no list of values.
		switch {
		case len(values) < 2 || !ends || ofKinds(values):
			continue
		case leadsIn.MatchString(before):
			return values, false
		case onlyThese.MatchString(before) || quoted || strings.ContainsAny(text, "|"):
			return values, true
		case allUpper(values) && strings.TrimSpace(before) == "" && strings.TrimSpace(after) == "" && strings.Contains(text, " or "):
			return values, true
		case strings.ToUpper(text) == text && strings.TrimSpace(before) == "" && strings.Contains(text, ","):
			return values, false
		case lower && (strings.TrimSpace(before) == "" || strings.HasSuffix(strings.TrimSpace(before), "are") || strings.HasSuffix(strings.TrimSpace(before), "(") || strings.HasSuffix(strings.TrimSpace(before), "is") || strings.HasSuffix(strings.TrimSpace(before), " by") || strings.HasSuffix(strings.TrimSpace(before), ".")):
			return values, true
		}
	}
	if m := examples.FindStringSubmatch(about); m != nil {
		return []string{cmp.Or(m[1], m[2], m[3])}, false
	}
	return nil, false
}

func allUpper(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return strings.ToUpper(v) != v || strings.ToLower(v) == v })
}

// phrasesIn are the values of a list of at least three, some of which are of two words: kitchen,
// hall, living room.
func phrasesIn(about string) []string {
	for part := range strings.FieldsFuncSeq(about, func(r rune) bool { return strings.ContainsRune(".;:()", r) }) {
		parts := splitsList.Split(strings.TrimSpace(part), -1)
		phrases := 0
		for i, p := range parts {
			p = strings.Trim(p, "\"'` ")
			parts[i] = p
			words := strings.Fields(p)
			if len(words) == 0 || len(words) > 2 || strings.ToLower(p) != p || slices.Contains(articles, words[0]) || slices.Contains([]string{"to", "by", "of", "default"}, words[0]) || ofKinds(words) || IsNumber(words[0]) {
				phrases = -len(parts)
			}
			if len(words) == 2 {
				phrases++
			}
		}
		if len(parts) > 2 && phrases > 0 && 2*phrases <= len(parts) {
			return parts
		}
	}
	return nil
}
