package tools

import (
	"slices"
	"strings"

	"chalie/domain/language/deed"
	"chalie/domain/language/sentences"
)

// clause is what a sentence asks for with one verb, and what belongs to it.
type clause struct {
	text    string
	words   []PlainWord
	message string // a text that it hands on
}

// asSaid are the words of a clause as they were said.
func (c clause) asSaid(words []string) string {
	var out []string
	for _, w := range c.words {
		if said := strings.Trim(c.text[w.Start:w.End], sentences.Closing); slices.Contains(words, w.Word) && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return strings.Join(out, " ")
}

// Bounds of what is read as requests for tools.
const (
	maxClauses   = 12 // parts of a sentence
	maxDeedWords = 40 // of all that they ask for
)

// requestsIn are the requests of a text. What only tells why, greets, or stands before what is wanted is left
// out: "the girls are asleep, lock the back door". A part without a verb belongs to the one before it where
// it names something that a tool takes: "and the hall". None are read of a text that has too many parts.
func requestsIn(text, language string, names, takes func(PlainWord) bool) []clause {
	var out []clause
	var bare []string
	parts := partsOf(text, language)
	if len(parts) > maxClauses {
		return nil
	}
	for _, part := range parts {
		words := PlainWordsOf(part)
		named := slices.ContainsFunc(words, names)
		asks := deed.Asks(part, language)
		switch {
		case len(words) == 0, isLeading(words):
		case !named && IsTold(words) && !isLimit(words), len(out) > 0 && tellsWhy(words[0].Word, language) && (!asks || because[words[0].Word]) && (IsTold(words[1:]) || !slices.ContainsFunc(words, takes)):
		case asks:
			out = append(out, clause{text: part})
		case named && len(out) > 0 && sharesVerb(words) && !IsTold(words):
			_, behind, _ := strings.Cut(part, " ")
			out = append(out, clause{text: verbIn(out[len(out)-1].text) + " " + behind})
		case isLimit(words) || named && !IsTold(words):
			if bare = append(bare, part); len(out) > 0 {
				out[len(out)-1].text += " " + part
			}
		}
	}
	if len(out) == 0 && len(bare) > 0 {
		out = []clause{{text: strings.Join(bare, " ")}} // "kitchen light off"
	}
	total := 0
	for i := range out {
		out[i].words = PlainWordsOf(out[i].text)
		total += len(out[i].words)
	}
	if total > maxDeedWords {
		return nil
	}
	return out
}

// switching are what a part ends with that shares the verb of the part before.
var switching = sentences.WordsIn("on off ein aus an auf zu ab hoch runter")

// sharesVerb reports whether a part has no verb of its own, but what goes with the one before: and the light off.
func sharesVerb(words []PlainWord) bool {
	return len(words) > 2 && joins[words[0].Word] && switching[words[len(words)-1].Word]
}

// verbIn is the first word of a text that asks for something.
func verbIn(text string) string {
	for word := range strings.FieldsSeq(text) {
		if deed.Asks(word, "") {
			return word
		}
	}
	first, _, _ := strings.Cut(text, " ")
	return first
}

// partsOf are the parts of a text between its marks and the words that join two.
func partsOf(text, language string) []string {
	var out []string
	start, end := 0, 0
	told := toldFrom(text)
	cut := func(to int) {
		if part := strings.TrimSpace(text[start:to]); part != "" {
			out = append(out, part)
		}
		start = to
	}
	for written := range strings.FieldsSeq(text) {
		from := end + strings.Index(text[end:], written)
		end = from + len(written)
		if word := strings.ToLower(written); from > start && (joins[word] || leads[word] && deed.Asks(text[end:], "") || (tellsWhy(word, language) || slices.Contains(told, from) || befores[word] && isLeading(PlainWordsOf(text[from:]))) && isWhole(text[start:from])) {
			cut(from)
		}
		if strings.ContainsAny(written[len(written)-1:], ".,;:!?") || written == "-" || written == "–" || written == "—" || strings.HasSuffix(written, "…") {
			cut(end)
		}
	}
	cut(len(text))
	return out
}

// toldFrom are the places where words begin that tell how something is: the dough is done.
func toldFrom(text string) []int {
	const far = 3
	var out []int
	words := PlainWordsOf(text)
	for i, w := range words {
		if !states[w.Word] {
			continue
		}
		for j := i - 1; j >= 0 && i-j <= far; j-- {
			if persons[words[j].Word] {
				out = append(out, words[j].Start)
				break
			}
		}
	}
	return out
}

// tellsWhy reports whether a word leads to why something is wanted. Where it begins a name that is
// listed, as da in Da Enzo, it doesn't.
func tellsWhy(word, language string) bool { return Reasons[word] || reasonsIn[language][word] }

// isWhole reports whether what stands before a reason is a request by itself.
func isWhole(text string) bool {
	words := PlainWordsOf(text)
	return len(words) > 1 && !slices.ContainsFunc(words, func(w PlainWord) bool { return Limits[w.Word] && !courteous[w.Word] && !parting[w.Word] }) &&
		!slices.Contains([]string{"lo", "el", "la", "los", "las", "what", "that", "was", "wie", "ce"}, words[len(words)-1].Word) && deed.Asks(text, "")
}

var (
	// Reasons are words that lead to why something is wanted.
	Reasons = sentences.WordsIn(`because cause 'cause since i i'm i've i'll i'd we're he's she's it's they're that's
		weil denn da ich wir parce car j'ai j'y jai je j'en ça ca c'est porque pq que pues`)
	// because are those of them behind which nothing is asked for, whatever verb stands there.
	because = sentences.WordsIn("because cause weil denn parce porque pq que pues")
	// reasonsIn are those that are words of another kind in another language; "" is English.
	reasonsIn = map[string]map[string]bool{"": sentences.WordsIn("im ive ill id its thats hes shes theyre he she they"), "de": sentences.WordsIn("er"), "fr": sentences.WordsIn("il ils on elle elles"), "es": sentences.WordsIn("hay tengo estoy")}
	// states and persons are the words of what tells how something is.
	states = sentences.WordsIn(`is are was were has have comes came sleeps forgot cries hurts rains ist sind war wird wurde hat haben kommt kommen schlaft schlafen regnet weint friert wartet warten klingelt
		est sont etait ont arrive arrivent dort dorment pleut pleure vient viennent attend sonne rentre rentrent
		esta estan es son hay llega llegan viene vienen duerme duermen llueve llora duele queda quedan suena esperan llaman`)
	persons = sentences.WordsIn("the my our it he she they there der die das es er sie mein meine unser unsere le la les l il elle on ils mon ma mes notre el los las mi mis")
	joins   = sentences.WordsIn("and but then und aber dann et mais puis y e pero luego")
	// leads are words behind which stands what is wanted, because of what stands before them: movers are coming, so lock it.
	leads = sentences.WordsIn("so alors donc entonces deshalb drum darum")
	// Limits are words that say when, or of what not: what they lead to belongs to the request.
	Limits = sentences.WordsIn(`if when once until unless while after except not without only at in before
		wenn falls sobald bis solange nachdem ausser nicht ohne nur um bevor
		si quand des lorsque jusqu apres sauf pas sans seulement avant
		cuando hasta mientras despues salvo excepto menos no sin solo antes`)
	// excepting lead to what is left out, where no verb stands behind them.
	excepting = sentences.WordsIn("but except aber ausser mais sauf pero salvo excepto menos")
	// courteous follow a condition that is none: if you can.
	courteous = sentences.WordsIn("you can could would possible du sie kannst konntest konnten geht moglich magst mochten tu vous peux pouvez veux voulez plait possible puedes puede pudieras podrias quieres importa es")
	// befores lead to what is to happen first, or isn't to be forgotten.
	befores = sentences.WordsIn("before bevor ehe avant antes")
	// parting are what stands behind them where nobody waits for it.
	parting = sentences.WordsIn("you go leave forget head du gehst vergesse vergess losgehst fahrst partir pars partez oublie oublier tu te vayas vas irte irse olvide olvidar salir")
	// toldBy are words of what is only told.
	toldBy = sentences.WordsIn(`is are was were am has have had i we he she they there comes came forgot
		ist sind war waren bin hat habe haben hatte ich wir er steht klemmt
		est sont etait suis a ai ont je il elle on nous ils arrive arrivent
		esta estan es son era soy hay ha he tengo tiene queda quedan`)
)

// isLeading reports whether a part only says that something is to happen first: before you go.
func isLeading(words []PlainWord) bool {
	return len(words) > 1 && befores[words[0].Word] && slices.ContainsFunc(words[1:], func(w PlainWord) bool { return parting[w.Word] })
}

// isLimit reports whether a part says when something is to be done, or what is to be left out.
func isLimit(words []PlainWord) bool {
	i := 0
	for i < len(words) && (joins[words[i].Word] || words[i].Word == "nur" || words[i].Word == "just") {
		i++
	}
	if i == len(words) || !Limits[words[i].Word] {
		return false
	}
	return !slices.ContainsFunc(words[i+1:], func(w PlainWord) bool { return courteous[w.Word] || parting[w.Word] })
}

// IsTold reports whether a part tells something.
func IsTold(words []PlainWord) bool {
	return slices.ContainsFunc(words, func(w PlainWord) bool { return toldBy[w.Word] })
}
