package concern

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// data is what metadata has: the time of what a message speaks of before and after it changes, and
// what else it names.
type data struct {
	was, to time.Time
	words   []string
}

// Names of members that hold a time: the new one, and the one before.
var (
	ofNewTime = set("new to moved rescheduled updated now neu neue nouveau nouvelle nuevo nueva")
	ofOldTime = set("old previous was from original before alt alte bisher ancien ancienne anterior")
)

// maxMembers bounds what is read of metadata.
const maxMembers = 64

func dataIn(m Message) data {
	var out data
	var all map[string]any
	if json.Unmarshal(m.Metadata, &all) == nil {
		out.add(all, m, new(int))
	}
	return out
}

func (d *data) add(all map[string]any, m Message, n *int) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if *n++; *n > maxMembers {
			return
		}
		switch value := all[name].(type) {
		case map[string]any:
			d.add(value, m, n)
		case string:
			at, dated := momentOf(value, m.Zone)
			if !dated {
				d.words = append(d.words, wordsOf(value)...)
				continue
			}
			words := wordsOf(strings.ReplaceAll(name, "_", " "))
			switch {
			case slices.ContainsFunc(words, func(w string) bool { return ofNewTime[w] }):
				d.to = at
			case slices.ContainsFunc(words, func(w string) bool { return ofOldTime[w] }) || d.was.IsZero():
				d.was = at
			}
		}
	}
}

// momentOf reads a moment as programs write it.
func momentOf(text string, zone *time.Location) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, strings.TrimSpace(text), zone); err == nil {
			return at.In(zone), true
		}
	}
	return time.Time{}, false
}
