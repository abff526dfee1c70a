package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// check holds a scene to the rules of the corpus.
func check(cs []commitment, ss []signal) error {
	due, asked := map[string]string{}, map[string]time.Time{}
	seen := map[string]bool{}
	for _, c := range cs {
		due[c.ID] = c.Due
		if c.Kind == question {
			asked[c.ID] = c.made
		}
		if err := settled(c.Text, seen); err != nil {
			return err
		}
		if err := weekday(c); err != nil {
			return err
		}
	}
	related := 0
	for _, s := range ss {
		if err := settled(s.Text, seen); err != nil {
			return err
		}
		if len(s.Related) > 0 {
			related++
		}
		for _, id := range s.Paraphrases {
			if !slices.Contains(s.Related, id) {
				return fmt.Errorf("a paraphrase of %s that isn't related to it: %q", id, s.Text)
			}
		}
		for _, id := range s.Related {
			if asked[id].After(s.when) {
				return fmt.Errorf("comes before %s is asked: %q", id, s.Text)
			}
			if d := due[id]; d != "" {
				end, err := time.Parse(time.RFC3339, d)
				if err != nil {
					return err
				}
				if s.when.After(end) {
					return fmt.Errorf("comes after the due of %s: %q", id, s.Text)
				}
			}
		}
	}
	if len(cs) < 14 || len(ss) < 32 || len(ss) > 54 {
		return fmt.Errorf("%d commitments and %d signals", len(cs), len(ss))
	}
	if related*4 < len(ss)-1 || related*2 > len(ss) {
		return fmt.Errorf("%d of %d signals related", related, len(ss))
	}
	return nil
}

func settled(text string, seen map[string]bool) error {
	if strings.ContainsAny(text, "{}[]|") || strings.TrimSpace(text) != text || strings.Contains(text, "  ") || text == "" {
		return fmt.Errorf("not settled: %q", text)
	}
	if seen[text] {
		return fmt.Errorf("stands twice: %q", text)
	}
	seen[text] = true
	return nil
}

// weekday refuses a text that names another day than its due.
func weekday(c commitment) error {
	if c.Due == "" {
		return nil
	}
	at, err := time.Parse(time.RFC3339, c.Due)
	if err != nil {
		return err
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if day != at.Weekday() && strings.Contains(c.Text, day.String()) {
			return fmt.Errorf("due on a %s: %q", at.Weekday(), c.Text)
		}
	}
	return nil
}

// tally is what a run tells about what it wrote.
type tally struct{ commitments, signals, related, hard int }

func (t *tally) add(cs []commitment, ss []signal) {
	t.commitments += len(cs)
	t.signals += len(ss)
	for _, s := range ss {
		switch {
		case len(s.Related) > 0:
			t.related++
		case strings.HasPrefix(s.Note, "hard: "):
			t.hard++
		}
	}
}

func (t tally) String() string {
	return fmt.Sprintf("%d commitments, %d signals: %d related, %d hard negatives, %d strangers",
		t.commitments, t.signals, t.related, t.hard, t.signals-t.related-t.hard)
}
