package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// nowPage is the world state, now with how it will fade, or at a past moment.
type nowPage struct {
	past
	Items   []held
	LeftOut []group
	Rules   rulesNow
	Next    ahead
}

// shownWorld is the world state, with items that the page can show.
type shownWorld struct {
	api.World
	Items   []held `json:"items"`
	LeftOut []held `json:"left_out"`
}

// sameMoment is the tolerated difference of the browser's clock: a moment so little ahead
// is now.
const sameMoment = 5 * time.Second

// plotted is how far ahead the plots show.
const plotted = 12 * time.Hour

// now is GET /now?at=, or with pos= and time= as its forms send it. With part= it is
// a piece of the page, for its modules.
func (v *visit) now() error {
	query := v.r.URL.Query()
	if part := query.Get("part"); part != "" && part != "view" {
		moment, err := v.askedMoment(query)
		if err != nil {
			return err
		}
		if moment != nil {
			return v.sectionPart(*moment, part)
		}
	}
	page := nowPage{past: past{Path: "/now", Of: "world", Heading: "Now"}}
	if err := v.lookBack(&page.past, func() error { return v.fillNow(&page) }); err != nil {
		return err
	}
	if page.Then != nil {
		if err := v.openSection(page.Then, query.Get("show")); err != nil {
			return err
		}
	}
	return v.showThen("now", &page.past, &page, "now.js")
}

// fillNow requests the world state.
func (v *visit) fillNow(page *nowPage) error {
	var err error
	query := url.Values{"ahead": {strconv.Itoa(int(plotted.Hours())) + "h"}}
	var m shownWorld
	asked := domain.MillisOf(time.Now().Add(sameMoment))
	if page.Then == nil {
		err = v.ask("/api/world", query, &m)
		if err == nil {
			page.Next, err = v.ahead()
		}
	} else {
		query.Set("at", page.Then.At)
		page.Pending, err = v.askPast("/api/world", query, &m)
		page.Then.Time, page.Then.Position, page.Then.Lacks = m.AsOf, m.Position, m.Lacks
		// Later plans and words are unknown.
		if page.Then.Ahead = m.AsOf > asked; !page.Then.Ahead {
			page.Then.Sections = pastSections(page.Then.At)
		}
	}
	if err != nil {
		return err
	}
	params, err := v.parameters()
	if err != nil {
		return err
	}
	floor := params.score("threshold")
	page.Rules = params.rules()
	page.Rules.Out = m.Over.IsOut()
	page.Lead = fmt.Sprintf("What Chalie would think with at this moment. Up to %s things go into every answer; each fades with time.", page.Rules.Slots)
	for _, list := range [][]held{m.Items, m.LeftOut} {
		for i := range list {
			list[i].fill(m, floor, page)
		}
	}
	page.Items, page.LeftOut = m.Items, byGate(m, page.Rules)
	return nil
}

// held is an item of the world state, with what the page shows with it.
type held struct {
	api.WorldItem

	Decay plot     `json:"-"`
	Bears []string `json:"-"` // labels of related items
	Now   bool     `json:"-"` // of the present
	Rules rulesNow `json:"-"`
}

// fill completes an item for the page.
func (h *held) fill(m shownWorld, floor float64, page *nowPage) {
	h.Now, h.Rules = page.Then == nil, page.Rules
	h.Decay = plot{From: "now", Saliences: h.Expected, Hours: (time.Duration(m.StepMS) * time.Millisecond * time.Duration(max(0, len(h.Expected)-1))).Hours(), Floor: floor}
	if !h.Now {
		h.Decay.From = "then"
	}
	if h.TurnsAt != 0 {
		h.Decay.Turn = h.TurnsAt.Sub(m.AsOf).Hours()
	}
	if h.Bonus == 0 {
		return
	}
	for _, rel := range m.Relations {
		other := rel.Signal
		switch h.EnvelopeID {
		case rel.Signal:
			other = rel.Commitment
		case rel.Commitment:
		default:
			continue
		}
		if i := slices.IndexFunc(m.Items, func(o held) bool { return o.EnvelopeID == other }); i >= 0 {
			h.Bears = append(h.Bears, m.Items[i].Label)
		}
	}
}

// ahead is the next plans and cycles.
type ahead struct {
	Plans   []api.Plan // those with a time, the next first
	More    int        // further ones
	Idle    string     // after how long of nothing Chalie looks over what it knows; "" when it doesn't
	Busy    bool       // a cycle is running
	Waiting int        // signals in the queue after that
}

// nextPlans is how many plans the page names.
const nextPlans = 5

// ahead requests the next plans and cycles; none when the log is only read.
func (v *visit) ahead() (ahead, error) {
	var out ahead
	var plans api.Plans
	var spine api.Spine
	for path, into := range map[string]any{"/api/plans": &plans, "/api/spine": &spine} {
		err := v.ask(path, nil, into)
		if refused, ok := errors.AsType[*refusal](err); ok && refused.status == http.StatusServiceUnavailable {
			continue
		}
		if err != nil {
			return out, err
		}
	}
	for _, list := range [][]api.Plan{plans.Reminders, plans.Appointments, plans.Tasks, plans.Others} {
		for _, p := range list {
			if p.Due != nil {
				out.Plans = append(out.Plans, p)
			}
		}
	}
	sortByDue(out.Plans)
	if out.More = len(out.Plans) - nextPlans; out.More > 0 {
		out.Plans = out.Plans[:nextPlans]
	}
	for _, s := range spine.Services {
		if s.Name == domain.ServiceIdle && s.State == "alive" {
			out.Idle = spanInWords(time.Duration(s.CycleMS) * time.Millisecond)
		}
	}
	for _, c := range spine.Consumers {
		out.Busy = out.Busy || c.Running != nil
		out.Waiting += c.Waiting
	}
	return out, nil
}

// spanInWords writes a span in words.
func spanInWords(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d >= unit.size && d%unit.size == 0 {
			return severalOf(int(d/unit.size), unit.name)
		}
	}
	return d.String()
}

// severalOf is a number with what it counts.
func severalOf(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return strconv.Itoa(n) + " " + name + "s"
}

// rulesNow are the numbers that the page explains saliences with.
type rulesNow struct {
	HalfLife, DueHalfLife, FiredFor string
	Slots                           string
	Out                             bool // what is over is out at once
}

// Heard reports whether the item came from outside, so that a what-if can leave it out.
func (h held) Heard() bool { return h.Kind.IsHeard() || h.Kind == domain.ItemContext }

// Comes reports whether the item is below the threshold and may still rise.
func (h held) Comes() bool { return h.Gate == domain.GateBelowThreshold }

// Share is its salience in hundredths, for the bar.
func (h held) Share() string { return fmt.Sprintf("%.1f", 100*h.Salience) }

// Doubled is a signal's first salience.
func (h held) Doubled() float64 { return min(1, 2*h.ActivationEnergy) }

// group is the items left out by one gate.
type group struct {
	Key, Title, Why string
	Items, Rest     []held // Rest are those behind "show all"
	Open            bool   // shown at once
}

// Count is how many it has.
func (g group) Count() int { return len(g.Items) + len(g.Rest) }

// shownAtOnce is how many of a group are shown unfolded.
const shownAtOnce = 8

// byGate groups the items left out by their gates.
func byGate(m shownWorld, rules rulesNow) []group {
	over := "It was told or done more than " + rules.FiredFor + " ago."
	if rules.Out {
		over = "It was done or seen before today, or told more than " + rules.FiredFor + " ago and not seen."
	}
	groups := []group{
		{Key: "crowded", Title: "Other things matter more", Why: fmt.Sprintf("Only %s go into an answer at a time. These come next when one of them fades.", inWords(rules.Slots)), Open: true},
		{Key: "early", Title: "Its time isn't near yet", Why: "What is planned for later comes to mind by itself when its time comes near."},
		{Key: "faded", Title: "Faded", Why: "It was heard too long ago, or was too faint to begin with."},
		{Key: "done", Title: "Done today", Why: "It was done, or you were told and have seen it.", Open: true},
		{Key: "seen", Title: "Seen", Why: "A program told you, and you had it before you, or have said something else since."},
		{Key: "over", Title: "Over", Why: over},
		{Key: "pushed", Title: "Pushed out by newer things", Why: "Only so much is remembered at a time. It stays in the log, and in its trace."},
	}
	today := m.today()
	for _, item := range m.LeftOut {
		at := slices.IndexFunc(groups, func(g group) bool { return g.Key == gateKey(item, today) })
		g := &groups[max(0, at)]
		if len(g.Items) < shownAtOnce {
			g.Items = append(g.Items, item)
		} else {
			g.Rest = append(g.Rest, item)
		}
	}
	return slices.DeleteFunc(groups, func(g group) bool { return g.Count() == 0 })
}

// today is when the day of the moment began where the person was.
func (m shownWorld) today() domain.Millis {
	zone, err := time.LoadLocation(m.Zone)
	if err != nil {
		zone = time.UTC
	}
	year, month, day := m.AsOf.Time().In(zone).Date()
	return domain.MillisOf(time.Date(year, month, day, 0, 0, 0, 0, zone))
}

// gateKey is the group that an item belongs to, on a day that began at a moment.
func gateKey(item held, today domain.Millis) string {
	switch item.Gate {
	case domain.GateBelowThreshold:
		if item.Phase == domain.PhasePending {
			return "early"
		}
		return "faded"
	case domain.GateOver:
		if item.Kind == domain.ItemMessage {
			return "seen"
		}
		if item.Moment >= today {
			return "done"
		}
		return "over"
	case domain.GateExpired:
		return "over"
	case domain.GateOverCapacity:
		return "pushed"
	}
	return "crowded"
}

// inWords is a small number in words.
func inWords(n string) string {
	words := map[string]string{"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"}
	if word, ok := words[n]; ok {
		return word
	}
	return n
}

// section is another part of a past moment, such as its plans.
type section struct {
	Name, Title string
	At          string
	Known       any // for its template; nil until it is requested
}

// pastSections are the parts of a past moment beside the world state.
func pastSections(at string) []section {
	return []section{
		{Name: "conversation", Title: "What had been said", At: at},
		{Name: "plans", Title: "What was planned", At: at},
		{Name: "interfaces", Title: "Who Chalie spoke with", At: at},
		{Name: "approvals", Title: "What waited for your approval", At: at},
		{Name: "policy", Title: "What Chalie was allowed to do", At: at},
	}
}

// sectionPart writes one section for the page's module.
func (v *visit) sectionPart(moment then, name string) error {
	sections := pastSections(moment.At)
	i := slices.IndexFunc(sections, func(s section) bool { return s.Name == name })
	if i < 0 {
		return &refusal{status: http.StatusNotFound, message: "There is no such part of the page."}
	}
	known, err := v.known(sections[i])
	if err != nil {
		return err
	}
	return v.part("now", "then-"+name, known)
}

// openSection fills the section that a request without modules names.
func (v *visit) openSection(moment *then, name string) error {
	for i, s := range moment.Sections {
		if s.Name != name {
			continue
		}
		known, err := v.known(s)
		if err != nil {
			return err
		}
		moment.Sections[i].Known = known
	}
	return nil
}

// known requests a section's content.
func (v *visit) known(s section) (any, error) {
	query := url.Values{"at": {s.At}}
	switch s.Name {
	case "conversation":
		said := saidThen{All: address("/chat", query)}
		query.Set("limit", "10")
		return &said, v.ask("/conversation/recent", query, &said)
	case "plans":
		var plans api.Plans
		return &plans, v.ask("/api/plans", query, &plans)
	case "interfaces":
		var apps api.PastApps
		return &apps, v.ask("/api/apps", query, &apps)
	case "approvals":
		var waiting api.Proposals
		return &waiting, v.ask("/api/approvals", query, &waiting)
	default:
		var rules api.Policy
		return &rules, v.ask("/api/policy", query, &rules)
	}
}

// saidThen is the latest exchanges of a past moment.
type saidThen struct {
	api.Conversation
	All string `json:"-"` // the address of the whole
}

// Text is what blocks say, for reading.
func (saidThen) Text(blocks []domain.Block) string {
	return strings.TrimSpace(domain.PlainText(blocks))
}
