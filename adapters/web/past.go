package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/adapters/api"
	"chalie/domain"
)

// past is the part of every page that can show a past moment. Such a page shows its
// template "view" under a slider through the log, without controls that act.
type past struct {
	Path    string // of the page
	Of      string // its name for GET /api/as-of
	Heading string
	Lead    string // text below it for the present; may be empty

	Then    *then  // the moment shown; nil for now
	Pending bool   // its module waits for the answer
	Wrong   string // why the moment is invalid
	Life    life
}

// then is a moment of the past.
type then struct {
	At       string // in the API's syntax
	Time     domain.Millis
	Position domain.Position
	Lacks    string    // what went since and is missing
	Ahead    bool      // it is in the future; only for /now
	Sections []section // of /now alone
}

// Ahead reports whether the page shows a future moment.
func (p past) Ahead() bool { return p.Then != nil && p.Then.Ahead }

// Pointed is the slider's position.
func (p past) Pointed() domain.Position {
	if p.Then == nil {
		return p.Life.Last
	}
	number, named := strings.CutPrefix(p.Then.At, "pos:")
	if at, err := strconv.ParseUint(number, 10, 64); named && err == nil {
		return domain.Position(at)
	}
	if p.Pending {
		return p.Life.Last
	}
	return p.Then.Position
}

// Also is another address of a page, at the same moment.
func (p past) Also(path string) string {
	if p.Then == nil {
		return path
	}
	return address(path, url.Values{"at": {p.Then.At}})
}

// alsoBefore is the address of an earlier part of a list on this page.
func (p past) alsoBefore(pos domain.Position) string {
	query := url.Values{"before": {position(pos)}}
	if p.Then != nil {
		query.Set("at", p.Then.At)
	}
	return address(p.Path, query)
}

// title is that of the window.
func (p past) title() string {
	switch {
	case p.Then == nil:
		return p.Heading
	case p.Then.Ahead:
		return "As it will be"
	case p.Of == "world":
		return "As it was"
	}
	return p.Heading + " as of then"
}

// System reports whether the page is one of the system's.
func (p past) System() bool { return strings.HasPrefix(p.Path, "/system/") }

// lookBack calls fill to request a page's content, now or at the request's moment. If the
// moment is invalid it calls fill again for now.
func (v *visit) lookBack(p *past, fill func() error) error {
	var err error
	if p.Then, err = v.askedMoment(v.r.URL.Query()); err != nil {
		return err
	}
	err = fill()
	if refused, ok := errors.AsType[*refusal](err); ok && p.Then != nil && refused.status == http.StatusBadRequest {
		p.Then, p.Wrong = nil, refused.message
		err = fill()
	}
	return err
}

// showThen shows a page at its moment, or for its module only the part that depends on
// the moment.
func (v *visit) showThen(name string, p *past, page any, scripts ...string) error {
	if v.wantsPart("view") {
		return v.part(name, "then-part", page)
	}
	var err error
	if p.Life, err = v.life(); err != nil {
		return err
	}
	here := p.Path
	switch {
	case p.System():
		here = "/system"
	case p.Of == "interfaces":
		here = "/interfaces"
	}
	return v.show(http.StatusOK, name, frame{Title: p.title(), Here: here, Scripts: append([]string{"then.js"}, scripts...), Page: page})
}

// askThen requests a page's content at its moment. Once an answer is pending it requests
// nothing more.
func (v *visit) askThen(p *past, path string, query url.Values, into any) error {
	if p.Then == nil {
		return v.ask(path, query, into)
	}
	if p.Pending {
		return nil
	}
	asked := url.Values{"at": {p.Then.At}}
	maps.Copy(asked, query)
	var text json.RawMessage
	var err error
	if p.Pending, err = v.askPast(path, asked, &text); p.Pending || err != nil {
		return err
	}
	var based struct {
		AsOf api.AsOf `json:"as_of"`
	}
	if err := json.Unmarshal(text, &based); err != nil {
		return err
	}
	p.Then.Position, p.Then.Time, p.Then.Lacks = based.AsOf.Position, based.AsOf.Time, based.AsOf.Lacks
	if !strings.HasPrefix(p.Then.At, "pos:") {
		p.Then.At = strconv.FormatInt(int64(p.Then.Time), 10) // a span back would mean another moment each time
	}
	return json.Unmarshal(text, into)
}

// localTime is how forms send a moment: without a zone.
const localTime = "2006-01-02T15:04"

// askedMoment is the moment in a request; nil for now.
func (v *visit) askedMoment(query url.Values) (*then, error) {
	at := query.Get("at")
	if pos := query.Get("pos"); pos != "" {
		at = "pos:" + pos
	}
	if text := query.Get("time"); text != "" {
		zone, err := time.LoadLocation(v.zone())
		if err != nil {
			return nil, err
		}
		at = text
		for _, layout := range []string{localTime, localTime + ":05"} {
			if t, err := time.ParseInLocation(layout, text, zone); err == nil {
				at = strconv.FormatInt(t.UnixMilli(), 10)
			}
		}
	}
	if at == "" || at == "now" {
		return nil, nil
	}
	return &then{At: at}, nil
}

// pastWithin bounds how long a page waits for an answer about the past before it
// leaves that to its module.
const pastWithin = 60 * time.Millisecond

// askPast makes a request about the past. Pending says that it takes longer than
// pastWithin, unless the request says to wait.
func (v *visit) askPast(path string, query url.Values, into any) (pending bool, err error) {
	if asked := v.r.URL.Query(); asked.Get("wait") != "" || asked.Get("part") != "" {
		return false, v.ask(path, query, into)
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), pastWithin)
	defer cancel()
	hurried := *v
	hurried.r = v.r.WithContext(ctx)
	err = hurried.ask(path, query, into)
	if err != nil && v.r.Context().Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// life is the range of the log that the slider covers.
type life struct {
	First, Last domain.Position
	Began       domain.Millis
	Zone        string // time zone of the page's forms
}

func (v *visit) life() (life, error) {
	out := life{Zone: v.zone()}
	if out.Zone == "" {
		out.Zone = "UTC"
	}
	var health api.Health
	var first api.LogPage
	if err := v.ask("/health", nil, &health); err != nil {
		return out, err
	}
	if err := v.ask("/api/log", url.Values{"from": {"1"}, "limit": {"1"}}, &first); err != nil {
		return out, err
	}
	if len(first.Records) > 0 {
		out.First, out.Began, out.Last = first.Records[0].Position, first.Records[0].RecordedAt, health.Resources["log_tail"].Position
	}
	return out, nil
}

// marked is a text in which a part differs from another text.
type marked struct{ Before, Differs, After string }

// markDifference finds what differs between two texts: the words behind their common beginning
// and before their common end.
func markDifference(a, b string) [2]marked {
	begin, most := 0, min(len(a), len(b))
	for begin < most && a[begin] == b[begin] {
		begin++
	}
	begin = wordBefore(a, begin)
	end := 0
	for end < most-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	end = len(a) - wordBehind(a, len(a)-end)
	part := func(s string) marked { return marked{s[:begin], s[begin : len(s)-end], s[len(s)-end:]} }
	return [2]marked{part(a), part(b)}
}

// maxWord bounds how far the end of a word is looked for, in bytes.
const maxWord = 40

// wordBefore is where the word begins that a place is in, or a character.
func wordBefore(s string, at int) int {
	from := at
	for at > 0 && from-at < maxWord && s[at-1] > ' ' {
		at--
	}
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// wordBehind is where the word ends that a place is in, or a character.
func wordBehind(s string, at int) int {
	from := at
	for at < len(s) && at-from < maxWord && s[at] > ' ' {
		at++
	}
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return at
}

// maxLegible bounds a value that is shown.
const maxLegible = 20_000

// legible is a recorded value as a person reads it: a text as it is, a score from 0 to
// 1, anything else as JSON in lines.
func legible(field string, raw json.RawMessage) string {
	var text string
	var out bytes.Buffer
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "nothing"
	case json.Unmarshal(raw, &text) == nil:
		if text == "" {
			return "an empty text"
		}
	case isScore(field):
		n, err := strconv.ParseInt(string(raw), 10, 64)
		// Energies are stored from 0 to 1, except in the first version of spine signals.
		if err == nil && !(isEnergy(field) && n <= 1) {
			return strconv.FormatFloat(float64(n)/float64(domain.One), 'f', -1, 64)
		}
		return string(raw)
	case json.Indent(&out, raw, "", "  ") == nil:
		text = out.String()
	default:
		text = string(raw)
	}
	if len(text) > maxLegible {
		return strings.ToValidUTF8(text[:maxLegible], "") + "…"
	}
	return text
}

// isScore reports whether a field is stored in millionths, or may be.
func isScore(field string) bool {
	return slices.Contains([]string{"salience", "bonus", "score", "weight", "confidence"}, leafOf(field)) || isEnergy(field)
}

func isEnergy(field string) bool { return leafOf(field) == "activation_energy" }

func leafOf(field string) string { return field[strings.LastIndexByte(field, '.')+1:] }
