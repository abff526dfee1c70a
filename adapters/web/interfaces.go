package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

// app is an interface, as GET /api/apps has it.
type app struct{ api.OneApp }

// wish is a scope that an interface asks for.
type wish struct {
	Category, Key, Meaning string
	Approved               bool
	Fixed                  bool // part of its token, and not to be changed
}

// Wishes are the requested scopes, grouped by category.
func (a app) Wishes() []wish {
	var out []wish
	for _, c := range []struct {
		name     string
		asked    map[string]string
		approved map[string]bool
	}{
		{"context", a.Requested.Context, a.ApprovedScopes.Context},
		{"signals", a.Requested.Signals, a.ApprovedScopes.Signals},
		{"messages", a.Requested.Messages, a.ApprovedScopes.Messages},
	} {
		for _, key := range sortedKeys(c.asked) {
			_, approved := c.approved[key]
			_, right := domain.RightInWords(key) // which is the person's to give, whatever it named
			fixed := c.name == "signals" && slices.Contains(a.Signals, key) && !right
			out = append(out, wish{c.name, key, c.asked[key], approved || fixed, fixed})
		}
	}
	return out
}

// Waits is the number of scopes that aren't approved.
func (a app) Waits() (n int) {
	for _, w := range a.Wishes() {
		if !w.Approved {
			n++
		}
	}
	return n
}

// Waiting reports whether the interface waits for approval.
func (a app) Waiting() bool { return a.Status == domain.StatusPending }

// AnyFixed reports whether a scope is part of its token.
func (a app) AnyFixed() bool {
	return slices.ContainsFunc(a.Wishes(), func(w wish) bool { return w.Fixed })
}

// AnyOpen reports whether the person can change a scope.
func (a app) AnyOpen() bool {
	return slices.ContainsFunc(a.Wishes(), func(w wish) bool { return !w.Fixed })
}

// MaySendAny reports whether it holds a token that permits every type of signal.
func (a app) MaySendAny() bool { return a.Signals != nil && len(a.Signals) == 0 }

// HasNow is what it may do now, as an approval that adds to it is sent.
func (a app) HasNow() (string, error) {
	text, err := json.Marshal(a.ApprovedScopes)
	return string(text), err
}

type interfacesPage struct {
	past
	Apps     []app
	Streams  []api.Stream
	Unpaired domain.Position // position of the removal just made; 0 for none
	Command  string          // that starts this program, with {} for what it is to do
}

// Asking are the interfaces that ask for rights.
func (p interfacesPage) Asking() []app {
	return slices.DeleteFunc(slices.Clone(p.Apps), func(a app) bool { return len(a.AskedRights) == 0 })
}

// Run is a command line of this program.
func (p interfacesPage) Run(args string) string {
	return settingUp{api.SetupState{Command: p.Command}}.Run(args)
}

// interfaces is GET /interfaces?at=.
func (v *visit) interfaces() error {
	page := interfacesPage{past: past{Path: "/interfaces", Of: "interfaces", Heading: "Interfaces"}}
	if err := v.lookBack(&page.past, func() error { return v.fillInterfaces(&page) }); err != nil {
		return err
	}
	if page.Then != nil {
		return v.showThen("interfaces", &page.past, &page)
	}
	var program settingUp
	if err := v.ask("/auth/setup", nil, &program); err != nil {
		return err
	}
	page.Command = program.Command
	if err := v.askUnpaired(&page); err != nil {
		return err
	}
	return v.show(http.StatusOK, "interfaces", frame{Title: page.Heading, Here: "/interfaces", Scripts: []string{"pairing.js", "rights.js", "act.js"}, Page: page})
}

// askUnpaired checks in the log that the interface of ?unpaired= was removed.
func (v *visit) askUnpaired(page *interfacesPage) error {
	id, err := domain.ParseID(v.r.URL.Query().Get("unpaired"))
	if err != nil {
		return nil //nolint:nilerr // an invented address shows nothing
	}
	var got shownLog
	query := url.Values{"interface": {id.UUID()}, "order": {"newest"}, "limit": {"1"}}
	if err := v.ask("/api/log", query, &got); err != nil {
		return err
	}
	if len(got.Records) > 0 && got.Records[0].Envelope.Type == domain.InterfaceRemovedType {
		page.Unpaired = got.Records[0].Position
	}
	return nil
}

func (v *visit) fillInterfaces(page *interfacesPage) error {
	var err error
	if page.Then == nil {
		err = v.ask("/api/apps", nil, &page.Apps)
	} else {
		var known struct {
			Apps []app `json:"apps"`
		}
		err = v.askThen(&page.past, "/api/apps", nil, &known)
		page.Apps = known.Apps
	}
	if err != nil {
		return err
	}
	var streams api.Streams
	err = v.askThen(&page.past, "/api/streams", nil, &streams)
	page.Streams = streams.Streams
	return err
}

// tool keeps its name out of the way of its field.
type tool = api.Tool

// offer is a tool, as GET /api/tools has it.
type offer struct{ tool }

// Values are the texts that a parameter takes and no others; none when it takes any.
func (o offer) Values(name string) []string { return domain.ValuesOf(o.Schema, name) }

// Items is the type of what a parameter holds that is an array.
func (o offer) Items(name string) domain.ParameterType { return domain.ItemsOf(o.Schema, name) }

// Marking is the request that marks the tool as safe to use unasked, or takes that back.
// The person's other statements on it stay.
func (o offer) Marking() (string, error) {
	marked := true
	said := o.Said
	if said.Unasked = &marked; o.Manifest.Unasked {
		said.Unasked = nil
	}
	text, err := json.Marshal(said)
	return string(text), err
}

// asking is one of the settings of when a tool asks.
type asking struct {
	Words  string
	Chosen bool
	Body   string // the request that chooses it; the person's other statements stay
}

// Choices are the settings of when the tool asks.
func (o offer) Choices() ([]asking, error) {
	out := make([]asking, 0, len(domain.Askings()))
	for _, ask := range domain.Askings() {
		said := o.Said
		if said.Ask = &ask; ask == domain.AskAsSaid {
			said.Ask = nil // it holds unless they choose
		}
		text, err := json.Marshal(said)
		if err != nil {
			return nil, err
		}
		out = append(out, asking{labelled(ask.Words()), o.Manifest.Ask == ask, string(text)})
	}
	return out, nil
}

// Accepting is the request that takes a tool as it was shown.
func (a app) Accepting(w api.WaitingTool) (string, error) {
	text, err := json.Marshal(api.Acceptance{Tools: []string{w.Tool.Name}, Pins: map[string]string{w.Tool.Name: w.Pin}})
	return string(text), err
}

// Again is the request that says of a tool as it is what was said of it as it was.
func (app) Again(l api.LapsedTrust) (string, error) {
	text, err := json.Marshal(l.Said)
	return string(text), err
}

type interfacePage struct {
	past
	app
	Tools   []offer
	Regime  string        // statements on tools are part of it
	Absent  []domain.Tool // its tools that can't be called now
	History []entry       // its events, the newest first
	Earlier domain.Position
	Later   bool // these aren't the newest
}

// historyLines is how many of an interface's events are shown at once.
const historyLines = 12

// Before is the address of its earlier events.
func (p interfacePage) Before() string { return p.alsoBefore(p.Earlier) }

// history reads an interface's events from the log, by ?before=.
func (v *visit) history(page *interfacePage) error {
	query := url.Values{"interface": {page.ID.UUID()}, "order": {"newest"}, "limit": {strconv.Itoa(historyLines)}, "gist": {"true"}}
	if page.Then != nil {
		query.Set("before", position(page.Then.Position+1))
	}
	if before := v.r.URL.Query().Get("before"); before != "" {
		query.Set("before", before)
		page.Later = true
	}
	var got shownLog
	if err := v.ask("/api/log", query, &got); err != nil {
		return err
	}
	page.History, page.Earlier = got.Records, got.Next
	return nil
}

// oneInterface is GET /interfaces/:id?at=.
func (v *visit) oneInterface() error {
	path := url.PathEscape(v.params.ByName("id"))
	page := interfacePage{past: past{Path: "/interfaces/" + path, Of: "interfaces", Heading: "Interface"}}
	if err := v.lookBack(&page.past, func() error { return v.fillInterface(&page, "/api/apps/"+path) }); err != nil {
		return err
	}
	if page.Then != nil {
		return v.showThen("interface", &page.past, &page)
	}
	return v.show(http.StatusOK, "interface", frame{Title: page.Heading, Here: "/interfaces", Scripts: []string{"interface.js", "act.js"}, Page: page})
}

func (v *visit) fillInterface(page *interfacePage, path string) error {
	if err := v.askThen(&page.past, path, nil, &page.app); err != nil || page.Pending {
		return err
	}
	page.Heading = page.Name
	if page.Then == nil {
		if err := v.fillTools(page); err != nil {
			return err
		}
	}
	return v.history(page)
}

// fillTools splits the tools into those that can be called now and those that can't.
func (v *visit) fillTools(page *interfacePage) error {
	var offers struct {
		Tools []offer `json:"tools"`
	}
	if err := v.ask("/api/tools", nil, &offers); err != nil {
		return err
	}
	inForce, _, err := v.regimes(&page.past, "", 1, domain.PolicyRules{})
	if err != nil {
		return err
	}
	if len(inForce) > 0 {
		page.Regime = inForce[0].ID
	}
	known := map[string]bool{}
	for _, o := range offers.Tools {
		if o.InterfaceID != nil && *o.InterfaceID == page.ID {
			page.Tools = append(page.Tools, o)
			known[o.Tool] = true
		}
	}
	for _, t := range page.Capabilities {
		if !known[t.Name] {
			page.Absent = append(page.Absent, t)
		}
	}
	return nil
}
