package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// regime is a regime, as GET /api/policy/history has it.
type regime struct {
	api.Regime

	Changes []string `json:"-"` // against the one before
	Known   bool     `json:"-"` // the one before is known, so Changes says all
	InForce bool     `json:"-"` // its policy is in force at the page's moment
}

// Lasted is how long it was in force, once it has ended.
func (r regime) Lasted() string {
	if r.Since == 0 || r.Until == 0 {
		return ""
	}
	return narrate.Duration(r.Until.Sub(r.Since))
}

// JSON is its policy as a person edits it.
func (r regime) JSON() (string, error) { return policyText(r.Policy) }

// Compact is its policy as it is sent.
func (r regime) Compact() (string, error) {
	text, err := json.Marshal(r.Policy)
	return string(text), err
}

type policyPage struct {
	past
	RegimeID  string
	Policy    domain.PolicyRules
	Warnings  []string
	Text      string // the policy as JSON
	Default   string // and the one that Chalie comes with
	Manifests map[string]domain.CapabilityChanged
	Since     domain.Millis
	Regimes   []regime
	Next      domain.Position
	Begins    bool // these are the newest
}

// regimesPerPage is how many of the history are shown at once.
const regimesPerPage = 10

// Older is the address of earlier regimes.
func (p policyPage) Older() string { return p.alsoBefore(p.Next) }

// policy is GET /system/policy?before=&at=.
func (v *visit) policy() error {
	page := policyPage{past: past{Path: "/system/policy", Of: "policy", Heading: "Policy"}}
	if err := v.lookBack(&page.past, func() error { return v.fillPolicy(&page) }); err != nil {
		return err
	}
	if page.Then != nil {
		return v.showThen("system_policy", &page.past, &page)
	}
	var err error
	if page.Text, err = policyText(page.Policy); err != nil {
		return err
	}
	if page.Default, err = policyText(domain.DefaultPolicy()); err != nil {
		return err
	}
	return v.systemPage("system_policy", page.Heading, []string{"system_policy.js"}, page)
}

// fillPolicy requests the regime at the page's moment, and those before it.
func (v *visit) fillPolicy(page *policyPage) error {
	var known api.Policy
	if err := v.askThen(&page.past, "/api/policy", nil, &known); err != nil || page.Pending {
		return err
	}
	page.RegimeID, page.Policy, page.Warnings = known.RegimeID, known.Policy, known.Warnings
	latest, _, err := v.regimes(&page.past, "", 1, known.Policy)
	if err != nil {
		return err
	}
	if len(latest) > 0 {
		page.Manifests, page.Since = latest[0].Manifests, latest[0].Since
	}
	before := v.r.URL.Query().Get("before")
	page.Begins = before == ""
	page.Regimes, page.Next, err = v.regimes(&page.past, before, regimesPerPage, known.Policy)
	return err
}

// regimes are some of the history, each with what changed.
func (v *visit) regimes(p *past, before string, limit int, inForce domain.PolicyRules) ([]regime, domain.Position, error) {
	query := url.Values{"limit": {strconv.Itoa(limit + 1)}} // and the one that the last is compared with
	if before != "" {
		query.Set("before", before)
	}
	var got struct {
		Regimes []regime        `json:"regimes"`
		Next    domain.Position `json:"next"`
	}
	if err := v.askThen(p, "/api/policy/history", query, &got); err != nil {
		return nil, 0, err
	}
	for i := range got.Regimes {
		r := &got.Regimes[i]
		r.InForce = reflect.DeepEqual(r.Policy, inForce)
		if r.Change == "default" {
			r.Known = true
		} else if i+1 < len(got.Regimes) {
			r.Known, r.Changes = true, r.changedFrom(got.Regimes[i+1])
		}
	}
	next := domain.Position(0)
	if len(got.Regimes) > limit {
		got.Regimes = got.Regimes[:limit]
		if next = got.Regimes[limit-1].Position; next == 0 {
			next = got.Next
		}
	}
	return got.Regimes, next, nil
}

// considered is the effect of an edited policy.
type considered struct {
	api.PolicyCheck
	Mistake *api.Mistake `json:"mistake"`

	RegimeID  string   `json:"-"` // in force, which the changes are told against
	Now       string   `json:"-"` // its policy as JSON
	Meanwhile bool     `json:"-"` // it isn't the regime that the page was written against
	Changes   []string `json:"-"`
}

// maxPolicyText bounds a policy that is considered, in bytes.
const maxPolicyText = 1 << 20

// considerPolicy is POST /system/policy?against=: says of the policy in the form's field
// policy what it would change, or what is wrong with it. Against is the regime that it was written
// against. It changes nothing.
func (v *visit) considerPolicy() error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxPolicyText)
	var text bytes.Buffer
	if _, err := text.ReadFrom(v.r.Body); err != nil {
		return &refusal{status: http.StatusRequestEntityTooLarge, message: "The policy is longer than 1 MiB: shorten it."}
	}
	a, err := v.send(http.MethodPost, "/api/policy/check", nil, text.Bytes())
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return a.refused()
	}
	var out considered
	if err := json.Unmarshal(a.body.Bytes(), &out); err != nil {
		return err
	}
	if out.OK {
		var now api.Policy
		if err := v.ask("/api/policy", nil, &now); err != nil {
			return err
		}
		against := v.r.URL.Query().Get("against")
		out.RegimeID, out.Meanwhile = now.RegimeID, against != "" && against != now.RegimeID
		if out.Now, err = policyText(now.Policy); err != nil {
			return err
		}
		out.Changes = narrate.PolicyChanges(now.Policy, out.Policy)
	}
	return v.part("system_policy", "considered", out)
}

// policyText is a policy as JSON with a rule to a line, as people read and edit it.
func policyText(p domain.PolicyRules) (string, error) {
	var b bytes.Buffer
	head, err := json.Marshal(struct {
		Autonomy        domain.Autonomy `json:"autonomy"`
		MaxDepth        int             `json:"max_depth"`
		ApprovalMinutes int             `json:"approval_minutes"`
	}{p.Autonomy, p.MaxDepth, p.ApprovalMinutes})
	if err != nil {
		return "", err
	}
	if err := json.Indent(&b, head, "", "  "); err != nil {
		return "", err
	}
	b.Truncate(b.Len() - len("\n}"))
	b.WriteString(",\n  \"rules\": [")
	for i, r := range p.Rules {
		rule, err := json.Marshal(r)
		if err != nil {
			return "", err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(spaced(rule))
	}
	b.WriteString("\n  ]\n}\n")
	return b.String(), nil
}

// spaced puts a space behind each comma and colon that stands between values.
func spaced(text []byte) []byte {
	var out []byte
	quoted := false
	for i, c := range text {
		out = append(out, c)
		switch {
		case c == '"' && !escaped(text[:i]):
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			out = append(out, ' ')
		}
	}
	return out
}

// escaped reports whether what follows is the second half of an escape.
func escaped(before []byte) bool {
	n := 0
	for i := len(before) - 1; i >= 0 && before[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// minutes is a number of minutes in words.
func minutes(n int) string { return narrate.Duration(time.Duration(n) * time.Minute) }

// changedFrom is what a change did, to the policy or to what is said of a tool.
func (r regime) changedFrom(before regime) []string {
	out := append(narrate.PolicyChanges(before.Policy, r.Policy), narrate.TrustChanges(before.Manifests, r.Manifests)...)
	if len(out) == 0 {
		out = append(out, "Nothing that decides anything.")
	}
	return out
}
