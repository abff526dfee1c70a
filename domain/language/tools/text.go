package tools

import (
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/sentences"
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

// switches gives the only word for on or off to the only parameter for one, and switches on what
// is asked for by its own name: "unread emails". "on" counts only where it isn't the word before
// a thing: "turn on the light", "turn the light on".
func (f *Filling) switches() {
	for _, p := range f.open(false, domain.TypeBoolean) {
		for i, w := range f.S.Words {
			if word := NameWords(p.Name)[0]; !p.Required && !f.used[i] && !w.Quoted && len(word) > 4 && w.Lower == word && !isGeneric(word) {
				f.Params[p.Name] = true
				f.take(i, i+1)
			}
		}
	}
	open := f.open(true, domain.TypeBoolean)
	if len(open) != 1 {
		return
	}
	found := -1
	for i, w := range f.S.Words {
		if f.used[i] || w.Quoted || !isSwitch(w.Lower) || w.Lower == "on" && !f.isSwitched(i) {
			continue
		}
		if found >= 0 {
			return // on and off: which?
		}
		found = i
	}
	switch first := f.S.Words[0].Lower; {
	case found >= 0:
		f.switched = f.give(open[0], found, found+1)
	case f.c.undoes(first):
		f.Params[open[0].Name] = false
	case TermOf(first) == f.c.own && strings.HasPrefix(strings.ToLower(open[0].Name), strings.TrimSuffix(first, "e")):
		f.Params[open[0].Name] = true
	}
}

// isSwitched reports whether the "on" at i is where something is switched on.
func (f *Filling) isSwitched(i int) bool {
	return i == len(f.S.Words)-1 || f.S.Words[i].Stop || i > 0 && f.S.Is(i-1, "turn", "switch", "set", "put") || f.S.Is(i+1, "in", "for", "at")
}

// quotes gives what is in quotation marks to the strings, when there are as
// many of both.
func (f *Filling) quotes() {
	var parts [][2]int
	for _, q := range sentences.QuotedParts(f.S.Text) {
		from, to := -1, 0
		for i, w := range f.S.Words {
			if w.Start >= q[0] && w.Start < q[1] && !f.used[i] {
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
	if len(parts) == 0 {
		return
	}
	open := f.open(true, domain.TypeString)
	for _, kinds := range [][]kind{nil, {ofText, ofTitle, ofQuery, anything}, {ofText, ofTitle}, {ofText}, {ofTitle}} {
		if len(open) == len(parts) {
			break
		}
		open = slices.DeleteFunc(f.texts(kinds...), func(p Slot) bool { return !p.Required })
	}
	if len(open) != len(parts) {
		return
	}
	for i, p := range open {
		f.give(p, parts[i][0], parts[i][1])
	}
}

func hasWord(p Slot, words ...string) bool {
	return slices.ContainsFunc(NameWords(p.Name), func(w string) bool { return slices.Contains(words, w) })
}

// messages gives what follows "saying", or a colon, to the parameter that is a message.
func (f *Filling) messages() {
	open := f.texts(ofText)
	if len(open) > 1 {
		open = slices.DeleteFunc(open, func(p Slot) bool { return !p.Required })
	}
	if len(open) != 1 {
		return
	}
	for i := range f.S.Words {
		var from int
		switch {
		case f.S.Is(i, "saying"):
			from = i + 1
		case f.S.Is(i, "that", "which") && f.S.Is(i+1, "says", "reads"), f.S.Is(i, "with") && f.S.Is(i+1, "the") && f.S.Is(i+2, "text", "message"):
			for from = i + 2; f.S.Is(from, "text", "message"); from++ {
				continue
			}
		case open[0].Required && f.S.Words[i].Colon && !f.isLabel(i) && i > 1:
			if from = i + 1; from < len(f.S.Words) && f.S.Words[from].Quoted {
				return // quotes are given for themselves
			}
		default:
			continue
		}
		if from < len(f.S.Words) && !slices.Contains(f.used[from:], true) && f.give(open[0], from, len(f.S.Words)) && !f.S.Words[i].Colon {
			f.take(i, from)
		}
		return
	}
}

// titles gives what follows "called", or a colon, to the parameter for what something is called.
func (f *Filling) titles() {
	open := f.texts(ofTitle)
	if len(open) == 0 || !open[0].Required && len(open) > 1 {
		return
	}
	for i := range f.S.Words {
		from := i + 1
		if from >= len(f.S.Words) || f.used[from] || !f.S.Is(i, "called", "named", "titled", "entitled") && !(f.S.Words[i].Colon && open[0].Required && !f.isLabel(i)) {
			continue
		}
		end := from + 1
		for end < len(f.S.Words) && !f.used[end] && !f.S.Words[end-1].Stop && f.S.Words[end].Quoted == f.S.Words[from].Quoted {
			end++
		}
		if place := f.placeWithin(from, end); place > 0 {
			end = place
		}
		leads := end < len(f.S.Words) && f.used[end]
		for leads && end > from+1 && (f.isPreposition(end-1) || f.S.Is(end-1, articles...)) {
			end-- // it leads to what follows
		}
		if f.give(open[0], from, end) && !f.S.Words[i].Colon {
			f.take(i, from)
		}
		return
	}
}

// placeWithin is where within a title the words for a place begin that the tool needs and that
// stand nowhere else; 0 when they do nowhere.
func (f *Filling) placeWithin(from, end int) int {
	needs := slices.DeleteFunc(f.texts(ofPlace), func(p Slot) bool { return !p.Required })
	if len(needs) != 1 {
		return 0
	}
	for i := range from - 1 {
		if f.S.Is(i, "in", "on", "of", "for") {
			return 0
		}
	}
	for i := end - 2; i > from; i-- {
		if f.S.Is(i, "in", "on", "for", "at") {
			return i
		}
	}
	return 0
}

// written are the words that lead to what a parameter of some kind takes.
var written = []struct {
	kind  kind
	words []string
}{
	{ofGiver, []string{"from", "by"}}, {ofTaker, []string{"to"}}, {ofPlace, []string{"in", "on", "at", "of", "near", "around"}}, {ofQuery, []string{"about", "for", "on", "mentioning", "containing", "mentions", "like", "named", "called", "regarding"}},
}

// places gives what follows a word such as "to" to the parameter that it
// leads to.
func (f *Filling) places() {
	f.between()
	f.fromTo()
	f.ways()
	f.led()
	for _, p := range f.texts(anything, ofPlace, ofGiver, ofTaker) {
		for _, r := range f.runs(true) {
			if r[1] < len(f.S.Words) && !f.S.Words[r[1]-1].Stop && len(p.words) == 1 && !IsFiller(p.words[0]) && TermOf(f.S.Words[r[1]].Lower) == p.words[0] && f.give(p, r[0], r[1]) {
				break
			}
		}
	}
	for _, required := range []bool{true, false} {
		for _, way := range written {
			for _, p := range f.texts(way.kind) {
				if p.Required != required {
					continue
				}
				words := way.words
				if hasWord(p, "room", "zone", "area", "location", "place", "speaker") {
					words = []string{"in", "on", "at", "near", "around"}
				}
				if lower := strings.ToLower(p.Name); slices.Contains([]string{"for", "in", "at", "to", "from", "with"}, lower) {
					words = []string{lower}
				}
				if p.Required && len(slices.DeleteFunc(f.open(true, domain.TypeString), func(s Slot) bool { return s.closed })) == 1 && !slices.Contains([]kind{ofQuery, ofTaker}, p.kind) && !f.rivals() {
					continue // it takes what is left
				}
				for n, r := range f.runs(true) {
					if p.kind == ofPlace && !p.Required && n < len(f.needy()) {
						continue // what has to be said goes first
					}
					if f.leads(r[0], words) && f.give(p, r[0], r[1]) {
						f.leadsFrom(p, r[0])
						if p.kind == ofQuery {
							f.free = p.Name
						}
						break
					}
				}
			}
		}
	}
}

// leadsFrom marks the word that says whose value a preposition leads to: pickup at the harbor.
func (f *Filling) leadsFrom(p Slot, at int) {
	at--
	for f.S.Is(at, "the", "a", "an", "my", "our") {
		at--
	}
	if f.S.Is(at, "near", "around") {
		f.take(at, at+1)
	}
	if at--; at > 0 && !f.used[at] && !f.S.Words[at].Quoted && !IsNameLike(f.S, at) && slices.Contains(p.about, TermOf(f.S.Words[at].Lower)) {
		f.take(at, at+1)
	}
}

// led gives each of several strings that are needed what stands behind the word that leads to it in the
// tool's own description.
func (f *Filling) led() {
	for _, p := range f.needy() {
		if len(p.leads) == 0 || len(f.needy()) < 2 || p.list {
			continue
		}
		var found [][2]int
		for _, r := range f.runs(true) {
			if f.leads(r[0], p.leads) {
				found = append(found, r)
			}
		}
		if len(found) == 1 {
			f.give(p, found[0][0], f.leadEnd(found[0]))
		}
	}
}

// leadEnd is where a run ends that stands before what leads to something else.
func (f *Filling) leadEnd(r [2]int) int {
	for i := r[0] + 1; i < r[1]; i++ {
		if f.isPreposition(i) && !f.S.Is(i, "of") {
			return i
		}
	}
	return r[1]
}

// needy are the strings that are needed, and take whatever is left.
func (f *Filling) needy() []Slot {
	return slices.DeleteFunc(f.open(true, domain.TypeString), func(p Slot) bool { return p.closed || isWhen(p.kind) || isCodeOnly(p) })
}

// ways gives a value that is listed to the parameter whose word leads to it: from savings to checking.
func (f *Filling) ways() {
	for _, p := range f.open(false, domain.TypeString) {
		if len(p.choices) == 0 || p.kind != ofGiver && p.kind != ofTaker {
			continue
		}
		for i := 1; i < len(f.S.Words); i++ {
			choice, _ := f.choiceAt(p, i)
			if choice == "" || f.used[i] || !f.leads(i, []string{strings.ToLower(p.words[0])}) {
				continue
			}
			f.Params[p.Name] = choice
			f.worth += aChoice
			f.take(i, i+len(strings.Fields(choice)))
			break
		}
	}
}

// between gives "between Basel and Milan" to the parameters from where and to where.
func (f *Filling) between() {
	givers, takers := f.texts(ofGiver), f.texts(ofTaker)
	if len(givers) != 1 || len(takers) != 1 {
		return
	}
	for i := range f.S.Words {
		if !f.S.Is(i, "between") || i+3 >= len(f.S.Words) {
			continue
		}
		for and := i + 2; and < len(f.S.Words)-1; and++ {
			end := and + 1
			for end < len(f.S.Words) && !f.isTaken(end) && !f.S.Words[end-1].Stop {
				end++
			}
			if f.S.Is(and, "and") && end > and+1 && !slices.Contains(f.used[i:end], true) && f.give(givers[0], i+1, and) && f.give(takers[0], and+1, end) {
				return
			}
		}
	}
}

// fromTo gives "Basel to Milan" to the parameters from where and to where.
func (f *Filling) fromTo() {
	givers, takers := f.texts(ofGiver), f.texts(ofTaker)
	if len(givers) != 1 || len(takers) != 1 || !givers[0].Required || !takers[0].Required || sentences.HasAny(f.S, "from") {
		return
	}
	runs := f.runs(true)
	for i := 1; i < len(runs); i++ {
		if r, to := runs[i-1], runs[i]; to[0] == r[1]+1 && f.S.Is(r[1], "to") && f.give(givers[0], r[0], r[1]) {
			f.give(takers[0], to[0], to[1])
			return
		}
	}
}

// rivals reports whether another open parameter may take what a place takes.
func (f *Filling) rivals() bool {
	return len(f.texts(ofQuery, ofTitle, ofText, ofTaker, ofGiver, ofPlace)) > 1
}

// leads reports whether what begins at a word stands behind one of those.
func (f *Filling) leads(at int, words []string) bool {
	at--
	for f.S.Is(at, "the", "a", "an", "my", "our", "your", "its", "some", "any") {
		at--
	}
	return f.S.Is(at, words...)
}

// several gives all that is left to a parameter that takes a list.
func (f *Filling) several() {
	for _, p := range f.open(false, domain.TypeString) {
		if !p.list {
			continue
		}
		var parts []string
		runs := f.runs(true)
		for _, r := range runs {
			from := r[0]
			for i := r[0]; i <= r[1]; i++ {
				if i == r[1] || f.S.Is(i, "and", "or", "with") {
					if from < i {
						parts = append(parts, f.value(from, i))
					}
					from = i + 1
				}
			}
		}
		if len(parts) == 0 || !p.Required && len(f.open(true, domain.TypeString)) > 0 {
			continue
		}
		if !f.set(p, strings.Join(parts, ", ")) {
			continue
		}
		f.free = p.Name
		for _, r := range runs {
			f.take(r[0], r[1])
		}
		return
	}
}

// fillLast gives the only thing that is left to the only string that is needed, or that it can
// be for.
func (f *Filling) fillLast() {
	open := slices.DeleteFunc(f.open(true, domain.TypeString), func(p Slot) bool { return p.closed && p.kind != ofCode })
	if len(open) != len(f.open(true, domain.TypeString)) {
		open = slices.DeleteFunc(open, func(p Slot) bool { return p.kind == ofCode })
	}
	if len(open) == 0 && f.c.Looks && f.isNamed {
		if f.owned() {
			return
		}
		open = slices.DeleteFunc(f.texts(anything, ofQuery, ofPlace, ofGiver), func(p Slot) bool {
			return hasWord(p, "sort", "order", "unit", "units", "format", "mode", "status", "state", "type", "method", "lang", "language", "currency", "direction", "interval")
		})
		if len(open) > 1 || len(f.open(true, domain.TypeString)) > 0 {
			return
		}
	}
	if len(open) != 1 || isCodeOnly(open[0]) || isWhen(open[0].kind) {
		return
	}
	p := open[0]
	for _, described := range []bool{true, false} {
		if !described && !p.Required {
			return
		}
		runs := f.fitRuns(p, f.runs(described))
		if len(runs) == 1 {
			if f.give(p, runs[0][0], runs[0][1]) {
				f.free = p.Name
				if p.kind == ofPlace {
					f.leadsFrom(p, runs[0][0])
				}
			}
			return
		}
		if len(runs) > 1 {
			return // which of them it is isn't plain
		}
	}
}

// fitRuns are those of several runs of words that a parameter may take.
func (f *Filling) fitRuns(p Slot, runs [][2]int) [][2]int {
	if len(runs) > 1 && f.c.Looks {
		runs = slices.DeleteFunc(runs, func(r [2]int) bool {
			return !f.leads(r[0], []string{"in", "for", "at", "of", "about", "to", "from", "on", "named", "called"})
		})
	}
	for n, r := range runs { // a history of something
		if f.c.Looks && r[0]+2 < r[1] && f.S.Is(r[0]+1, "of", "for") && f.l.Known.describes(f.c.Offered.Interface, TermOf(f.S.Words[r[0]].Lower)) {
			runs[n][0] += 2
		}
	}
	runs = slices.DeleteFunc(runs, func(r [2]int) bool { return !f.mayTake(p, r) || !p.Required && f.isNameOf(p, r) })
	switch {
	case len(runs) == 0:
		return nil
	case p.kind == ofText && p.Required:
		return [][2]int{f.message(runs)}
	case !f.c.Looks && len(f.texts(ofGiver)) == 0:
		return f.byNames(runs)
	}
	return runs
}

// mayTake reports whether a run of words can be what a parameter takes, by what stands around it.
func (f *Filling) mayTake(p Slot, r [2]int) bool {
	first, alone := f.S.Words[r[0]].Lower, r[1] == r[0]+1
	switch {
	case alone && IsNumber(first) && p.kind != ofCode && !slices.Contains(p.about, "number") && (p.kind != anything || !isCode(first)):
		return false
	case alone && !p.Required && p.isSomebody() && !IsNameLike(f.S, r[0]) && !f.S.Words[r[0]].Quoted && f.isAbout(r[1]):
		return false // it says which of what the tool is about: unpaid invoices
	case p.Required && f.c.Looks && p.takesName() && f.S.Is(r[0]-1, "a", "an", "another") && !IsNameLike(f.S, r[0]) && !f.S.Words[r[0]].Quoted:
		return false // it is any, and none by its name
	case alone && !p.Required && f.c.Looks && strings.HasSuffix(first, "ing") && !IsNameLike(f.S, r[0]) && !f.S.Words[r[0]].Quoted && !f.isAbout(r[1]) && f.S.Asks():
		return false // coming up
	case alone && p.shape == "" && p.kind != ofCode && f.isOthersID(p, r[0]), f.isOnlyDescribed(r):
		return false
	case !alone && IsNumber(f.S.Words[r[1]-1].Lower) && f.isAbout(r[1]):
		return false // it ends with how many of them
	case alone && f.S.Is(r[0]-1, "much") && !f.S.Words[r[0]].Quoted:
		return false // it is what is asked for
	case alone && f.c.Looks && f.S.Asks() && sameDeeds(first) != nil && !f.S.Words[r[0]].Quoted && !IsNameLike(f.S, r[0]) && f.S.Is(r[0]-1, "i", "we", "you", "they"):
		return false // it is what somebody does
	case alone && f.c.Looks && f.S.Asks() && f.l.Known.describes(f.c.Offered.Interface, TermOf(first)) && !IsNameLike(f.S, r[0]) && !f.leads(r[0], []string{"for", "about", "named", "called", "on", "of", "in", "from", "by"}):
		return false // another tool describes itself so
	case alone && f.c.Looks && f.l.Known.names(f.c, TermOf(first)) && !f.leads(r[0], []string{"for", "about", "with", "named", "called", "on", "of"}):
		return false // another tool is named so
	case p.kind == ofPlace && !p.Required && f.leads(r[0], []string{"for", "about"}) && !hasWord(p, "city", "location", "country", "place", "station", "town", "region", "area", "zone", "room"):
		return false
	case f.c.Looks && (p.kind == ofPlace || p.kind == ofQuery && f.S.Question) && !f.isBeside(r):
		return false
	case !f.c.Looks && p.kind != ofPlace && p.kind != ofText && r[0] < 4 && f.leads(r[0], []string{"at", "in", "with", "under"}):
		return false // the verb has something else in mind: to queue at the bank
	}
	onlyVerb := len(f.c.things) == 1 && TermOf(f.S.Words[0].Lower) == f.c.things[0]
	return !p.isName() || f.isNamed && !onlyVerb || !f.S.Is(r[0]-1, articles...) && !f.S.Is(r[0]-1, "this", "that")
}

// isNameOf reports whether a run is the name of one of what the tool is about, which an optional
// parameter for something else doesn't take: the candidate Tomas.
func (f *Filling) isNameOf(p Slot, r [2]int) bool {
	if r[0] < 2 || !IsNameLike(f.S, r[0]) || !f.S.Is(r[0]-2, articles...) {
		return false
	}
	t := TermOf(f.S.Words[r[0]-1].Lower)
	return slices.Contains(f.c.things, t) && !slices.Contains(p.words, t) && !slices.Contains(p.about, t)
}

// isOthersID reports whether a word is an id as another tool of the interface takes it, under another
// name than a parameter's.
func (f *Filling) isOthersID(to Slot, i int) bool {
	return isCode(f.S.Words[i].Lower) && slices.ContainsFunc(f.l.Known.Tools, func(c Candidate) bool {
		return c.Offered.Interface == f.c.Offered.Interface && slices.ContainsFunc(c.slots, func(p Slot) bool { return p.shape != "" && p.Name != to.Name && p.shape == shapeOf(f.S.Words[i].Lower) })
	})
}

// isOnlyDescribed reports whether the words up to the end of a run are those by which the tool says what
// it does: "feed the fish" names no tank.
func (f *Filling) isOnlyDescribed(r [2]int) bool {
	words := make([]string, r[1])
	for i := range words {
		words[i] = f.S.Words[i].Lower
	}
	return r[1] > 1 && strings.Contains(strings.Join(textWords(f.c.Offered.Description), " ")+" ", strings.Join(words, " ")+" ")
}

// isSomebody reports whether a parameter takes who somebody is.
func (p Slot) isSomebody() bool {
	return hasWord(p, "client", "customer", "person", "user", "owner", "assignee", "author", "artist", "contact", "merchant", "candidate")
}

// takesName reports whether a parameter says that it takes the name of something.
func (p Slot) takesName() bool {
	return p.kind != ofQuery && len(p.about) > 0 && (p.about[0] == "name" || p.about[len(p.about)-1] == "name")
}

// isName reports whether a parameter takes what has a name of its own, and no article.
func (p Slot) isName() bool {
	return hasWord(p, "symbol", "ticker", "city", "country", "station", "town", "isin", "code", "currency", "language", "airport")
}

// message is all from the first to the last of several runs, and the small words around them: a text
// is taken as it is said, up to what leads on to another value.
func (f *Filling) message(runs [][2]int) [2]int {
	from, to := runs[0][0], runs[len(runs)-1][1]
	if slices.Contains(f.used[from:to], true) {
		from, to = runs[0][0], runs[0][1]
	}
	for from > 1 && !f.used[from-1] && !f.isAbout(from-1) && !f.isPreposition(from-1) {
		from--
	}
	for to < len(f.S.Words) && !f.used[to] && !f.isPreposition(to) {
		to++
	}
	return [2]int{from, to}
}

// owned gives who has something to the only parameter for a person: "what tickets does Maria have".
func (f *Filling) owned() bool {
	people := f.texts(ofTaker, ofGiver)
	if len(people) != 1 {
		return false
	}
	for _, r := range f.runs(true) {
		if f.S.Is(r[0]-1, "does", "has", "did") && IsNameLike(f.S, r[0]) {
			return f.give(people[0], r[0], r[1])
		}
	}
	return false
}

// byNames are runs of which those with only "by" between them are one: a song by someone.
func (f *Filling) byNames(runs [][2]int) [][2]int {
	out := runs[:1:1]
	for _, r := range runs[1:] {
		last := &out[len(out)-1]
		between := last[1]
		for f.S.Is(between, "by", "the", "from", "feat", "featuring") && !f.used[between] {
			between++
		}
		if between != r[0] || f.S.Words[r[0]-1].Stop {
			out = append(out, r)
			continue
		}
		last[1] = r[1]
	}
	return out
}

// isBeside reports whether something stands behind a word that leads to it, or beside what the
// tool is about.
func (f *Filling) isBeside(r [2]int) bool {
	return f.leads(r[0], []string{"in", "for", "at", "of", "about", "to", "from", "on", "with", "near", "around", "named", "called", "is", "does", "do", "has", "there"}) ||
		f.isAbout(r[1]) || r[0] > 1 && f.isAbout(r[0]-1) || len(f.S.Words) < 4
}

// isAbout reports whether a word is one of what the tool is about.
func (f *Filling) isAbout(i int) bool {
	return i < len(f.S.Words) && !f.S.Words[i].Quoted && f.c.Terms[TermOf(f.S.Words[i].Lower)] > asGeneric
}

// isCodeOnly reports whether a parameter takes an id: no word will do.
func isCodeOnly(p Slot) bool {
	words := NameWords(p.Name)
	if slices.Contains(p.about, "title") || slices.Contains(p.about, "name") {
		return false // or by what it is called
	}
	return p.shape != "" || len(words) > 0 && slices.Contains([]string{"id", "uuid", "code", "key"}, words[len(words)-1])
}

// runs are the words in a row that nothing was made of yet. "of" within one
// belongs to it: the Isle of Man, bottles of oil.
func (f *Filling) runs(described bool) [][2]int {
	var out [][2]int
	taken := func(i int) bool {
		if f.used[i] || f.S.Words[i].Quoted {
			return f.used[i]
		}
		return IsFiller(f.S.Words[i].Lower) && !IsNumber(f.S.Words[i].Lower) && !(i > 0 && IsNameLike(f.S, i) && f.S.Words[i].Lower != "i") || isSwitch(f.S.Words[i].Lower) || f.isToolWord(i, described)
	}
	for i := 0; i < len(f.S.Words); i++ {
		if taken(i) || f.leadsOn(i) || i == 0 && f.strange {
			continue
		}
		end := i + 1
		number := IsNumber(f.S.Words[i].Lower)
		for end < len(f.S.Words) && !f.S.Words[end-1].Stop && !f.S.Words[end-1].Colon && !f.leadsOn(end) && !(number && f.S.Is(end, "of")) && (!taken(end) || f.joinsTo(end, taken) || f.belongs(end)) {
			end++
		}
		out = append(out, [2]int{i, end})
		i = end - 1
	}
	return out
}

// furtherWords lead to something else than what stands before them. What they say isn't idle, so
// where nothing is made of it the tool is asked about.
var furtherWords = sentences.WordsIn(`using via through without within during after before since until till near around across along among behind beside besides despite except inside outside plus toward towards under below above over upon because while unless whether`)

// leadsOn reports whether a word ends what is one thing.
func (f *Filling) leadsOn(i int) bool {
	return i >= 0 && !f.S.Words[i].Quoted && furtherWords[f.S.Words[i].Lower]
}

// joins reports whether a word may stand within what is one thing.
func (f *Filling) joins(i int) bool { return !f.used[i] && f.S.Is(i, "of", "the", "and") }

// joinsTo reports whether what begins at a word joins it to a part of the same name: Isle of Man,
// Klara and the Sun.
func (f *Filling) joinsTo(i int, taken func(int) bool) bool {
	next := i + 1
	if f.joins(i) && f.S.Is(next, "the") && !f.S.Is(i, "the") {
		next++
	}
	return f.joins(i) && next < len(f.S.Words) && !taken(next) && (next == i+1 && f.S.Is(i, "of") || IsNameLike(f.S, next))
}

// belongs reports whether a word of the tool's is a part of a name before it: a living room, and
// the desk lamp where it is lamps that have names.
func (f *Filling) belongs(i int) bool {
	if f.used[i] || f.S.Words[i].Quoted {
		return false
	}
	if f.S.Is(i, "room") && strings.HasSuffix(f.S.Words[i-1].Lower, "ing") {
		return true
	}
	t := TermOf(f.S.Words[i].Lower)
	return slices.Contains([]string{"light", "door", "television", "speaker", "fan", "plug", "blind", "camera", "heater", "lock"}, t) && slices.ContainsFunc(f.c.slots, func(p Slot) bool {
		_, given := f.Params[p.Name]
		return !given && p.Type == domain.TypeString && p.words[len(p.words)-1] != t && slices.Contains(p.about, t)
	})
}
