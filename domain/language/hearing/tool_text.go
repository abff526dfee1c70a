package hearing

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

// switches gives the only word for on or off to the only parameter for one, and switches on what
// is asked for by its own name: "unread emails". "on" counts only where it isn't the word before
// a thing: "turn on the light", "turn the light on".
func (f *filling) switches() {
	for _, p := range f.open(false, domain.TypeBoolean) {
		for i, w := range f.s.words {
			if word := nameWords(p.Name)[0]; !p.Required && !f.used[i] && !w.quoted && len(word) > 4 && w.lower == word && !isGeneric(word) {
				f.params[p.Name] = true
				f.take(i, i+1)
			}
		}
	}
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
	switch first := f.s.words[0].lower; {
	case found >= 0:
		f.switched = f.give(open[0], found, found+1)
	case f.c.undoes(first):
		f.params[open[0].Name] = false
	case termOf(first) == f.c.own && strings.HasPrefix(strings.ToLower(open[0].Name), strings.TrimSuffix(first, "e")):
		f.params[open[0].Name] = true
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
	if len(parts) == 0 {
		return
	}
	open := f.open(true, domain.TypeString)
	for _, kinds := range [][]kind{nil, {ofText, ofTitle, ofQuery, anything}, {ofText, ofTitle}, {ofText}, {ofTitle}} {
		if len(open) == len(parts) {
			break
		}
		open = slices.DeleteFunc(f.texts(kinds...), func(p slot) bool { return !p.Required })
	}
	if len(open) != len(parts) {
		return
	}
	for i, p := range open {
		f.give(p, parts[i][0], parts[i][1])
	}
}

func hasWord(p slot, words ...string) bool {
	return slices.ContainsFunc(nameWords(p.Name), func(w string) bool { return slices.Contains(words, w) })
}

// messages gives what follows "saying", or a colon, to the parameter that is a message.
func (f *filling) messages() {
	open := f.texts(ofText)
	if len(open) > 1 {
		open = slices.DeleteFunc(open, func(p slot) bool { return !p.Required })
	}
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
		case open[0].Required && f.s.words[i].colon && !f.isLabel(i) && i > 1:
			if from = i + 1; from < len(f.s.words) && f.s.words[from].quoted {
				return // quotes are given for themselves
			}
		default:
			continue
		}
		if from < len(f.s.words) && !slices.Contains(f.used[from:], true) && f.give(open[0], from, len(f.s.words)) && !f.s.words[i].colon {
			f.take(i, from)
		}
		return
	}
}

// titles gives what follows "called", or a colon, to the parameter for what something is called.
func (f *filling) titles() {
	open := f.texts(ofTitle)
	if len(open) == 0 || !open[0].Required && len(open) > 1 {
		return
	}
	for i := range f.s.words {
		from := i + 1
		if from >= len(f.s.words) || f.used[from] || !f.s.is(i, "called", "named", "titled", "entitled") && !(f.s.words[i].colon && open[0].Required && !f.isLabel(i)) {
			continue
		}
		end := from + 1
		for end < len(f.s.words) && !f.used[end] && !f.s.words[end-1].stop && f.s.words[end].quoted == f.s.words[from].quoted {
			end++
		}
		if place := f.placeWithin(from, end); place > 0 {
			end = place
		}
		leads := end < len(f.s.words) && f.used[end]
		for leads && end > from+1 && (f.isPreposition(end-1) || f.s.is(end-1, articles...)) {
			end-- // it leads to what follows
		}
		if f.give(open[0], from, end) && !f.s.words[i].colon {
			f.take(i, from)
		}
		return
	}
}

// placeWithin is where within a title the words for a place begin that the tool needs and that
// stand nowhere else; 0 when they do nowhere.
func (f *filling) placeWithin(from, end int) int {
	needs := slices.DeleteFunc(f.texts(ofPlace), func(p slot) bool { return !p.Required })
	if len(needs) != 1 {
		return 0
	}
	for i := range from - 1 {
		if f.s.is(i, "in", "on", "of", "for") {
			return 0
		}
	}
	for i := end - 2; i > from; i-- {
		if f.s.is(i, "in", "on", "for", "at") {
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
func (f *filling) places() {
	f.between()
	f.fromTo()
	f.ways()
	f.led()
	for _, p := range f.texts(anything, ofPlace, ofGiver, ofTaker) {
		for _, r := range f.runs(true) {
			if r[1] < len(f.s.words) && !f.s.words[r[1]-1].stop && len(p.words) == 1 && !isFiller(p.words[0]) && termOf(f.s.words[r[1]].lower) == p.words[0] && f.give(p, r[0], r[1]) {
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
				if p.Required && len(slices.DeleteFunc(f.open(true, domain.TypeString), func(s slot) bool { return s.closed })) == 1 && !slices.Contains([]kind{ofQuery, ofTaker}, p.kind) && !f.rivals() {
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
func (f *filling) leadsFrom(p slot, at int) {
	at--
	for f.s.is(at, "the", "a", "an", "my", "our") {
		at--
	}
	if f.s.is(at, "near", "around") {
		f.take(at, at+1)
	}
	if at--; at > 0 && !f.used[at] && !f.s.words[at].quoted && !isNameLike(f.s, at) && slices.Contains(p.about, termOf(f.s.words[at].lower)) {
		f.take(at, at+1)
	}
}

// led gives each of several strings that are needed what stands behind the word that leads to it in the
// tool's own description.
func (f *filling) led() {
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
func (f *filling) leadEnd(r [2]int) int {
	for i := r[0] + 1; i < r[1]; i++ {
		if f.isPreposition(i) && !f.s.is(i, "of") {
			return i
		}
	}
	return r[1]
}

// needy are the strings that are needed, and take whatever is left.
func (f *filling) needy() []slot {
	return slices.DeleteFunc(f.open(true, domain.TypeString), func(p slot) bool { return p.closed || isWhen(p.kind) || isCodeOnly(p) })
}

// ways gives a value that is listed to the parameter whose word leads to it: from savings to checking.
func (f *filling) ways() {
	for _, p := range f.open(false, domain.TypeString) {
		if len(p.choices) == 0 || p.kind != ofGiver && p.kind != ofTaker {
			continue
		}
		for i := 1; i < len(f.s.words); i++ {
			choice, _ := f.choiceAt(p, i)
			if choice == "" || f.used[i] || !f.leads(i, []string{strings.ToLower(p.words[0])}) {
				continue
			}
			f.params[p.Name] = choice
			f.worth += aChoice
			f.take(i, i+len(strings.Fields(choice)))
			break
		}
	}
}

// between gives "between Basel and Milan" to the parameters from where and to where.
func (f *filling) between() {
	givers, takers := f.texts(ofGiver), f.texts(ofTaker)
	if len(givers) != 1 || len(takers) != 1 {
		return
	}
	for i := range f.s.words {
		if !f.s.is(i, "between") || i+3 >= len(f.s.words) {
			continue
		}
		for and := i + 2; and < len(f.s.words)-1; and++ {
			end := and + 1
			for end < len(f.s.words) && !f.isTaken(end) && !f.s.words[end-1].stop {
				end++
			}
			if f.s.is(and, "and") && end > and+1 && !slices.Contains(f.used[i:end], true) && f.give(givers[0], i+1, and) && f.give(takers[0], and+1, end) {
				return
			}
		}
	}
}

// fromTo gives "Basel to Milan" to the parameters from where and to where.
func (f *filling) fromTo() {
	givers, takers := f.texts(ofGiver), f.texts(ofTaker)
	if len(givers) != 1 || len(takers) != 1 || !givers[0].Required || !takers[0].Required || hasAny(f.s, "from") {
		return
	}
	runs := f.runs(true)
	for i := 1; i < len(runs); i++ {
		if r, to := runs[i-1], runs[i]; to[0] == r[1]+1 && f.s.is(r[1], "to") && f.give(givers[0], r[0], r[1]) {
			f.give(takers[0], to[0], to[1])
			return
		}
	}
}

// rivals reports whether another open parameter may take what a place takes.
func (f *filling) rivals() bool {
	return len(f.texts(ofQuery, ofTitle, ofText, ofTaker, ofGiver, ofPlace)) > 1
}

// leads reports whether what begins at a word stands behind one of those.
func (f *filling) leads(at int, words []string) bool {
	at--
	for f.s.is(at, "the", "a", "an", "my", "our", "your", "its", "some", "any") {
		at--
	}
	return f.s.is(at, words...)
}

// several gives all that is left to a parameter that takes a list.
func (f *filling) several() {
	for _, p := range f.open(false, domain.TypeString) {
		if !p.list {
			continue
		}
		var parts []string
		runs := f.runs(true)
		for _, r := range runs {
			from := r[0]
			for i := r[0]; i <= r[1]; i++ {
				if i == r[1] || f.s.is(i, "and", "or", "with") {
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
func (f *filling) fillLast() {
	open := slices.DeleteFunc(f.open(true, domain.TypeString), func(p slot) bool { return p.closed && p.kind != ofCode })
	if len(open) != len(f.open(true, domain.TypeString)) {
		open = slices.DeleteFunc(open, func(p slot) bool { return p.kind == ofCode })
	}
	if len(open) == 0 && f.c.looks && f.isNamed {
		if f.owned() {
			return
		}
		open = slices.DeleteFunc(f.texts(anything, ofQuery, ofPlace, ofGiver), func(p slot) bool {
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
func (f *filling) fitRuns(p slot, runs [][2]int) [][2]int {
	if len(runs) > 1 && f.c.looks {
		runs = slices.DeleteFunc(runs, func(r [2]int) bool {
			return !f.leads(r[0], []string{"in", "for", "at", "of", "about", "to", "from", "on", "named", "called"})
		})
	}
	for n, r := range runs { // a history of something
		if f.c.looks && r[0]+2 < r[1] && f.s.is(r[0]+1, "of", "for") && f.l.known.describes(f.c.offered.Interface, termOf(f.s.words[r[0]].lower)) {
			runs[n][0] += 2
		}
	}
	runs = slices.DeleteFunc(runs, func(r [2]int) bool { return !f.mayTake(p, r) || !p.Required && f.isNameOf(p, r) })
	switch {
	case len(runs) == 0:
		return nil
	case p.kind == ofText && p.Required:
		return [][2]int{f.message(runs)}
	case !f.c.looks && len(f.texts(ofGiver)) == 0:
		return f.byNames(runs)
	}
	return runs
}

// mayTake reports whether a run of words can be what a parameter takes, by what stands around it.
func (f *filling) mayTake(p slot, r [2]int) bool {
	first, alone := f.s.words[r[0]].lower, r[1] == r[0]+1
	switch {
	case alone && isNumber(first) && p.kind != ofCode && !slices.Contains(p.about, "number") && (p.kind != anything || !isCode(first)):
		return false
	case alone && !p.Required && p.isSomebody() && !isNameLike(f.s, r[0]) && !f.s.words[r[0]].quoted && f.isAbout(r[1]):
		return false // it says which of what the tool is about: unpaid invoices
	case p.Required && f.c.looks && p.takesName() && f.s.is(r[0]-1, "a", "an", "another") && !isNameLike(f.s, r[0]) && !f.s.words[r[0]].quoted:
		return false // it is any, and none by its name
	case alone && !p.Required && f.c.looks && strings.HasSuffix(first, "ing") && !isNameLike(f.s, r[0]) && !f.s.words[r[0]].quoted && !f.isAbout(r[1]) && f.s.asks():
		return false // coming up
	case alone && p.shape == "" && p.kind != ofCode && f.isOthersID(p, r[0]), f.isOnlyDescribed(r):
		return false
	case !alone && isNumber(f.s.words[r[1]-1].lower) && f.isAbout(r[1]):
		return false // it ends with how many of them
	case alone && f.s.is(r[0]-1, "much") && !f.s.words[r[0]].quoted:
		return false // it is what is asked for
	case alone && f.c.looks && f.s.asks() && sameDeeds(first) != nil && !f.s.words[r[0]].quoted && !isNameLike(f.s, r[0]) && f.s.is(r[0]-1, "i", "we", "you", "they"):
		return false // it is what somebody does
	case alone && f.c.looks && f.s.asks() && f.l.known.describes(f.c.offered.Interface, termOf(first)) && !isNameLike(f.s, r[0]) && !f.leads(r[0], []string{"for", "about", "named", "called", "on", "of", "in", "from", "by"}):
		return false // another tool describes itself so
	case alone && f.c.looks && f.l.known.names(f.c, termOf(first)) && !f.leads(r[0], []string{"for", "about", "with", "named", "called", "on", "of"}):
		return false // another tool is named so
	case p.kind == ofPlace && !p.Required && f.leads(r[0], []string{"for", "about"}) && !hasWord(p, "city", "location", "country", "place", "station", "town", "region", "area", "zone", "room"):
		return false
	case f.c.looks && (p.kind == ofPlace || p.kind == ofQuery && f.s.question) && !f.isBeside(r):
		return false
	case !f.c.looks && p.kind != ofPlace && p.kind != ofText && r[0] < 4 && f.leads(r[0], []string{"at", "in", "with", "under"}):
		return false // the verb has something else in mind: to queue at the bank
	}
	onlyVerb := len(f.c.things) == 1 && termOf(f.s.words[0].lower) == f.c.things[0]
	return !p.isName() || f.isNamed && !onlyVerb || !f.s.is(r[0]-1, articles...) && !f.s.is(r[0]-1, "this", "that")
}

// isNameOf reports whether a run is the name of one of what the tool is about, which an optional
// parameter for something else doesn't take: the candidate Tomas.
func (f *filling) isNameOf(p slot, r [2]int) bool {
	if r[0] < 2 || !isNameLike(f.s, r[0]) || !f.s.is(r[0]-2, articles...) {
		return false
	}
	t := termOf(f.s.words[r[0]-1].lower)
	return slices.Contains(f.c.things, t) && !slices.Contains(p.words, t) && !slices.Contains(p.about, t)
}

// isOthersID reports whether a word is an id as another tool of the interface takes it, under another
// name than a parameter's.
func (f *filling) isOthersID(to slot, i int) bool {
	return isCode(f.s.words[i].lower) && slices.ContainsFunc(f.l.known.tools, func(c candidate) bool {
		return c.offered.Interface == f.c.offered.Interface && slices.ContainsFunc(c.slots, func(p slot) bool { return p.shape != "" && p.Name != to.Name && p.shape == shapeOf(f.s.words[i].lower) })
	})
}

// isOnlyDescribed reports whether the words up to the end of a run are those by which the tool says what
// it does: "feed the fish" names no tank.
func (f *filling) isOnlyDescribed(r [2]int) bool {
	words := make([]string, r[1])
	for i := range words {
		words[i] = f.s.words[i].lower
	}
	return r[1] > 1 && strings.Contains(strings.Join(textWords(f.c.offered.Description), " ")+" ", strings.Join(words, " ")+" ")
}

// isSomebody reports whether a parameter takes who somebody is.
func (p slot) isSomebody() bool {
	return hasWord(p, "client", "customer", "person", "user", "owner", "assignee", "author", "artist", "contact", "merchant", "candidate")
}

// takesName reports whether a parameter says that it takes the name of something.
func (p slot) takesName() bool {
	return p.kind != ofQuery && len(p.about) > 0 && (p.about[0] == "name" || p.about[len(p.about)-1] == "name")
}

// isName reports whether a parameter takes what has a name of its own, and no article.
func (p slot) isName() bool {
	return hasWord(p, "symbol", "ticker", "city", "country", "station", "town", "isin", "code", "currency", "language", "airport")
}

// message is all from the first to the last of several runs, and the small words around them: a text
// is taken as it is said, up to what leads on to another value.
func (f *filling) message(runs [][2]int) [2]int {
	from, to := runs[0][0], runs[len(runs)-1][1]
	if slices.Contains(f.used[from:to], true) {
		from, to = runs[0][0], runs[0][1]
	}
	for from > 1 && !f.used[from-1] && !f.isAbout(from-1) && !f.isPreposition(from-1) {
		from--
	}
	for to < len(f.s.words) && !f.used[to] && !f.isPreposition(to) {
		to++
	}
	return [2]int{from, to}
}

// owned gives who has something to the only parameter for a person: "what tickets does Maria have".
func (f *filling) owned() bool {
	people := f.texts(ofTaker, ofGiver)
	if len(people) != 1 {
		return false
	}
	for _, r := range f.runs(true) {
		if f.s.is(r[0]-1, "does", "has", "did") && isNameLike(f.s, r[0]) {
			return f.give(people[0], r[0], r[1])
		}
	}
	return false
}

// byNames are runs of which those with only "by" between them are one: a song by someone.
func (f *filling) byNames(runs [][2]int) [][2]int {
	out := runs[:1:1]
	for _, r := range runs[1:] {
		last := &out[len(out)-1]
		between := last[1]
		for f.s.is(between, "by", "the", "from", "feat", "featuring") && !f.used[between] {
			between++
		}
		if between != r[0] || f.s.words[r[0]-1].stop {
			out = append(out, r)
			continue
		}
		last[1] = r[1]
	}
	return out
}

// isBeside reports whether something stands behind a word that leads to it, or beside what the
// tool is about.
func (f *filling) isBeside(r [2]int) bool {
	return f.leads(r[0], []string{"in", "for", "at", "of", "about", "to", "from", "on", "with", "near", "around", "named", "called", "is", "does", "do", "has", "there"}) ||
		f.isAbout(r[1]) || r[0] > 1 && f.isAbout(r[0]-1) || len(f.s.words) < 4
}

// isAbout reports whether a word is one of what the tool is about.
func (f *filling) isAbout(i int) bool {
	return i < len(f.s.words) && !f.s.words[i].quoted && f.c.terms[termOf(f.s.words[i].lower)] > asGeneric
}

// isCodeOnly reports whether a parameter takes an id: no word will do.
func isCodeOnly(p slot) bool {
	words := nameWords(p.Name)
	if slices.Contains(p.about, "title") || slices.Contains(p.about, "name") {
		return false // or by what it is called
	}
	return p.shape != "" || len(words) > 0 && slices.Contains([]string{"id", "uuid", "code", "key"}, words[len(words)-1])
}

// runs are the words in a row that nothing was made of yet. "of" within one
// belongs to it: the Isle of Man, bottles of oil.
func (f *filling) runs(described bool) [][2]int {
	var out [][2]int
	taken := func(i int) bool {
		if f.used[i] || f.s.words[i].quoted {
			return f.used[i]
		}
		return isFiller(f.s.words[i].lower) && !isNumber(f.s.words[i].lower) && !(i > 0 && isNameLike(f.s, i) && f.s.words[i].lower != "i") || isSwitch(f.s.words[i].lower) || f.isToolWord(i, described)
	}
	for i := 0; i < len(f.s.words); i++ {
		if taken(i) || f.leadsOn(i) || i == 0 && f.strange {
			continue
		}
		end := i + 1
		number := isNumber(f.s.words[i].lower)
		for end < len(f.s.words) && !f.s.words[end-1].stop && !f.s.words[end-1].colon && !f.leadsOn(end) && !(number && f.s.is(end, "of")) && (!taken(end) || f.joinsTo(end, taken) || f.belongs(end)) {
			end++
		}
		out = append(out, [2]int{i, end})
		i = end - 1
	}
	return out
}

// furtherWords lead to something else than what stands before them. What they say isn't idle, so
// where nothing is made of it the tool is asked about.
var furtherWords = wordsIn(`using via through without within during after before since until till near around across along among behind beside besides despite except inside outside plus toward towards under below above over upon because while unless whether`)

// leadsOn reports whether a word ends what is one thing.
func (f *filling) leadsOn(i int) bool {
	return i >= 0 && !f.s.words[i].quoted && furtherWords[f.s.words[i].lower]
}

// joins reports whether a word may stand within what is one thing.
func (f *filling) joins(i int) bool { return !f.used[i] && f.s.is(i, "of", "the", "and") }

// joinsTo reports whether what begins at a word joins it to a part of the same name: Isle of Man,
// Klara and the Sun.
func (f *filling) joinsTo(i int, taken func(int) bool) bool {
	next := i + 1
	if f.joins(i) && f.s.is(next, "the") && !f.s.is(i, "the") {
		next++
	}
	return f.joins(i) && next < len(f.s.words) && !taken(next) && (next == i+1 && f.s.is(i, "of") || isNameLike(f.s, next))
}

// belongs reports whether a word of the tool's is a part of a name before it: a living room, and
// the desk lamp where it is lamps that have names.
func (f *filling) belongs(i int) bool {
	if f.used[i] || f.s.words[i].quoted {
		return false
	}
	if f.s.is(i, "room") && strings.HasSuffix(f.s.words[i-1].lower, "ing") {
		return true
	}
	t := termOf(f.s.words[i].lower)
	return slices.Contains([]string{"light", "door", "television", "speaker", "fan", "plug", "blind", "camera", "heater", "lock"}, t) && slices.ContainsFunc(f.c.slots, func(p slot) bool {
		_, given := f.params[p.Name]
		return !given && p.Type == domain.TypeString && p.words[len(p.words)-1] != t && slices.Contains(p.about, t)
	})
}
