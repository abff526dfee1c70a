package hearing

import (
	"slices"
	"strings"

	"chalie/domain/language/deed"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// condition is a clause of a request that says when or whether it is to be done: if it rains.
type condition struct {
	text     string // the clause, as it was said
	before   string // the request before it
	behind   string // and behind it
	occasion bool   // it says when, and not whether
	open     bool   // no comma ends it, so that nobody knows where the request begins
	polite   bool   // it is none, but a courtesy: if you can
}

// UnderCondition is what was heard of a text, or a question where it would be done at once though the text says
// to do it when or if something is so that nobody here can know. A time of day and the time of a plan are
// known: what is to be told then stays.
func (l Listener) UnderCondition(text string, heard []tools.Intent) []tools.Intent {
	c, ok := conditionIn(text)
	switch {
	case !ok || len(heard) == 1 && heard[0].Ask.ID == "ask.cannot_know":
		return heard
	case c.polite:
		if plainly := l.Hears(c.behind); len(plainly) > 0 {
			return plainly
		}
		return heard
	}
	what := text
	request := heard
	switch {
	case c.before != "":
		switch first := l.Hears(c.before); {
		case len(heard) == 0:
			request = first
		case heard[0].Offer || !l.changesAny(heard, c):
			request = slices.DeleteFunc(first, func(in tools.Intent) bool { return !ends(in) })
		}
		if !l.ignores(c, heard) && !l.ignores(c, request) && !l.isRemindedIf(c, heard) {
			return heard
		}
	default:
		request = l.behindCondition(&c)
		if len(request) == 0 && c.open || !l.changesAny(request, c) && l.changesAny(heard, c) {
			request = heard
		}
		if !l.changesAny(request, c) {
			return heard
		}
	}
	if len(request) == 1 && request[0].Tool == tools.SkillRemind {
		if told, ok := request[0].Params["what"].(string); ok && c.before == "" {
			what = told + ", " + c.text
		} else if ok {
			what = told
		}
	}
	return []tools.Intent{l.cantKnow(c, what)}
}

// cantKnow asks for a time at which to remind of what can't be done under a condition.
func (l Listener) cantKnow(c condition, what string) tools.Intent {
	return tools.Intent{Tool: tools.SkillRemind, Params: map[string]any{"what": strings.TrimRight(what, sentences.Closing)}, Subject: "what", Moment: "when", Missing: "when",
		Ask: tools.Says("ask.cannot_know", "what", c.text)}
}

// behindCondition is what is asked for behind a condition in front. Where no comma ends it, the request begins
// with the first word that asks for something.
func (l Listener) behindCondition(c *condition) []tools.Intent {
	if !c.open {
		return l.Hears(c.behind)
	}
	const most = 3
	tried := 0
	for _, w := range tools.PlainWordsOf(c.text) {
		if w.Start == 0 || tried == most || !deed.Asks(w.Word, "") && !requesting[w.Word] {
			continue
		}
		tried++
		if heard := l.Hears(c.text[w.Start:]); len(heard) > 0 {
			c.text = strings.TrimSpace(c.text[:w.Start])
			return heard
		}
	}
	return nil
}

// requesting are words that begin a request, and name no deed of a tool alone.
var requesting = sentences.WordsIn(`remind wake turn put set cancel move add take delete make erinner erinnere weck wecke mach mache schalt stell setz setze leg sag verschieb losch
	rappelle reveille mets ajoute annule decale recuerdame despiertame avisame pon anade cancela anula mueve`)

// changesAny reports whether one of several intents changes something, or asks what an answer would have changed.
// What is only remembered is no deed, and when to tell is known where a condition says no more than when.
func (l Listener) changesAny(all []tools.Intent, c condition) bool {
	return slices.ContainsFunc(all, func(in tools.Intent) bool {
		if in.Tool == tools.SkillRemember || in.Tool == tools.SkillRemind && (c.occasion || !in.Ask.IsZero() && in.Missing == "" && !in.Offer) {
			return false
		}
		if !in.Ask.IsZero() && in.Missing == "" && !in.Offer && len(in.Among) == 0 {
			return false
		}
		if in.Tool == tools.SkillList && in.Params["action"] == "show" {
			return false
		}
		o, known := l.Offered(in.Tool)
		return known && o.SideEffects
	})
}

// ends reports whether an intent ends or moves what is kept.
func ends(in tools.Intent) bool {
	action, _ := in.Params["action"].(string)
	return in.Tool == tools.SkillRemove || in.Tool == tools.SkillForget || slices.Contains([]string{"cancel", "move", "skip", "pause", "drop", "complete", "done"}, action)
}

// ignores reports whether a condition behind a request, or in its midst, is in none of what is done: it isn't told
// to a tool, and isn't in a text that is kept. A name that nothing has may have been read from it.
func (l Listener) ignores(c condition, all []tools.Intent) bool {
	if !l.changesAny(all, c) {
		return false
	}
	said := tools.TellingOf(c.text)
	for _, in := range all {
		if ends(in) && l.isUnknown(in) {
			continue
		}
		for _, value := range in.Params {
			if text, ok := value.(string); ok && slices.ContainsFunc(tools.TellingOf(text), func(w string) bool { return slices.Contains(said, w) }) {
				return false
			}
		}
	}
	return true
}

// isRemindedIf reports whether a reminder is to come only if something is so: the words lead on from who is to be
// reminded, or its only time is the condition's.
func (l Listener) isRemindedIf(c condition, heard []tools.Intent) bool {
	if c.occasion || len(heard) != 1 || heard[0].Tool != tools.SkillRemind || !heard[0].Ask.IsZero() {
		return false
	}
	words := tools.PlainWordsOf(c.before)
	for _, w := range words[max(0, len(words)-3):] {
		if asksWhether[w.Word] {
			return false
		}
	}
	first := l.Hears(c.before)
	return len(first) == 0 || !first[0].Ask.IsZero() && first[0].Tool == tools.SkillRemind
}

// asksWhether are verbs behind which an "if" only says what is to be found out.
var asksWhether = sentences.WordsIn(`ask see check know tell find look wonder sure decide demander demande voir verifier verifie savoir regarder regarde preguntar pregunta preguntarle preguntale ver mirar mira saber comprobar comprueba`)

var (
	// ifs begin a condition, and whens one that says no more than when.
	ifs   = sentences.WordsIn("if unless wenn falls sofern si siempre")
	whens = sentences.WordsIn("when whenever sobald quand lorsque lorsqu cuando apenas")
	// openers and occasions are those that begin with several words.
	openers = [][]string{
		{"in", "case"}, {"provided", "that"}, {"provided"}, {"assuming"}, {"on", "condition"}, {"es", "sei", "denn"}, {"vorausgesetzt"}, {"au", "cas", "ou"}, {"a", "moins", "que"}, {"a", "condition", "que"},
		{"en", "caso", "de"}, {"a", "menos", "que"}, {"a", "no", "ser"}, {"con", "tal", "de"},
		{"s", "il"}, {"s", "ils"},
	}
	occasions = [][]string{{"as", "soon", "as"}, {"the", "moment"}, {"each", "time"}, {"every", "time"}, {"once", "i"}, {"once", "we"}, {"once", "everybody"}, {"once", "everyone"}, {"once", "he"}, {"once", "she"}, {"once", "they"}, {"once", "the"}, {"once", "it"}, {"des", "que"}, {"aussitot", "que"}, {"chaque", "fois"}, {"en", "cuanto"}, {"tan", "pronto"}, {"cada", "vez"}, {"jedes", "mal"}}
	// asking are the words behind a "should" that asks what to do.
	asking = sentences.WordsIn("i we you")
	// precautions are the second words of those that lead to a reason, behind a request: take it in case it rains.
	precautions = sentences.WordsIn("case cas caso")
	// polite are all the words of a condition that is none: if you can, if it's no trouble.
	polite = sentences.WordsIn(`you can could would like want wish will please mind have had get got time minute moment chance second free possible that's that s it's it is isn t don n't not no too much trouble problem bother ok okay fine all right alright a the at to do this me for be so kind necessary needed
		du sie es kannst konntest konnten konnen geht ginge moglich magst mochtest mochten willst wollen hast haben zeit dir ihnen nichts nicht ausmacht ausmachen ist macht recht ok bitte einen moment gerade kurz mal
		tu vous peux peut pouvez pourrais pourriez veux voulez est c possible ca ne te vous derange gene pas le temps as avez plait il un instant moment cela
		puedes puede pudieras podrias podria quieres quiere es posible no te le importa importaria molesta molestia tienes tiene tiempo un momento rato por favor`)  //nolint:misspell // Spanish
	// ahead may stand before a condition that begins a request.
	ahead = sentences.WordsIn("please ok okay and also but then hey well fine so oh hi chalie und dann bitte also ach ja aber et alors puis mais bon y entonces pues pero vale bueno oye yes no nein non")
)

// beginsAt reports whether a condition begins at a word, and whether it says no more than when.
func beginsAt(words []tools.PlainWord, i int) (begins, occasion bool) {
	has := func(row []string) bool {
		for j, w := range row {
			if i+j+1 >= len(words) || words[i+j].Word != w {
				return false
			}
		}
		return true
	}
	switch {
	case i+1 < len(words) && ifs[words[i].Word] && (words[i].Word != "siempre" || words[i+1].Word == "que"):
		return true, false
	case i+1 < len(words) && whens[words[i].Word]:
		return true, true
	case slices.ContainsFunc(openers, has), i+2 < len(words) && words[i].Word == "should" && !asking[words[i+1].Word]:
		return true, false
	}
	if slices.ContainsFunc(occasions, has) {
		return true, true
	}
	return false, false
}

// conditionIn finds the condition of a text: in front up to its comma, in the midst, or at its end. What is
// quoted, and what is only polite, is none.
func conditionIn(text string) (condition, bool) {
	if len(text) > tools.MaxPlainText {
		return condition{}, false
	}
	words := tools.PlainWordsOf(text)
	quoted := sentences.QuotedParts(text)
	front := 0
	for front < len(words) && ahead[words[front].Word] {
		front++
	}
	for i := range words {
		begins, occasion := beginsAt(words, i)
		from := words[i].Start
		if !begins || slices.ContainsFunc(quoted, func(q [2]int) bool { return from >= q[0] && from < q[1] }) || strings.HasPrefix(strings.ToLower(text[from:]), "sí") || strings.Contains(text, ": ") && strings.Index(text, ": ") < from {
			continue
		}
		length := strings.IndexAny(text[from:], ",;!") // with the marks of the language
		c := condition{text: strings.TrimRight(text[from:], sentences.Closing), occasion: occasion, open: length < 0}
		if length >= 0 {
			c.text, c.behind = text[from:from+length], strings.TrimSpace(text[from+length+1:])
		}
		clause := tools.PlainWordsOf(c.text)
		if len(clause) < 2 || i > front && precautions[clause[1].Word] || clause[0].Word == "should" && (i > front || c.open || strings.Contains(text, "?")) {
			continue
		}
		if c.polite = c.isPolite(clause); c.polite {
			if i > front || c.open || c.behind == "" {
				continue
			}
			return c, true
		}
		if i > front {
			c.before = strings.TrimRight(strings.TrimSpace(text[:from]), ",;")
			return c, len(tools.PlainWordsOf(c.before)) > 1
		}
		return c, c.behind != "" || c.open && !asksFirst(clause)
	}
	return condition{}, false
}

// isPolite reports whether a condition is none, but a courtesy: if you can.
func (c condition) isPolite(clause []tools.PlainWord) bool {
	rest := slices.IndexFunc(clause[1:], func(w tools.PlainWord) bool { return !polite[w.Word] })
	return rest < 0 || c.open && rest > 0 && (deed.Asks(clause[1+rest].Word, "") || requesting[clause[1+rest].Word])
}

// asksFirst reports whether a condition is none, but a yes before a request: si, cancela la cita.
func asksFirst(clause []tools.PlainWord) bool {
	return clause[0].Word == "si" && (deed.Asks(clause[1].Word, "") || requesting[clause[1].Word])
}
