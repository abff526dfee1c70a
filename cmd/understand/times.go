package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	_ "time/tzdata" // wherever it runs

	"chalie/domain"
	"chalie/domain/language/when"
)

// phrase is an expression of time, with what it means to people.
type phrase struct {
	line     int
	kind     string // point, interval, open, none
	from, to time.Time
	grain    string // second to year
	holiday  string // the one that it names, or ""
	text     string
}

// spoken is the moment at which the phrases are spoken.
var spoken = time.Date(2013, 2, 12, 4, 30, 0, 0, time.FixedZone("", -2*60*60))

// readPhrases reads lines of kind, from, to, grain, holiday and phrase, after one that
// names them.
func readPhrases(from io.Reader) ([]phrase, error) {
	var out []phrase
	lines := bufio.NewScanner(from)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if n == 1 || lines.Text() == "" {
			continue
		}
		if len(f) != 6 {
			return nil, fmt.Errorf("line %d has %d columns instead of six", n, len(f))
		}
		p := phrase{line: n, kind: f[0], grain: f[3], holiday: f[4], text: f[5]}
		if p.kind != "none" {
			var err error
			if p.from, err = moment(f[1]); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			p.to, _ = moment(f[2]) // an open one says after or before there
		}
		out = append(out, p)
	}
	return out, lines.Err()
}

func moment(text string) (time.Time, error) {
	return time.ParseInLocation("2006-01-02T15:04:05", text, spoken.Location())
}

// passed reports whether a phrase names what has passed, which nobody is reminded of.
func (p phrase) passed() bool {
	end := p.to
	if p.kind != "interval" {
		end = map[string]time.Time{
			"day": p.from.AddDate(0, 0, 1), "week": p.from.AddDate(0, 0, 7), "month": p.from.AddDate(0, 1, 0), "quarter": p.from.AddDate(0, 3, 0), "year": p.from.AddDate(1, 0, 0),
		}[p.grain]
		if end.IsZero() {
			end = p.from.Add(time.Second)
		}
	}
	return p.kind != "none" && !end.After(spoken)
}

// verdict is how a phrase was read: right, asked, wrong.
func (p phrase) verdict() (string, when.Time, error) {
	text := "remind me " + p.text + " to water the plants"
	got, err := when.Parse(text, domain.MillisOf(spoken), spoken.Location())
	read := err == nil && len(got.Unread(text)) == 0 && got.Loose(text) == ""
	switch {
	case p.kind == "none" && !read:
		return "right", got, err
	case p.kind == "none":
		return "wrong", got, err
	case !read:
		return "asked", got, err
	case p.meets(got.From.Time().In(spoken.Location())):
		return "right", got, err
	}
	return "wrong", got, err
}

// meets reports whether a moment is the phrase's to its grain; of an interval its day is
// enough.
func (p phrase) meets(at time.Time) bool {
	within := func(end time.Time) bool { return !at.Before(p.from) && at.Before(end) }
	same := func(layout string) bool { return at.Format(layout) == p.from.Format(layout) }
	if p.kind == "interval" && same("2006-01-02") {
		return true
	}
	switch p.grain {
	case "second", "minute":
		return same("2006-01-02 15:04")
	case "hour":
		return same("2006-01-02 15")
	case "week":
		return within(p.from.AddDate(0, 0, 7))
	case "month":
		return within(p.from.AddDate(0, 1, 0))
	case "quarter":
		return within(p.from.AddDate(0, 3, 0))
	case "year":
		return within(p.from.AddDate(1, 0, 0))
	}
	return same("2006-01-02")
}

// What is wanted of the times, in hundredths.
const (
	wantRight = 88
	wantWrong = 1
)

// measureTimes prints what wasn't right, and how much was.
func measureTimes(all []phrase, out io.Writer) error {
	type count map[string]int
	counts := map[string]count{}
	groups := []string{"times", "holidays", "no times"}
	var problem error
	say := func(format string, args ...any) {
		if _, err := fmt.Fprintf(out, format, args...); err != nil && problem == nil {
			problem = err
		}
	}
	for _, p := range all {
		group := groups[0]
		switch {
		case p.passed():
			continue
		case p.kind == "none":
			group = groups[2]
		case p.holiday != "":
			group = groups[1]
		}
		how, got, err := p.verdict()
		if counts[group] == nil {
			counts[group] = count{}
		}
		counts[group][how]++
		if how == "right" {
			continue
		}
		says := "no time"
		if err == nil {
			says = got.From.Time().In(spoken.Location()).Format("Mon 2006-01-02 15:04")
		}
		say("%-6s line %d: %q is %s, read as %s\n", how, p.line, p.text, p.from.Format("Mon 2006-01-02 15:04"), says)
	}
	for _, group := range groups {
		c := counts[group]
		sum := c["right"] + c["asked"] + c["wrong"]
		if sum == 0 {
			continue
		}
		say("%s: %d, right %.1f %%, asked %.1f %%, wrong %.1f %%\n", group, sum, 100*float64(c["right"])/float64(sum), 100*float64(c["asked"])/float64(sum), 100*float64(c["wrong"])/float64(sum))
		if 100*c["wrong"] > wantWrong*sum || group == groups[0] && 100*c["right"] < wantRight*sum {
			problem = errors.Join(problem, fmt.Errorf("%s: less is right than %d %%, or more is wrong than %d %%", group, wantRight, wantWrong))
		}
	}
	return problem
}
