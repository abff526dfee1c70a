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
	Fixed                  bool // let in with its token, which says so for as long as it is good
}

// Wishes are the scopes asked for, those of a category together.
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
			fixed := c.name == "signals" && slices.Contains(a.Signals, key)
			out = append(out, wish{c.name, key, c.asked[key], approved || fixed, fixed})
		}
	}
	return out
}

// Waits is how many of them aren't approved.
func (a app) Waits() (n int) {
	for _, w := range a.Wishes() {
		if !w.Approved {
			n++
		}
	}
	return n
}

// Waiting reports whether nobody has said yet whether it may come in.
func (a app) Waiting() bool { return a.Status == domain.StatusPending }

// AnyFixed reports whether something was let in for good.
func (a app) AnyFixed() bool {
	return slices.ContainsFunc(a.Wishes(), func(w wish) bool { return w.Fixed })
}

// AnyOpen reports whether anything of it is the person's to change.
func (a app) AnyOpen() bool {
	return slices.ContainsFunc(a.Wishes(), func(w wish) bool { return !w.Fixed })
}

// MaySendAny reports whether it holds a token that permits every type of signal.
func (a app) MaySendAny() bool { return a.Signals != nil && len(a.Signals) == 0 }

type interfacesPage struct {
	past
	Apps     []app
	Streams  []api.Stream
	Unpaired domain.Position // where it stands that one was unpaired just now; 0 otherwise
	Command  string          // that starts this program, with {} for what it is to do
}

// Run is a command line that has this program do something.
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
	return v.show(http.StatusOK, "interfaces", frame{Title: page.Heading, Here: "/interfaces", Scripts: []string{"pairing.js", "act.js"}, Page: page})
}

// askUnpaired looks whether the interface of ?unpaired= was, as the log has it.
func (v *visit) askUnpaired(page *interfacesPage) error {
	id, err := domain.ParseID(v.r.URL.Query().Get("unpaired"))
	if err != nil {
		return nil //nolint:nilerr // an address that somebody made up tells nothing
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
type offer struct {
	tool
	said domain.CapabilityChanged // what the person says of it
}

// Marking is what the page sends to mark it as safe to use unasked, or to take that
// back. What else the person says of it stays.
func (o offer) Marking() (string, error) {
	marked := true
	said := api.Trust{SideEffects: o.said.SideEffects, RequiresApproval: o.said.RequiresApproval, Autonomy: o.said.Autonomy, Unasked: &marked}
	if o.Manifest.Unasked {
		said.Unasked = nil
	}
	text, err := json.Marshal(said)
	return string(text), err
}

type interfacePage struct {
	past
	app
	Tools   []offer
	Regime  string        // what the person says of tools is a part of it
	Absent  []domain.Tool // that it has and that can't be called now
	History []entry       // what became of it, the newest first
	Earlier domain.Position
	Later   bool // these aren't the newest
}

// historyLines is how much of an interface's past is shown at once.
const historyLines = 12

// Before is the address of what became of it earlier.
func (p interfacePage) Before() string { return p.alsoBefore(p.Earlier) }

// history is what the log says of an interface, by ?before=.
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

// fillTools tells the tools that can be called now from those that can't.
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
	var said map[string]domain.CapabilityChanged
	if len(inForce) > 0 {
		page.Regime, said = inForce[0].ID, inForce[0].Manifests
	}
	known := map[string]bool{}
	for _, o := range offers.Tools {
		if o.InterfaceID != nil && *o.InterfaceID == page.ID {
			o.said = said[o.Manifest.CapabilityID]
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
