package builtinmodel

import (
	"slices"
	"strings"

	"chalie/domain"
)

// switchOf is what a word for on or off means; false when it is none.
func switchOf(word string) (on, ok bool) {
	switch word {
	case "on", "yes", "true", "enabled", "enable":
		return true, true
	case "off", "no", "false", "disabled", "disable":
		return false, true
	}
	return false, false
}

func isSwitch(word string) bool {
	_, ok := switchOf(word)
	return ok
}

// switches gives the only word for on or off to the only parameter for one. "on"
// counts only where it isn't the word before a thing: "turn on the light", "turn
// the light on".
func (f *filling) switches() {
	open := f.open(true, domain.TypeBoolean)
	if len(open) != 1 {
		return
	}
	found := -1
	for i, w := range f.s.words {
		if f.used[i] || w.quoted || !isSwitch(w.lower) || w.lower == "on" && !f.isSwitched(i) {
			continue
		}
		if found >= 0 {
			return // on and off: which?
		}
		found = i
	}
	if found >= 0 {
		f.give(open[0], found, found+1)
	}
}

// isSwitched reports whether the "on" at i is where something is switched on.
func (f *filling) isSwitched(i int) bool {
	return i == len(f.s.words)-1 || f.s.words[i].stop || i > 0 && f.s.is(i-1, "turn", "switch", "set", "put") || f.s.is(i+1, "in", "for", "at")
}

// quotes gives what is in quotation marks to the strings, when there are as
// many of both.
func (f *filling) quotes() {
	var parts [][2]int
	for _, q := range quotedParts(f.s.text) {
		from, to := -1, 0
		for i, w := range f.s.words {
			if w.start >= q[0] && w.start < q[1] && !f.used[i] {
				if from < 0 {
					from = i
				}
				to = i + 1
			}
		}
		if from >= 0 {
			parts = append(parts, [2]int{from, to})
		}
	}
	open := f.open(true, domain.TypeString)
	if len(parts) == 1 && len(open) > 1 {
		open = slices.DeleteFunc(open, func(p domain.Parameter) bool { return !isMessage(p) })
	}
	if len(open) != len(parts) {
		return
	}
	for i, p := range open {
		f.give(p, parts[i][0], parts[i][1])
	}
}

// codes gives the only word that looks like an id to the only parameter for one.
func (f *filling) codes() {
	open := slices.DeleteFunc(f.open(true, domain.TypeString), func(p domain.Parameter) bool {
		return !hasWord(p, "id", "code", "number", "no", "nr", "key", "ref", "reference", "ticket", "order", "flight", "symbol", "isbn")
	})
	found := -1
	for i, w := range f.s.words {
		if f.used[i] || !isCode(w.lower) {
			continue
		}
		if found >= 0 {
			return
		}
		found = i
	}
	if len(open) == 1 && found >= 0 {
		f.give(open[0], found, found+1)
	}
}

func hasWord(p domain.Parameter, words ...string) bool {
	return slices.ContainsFunc(nameWords(p.Name), func(w string) bool { return slices.Contains(words, w) })
}

func isMessage(p domain.Parameter) bool {
	return hasWord(p, "text", "message", "body", "content", "note", "comment", "caption")
}

// messages gives what follows "saying" to the parameter that is a message.
func (f *filling) messages() {
	open := slices.DeleteFunc(f.open(true, domain.TypeString), func(p domain.Parameter) bool { return !isMessage(p) })
	if len(open) != 1 {
		return
	}
	for i := range f.s.words {
		var from int
		switch {
		case f.s.is(i, "saying"):
			from = i + 1
		case f.s.is(i, "that", "which") && f.s.is(i+1, "says", "reads"), f.s.is(i, "with") && f.s.is(i+1, "the") && f.s.is(i+2, "text", "message"):
			for from = i + 2; f.s.is(from, "text", "message"); from++ {
				continue
			}
		default:
			continue
		}
		if from < len(f.s.words) && !slices.Contains(f.used[from:], true) {
			f.take(i, from)
			f.give(open[0], from, len(f.s.words))
		}
		return
	}
}

// places gives what follows a word such as "to" to the parameter that it
// leads to.
func (f *filling) places() {
	for _, way := range []struct {
		word  string
		names []string
	}{
		{"to", []string{"to", "recipient", "receiver", "target", "destination", "addressee"}},
		{"from", []string{"from", "origin", "source", "sender"}},
		{"for", []string{"for"}}, {"in", []string{"in"}}, {"at", []string{"at"}},
	} {
		open := slices.DeleteFunc(f.open(true, domain.TypeString), func(p domain.Parameter) bool { return !slices.Contains(way.names, strings.ToLower(p.Name)) })
		if len(open) != 1 {
			continue
		}
		for _, r := range f.runs(true) {
			if r[0] > 0 && f.s.is(r[0]-1, way.word) {
				f.give(open[0], r[0], r[1])
				break
			}
		}
	}
}

// fillLastString gives the only thing that is left to the only string that is needed.
func (f *filling) fillLastString() {
	open := f.open(true, domain.TypeString)
	if len(open) != 1 || isCodeOnly(open[0]) {
		return
	}
	for _, described := range []bool{true, false} {
		runs := f.runs(described)
		if len(runs) > 1 && !f.c.offered.SideEffects {
			runs = slices.DeleteFunc(runs, func(r [2]int) bool {
				return r[0] == 0 || !f.s.is(r[0]-1, "in", "for", "at", "of", "about", "to", "from", "on", "named", "called")
			})
		}
		if len(runs) == 1 {
			f.give(open[0], runs[0][0], runs[0][1])
			if _, given := f.params[open[0].Name]; given {
				f.free = open[0].Name
			}
			return
		}
		if len(runs) > 1 {
			return // which of them it is isn't plain
		}
	}
}

// isCodeOnly reports whether a parameter takes an id: no word will do.
func isCodeOnly(p domain.Parameter) bool {
	words := nameWords(p.Name)
	return len(words) > 0 && slices.Contains([]string{"id", "uuid", "code", "key"}, words[len(words)-1])
}

// runs are the words in a row that nothing was made of yet. "of" within one
// belongs to it: the Isle of Man.
func (f *filling) runs(described bool) [][2]int {
	var out [][2]int
	taken := func(i int) bool {
		if f.used[i] || f.s.words[i].quoted {
			return f.used[i]
		}
		return isFiller(f.s.words[i].lower) && !isNumber(f.s.words[i].lower) || isSwitch(f.s.words[i].lower) || f.isToolWord(i, described)
	}
	for i := 0; i < len(f.s.words); i++ {
		if taken(i) {
			continue
		}
		end := i + 1
		for end < len(f.s.words) && !f.s.words[end-1].stop && (!taken(end) || f.s.is(end, "of", "the", "and") && end+1 < len(f.s.words) && !taken(end+1) && isNameLike(f.s, end+1)) {
			end++
		}
		out = append(out, [2]int{i, end})
		i = end
	}
	return out
}
