package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A fact is a line: what it says first, then of what, then the value. Facts stand in
// sections, each under a line that names what was asked. What is compared is what the API
// answers, read with the few names that stand here, so that an answer may have more
// members, other sentences and other offers than it had.

// section is what is known of one thing, a line for each fact.
type section struct {
	about string
	facts []string
}

func (s *section) add(format string, args ...any) {
	s.facts = append(s.facts, fmt.Sprintf(format, args...))
}

// factsText is what a file of facts holds.
func factsText(sections []section) string {
	var out strings.Builder
	for _, s := range sections {
		fmt.Fprintln(&out, s.about)
		for _, fact := range s.facts {
			fmt.Fprintln(&out, "  "+fact)
		}
	}
	return out.String()
}

// readSections reads a file of facts.
func readSections(t testing.TB, text []byte) (out []section) {
	t.Helper()
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fact, inside := strings.CutPrefix(lines.Text(), "  ")
		switch {
		case !inside:
			out = append(out, section{about: lines.Text()})
		case len(out) == 0:
			t.Fatalf("%q belongs to nothing", fact)
		default:
			out[len(out)-1].facts = append(out[len(out)-1].facts, fact)
		}
	}
	return out
}

// unrecorded begins a fact that says of a cause that nothing is known of it: a later build
// may know.
const unrecorded = "unrecorded"

// mayGrow are the facts that there may be more of: a later build may know of more causes,
// and have measured more. In every other way a section is the same, line by line.
var mayGrow = []string{"cause", "weight", "score", "code", "considered"}

// mayCome reports whether a fact may be known of something of which it wasn't.
func (s section) mayCome(fact string) bool {
	kind, rest, _ := strings.Cut(fact, " ")
	of, _, _ := strings.Cut(rest, " ")
	ofCause := kind == "gate" || kind == unrecorded
	return slices.Contains(mayGrow, kind) || ofCause && !slices.Contains(s.facts, "cause "+of)
}

// differences are how what is known differs from what was.
func differences(was, is []section) (out []string) {
	now := map[string]section{}
	for _, s := range is {
		now[s.about] = s
	}
	for _, s := range was {
		today, known := now[s.about]
		if !known {
			out = append(out, s.about+": nothing is known of it")
			continue
		}
		last := -1
		for _, fact := range s.facts {
			kind, _, _ := strings.Cut(fact, " ")
			at := slices.Index(today.facts, fact)
			ordered := kind != unrecorded && !slices.Contains(mayGrow, kind)
			switch {
			case at < 0 && kind != unrecorded:
				out = append(out, s.about+": it is not so any more that "+fact)
			case ordered && at >= 0 && at < last:
				out = append(out, s.about+": it comes earlier than it did that "+fact)
			case ordered:
				last = max(last, at)
			}
		}
		for _, fact := range today.facts {
			if !slices.Contains(s.facts, fact) && !s.mayCome(fact) {
				out = append(out, s.about+": it was not so that "+fact)
			}
		}
	}
	return out
}

// offlineAPI is an imported log that no program runs on, and answers as the API does.
type offlineAPI struct {
	t   testing.TB
	api http.Handler

	whole *replayFound // how all of it replays; nil before that was asked
	left  int          // of its traces, those replayed only in part that weren't asked for one by one yet
}

// askAt opens a data directory, until the test ends.
func askAt(t testing.TB, data string) *offlineAPI {
	t.Helper()
	off, err := openOffline(t.Context(), data, foldsToo, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(off.close)
	return &offlineAPI{t: t, api: off.core.api.TrustedHandler()}
}

// tells is what the API answers to a request, the last line of it. Where what is asked for
// isn't there, that is what is known of it.
func tells[T any](a *offlineAPI, out *section, method, path, body string) (answer T) {
	a.t.Helper()
	req := httptest.NewRequestWithContext(a.t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp := httptest.NewRecorder()
	a.api.ServeHTTP(resp, req)
	lines := strings.Split(strings.TrimSpace(resp.Body.String()), "\n")
	switch err := json.Unmarshal([]byte(lines[len(lines)-1]), &answer); {
	case err == nil && resp.Code == http.StatusNotFound:
		out.add("not there")
	case err != nil || resp.Code != http.StatusOK:
		a.t.Fatalf("%s %s is answered %d %.300s: %v", method, path, resp.Code, resp.Body, err)
	}
	return answer
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// world is what was in mind after a record.
func (a *offlineAPI) world(about string) section {
	a.t.Helper()
	type item struct {
		ID       string  `json:"envelope_id"`
		Kind     string  `json:"kind"`
		Salience float64 `json:"salience"`
		Bonus    float64 `json:"bonus"`
		Phase    string  `json:"phase"`
		Moment   int64   `json:"moment"`
		Gate     string  `json:"gate"`
	}
	out := section{about: about}
	state := tells[struct {
		Items   []item `json:"items"`
		LeftOut []item `json:"left_out"`
	}](a, &out, "GET", "/api/world?at=pos:"+strings.TrimPrefix(about, "world after "), "")
	for _, i := range state.Items {
		out.add("in %s %s salience %s%s", i.ID, i.Kind, number(i.Salience), more(i.Bonus, i.Phase, i.Moment))
	}
	for _, i := range state.LeftOut {
		out.add("out %s %s salience %s%s gate %s", i.ID, i.Kind, number(i.Salience), more(i.Bonus, i.Phase, i.Moment), i.Gate)
	}
	return out
}

func more(bonus float64, phase string, moment int64) (out string) {
	if bonus != 0 {
		out += " bonus " + number(bonus)
	}
	if phase != "" {
		out += " phase " + phase
	}
	if moment != 0 {
		out += fmt.Sprintf(" moment %d", moment)
	}
	return out
}

// why is what one record rests on.
func (a *offlineAPI) why(about string) section {
	a.t.Helper()
	id := strings.Fields(about)[1]
	out := section{about: about}
	said := tells[struct {
		Target struct {
			ID   string `json:"envelope_id"`
			Type string `json:"type"`
		} `json:"target"`
		Nodes []struct {
			ID      string             `json:"envelope_id"`
			Numbers map[string]float64 `json:"numbers"`
			Codes   []string           `json:"codes"`
			Gate    string             `json:"gate"`
			Missing bool               `json:"missing"`
			Erased  bool               `json:"erased"`
		} `json:"nodes"`
		Edges []struct {
			From   string   `json:"from"`
			To     string   `json:"to"`
			Weight *float64 `json:"weight"`
		} `json:"edges"`
	}](a, &out, "GET", "/api/why/"+id, "")
	out.add("is %s %s", said.Target.ID, said.Target.Type)
	a.outcome(&out, id)
	for _, n := range said.Nodes {
		if n.ID != said.Target.ID {
			out.add("cause %s", n.ID)
		}
		if n.Missing || n.Erased {
			out.add("%s %s", unrecorded, n.ID)
		}
		if n.Gate != "" {
			out.add("gate %s %s", n.ID, n.Gate)
		}
		for _, name := range slices.Sorted(maps.Keys(n.Numbers)) {
			out.add("score %s %s %s", n.ID, name, number(n.Numbers[name]))
		}
		for _, code := range n.Codes {
			out.add("code %s %s", n.ID, code)
		}
	}
	for _, e := range said.Edges {
		if e.Weight != nil {
			out.add("weight %s for %s %s", e.From, e.To, number(*e.Weight))
		}
	}
	return out
}

// outcome is how a record says that something ended.
func (a *offlineAPI) outcome(out *section, id string) {
	a.t.Helper()
	rec := tells[struct {
		Envelope struct {
			Payload struct {
				Outcome string   `json:"outcome"`
				Shown   string   `json:"shown"`
				Verdict string   `json:"verdict"`
				Codes   []string `json:"reason_codes"`
				Held    []struct {
					ID      string `json:"envelope_id"`
					Because string `json:"because"`
					Score   int64  `json:"score"`
					Gate    string `json:"gate"`
				} `json:"rejected"`
			} `json:"payload"`
			Errors []struct {
				Code string `json:"code"`
			} `json:"errors"`
		} `json:"envelope"`
	}](a, out, "GET", "/api/log/"+id, "").Envelope
	for _, said := range [][2]string{{"ended", rec.Payload.Outcome}, {"shown", rec.Payload.Shown}, {"decided", rec.Payload.Verdict}} {
		if said[1] != "" {
			out.add("%s %s", said[0], said[1])
		}
	}
	for _, code := range rec.Payload.Codes {
		out.add("because %s", code)
	}
	for _, held := range rec.Payload.Held {
		out.add("held %s because of %s score %d gate %s", held.ID, held.Because, held.Score, held.Gate)
	}
	for _, fault := range rec.Errors {
		out.add("fault %s", fault.Code)
	}
}

// whyNot is what kept something from the person.
func (a *offlineAPI) whyNot(about string) section {
	a.t.Helper()
	id := strings.Fields(about)[2]
	out := section{about: about}
	said := tells[struct {
		Target struct {
			ID   string `json:"envelope_id"`
			Type string `json:"type"`
		} `json:"target"`
		Never      string `json:"never"`
		Surfaced   string `json:"surfaced"`
		Considered []struct {
			Decision string             `json:"decision"`
			Kind     string             `json:"kind"`
			Gate     string             `json:"gate"`
			Numbers  map[string]float64 `json:"numbers"`
			Codes    []string           `json:"codes"`
		} `json:"considered"`
	}](a, &out, "GET", "/api/why-not/"+url.PathEscape(id)+"?try=false", "")
	out.add("is %s %s", said.Target.ID, said.Target.Type)
	if said.Never != "" {
		out.add("never %s", said.Never)
	}
	if said.Surfaced != "" {
		out.add("told %s", said.Surfaced)
	}
	for _, c := range said.Considered {
		out.add("considered %s %s gate %q", c.Decision, c.Kind, c.Gate)
		for _, name := range slices.Sorted(maps.Keys(c.Numbers)) {
			out.add("score %s %s %s", c.Decision, name, number(c.Numbers[name]))
		}
		for _, code := range c.Codes {
			out.add("code %s %s", c.Decision, code)
		}
	}
	return out
}

const replayedWhole = "replay of all"

// replay is how a trace, or the whole log, is decided again. Where all of the log is
// known, a trace needs to be asked for by itself only as long as some that were replayed
// in part weren't found: all others are identical.
func (a *offlineAPI) replay(about string) section {
	a.t.Helper()
	out := section{about: about}
	if a.whole == nil {
		found := tells[replayFound](a, &out, "POST", "/api/replay", `{}`)
		a.whole, a.left = &found, found.Open+found.Erased+found.Cut
	}
	if about == replayedWhole {
		a.whole.tell(&out)
		return out
	}
	trace := strings.Fields(about)[1]
	switch {
	case slices.ContainsFunc(a.whole.Differing, func(d differing) bool { return d.Trace == trace }):
		out.add("replayed different")
	case a.left == 0:
		out.add("replayed identical")
	default:
		outcome := a.replayAlone(&out, trace)
		if outcome == "open" || outcome == "erased" || outcome == "cut" {
			a.left--
		}
		out.add("replayed %s", outcome)
	}
	return out
}

// replayAlone replays one trace.
func (a *offlineAPI) replayAlone(out *section, trace string) string {
	a.t.Helper()
	switch r := tells[replayFound](a, out, "POST", "/api/replay", fmt.Sprintf(`{"trace":%q}`, trace)); {
	case r.WithoutDecisions > 0:
		return "without_decisions"
	case r.New > 0:
		return "different"
	case r.Cut > 0:
		return "cut"
	case r.Erased > 0:
		return "erased"
	case r.Open > 0:
		return "open"
	}
	return "identical"
}

// replayFound is what a replay found, as far as it is a fact.
type replayFound struct {
	Traces           int         `json:"traces"`
	Open             int         `json:"open"`
	Erased           int         `json:"erased"`
	Cut              int         `json:"cut"`
	WithoutDecisions int         `json:"without_decisions"`
	New              int         `json:"new"` // what is known to the program isn't a fact of the log
	Differing        []differing `json:"differing"`
}

// differing is where a trace is decided differently first.
type differing struct {
	Trace string `json:"trace_id"`
	Type  string `json:"type"`
	Field string `json:"field"`
}

func (r *replayFound) tell(out *section) {
	for _, count := range []struct {
		of string
		n  int
	}{
		{"traces", r.Traces}, {"different", r.New}, {"open", r.Open}, {"erased", r.Erased}, {"cut", r.Cut},
		{"without_decisions", r.WithoutDecisions},
	} {
		out.add("%s %d", count.of, count.n)
	}
	for _, d := range r.Differing {
		out.add("differs %s %s %s", d.Trace, d.Type, d.Field)
	}
}

// log is what the log holds: how much of each version of each type.
func (a *offlineAPI) log(about string) section {
	a.t.Helper()
	out := section{about: about}
	counts := map[string]int{}
	for from := 1; ; {
		page := tells[struct {
			Records []struct {
				Position int `json:"position"`
				Envelope struct {
					Type    string `json:"type"`
					Version int    `json:"version"`
				} `json:"envelope"`
			} `json:"records"`
		}](a, &out, "GET", fmt.Sprintf("/api/log?from=%d&limit=1000", from), "")
		if len(page.Records) == 0 {
			break
		}
		for _, rec := range page.Records {
			counts[fmt.Sprintf("%s v%d", rec.Envelope.Type, rec.Envelope.Version)]++
			from = rec.Position + 1
		}
	}
	for _, tv := range slices.Sorted(maps.Keys(counts)) {
		out.add("holds %s %d", tv, counts[tv])
	}
	return out
}
