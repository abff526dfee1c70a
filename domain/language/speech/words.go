package speech

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// value are the words of an argument in a style.
func (s saying) value(v Value, style []string, kind string, args Args) string {
	first := ""
	if len(style) > 0 {
		first = style[0]
	}
	switch v := v.(type) {
	case Text:
		return s.text(v.Words, first)
	case Time:
		if first == "capital" {
			return capital(s.time(v, ""))
		}
		return s.time(v, first)
	case Span:
		return s.span(v, first == "full")
	case Period:
		return s.period(v)
	case Again:
		return s.again(v)
	case Length:
		if first == "short" {
			return s.short(time.Duration(v))
		}
		return s.length(time.Duration(v))
	case Count:
		return s.count(v)
	case Clock:
		return string(v)
	case Number:
		return s.number(string(v))
	case Kind:
		if first == "capital" {
			return capital(s.kind(v, nil, kind, args))
		}
		return s.kind(v, style, kind, args)
	case Ref:
		return domain.ID(v).UUID()
	case Message:
		return s.message(v)
	case List:
		return s.list(v, style, kind, args)
	}
	return ""
}

// capital is a text that begins a line.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// shopping is the name of the list that each language has a word for.
const shopping = "shopping"

// text is what somebody wrote, between quotation marks where it is spoken of. What is quoted can't leave
// its marks.
func (s saying) text(words, style string) string {
	switch style {
	case "quoted":
		quoted := strconv.Quote(words)
		quoted = quoted[1 : len(quoted)-1]
		if !strings.Contains(s.form("quoted", "text", ""), `"`) { // the language has marks of its own
			quoted = strings.ReplaceAll(unmarked.Replace(quoted), `\"`, `"`)
		}
		return s.form("quoted", "text", quoted)
	case "named": // what is named can't leave its marks either
		return s.form("named", "text", unmarked.Replace(words))
	case "plan": // what rings is called so in each language
		if called := s.kinds["alarm"][strings.ReplaceAll(words, " ", "_")]["one"]; called != "" {
			return called
		}
	case "place":
		if first, _, _ := strings.Cut(strings.ToLower(words), " "); !slices.Contains(s.wordsOf("placed"), first) {
			return s.form("place", "text", words)
		}
	case "list", "titled":
		switch {
		case words == shopping:
			return s.form(style + "_shopping")
		case style == "list":
			return s.form("list", "text", words)
		}
	}
	return words
}

// unmarked has other quotation marks in place of those between which a text is named.
var unmarked = strings.NewReplacer("“", "\"", "”", "\"", "„", "\"", "«", "\"", "»", "\"")

func (s saying) count(n Count) string { return s.number(strconv.Itoa(int(n))) }

func (s saying) number(n string) string {
	return strings.Replace(n, ".", s.form("decimal"), 1)
}

// kind is a word of a kind in one of its forms.
func (s saying) kind(k Kind, style []string, kind string, args Args) string {
	form := "one"
	switch {
	case len(style) == 2 && style[0] == "of":
		form = s.categoryOf(args[style[1]])
	case len(style) > 0:
		form = style[0]
	}
	if words := s.kinds[kind][string(k)][form]; words != "" {
		return words
	}
	switch form {
	case "one":
		return string(k)
	case "titled":
		return capital(string(k)) + "s"
	}
	return string(k) + "s"
}

// list are several values, with commas between them, "and" before the last, or semicolons.
func (s saying) list(l List, style []string, kind string, args Args) string {
	between, last := "comma", "comma"
	if len(style) > 0 {
		switch style[0] {
		case "and":
			last, style = "and", style[1:]
		case "apart", "apart_and", "comma_and", "comma_or":
			between, last, style = style[0], style[0], style[1:]
		}
	}
	words := make([]string, len(l))
	for i, v := range l {
		words[i] = s.value(v, style, kind, args)
	}
	return s.joined(words, between, last)
}

// joined are words with what stands between them and before the last.
func (s saying) joined(words []string, between, last string) string {
	out := ""
	for i, w := range words {
		switch {
		case i == 0:
			out = w
		case i == len(words)-1:
			out = s.form(last, "a", out, "b", w)
		default:
			out = s.form(between, "a", out, "b", w)
		}
	}
	return out
}

// form is one of the section times, with texts for its arguments, as name and value by turns.
func (s saying) form(key string, with ...string) string {
	args := make(Args, len(with)/2)
	for i := 0; i+1 < len(with); i += 2 {
		args[with[i]] = Text{Words: with[i+1]}
	}
	return s.template(s.times[key], args, "")
}

// counted is one of the section times for so many.
func (s saying) counted(key string, n int) string {
	return s.template(s.times[key], Args{"n": Count(n)}, "")
}

// Value are the words of a value alone, in a style of its type; a kind is a thing.
func (c *Catalogue) Value(v Value, voice Voice, style string) string {
	return c.voice(voice).value(v, strings.Fields(style), thing, nil)
}
