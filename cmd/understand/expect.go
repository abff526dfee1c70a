package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"chalie/domain"
)

// An expectation is what may come of a sentence: alternatives between " || ", each a verb
// with its fields, such as "remind at=2027-03-02T08:00 what=milk". testdata/README.md says
// which there are.
type expectation []alternative

type alternative struct {
	verb   string
	bare   []string          // what stands without a name: ids, the name of a list, what is told
	fields map[string]string // what stands behind a name
}

// verbs are what an alternative begins with, and how many bare words may follow.
var verbs = map[string]int{
	"remind": 0, "appoint": 0, "plan": 0, "task": 0, "list+": 1, "list-": 1, "newlist": 1, "droplist": 1, "end": 1, "move": 1,
	"remember": 0, "forget": 0, "confirm": 0, "tell": 1, "ask": 0, "left": 0,
}

func parseExpectation(text string) (expectation, error) {
	var out expectation
	for part := range strings.SplitSeq(text, "||") {
		words := strings.Fields(part)
		if len(words) == 0 {
			return nil, fmt.Errorf("%q has an empty alternative", text)
		}
		a := alternative{verb: words[0], fields: map[string]string{}}
		bare, known := verbs[a.verb]
		if !known {
			return nil, fmt.Errorf("%q begins with %q", text, a.verb)
		}
		for _, w := range words[1:] {
			if name, value, ok := strings.Cut(w, "="); ok {
				a.fields[name] = value
			} else {
				a.bare = append(a.bare, w)
			}
		}
		if len(a.bare) != bare {
			return nil, fmt.Errorf("%q: %s takes %d", text, a.verb, bare)
		}
		out = append(out, a)
	}
	return out, nil
}

// Verdicts on a sentence.
const (
	vDone  = "done"
	vAsked = "asked"
	vLeft  = "left"
	vWrong = "wrong"
)

// judge says what came of a sentence: what was expected (done), a question with nothing
// changed (asked), one line with nothing changed (left), or anything else (wrong). It is right
// when that was expected.
func (h *house) judge(ctx context.Context, want expectation, got answer) (verdict string, right bool, err error) {
	after, err := h.changes(ctx)
	if err != nil {
		return "", false, err
	}
	met := map[string]bool{}
	for _, a := range want {
		ok, err := h.meets(ctx, a, got, after)
		if err != nil {
			return "", false, err
		}
		switch {
		case !ok:
		case a.verb == "ask":
			met[vAsked] = true
		case a.verb == "left":
			met[vLeft] = true
		default:
			met[vDone] = true
		}
	}
	for _, verdict := range []string{vDone, vAsked, vLeft} { // the best that it may be
		if met[verdict] {
			return verdict, true, nil
		}
	}
	switch {
	case len(after) > 0:
		return vWrong, false, nil
	case got.asks():
		return vAsked, false, nil
	case got.ended || got.sure && !slices.ContainsFunc(want, func(a alternative) bool { return a.verb == "left" }):
		return vWrong, false, nil // it told something else
	}
	return vLeft, false, nil
}

// asks reports whether an answer is a question: the model's, or that of a skill which lacks
// something.
func (a answer) asks() bool { return !a.ended && (strings.Contains(a.text, "?") || len(a.calls) > 0) }

// lines is how many lines an answer has.
func (a answer) lines() int { return strings.Count(strings.TrimSpace(a.text), "\n") + 1 }

// change is an envelope that a sentence led to.
type change struct {
	env     domain.Envelope
	payload map[string]any
}

// changes are what the log has got since the fixture.
func (h *house) changes(ctx context.Context) ([]change, error) {
	records, err := h.log.Select(ctx, domain.Selector{}, h.fork+1, 1000)
	if err != nil {
		return nil, err
	}
	var out []change
	for _, rec := range records {
		c := change{env: rec.Envelope, payload: map[string]any{}}
		if err := json.Unmarshal(rec.Envelope.Payload.Bytes, &c.payload); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func (c change) is(types ...domain.EventType) bool { return slices.Contains(types, c.env.Type) }

func (c change) text(name string) string {
	text, _ := c.payload[name].(string)
	return strings.ToLower(text)
}

func (c change) moment(names ...string) domain.Millis {
	for _, name := range names {
		if n, ok := c.payload[name].(float64); ok {
			return domain.Millis(n)
		}
	}
	return 0
}

// meets reports whether what came of a sentence is what an alternative says.
func (h *house) meets(ctx context.Context, a alternative, got answer, all []change) (bool, error) {
	switch a.verb {
	case "ask", "confirm":
		return len(all) == 0 && got.asks(), nil
	case "left":
		return len(all) == 0 && got.lines() == 1 && !got.asks(), nil
	case "tell":
		return len(all) == 0 && (len(got.calls) > 0 || got.sure) && h.tells(a.bare[0], got), nil
	case "task":
		return h.meetsTasks(a, all), nil
	case "list+", "list-", "newlist", "droplist":
		return h.meetsList(ctx, a, all)
	case "end":
		return h.ends(strings.Split(a.bare[0], ","), all), nil
	}
	if a.verb == "remind" && len(all) > 1 {
		return h.remindsOfEach(a, all), nil
	}
	if a.verb == "move" && len(all) == 2 { // one time of a plan that comes back: it is left out, and another is set
		id, _ := domain.PlanOf(all[0].env)
		return h.named[id] == a.bare[0] && all[0].is(domain.ReminderChangedType, domain.AppointmentChangedType) &&
			all[1].is(domain.ReminderSetType, domain.AppointmentSetType) && h.fits(a, all[1]), nil
	}
	if len(all) != 1 {
		return false, nil
	}
	c := all[0]
	switch a.verb {
	case "remind":
		return c.is(domain.ReminderSetType) && h.fits(a, c), nil
	case "appoint":
		return c.is(domain.AppointmentSetType) && h.fits(a, c), nil
	case "plan":
		return c.is(domain.ReminderSetType, domain.AppointmentSetType) && h.fits(a, c), nil
	case "move":
		id, _ := domain.PlanOf(c.env)
		again := c.is(domain.ReminderSetType) && h.comesBack(a.bare[0]) && h.fits(alternative{fields: map[string]string{"at": a.fields["at"]}}, c) // a recurring one comes once more
		return c.is(domain.ReminderChangedType, domain.AppointmentChangedType, domain.TaskChangedType) && h.named[id] == a.bare[0] && h.fits(a, c) || again, nil
	case "remember":
		return c.is(domain.MemoryRememberedType) && says(c.text("text"), a.fields["what"]), nil
	}
	return c.is(domain.MemoryForgottenType), nil
}

// comesBack reports whether the plan of a name comes back.
func (h *house) comesBack(name string) bool {
	for id, c := range h.plans.Commitments.Open {
		if h.named[id] == name {
			return c.Recurs
		}
	}
	return false
}

// remindsOfEach reports whether several reminders were set of the same, the first of them as an
// alternative says: of a sentence with several times it names the first.
func (h *house) remindsOfEach(a alternative, all []change) bool {
	for _, c := range all {
		if !c.is(domain.ReminderSetType) || c.text("text") != all[0].text("text") {
			return false
		}
	}
	return h.fits(a, all[0])
}

// meetsTasks reports whether tasks were made that say what is wanted of each, with commas
// between them, in that order.
func (h *house) meetsTasks(a alternative, all []change) bool {
	whats := strings.Split(a.fields["what"], ",")
	if len(all) != len(whats) {
		return false
	}
	by, limited := a.fields["by"]
	for i, c := range all {
		if !c.is(domain.TaskCreatedType) || !says(c.text("text"), whats[i]) || limited && !h.at(by, c.moment("deadline")) {
			return false
		}
	}
	return true
}

// ends reports whether exactly these plans were ended, once each.
func (h *house) ends(ids []string, all []change) bool {
	var ended []string
	for _, c := range all {
		if !c.is(domain.ReminderCancelledType, domain.ReminderDoneType, domain.AppointmentCancelledType, domain.TaskCompletedType, domain.TaskDroppedType, domain.MemoryForgottenType) {
			return false
		}
		id, _ := domain.PlanOf(c.env)
		ended = append(ended, h.named[id])
	}
	slices.Sort(ended)
	slices.Sort(ids)
	return slices.Equal(ended, ids)
}

// fits compares the fields of a plan that was made.
func (h *house) fits(a alternative, c change) bool {
	at := c.moment("start", "due", "deadline")
	return h.at(a.fields["at"], at) && (a.fields["end"] == "" || h.at(a.fields["end"], c.moment("end"))) &&
		says(c.text("text"), a.fields["what"]) && says(c.text("place")+" "+c.text("text"), a.fields["place"]) &&
		says(fmt.Sprint(c.payload["people"])+" "+c.text("text"), a.fields["with"]) && recurs(a.fields["rule"], c.payload["recurrence"])
}

// says reports whether a text has all of some words, joined by +.
func says(text, words string) bool {
	text = strings.ToLower(text)
	for w := range strings.SplitSeq(words, "+") {
		if !strings.Contains(text, strings.ReplaceAll(strings.ToLower(w), "_", " ")) {
			return false
		}
	}
	return true
}

// at compares a moment with one that is written to the minute, or to the day.
func (h *house) at(want string, at domain.Millis) bool {
	local := at.Time().In(h.zone)
	switch {
	case want == "" || want == "?":
		return true
	case strings.Contains(want, "T"):
		return local.Format("2006-01-02T15:04") == want
	}
	return local.Format(time.DateOnly) == want
}

// recurs compares a recurrence with its short form.
func recurs(want string, recurrence any) bool {
	rule, _ := recurrence.(map[string]any)
	text, _ := rule["rule"].(string)
	if want == "" {
		return text == ""
	}
	got, err := rrule.StrToROption(text)
	if err != nil {
		return false
	}
	freq, days, limited := strings.Cut(want, ":")
	if limited && !strings.EqualFold(freq, "weekly") {
		limited = false
	}
	if !strings.EqualFold(got.Freq.String(), freq) && !(freq == "daily" && len(got.Byweekday) == 7) && !(freq == "yearly" && got.Freq == rrule.MONTHLY && got.Interval == 12) {
		return strings.EqualFold(freq, "weekly") && limited && got.Freq == rrule.DAILY && sameDays(days, got.Byweekday)
	}
	return !limited || sameDays(days, got.Byweekday)
}

func sameDays(want string, got []rrule.Weekday) bool {
	var names []string
	for _, d := range got {
		names = append(names, d.String())
	}
	wanted := strings.Split(want, ",")
	slices.Sort(names)
	slices.Sort(wanted)
	return len(names) == 0 && len(wanted) == 1 || slices.Equal(names, wanted)
}

// meetsList compares what was done to lists.
func (h *house) meetsList(ctx context.Context, a alternative, all []change) (bool, error) {
	if a.verb == "droplist" {
		// Emptied or removed, or asked about.
		return len(all) > 0 && all[0].is(domain.ListRemovedType, domain.ListItemRemovedType), nil
	}
	if names := strings.Split(a.bare[0], ","); len(names) > 1 { // the same on each, in their order
		n := len(all) / len(names)
		for i, name := range names {
			ok, err := h.meetsList(ctx, alternative{verb: a.verb, bare: []string{name}, fields: a.fields}, all[i*n:(i+1)*n])
			if err != nil || !ok || n == 0 || n*len(names) != len(all) {
				return false, err
			}
		}
		return true, nil
	}
	if out, swaps := a.fields["out"]; swaps { // one comes in place of another
		gone := slices.IndexFunc(all, func(c change) bool { return c.is(domain.ListItemRemovedType) })
		if gone < 0 {
			return false, nil
		}
		off := alternative{verb: "list-", bare: a.bare, fields: map[string]string{"item": out}}
		if ok, err := h.meetsList(ctx, off, all[gone:gone+1]); err != nil || !ok {
			return false, err
		}
		all = slices.Delete(slices.Clone(all), gone, gone+1)
	}
	var items []string
	for _, c := range all {
		id, _ := domain.PlanOf(c.env)
		text := ""
		switch {
		case c.is(domain.ListCreatedType):
			id = c.env.ID
			if a.verb == "newlist" {
				return len(all) == 1 && sameList(c.text("name"), a.bare[0]), nil
			}
		case c.is(domain.ListItemAddedType) && a.verb == "list+":
			text = c.text("text")
		case c.is(domain.ListItemRemovedType) && a.verb == "list-":
			item, err := domain.ParseID(c.text("item_id"))
			if err != nil {
				return false, err
			}
			if text, err = h.words(ctx, item); err != nil {
				return false, err
			}
		default:
			return false, nil
		}
		name, err := h.words(ctx, id)
		if err != nil {
			return false, err
		}
		if !sameList(name, a.bare[0]) {
			return false, nil
		}
		if text != "" {
			items = append(items, strings.ToLower(text))
		}
	}
	wanted := strings.Split(strings.ReplaceAll(strings.ToLower(a.fields["item"]), "_", " "), ",")
	if len(items) != len(wanted) {
		return false, nil
	}
	for _, w := range wanted {
		if !slices.ContainsFunc(items, func(i string) bool { return strings.Contains(i, w) || strings.Contains(w, i) }) {
			return false, nil
		}
	}
	return true, nil
}

func sameList(name, want string) bool {
	plain := func(s string) string {
		return strings.TrimSuffix(strings.NewReplacer("_", "", " ", "", "-", "", "list", "").Replace(strings.ToLower(s)), "s")
	}
	return plain(name) == plain(want)
}

// words are the text of an envelope.
func (h *house) words(ctx context.Context, id domain.ID) (string, error) {
	rec, err := h.log.Find(ctx, id)
	if err != nil {
		return "", err
	}
	return domain.PlanText(rec.Envelope)
}

// tells reports whether an answer has all that is wanted of it.
func (h *house) tells(want string, got answer) bool {
	text := strings.ToLower(got.text)
	for w := range strings.SplitSeq(want, "+") {
		if !h.toldIn(strings.ReplaceAll(strings.ToLower(w), "_", " "), text) {
			return false
		}
	}
	return true
}

func (h *house) toldIn(w, text string) bool {
	day, dated := strings.CutPrefix(w, "@")
	switch {
	case w == "none":
		return slices.ContainsFunc([]string{"nothing", "no ", "none", "free", "not ", "n't"}, func(s string) bool { return strings.Contains(text, s) })
	case !dated:
		return strings.Contains(text, w) || strings.Contains(text, strings.TrimPrefix(w, "0"))
	}
	at, err := time.ParseInLocation(time.DateOnly, day, h.zone)
	if err != nil {
		return false
	}
	ways := []string{at.Format("2 January"), at.Format("January 2"), at.Format(time.DateOnly)}
	switch now := h.now().Time().In(h.zone); int(at.Sub(now).Hours()+24) / 24 {
	case 0:
		ways = append(ways, "today", "tonight")
	case 1:
		ways = append(ways, "tomorrow")
	case 2, 3, 4, 5, 6:
		ways = append(ways, at.Format("Monday"))
	}
	return slices.ContainsFunc(ways, func(s string) bool { return strings.Contains(text, strings.ToLower(s)) })
}
