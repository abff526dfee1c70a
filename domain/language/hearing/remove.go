package hearing

import "strings"

// skillRemove is the skill that removes what some words name, whatever it is.
const skillRemove = "remove"

// removals are ways to say that something is to go which don't say what it is: an entry, a task, a
// list, an appointment. What it is stands for *which.
var removals = []phrase{
	"delete|remove|erase|drop|scrap|scratch|ditch|trash|nix|strike|axe|unlist|kill *which", "lose the|my|our *which", "get rid of *which", "do away with *which", "throw|toss *which away|out", "throw|toss away|out *which", "take away *which",
	"take|cross|strike|scratch|knock *which off please?", "take|cross|strike|scratch|knock off *which", "cross|scratch|strike *which out", "cross|scratch|strike out *which",
}

// unneeded are ways to say that something isn't needed any more.
var unneeded = []phrase{
	"i|we do not need|want the|any|more? *which any more|longer", "i|we do not need|want the|any|more? *which anymore", "i|we no longer need|want the|any? *which",
	"no longer need|want the|any? *which", "do not need|want the|any|more? *which any more|longer", "do not need|want the|any|more? *which anymore", "*which not|unneeded needed|required anymore?",
	"no need for the|any|more? *which", "no need to buy|get the|any|more? *which", "i|we will|won not need|want the|any|more? *which", "i|we am|are good on|for *which", "i|we am|are all? set with|on|for *which",
	"no more *which needed|required|wanted", "*which is|are no longer needed|wanted|required", "*which is|are not needed|wanted|required any more|longer", "*which is|are not needed|wanted|required anymore",
}

// had are ways to say that something was got that may have been wanted.
var had = []phrase{
	"uncheck|untick *which", "tick|check|cross *which off", "tick|check|cross off *which",
	"already have|got the|some|our|my|enough? *which", "i|we already have|got the|some|our|my|enough? *which", "i|we have already got the|some|our|my|enough? *which", "i|we have|got the|some|our|my|enough? *which already",
}

// got are ways to say that something was got, in words that say so of much else.
var got = []phrase{"i|we have? just|already|finally? got the|some|our *which", "got the|our *which", "i|we have? just|already|finally? picked up the|some|our? *which", "picked up the|some|our *which"}

// courtesies end a sentence and say nothing of what is to go.
var courtesies = []string{"please", "pls", "thanks", "thank you", "for me", "too", "as well", "then", "for good", "entirely", "completely", "if you can", "will you", "would you"}

// elsewhereKept are things that are removed from where Chalie keeps nothing.
var elsewhereKept = wordsIn(`song songs track music album playlist light lights lamp email emails mail message messages text texts photo photos picture folder app apps contact contacts account history post
	tweet tweets volume page tab window bookmark podcast station channel temperature heat cart order orders me you him us myself cookies cache data password download video videos comment number gear subject hint ball beat line bass weight subscription membership account service uber taxi cab search playback
	repository repositories repo repos branch branches commit commits pull`)

// removes hears that something is to go where nothing says its kind: "scratch coffee", "get rid of
// the brunch", "delete Ted", "we don't need eggs any more".
func (l listener) removes(s said) (intent, bool) {
	for n := s.ends(courtesies); n > 0 && n < len(s.words); n = s.ends(courtesies) {
		s = s.upTo(len(s.words) - n)
	}
	if s.question || len(s.words) > maxRemovedWords || hasAny(s, "list", "lists") || anyOf(s, elsewhereKept) {
		return intent{}, false
	}
	if c, ok := s.any(had...); ok && l.isRemovable(c.sentence("which")) {
		return l.removal(s, c.sentence("which"), "done"), true
	}
	if c, ok := s.any(got...); ok && l.isRemovable(c.sentence("which")) {
		if hasAny(s, "picked") {
			return completes(c.sentence("which")).behind("picked up"), true
		}
		return completes(c.sentence("which")).behind("got"), true
	}
	if c, ok := s.any(unneeded...); ok && l.isRemovable(c.sentence("which")) && !hasAny(s, "help") {
		return l.removal(s, c.sentence("which"), ""), true
	}
	s, _ = s.withoutReason().withoutWhy().request()
	if c, ok := s.any(removals...); ok && l.isRemovable(c.sentence("which")) && !l.isChore(s, c.sentence("which")) {
		return l.removal(s, c.sentence("which"), ""), true
	}
	return intent{}, false
}

// maxRemovedWords bounds a sentence that is nothing but what is to go.
const maxRemovedWords = 14

// isChore reports whether it may be something to do then: throw out the rubbish tonight, drop the
// kids at school. What is in mind is none.
func (l listener) isChore(s, object said) bool {
	f := l.frameOf(object.all())
	switch {
	case l.isKnown(object):
		return false
	case s.is(0, "throw", "toss", "get", "take", "knock"):
		return f.time != ""
	}
	for i := range f.s.words {
		if s.is(0, "drop") && i > 0 && !f.used[i] && f.s.is(i, "at", "to", "with", "into", "in", "on", "by") {
			return true
		}
	}
	return false
}

// isRemovable reports whether words name something without saying its kind.
func (l listener) isRemovable(which said) bool {
	if len(which.words) == 0 || isPointing(which.all()) || pointers.MatchString(which.all()) || isNobody(which) || hasStop(which) && !(isThing(which) && hasAny(which, "and")) {
		return false
	}
	for len(which.words) > 1 && which.is(0, "all", "the", "of", "my", "our") {
		which = which.from(1)
	}
	if which.is(0, "a", "an", "by", "in", "on", "to", "into", "from", "off", "out", "up", "down", "back", "dead", "what", "whatever", "it", "that", "this", "these", "those", "them", "her", "his", "some", "any", "anything", "something", "everything", "nothing", "everyone") || hasAny(which, "list", "all", "every", "everything", "items", "entries", "things", "stuff", "time", "money", "clothes", "shoes", "coat", "hat", "jacket", "socks", "makeup", "lid", "edge", "both", "each", "i", "we", "you", "from", "off", "duplicates", "one", "ones", "calendar") {
		return false
	}
	for _, w := range which.words {
		if n := nouns[w.lower]; n != noNoun {
			return false
		}
	}
	f := l.frameOf(which.all())
	return l.timing(which.all()).when != "" || f.time != "" || isThing(which) || len(which.words) <= 6
}

// withoutWhy is a sentence without a clause behind it that says why, where no comma parts them:
// take coffee off we don't need it.
func (s said) withoutWhy() said {
	for i := 2; i+1 < len(s.words); i++ {
		if why := s.from(i); s.words[i-1].stop && (isReason(why) || why.is(0, "his", "her", "their", "he", "she", "there", "no", "the", "my", "our") && hasAny(why, "is", "are", "was", "has", "have", "got") && isReason(said{text: why.text, words: append([]word{{lower: "it"}}, why.words...)})) {
			return s.upTo(i)
		}
		if i < 3 {
			continue
		}
		if s.is(i, "i", "we") && s.is(i+1, "do", "have", "already", "got", "bought", "no", "am", "are") || s.is(i, "it") && s.is(i+1, "is", "was", "has") || s.is(i, "because", "since") {
			return s.upTo(i)
		}
	}
	return s
}

// removal is what is to go by its words and its time.
func (l listener) removal(s, object said, action string) intent {
	f, which, _, _ := l.endNames(s, said{}, object)
	params := map[string]any{}
	if action != "" {
		params["action"] = action
	}
	if during := l.during(f); during != "" {
		params["during"] = during
	}
	if p := f.position(); p != "" {
		which = append([]string{p}, which...)
	}
	switch {
	case hasAny(object, "and") && params["during"] == nil:
		params["which"] = itemsOf(object)
	case len(which) > 0:
		params["which"] = strings.Join(which, " ")
	case params["during"] == nil:
		params["which"] = object.all()
	}
	return intent{tool: skillRemove, weak: true, params: params, subject: "which"}
}

// kindless reports whether a sentence that ends something says nothing of its kind, and not that
// it is cancelled, which plans are.
func kindless(s said) bool {
	for _, w := range s.words {
		if nouns[w.lower] != noNoun || inWords("wake remind reminding telling notifying cancel cancelled canceled call called skip attend", w.lower) && !(w.lower == "called" && hasAny(s, "take", "remove", "off")) {
			return false
		}
	}
	return hasAny(s, "delete", "remove", "erase", "drop", "scrap", "scratch", "ditch", "trash", "take", "get", "strike", "kill")
}
