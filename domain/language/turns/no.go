package turns

import (
	"slices"
	"strings"

	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/tools"
)

// isDropped reports whether what was said is the no to a question or an offer that is open, in
// whichever language, also around a yes.
func (l Talk) isDropped() bool {
	if _, answers := tongues.AnswerIn(l.P.Asked.Text); answers {
		return saysNo(l.P.Asked.Text) && l.isAsked()
	}
	return l.isRefused() && keepsIt(tongues.BareWords(l.P.Asked.Text))
}

// saysNo reports whether a text is nothing but a no to what was asked or offered.
func saysNo(text string) bool {
	a, answers := tongues.AnswerIn(text)
	return answers && (a.Has(tongues.SaysNo) || a.Has(tongues.LeavesOff) || a.Has(tongues.Waits)) && !a.Prefers()
}

// isRefused reports whether what was said begins with a no, and a question or an offer is open: what
// it goes on with, where that isn't understood, is why.
func (l Talk) isRefused() bool {
	_, answers := tongues.AnswerIn(l.P.Asked.Text)
	return !answers && tongues.BeginsWithNo(l.P.Asked.Text) && l.isAsked()
}

// keeping are words by which something is to stay as it is.
var keeping = sentences.WordsIn("keep leave behalt behalte lass lasse garde gardez laisse laissez deja dejala dejalo dejalas dejalos conserva mantenlo mantenla guardala")

// goesOn are words behind which something else is said: no, keep the first and cancel the other.
var goesOn = sentences.WordsIn("and but both und aber beide et mais y pero")

// keepsIt reports whether something is to stay, and nothing else: no, keep the list.
func keepsIt(words []string) bool {
	const most = 7
	return len(words) <= most && slices.ContainsFunc(words, func(w string) bool { return keeping[w] }) &&
		!slices.ContainsFunc(words, func(w string) bool { return goesOn[w] })
}

// isAsked reports whether the last turn asked or offered something.
func (l Talk) isAsked() bool {
	if l.AsksOpen() {
		return true
	}
	last, ok := l.Last()
	return ok && len(last.Done) == 0 && last.Asks()
}

// offerLives is for how many turns an offer takes a yes, and its own words.
const offerLives = 3

// takesOffer is the offer of one of the last turns that is taken: by a yes, while nothing else was
// asked or done since, or by the words that it has.
func (l Talk) takesOffer() (tools.Intent, bool) {
	a, answers := tongues.AnswerIn(l.P.Asked.Text)
	if answers && !a.Yes() {
		return tools.Intent{}, false
	}
	all := l.Turns()
	for i := len(all) - 1; i >= 0 && i >= len(all)-offerLives; i-- {
		turn := all[i]
		if left, ok := tongues.AnswerIn(turn.Prompt); ok && left.No() {
			return tools.Intent{}, false
		}
		if offered, ok := l.offeredBy(turn); ok {
			if answers && (i == len(all)-1 || !all[len(all)-1].Asks() && !slices.ContainsFunc(all[i+1:], l.didSomething)) || namesOffer(l.P.Asked.Text, turn.Prompt) {
				return offered, !slices.ContainsFunc(all[i+1:], func(since language.Turn) bool {
					return slices.ContainsFunc(since.Done, func(d language.Done) bool { return d.Call.Tool == offered.Tool && l.HasChanged(d) })
				})
			}
			if answers {
				return tools.Intent{}, false
			}
		}
	}
	return tools.Intent{}, false
}

// changesOffer is what the last turn offered to keep, with what is otherwise of it: no, Thursday; make it 60 minutes.
// Who puts it right wants it kept.
func (l Talk) changesOffer(text string) (tools.Intent, bool) {
	last, ok := l.Last()
	if !ok {
		return tools.Intent{}, false
	}
	in, offered := l.offeredBy(last)
	c, ok := correctionIn(text)
	if !offered || !ok || c.s.Question || len(c.s.Words) == 0 {
		return tools.Intent{}, false
	}
	if size, sized := l.sizedIn(text); sized && in.Tool == tools.SkillAppointment && (len(size.of.Words) == 0 || isIt(size.of)) && in.Params["when"] != nil {
		return in.With("until", size.until), true
	}
	if moment := l.Linked(c.s.All()); c.replaces && in.Moment != "" && in.Params[in.Moment] != nil && l.IsOnlyTime(moment) && !l.Recurs(moment) {
		return l.movedTo(in, moment), true
	}
	return tools.Intent{}, false
}

// didSomething reports whether a turn changed something, so that a yes behind it is to that, and not to what was
// offered before.
func (l Talk) didSomething(turn language.Turn) bool {
	return slices.ContainsFunc(turn.Done, func(d language.Done) bool {
		o, known := l.Offered(d.Call.Tool)
		return known && o.SideEffects
	})
}

// takesLabel is the one of several that the last reply asked about whose button is named: in my plans.
func (l Talk) takesLabel() (tools.Intent, bool) {
	last, follows := l.Last()
	said := tools.LabelWords(l.P.Asked.Text)
	if !follows || len(last.Done) > 0 || len(said) == 0 || strings.ContainsAny(l.P.Asked.Text, "?¿") {
		return tools.Intent{}, false
	}
	before := l.Hears(last.Prompt)
	if len(before) != 1 || before[0].Ask.IsZero() || !last.Tells(before[0].Ask) {
		return tools.Intent{}, false
	}
	var named []tools.Intent
	for _, one := range before[0].Among {
		var words []string // in whichever language it stood there
		for _, c := range speech.All() {
			words = append(words, tools.LabelWords(c.Say(one.Label, speech.Voice{}))...)
		}
		if !slices.ContainsFunc(said, func(w string) bool { return !tools.IsOneOf(words, w) }) {
			named = append(named, one)
		}
	}
	if len(named) != 1 {
		return tools.Intent{}, false
	}
	return named[0], true
}

// offeredBy is what a turn offered to do, of what was only told.
func (l Talk) offeredBy(turn language.Turn) (tools.Intent, bool) {
	if len(turn.Done) > 0 {
		return tools.Intent{}, false
	}
	heard := l.Hears(turn.Prompt)
	if len(heard) == 0 {
		heard = l.Offers(turn.Prompt)
	}
	if len(heard) != 1 || !heard[0].Offer || !turn.Tells(heard[0].Ask) {
		return tools.Intent{}, false
	}
	in := heard[0]
	in.Offer, in.Ask = false, speech.Message{}
	return in, true
}

// keepingIt are the verbs by which an offer is taken, and what else may stand beside its own words.
var (
	keepingIt = sentences.WordsIn(`add put enter book save schedule note set keep write
		trag trage eintragen setz setze notier notiere schreib schreibe speicher speichere nimm
		ajoute ajouter mets mettre note noter inscris inscrire enregistre
		apunta apuntala apuntalo anade anadela anadelo pon ponla ponlo agenda agendala agendalo guarda anota anotala anotalo`)
	besideOffer = sentences.WordsIn(`the a an my our it that this in into on to calendar appointment event plan down please
		der die das den dem ein eine einen mein meinen meine ihn sie es in im ins den kalender termin auf rein hinein bitte doch mal
		le la les l un une mon ma ca au a dans calendrier agenda rendez vous rdv s il te plait
		el los las un una mi en al calendario cita evento por favor lo`)
)

// namesOffer reports whether a text takes an offer by its own words: a verb that keeps it, and of what
// was told at least a word, or a yes before it, and nothing else.
func namesOffer(text, told string) bool {
	words, of := tongues.BareWords(text), tongues.BareWords(told)
	verb, named := false, false
	for len(words) > 0 {
		a, ok := tongues.AnswerIn(words[0])
		if yes := ok && a.Yes(); yes {
			named = true // a yes names it
		} else if !tongues.IsBeside(words[0]) {
			break
		}
		words = words[1:]
	}
	for _, w := range words {
		switch {
		case keepingIt[w]:
			verb = true
		case slices.Contains(of, w) && !besideOffer[w]:
			named = true
		case !besideOffer[w]:
			return false
		}
	}
	return verb && named
}
