package hearing

import (
	"strings"

	"chalie/domain/language/lists"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// removals are ways to say that something is to go which don't say what it is: an entry, a task, a
// list, an appointment. What it is stands for *which.
var removals = []sentences.Phrase{
	"delete|remove|erase|drop|scrap|scratch|ditch|trash|nix|strike|axe|unlist|kill *which", "lose the|my|our *which", "get rid of *which", "do away with *which", "throw|toss *which away|out", "throw|toss away|out *which", "take away *which",
	"take|cross|strike|scratch|knock *which off please?", "take|cross|strike|scratch|knock off *which", "cross|scratch|strike *which out", "cross|scratch|strike out *which",
}

// unneeded are ways to say that something isn't needed any more.
var unneeded = []sentences.Phrase{
	"i|we do not need|want the|any|more? *which any more|longer", "i|we do not need|want the|any|more? *which anymore", "i|we no longer need|want the|any? *which",
	"no longer need|want the|any? *which", "do not need|want the|any|more? *which any more|longer", "do not need|want the|any|more? *which anymore", "*which not|unneeded needed|required anymore?",
	"no need for the|any|more? *which", "no need to buy|get the|any|more? *which", "i|we will|won not need|want the|any|more? *which", "i|we am|are good on|for *which", "i|we am|are all? set with|on|for *which",
	"no more *which needed|required|wanted", "*which is|are no longer needed|wanted|required", "*which is|are not needed|wanted|required any more|longer", "*which is|are not needed|wanted|required anymore",
}

// had are ways to say that something was got that may have been wanted.
var had = []sentences.Phrase{
	"uncheck|untick *which", "tick|check|cross *which off", "tick|check|cross off *which",
	"already have|got the|some|our|my|enough? *which", "i|we already have|got the|some|our|my|enough? *which", "i|we have already got the|some|our|my|enough? *which", "i|we have|got the|some|our|my|enough? *which already",
}

// got are ways to say that something was got, in words that say so of much else.
var got = []sentences.Phrase{"i|we have? just|already|finally? got the|some|our *which", "got the|our *which", "i|we have? just|already|finally? picked up the|some|our? *which", "picked up the|some|our *which"}

// courtesies end a sentence and say nothing of what is to go.
var courtesies = []string{"please", "pls", "thanks", "thank you", "for me", "too", "as well", "then", "for good", "entirely", "completely", "if you can", "will you", "would you"}

// elsewhereKept are things that are removed from where Chalie keeps nothing.
var elsewhereKept = sentences.WordsIn(`song songs track music album playlist light lights lamp email emails mail message messages text texts photo photos picture folder app apps contact contacts account history post
	tweet tweets volume page tab window bookmark podcast station channel temperature heat cart order orders me you him us myself cookies cache data password download video videos comment number gear subject hint ball beat line bass weight subscription membership account service uber taxi cab search playback
	repository repositories repo repos branch branches commit commits pull`)

// removes hears that something is to go where nothing says its kind: "scratch coffee", "get rid of
// the brunch", "delete Ted", "we don't need eggs any more".
func (l Listener) removes(s sentences.Said) (tools.Intent, bool) {
	for n := s.Ends(courtesies); n > 0 && n < len(s.Words); n = s.Ends(courtesies) {
		s = s.UpTo(len(s.Words) - n)
	}
	if s.Question || len(s.Words) > maxRemovedWords || sentences.HasAny(s, "list", "lists") || sentences.AnyOf(s, elsewhereKept) {
		return tools.Intent{}, false
	}
	if c, ok := s.Any(had...); ok && l.isRemovable(c.Sentence("which")) {
		return l.removal(s, c.Sentence("which"), "done"), true
	}
	if c, ok := s.Any(got...); ok && l.isRemovable(c.Sentence("which")) {
		if sentences.HasAny(s, "picked") {
			return plans.BehindOf(plans.Completes(c.Sentence("which")), "picked up"), true
		}
		return plans.BehindOf(plans.Completes(c.Sentence("which")), "got"), true
	}
	if c, ok := s.Any(unneeded...); ok && l.isRemovable(c.Sentence("which")) && !sentences.HasAny(s, "help") {
		return l.removal(s, c.Sentence("which"), ""), true
	}
	s, _ = withoutWhy(plans.WithoutReason(s)).Request()
	if c, ok := s.Any(removals...); ok && l.isRemovable(c.Sentence("which")) && !l.isChore(s, c.Sentence("which")) {
		return l.removal(s, c.Sentence("which"), ""), true
	}
	return tools.Intent{}, false
}

// maxRemovedWords bounds a sentence that is nothing but what is to go.
const maxRemovedWords = 14

// isChore reports whether it may be something to do then: throw out the rubbish tonight, drop the
// kids at school. What is in mind is none.
func (l Listener) isChore(s, object sentences.Said) bool {
	f := l.FrameOf(object.All())
	switch {
	case l.IsKnown(object):
		return false
	case s.Is(0, "throw", "toss", "get", "take", "knock"):
		return f.Time != ""
	}
	for i := range f.S.Words {
		if s.Is(0, "drop") && i > 0 && !f.Used[i] && f.S.Is(i, "at", "to", "with", "into", "in", "on", "by") {
			return true
		}
	}
	return false
}

// isRemovable reports whether words name something without saying its kind.
func (l Listener) isRemovable(which sentences.Said) bool {
	if len(which.Words) == 0 || sentences.IsPointing(which.All()) || plans.Pointers.MatchString(which.All()) || sentences.IsNobody(which) || sentences.HasStop(which) && !(sentences.IsThing(which) && sentences.HasAny(which, "and")) {
		return false
	}
	for len(which.Words) > 1 && which.Is(0, "all", "the", "of", "my", "our") {
		which = which.From(1)
	}
	if which.Is(0, "a", "an", "by", "in", "on", "to", "into", "from", "off", "out", "up", "down", "back", "dead", "what", "whatever", "it", "that", "this", "these", "those", "them", "her", "his", "some", "any", "anything", "something", "everything", "nothing", "everyone") || sentences.HasAny(which, "list", "all", "every", "everything", "items", "entries", "things", "stuff", "time", "money", "clothes", "shoes", "coat", "hat", "jacket", "socks", "makeup", "lid", "edge", "both", "each", "i", "we", "you", "from", "off", "duplicates", "one", "ones", "calendar") {
		return false
	}
	for _, w := range which.Words {
		if n := sentences.Nouns[w.Lower]; n != sentences.NoNoun {
			return false
		}
	}
	f := l.FrameOf(which.All())
	return l.Timing(which.All()).When != "" || f.Time != "" || sentences.IsThing(which) || len(which.Words) <= 6
}

// withoutWhy is a sentence without a clause behind it that says why, where no comma parts them:
// take coffee off we don't need it.
func withoutWhy(s sentences.Said) sentences.Said {
	for i := 2; i+1 < len(s.Words); i++ {
		if why := s.From(i); s.Words[i-1].Stop && (lists.IsReason(why) || why.Is(0, "his", "her", "their", "he", "she", "there", "no", "the", "my", "our") && sentences.HasAny(why, "is", "are", "was", "has", "have", "got") && lists.IsReason(sentences.Said{Text: why.Text, Words: append([]sentences.Word{{Lower: "it"}}, why.Words...)})) {
			return s.UpTo(i)
		}
		if i < 3 {
			continue
		}
		if s.Is(i, "i", "we") && s.Is(i+1, "do", "have", "already", "got", "bought", "no", "am", "are") || s.Is(i, "it") && s.Is(i+1, "is", "was", "has") || s.Is(i, "because", "since") {
			return s.UpTo(i)
		}
	}
	return s
}

// removal is what is to go by its words and its time.
func (l Listener) removal(s, object sentences.Said, action string) tools.Intent {
	f, which, _, _ := l.EndNames(s, sentences.Said{}, object)
	params := map[string]any{}
	if action != "" {
		params["action"] = action
	}
	if during := l.During(f); during != "" {
		params["during"] = during
	}
	if p := f.Position(); p != "" {
		which = append([]string{p}, which...)
	}
	switch {
	case sentences.HasAny(object, "and") && params["during"] == nil:
		params["which"] = lists.ItemsOf(object)
	case len(which) > 0:
		params["which"] = strings.Join(which, " ")
	case params["during"] == nil:
		params["which"] = object.All()
	}
	return tools.Intent{Tool: tools.SkillRemove, Weak: true, Params: params, Subject: "which"}
}
