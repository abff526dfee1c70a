package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// strangersPerScene is how many signals without any tie are added to a scene.
const strangersPerScene = 12

// commitment is one line of commitments.jsonl.
type commitment struct {
	ID      string `json:"id"`
	Scene   int    `json:"scene"`
	Kind    string `json:"kind"`
	Text    string `json:"text"`
	Due     string `json:"due"`
	Created string `json:"created"`

	made time.Time
}

// signal is one line of signals.jsonl.
type signal struct {
	ID      string   `json:"id"`
	Scene   int      `json:"scene"`
	Source  string   `json:"source"`
	Topic   string   `json:"topic"`
	Text    string   `json:"text"`
	At      string   `json:"at"`
	Related []string `json:"related"`
	Note    string   `json:"note"`
	// Of Related, those that share no telling word with it.
	Paraphrases []string `json:"paraphrases,omitempty"`

	when time.Time
}

func (s scene) compose(number int, seed uint64, strangers strangers) ([]commitment, []signal, error) {
	fill := s.filler(seed)
	ids, due := map[string]string{}, map[string]time.Time{}
	var cs []commitment
	for i, w := range s.wants {
		if _, twice := ids[w.key]; twice {
			return nil, nil, fmt.Errorf("key %q stands twice", w.key)
		}
		d := diceFor(seed, s.name, w.key, w.text)
		created := s.monday.AddDate(0, 0, -1-d.below(12)).Add(time.Duration(7*60+d.below(14*60)) * time.Minute)
		if !w.asked.IsZero() {
			created = w.asked
		}
		c := commitment{ID: fmt.Sprintf("c%02d-%02d", number, i+1), Scene: number, Kind: w.kind, Created: created.Format(time.RFC3339), made: created}
		c.Text = d.wear(d.vary(fill.Replace(w.text)), false)
		if !w.due.IsZero() {
			c.Due = w.due.Format(time.RFC3339)
		}
		ids[w.key], due[w.key] = c.ID, w.due
		cs = append(cs, c)
	}
	var ss []signal
	for _, h := range s.heard {
		d := diceFor(seed, s.name, h.topic, h.text)
		one := signal{Scene: number, Source: fill.Replace(h.source), Topic: h.topic, Related: []string{}, Note: fill.Replace(h.note)}
		one.Text = d.wear(d.vary(fill.Replace(h.text)), true)
		for i, key := range h.keys {
			if ids[key] == "" {
				return nil, nil, fmt.Errorf("no commitment %q for %q", key, h.text)
			}
			one.Related = append(one.Related, ids[key])
			if h.paraphrases[i] {
				one.Paraphrases = append(one.Paraphrases, ids[key])
			}
		}
		one.when = s.when(h, one.Text, due, d)
		ss = append(ss, one)
	}
	ss = append(ss, strangers.besides(s, number, seed, cs)...)
	sort.SliceStable(ss, func(i, j int) bool { return ss[i].when.Before(ss[j].when) })
	for i := range ss {
		ss[i].ID = fmt.Sprintf("s%02d-%02d", number, i+1)
		ss[i].At = ss[i].when.Format(time.RFC3339)
	}
	return cs, ss, nil
}

// filler settles each slot once for the scene.
func (s scene) filler(seed uint64) *strings.Replacer {
	var pairs []string
	for _, sl := range s.slots {
		d := diceFor(seed, s.name, "slot", sl.name)
		for i, form := range sl.choices[d.below(len(sl.choices))] {
			name := sl.name
			if i > 0 {
				name += strconv.Itoa(i + 1)
			}
			pairs = append(pairs, "{"+name+"}", form)
		}
	}
	return strings.NewReplacer(pairs...)
}

// when is the written moment; or, for a related signal, some hours before the
// first due of what it bears on, the day before when it speaks of tomorrow; or
// else any waking hour of the week.
func (s scene) when(h heard, text string, due map[string]time.Time, d dice) time.Time {
	if !h.at.IsZero() {
		return h.at
	}
	minutes := time.Duration(d.below(60)) * time.Minute
	for _, key := range h.keys {
		at := due[key]
		if at.IsZero() {
			continue
		}
		if strings.Contains(strings.ToLower(text), "tomorrow") {
			return time.Date(at.Year(), at.Month(), at.Day(), 8+d.below(12), 0, 0, 0, at.Location()).AddDate(0, 0, -1).Add(minutes)
		}
		early := at.Add(-time.Duration(1+d.below(5))*time.Hour - minutes)
		if morning := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location()); early.Before(morning) {
			early = morning.Add(minutes)
		}
		return early
	}
	return s.anyTime(d).Add(minutes)
}

func (s scene) anyTime(d dice) time.Time {
	return s.monday.AddDate(0, 0, d.below(7)).Add(time.Duration(6+d.below(16)) * time.Hour)
}
