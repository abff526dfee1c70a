package relate

import "cmp"

// bear weighs whether a signal can touch a plan it is tied to, and this one.
func (p *pair) bear(said, planned *Terms) {
	says := &said.says
	changes := cmp.Or(p.belongs, says.changing(planned))
	answered := planned.asked && said.answers(planned)
	if answered {
		p.add(ByAnswer, "", answers)
	}
	if planned.listed && changes != "" && p.covered == planned.covering() {
		p.add(ByEntry, "", wholeEntry)
	}
	switch {
	case changes != "":
		p.add(ByChange, changes, change)
	case answered:
	case says.clock || says.day || says.limit != "" || says.you != "":
		p.add(ByIdle, "", noChange)
	default:
		p.add(ByIdle, "", idle)
	}
	if says.clock {
		p.add(ByCue, aTime, clockCue)
	}
	if says.day {
		p.add(ByCue, aDay, dayCue)
	}
	if says.limit != "" {
		p.add(ByCue, says.limit, limitCue)
	}
	if says.you != "" {
		p.add(ByCue, says.you, youCue)
	}
	if said.public {
		p.add(ByStory, "", forPublic)
	}
	for _, w := range says.stories {
		if !planned.has(w.key) {
			p.add(ByStory, w.text, aStory)
			break
		}
	}
	if at := said.named(); len(p.telling) == 0 && p.belongs == "" && at >= 0 && planned.named() >= 0 {
		p.add(ByOther, said.words[at].text, otherName)
	}
	p.bearInTime(said, planned, changes != "")
}

// answers tells whether a signal speaks of what was asked: of most of what the question
// is about, and not of a place elsewhere. What of its words says only of what kind
// something is counts where there are no others.
func (t *Terms) answers(asked *Terms) bool {
	var has, all [2]int
	for i := range asked.words {
		w, at := &asked.words[i], 0
		switch w.class {
		case rare, common, code:
		case generic:
			at = 1
		case act, empty, part, matter:
			continue
		}
		all[at]++
		if t.has(w.key) {
			has[at]++
		}
	}
	if all[0] == 0 {
		has, all = [2]int{has[1]}, [2]int{all[1]}
	}
	return 2*has[0] > all[0] && !t.elsewhere(asked)
}

// changing is the first word that says something changes and isn't what is planned: ice
// that is on a list changes nothing by being named. "" when there is none.
func (b *bearing) changing(planned *Terms) string {
	for _, w := range b.changes {
		if !planned.has(w.key) {
			return w.text
		}
	}
	return ""
}

// bearInTime weighs when the signal was heard and what days it speaks of.
func (p *pair) bearInTime(said, planned *Terms, changes bool) {
	switch compareDays(&planned.days, &said.days) {
	case agrees:
		p.add(ByDay, "", sameDay)
	case differs:
		switch {
		case !changes:
			p.add(ByDay, "", otherDay)
		case !said.says.sooner && planned.days.due.set && said.days.before(planned.days.due.day):
			p.add(ByDay, "", dayBefore)
		}
		// What changes on a later day may be this, moved.
	case silent:
	}
	if planned.due == 0 || said.at == 0 {
		return
	}
	switch away := planned.due - said.at; {
	case away < 0:
		p.add(ByOver, "", over)
	case away < soonest:
		p.add(BySoon, "", soon)
	}
}

// covers tells whether a word counts among those that say what a commitment is.
func (w *word) covers() bool { return w.class != part && w.class != act && w.class != matter }

// covering is how many words say what a commitment is.
func (t *Terms) covering() int {
	n := 0
	for i := range t.words {
		if t.words[i].covers() {
			n++
		}
	}
	return n
}

// has reports whether the text has a word.
func (t *Terms) has(key string) bool {
	for i := range t.words {
		if t.words[i].key == key {
			return true
		}
	}
	return false
}

// hasSender tells whether everything that is in the sender's name is in it.
func (t *Terms) hasSender(said *Terms) bool {
	for i := range said.words {
		if w := &said.words[i]; w.field == inSource && w.covers() && !t.has(w.key) {
			return false
		}
	}
	return true
}

// named is the place of a word of the text that is a name for sure, or -1.
func (t *Terms) named() int {
	for i := range t.words {
		if w := &t.words[i]; w.field == inText && w.class == rare && w.shape == capital {
			return i
		}
	}
	return -1
}
