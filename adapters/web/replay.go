package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/player"
)

// replayPage is the form and the report of a replay.
type replayPage struct {
	What  string // last, trace, since or all
	Trace string // or anything in it
	Wrong string // why the request is invalid
	Since string
	Asked bool // it begins at once
}

// Spans are the periods that are offered.
func (replayPage) Spans() []struct{ Since, Name string } {
	return []struct{ Since, Name string }{{"1h", "hour"}, {"24h", "24 hours"}, {"7d", "7 days"}, {"30d", "30 days"}, {"365d", "year"}}
}

// Other is a period that is none of those offered; "" for none.
func (p replayPage) Other() string {
	for _, s := range p.Spans() {
		if s.Since == p.Since {
			return ""
		}
	}
	return p.Since
}

// replay is GET /replay?what=&trace=&since=&part=. The page's module asks for the
// report, which may take long.
func (v *visit) replay() error {
	asked := v.r.URL.Query()
	page := replayPage{What: asked.Get("what"), Trace: strings.TrimSpace(asked.Get("trace")), Since: asked.Get("since")}
	switch page.Asked = true; {
	case page.What == "all" || page.What == "last":
	case page.What != "since" && page.Trace != "":
		page.What = "trace"
	case page.What != "trace" && page.Since != "":
		page.What = "since"
	case page.What == "trace":
		page.Asked, page.Wrong = false, "Say which trace: give its id, or that of anything in it."
	default:
		page.What, page.Asked = "last", false
	}
	if asked.Get("part") == "report" && page.Wrong == "" {
		return v.work(http.MethodPost, "/api/replay", nil, page.request(), func(text []byte) ([]byte, error) {
			return v.fill("replay", "report", text, &comparison{Of: page.request()["trace"], Whole: page.What == "all"})
		})
	}
	if err := v.someone(); err != nil {
		return err
	}
	status := http.StatusOK
	if page.Wrong != "" {
		status = http.StatusBadRequest
	}
	return v.show(status, "replay", frame{Title: "Replay", Here: "/traces", Scripts: []string{"replay.js"}, Page: page})
}

// request is the body for the API.
func (p replayPage) request() map[string]string {
	switch p.What {
	case "last":
		return map[string]string{"trace": "last"}
	case "trace":
		return map[string]string{"trace": p.Trace}
	case "since":
		return map[string]string{"since": p.Since}
	}
	return map[string]string{}
}

// comparison is a difference that a replay found, side by side.
type comparison struct {
	player.Report
	Of    string // the trace that was asked for, or anything in it; "" for more than one
	Whole bool   // all of the log was replayed
}

// Recorded is the value as it was, marked where it differs.
func (c comparison) Recorded() marked { return c.sides()[0] }

// Replayed is the value as it is decided today.
func (c comparison) Replayed() marked { return c.sides()[1] }

func (c comparison) sides() [2]marked {
	d := c.Divergence
	return markDifference(legible(d.Field, d.Recorded), legible(d.Field, d.Replayed))
}

// Because explains the difference by the versions of the code.
func (c comparison) Because() string {
	then, now := c.Divergence.Versions.Recorded, c.Divergence.Versions.Replayed
	switch {
	case then.Rules != "" && then.Rules != now.Rules:
		return "It was decided by other rules than today's: the program was changed."
	case then.Build != now.Build || then.Amendments != now.Amendments:
		return "It was decided by another version of the program, with the same rules."
	}
	return "The program and its rules are the same. So what the log says is not what was decided: it may have been edited, or something counted that the log doesn't hold."
}

// kindsShown are the kinds of differences in one of the two lists.
type kindsShown struct {
	Title string
	Known bool
	Count int
	Kinds []player.Kind
}

// ByKind are the lists of kinds: those that aren't known, and those that are.
func (c comparison) ByKind() (out []kindsShown) {
	for _, list := range []kindsShown{{Title: "New differences", Count: c.New}, {Title: "Known differences", Known: true, Count: c.Known}} {
		for _, k := range c.Kinds {
			if k.Known == list.Known {
				list.Kinds = append(list.Kinds, k)
			}
		}
		if len(list.Kinds) > 0 {
			out = append(out, list)
		}
	}
	return out
}

// AsWere counts the decisions that are as they were.
func (c comparison) AsWere() int { return c.Steps - c.Differ }

// Acceptable is the body that accepts what isn't known; "" when nothing can be accepted, or only a
// part of the log was replayed.
func (c comparison) Acceptable() string {
	var what api.DifferencesToAccept
	for _, k := range c.Kinds {
		if !k.Known && !k.SameCode {
			what.Kinds = append(what.Kinds, domain.AcceptedKind{Kind: string(k.Kind), Count: k.Count})
		}
	}
	if len(what.Kinds) == 0 || !c.Whole {
		return ""
	}
	text, _ := json.Marshal(what) // names and numbers can always be written
	return string(text)
}

// Partly lists traces that were replayed in part; none when all were replayed completely.
func (c comparison) Partly() []string {
	var out []string
	for _, part := range []struct {
		n    int
		what string
	}{{c.Open, "not ended yet"}, {c.Erased, "with something erased"}, {c.Cut, "whose beginning isn't in the log any more"}} {
		if part.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return out
}
