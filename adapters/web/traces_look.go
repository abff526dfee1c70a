package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
)

// look is what is looked for among the traces, as the form has it.
type look struct {
	Words, Outcome, Root, Source, Tool, Since, Until string
	Errors, Mattered                                 bool
}

func lookIn(in url.Values) look {
	text := func(name string) string { return strings.TrimSpace(in.Get(name)) }
	return look{Words: text("q"), Outcome: text("outcome"), Root: text("root"), Source: text("source"), Tool: text("tool"),
		Since: text("since"), Until: text("until"), Errors: in.Get("errors") != "", Mattered: in.Get("mattered") != ""}
}

// values are the form's own, without those that are empty.
func (l look) values() url.Values {
	out := url.Values{}
	for name, text := range map[string]string{"q": l.Words, "outcome": l.Outcome, "root": l.Root, "source": l.Source, "tool": l.Tool, "since": l.Since, "until": l.Until} {
		if text != "" {
			out.Set(name, text)
		}
	}
	if l.Errors {
		out.Set("errors", "true")
	}
	if l.Mattered {
		out.Set("mattered", "true")
	}
	return out
}

// query is what the API is asked for. Days are those of the person's zone.
func (l look) query(zone string) url.Values {
	out := l.values()
	if l.Words != "" {
		out.Del("q")
		out.Set("words", l.Words)
	}
	place, err := time.LoadLocation(zone)
	if err != nil {
		place = time.UTC
	}
	for name, days := range map[string]int{"since": 0, "until": 1} { // until is the end of its day
		if day, err := time.ParseInLocation(time.DateOnly, out.Get(name), place); err == nil {
			out.Set(name, day.AddDate(0, 0, days).Format(time.RFC3339))
		}
	}
	return out
}

// wrong says which field can't be understood, by the name that it has in the form.
func (l look) wrong(err error) (string, bool) {
	text, mistaken := refusedWith(err, http.StatusBadRequest)
	var r *refusal
	if !mistaken || !errors.As(err, &r) {
		return "", false
	}
	day := func(label, text string) string {
		return fmt.Sprintf("“%s”: “%s” is no day. Choose one, or write it as 2026-03-17.", label, shortened(text))
	}
	switch r.field {
	case "since":
		return day("From", l.Since), true
	case "until":
		return day("To", l.Until), true
	case "outcome":
		return "“Came to” can't be that: choose one of the list.", true
	}
	return sentence(text), true
}

// Any reports whether anything is looked for.
func (l look) Any() bool { return l != look{} }

// More reports whether anything is looked for by what stands behind a button.
func (l look) More() bool {
	return l.Source != "" || l.Tool != "" || l.Since != "" || l.Until != "" || l.Errors
}

// id is the id, or the position, that was put in place of words.
func (l look) id() (string, bool) {
	if id, err := domain.ParseID(l.Words); err == nil {
		return id.String(), true
	}
	if number, ok := strings.CutPrefix(l.Words, "pos:"); ok {
		_, err := strconv.ParseUint(number, 10, 63)
		return l.Words, err == nil
	}
	return "", false
}

// choice is one of a list to choose from.
type choice struct {
	Value, Name string
	Chosen      bool
}

func choices(chosen string, all ...string) []choice {
	out := make([]choice, 0, len(all)/2)
	for i := 0; i < len(all); i += 2 {
		out = append(out, choice{all[i], all[i+1], all[i] == chosen})
	}
	return out
}

// Outcomes are what a trace may have come to.
func (l look) Outcomes() []choice {
	return choices(l.Outcome, "", "Anything", "open", "Still going on", "done", "Done", "failed", "Failed", "responded", "Answered", "surfaced", "Told you",
		"held", "Kept to itself", "yielded", "Made room for you", "cancelled", "Stopped")
}

// Roots are what a trace may have begun with.
func (l look) Roots() []choice {
	return choices(l.Root, "", "Anything", "message", "A message", "signal", "A signal", "spine", "A thought of its own", "timer", "A reminder or deadline",
		"tool", "A tool call", "action", "An action", "context", "Your surroundings", "image", "An image", "interface", "An interface", "pairing", "Pairing",
		"stream", "A broadcast", "policy", "The policy", "operator", "The account", "token", "A token", "service", "A service", "projection", "A projection", "system", "The program itself")
}
