package builtinmodel

import (
	"slices"
	"strings"

	"chalie/domain/deed"
)

// clause is what a sentence asks for with one verb, and what belongs to it.
type clause struct {
	text  string
	words []plainWord
}

// Bounds of what is read as requests for tools.
const (
	maxClauses   = 12 // parts of a sentence
	maxDeedWords = 40 // of all that they ask for
)

// requestsIn are the requests of a text. What only tells why, greets, or stands before what is wanted is left
// out: "the girls are asleep, lock the back door". A part without a verb belongs to the one before it where
// it names something that a tool takes: "and the hall". None are read of a text that has too many parts.
func requestsIn(text string, names func(plainWord) bool) []clause {
	var out []clause
	var bare []string
	parts := partsOf(text)
	if len(parts) > maxClauses {
		return nil
	}
	for i, part := range parts {
		words := plainWordsOf(part)
		named := slices.ContainsFunc(words, names)
		switch {
		case isLeading(words, i == 0):
		case deed.Asks(part):
			out = append(out, clause{text: part})
		case isLimit(words) || named && !isTold(words):
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
		out[i].words = plainWordsOf(out[i].text)
		total += len(out[i].words)
	}
	if total > maxDeedWords {
		return nil
	}
	return out
}

// partsOf are the parts of a text between its marks and the words that join two.
func partsOf(text string) []string {
	var out []string
	start, end := 0, 0
	cut := func(to int) {
		if part := strings.TrimSpace(text[start:to]); part != "" {
			out = append(out, part)
		}
		start = to
	}
	for written := range strings.FieldsSeq(text) {
		from := end + strings.Index(text[end:], written)
		end = from + len(written)
		if joins[strings.ToLower(written)] && from > start {
			cut(from)
		}
		if strings.ContainsAny(written[len(written)-1:], ".,;:!?") || written == "-" || written == "–" || written == "—" || strings.HasSuffix(written, "…") {
			cut(end)
		}
	}
	cut(len(text))
	return out
}

var (
	joins = wordsIn("and but then und aber dann et mais puis y e pero luego")
	// limits are words that say when, or of what not: what they lead to belongs to the request.
	limits = wordsIn(`if when once until unless while after except not without only at in before
		wenn falls sobald bis solange nachdem ausser nicht ohne nur um bevor
		si quand des lorsque jusqu apres sauf pas sans seulement avant
		cuando hasta mientras despues salvo excepto menos no sin solo antes`)
	// courteous follow a condition that is none: if you can.
	courteous = wordsIn("you can could would possible du sie kannst konntest konnten geht moglich magst mochten tu vous peux pouvez veux voulez plait possible puedes puede pudieras podrias quieres importa es")
	// befores lead to what is to happen first, or isn't to be forgotten.
	befores = wordsIn("before bevor ehe avant antes")
	// parting are what stands behind them where nobody waits for it.
	parting = wordsIn("you go leave forget du gehst vergesse vergess losgehst fahrst partir pars partez oublie oublier tu te vayas vas irte irse olvide olvidar salir")
	// told are words of what is only told.
	toldBy = wordsIn(`is are was were am i'm it's has have had i we he she they there
		ist sind war waren bin hat habe haben hatte ich wir er steht klemmt
		est sont etait suis c'est j'ai a ont je il elle on nous ils
		esta estan es son era soy hay ha he tengo tiene`)
)

// isLeading reports whether a part stands before a request, and is to happen behind it: before you go.
func isLeading(words []plainWord, first bool) bool {
	return first && len(words) > 1 && befores[words[0].word] && slices.ContainsFunc(words[1:], func(w plainWord) bool { return parting[w.word] })
}

// isLimit reports whether a part says when something is to be done, or what is to be left out.
func isLimit(words []plainWord) bool {
	i := 0
	for i < len(words) && (joins[words[i].word] || words[i].word == "nur" || words[i].word == "just") {
		i++
	}
	if i == len(words) || !limits[words[i].word] {
		return false
	}
	return !slices.ContainsFunc(words[i+1:], func(w plainWord) bool { return courteous[w.word] || parting[w.word] })
}

// isTold reports whether a part tells something.
func isTold(words []plainWord) bool {
	return slices.ContainsFunc(words, func(w plainWord) bool { return toldBy[w.word] })
}
