package deed

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/domain/language/tongues"
)

// Words are the places of the words that count, those that name the deed and those that ask for the
// contrary.
type Words struct {
	Named   []Span
	Against []Span
}

// Span are words in a row: the first, and the one behind the last, of those between white space.
type Span struct{ From, To int }

// maxSaid bounds how many words of somebody are read.
const maxSaid = 400

// token is a word of a sentence, or a part of one such as "l'alarme" has two.
type token struct {
	word   string
	at     int  // which of the words between white space
	ends   bool // a part of the sentence ends with it
	stop   bool // the sentence does
	listed bool // what ends it is no full stop
	colon  bool // it is a colon
	quoted bool
	name   bool // it is written as a name or a number is
}

// joining are words that begin another part of a sentence.
var joining = wordSet("and then but und dann aber sondern et puis mais y pero luego entonces plus sowie")

// tokens are the words of a text.
func tokens(text string) []token {
	var out []token
	quoted := false
	for at, written := range strings.Fields(text) {
		raw := fold(written)
		if len(out) > maxSaid {
			break
		}
		opens := strings.HasPrefix(strings.TrimLeft(raw, "(["), "'")
		if raw == "" {
			continue
		}
		if opens || strings.ContainsAny(raw[:1], `"`) || strings.HasPrefix(raw, "“") || strings.HasPrefix(raw, "„") || strings.HasPrefix(raw, "«") {
			quoted = true
		}
		word := strings.TrimFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		end := strings.TrimRightFunc(raw, func(r rune) bool { return r == '"' || r == '\'' || r == '”' || r == '“' || r == '»' || r == ')' })
		before := len(out)
		for _, part := range parts(word) {
			first, _ := utf8.DecodeRuneInString(written)
			out = append(out, token{word: part, at: at, quoted: quoted, name: unicode.IsUpper(first) || unicode.IsDigit(first)})
		}
		if n := len(out); n > 0 && n >= before {
			last := &out[n-1]
			switch {
			case strings.HasSuffix(end, "."), strings.HasSuffix(end, "!"), strings.HasSuffix(end, "?"):
				last.ends, last.stop = true, true
			case strings.HasSuffix(end, ";"), strings.HasSuffix(end, ":"):
				last.ends, last.stop, last.listed, last.colon = true, true, true, strings.HasSuffix(end, ":")
			case strings.HasSuffix(end, ","):
				last.ends = true
			}
		}
		if quoted && (len(raw) > 1 || !opens) && closesQuote(raw) {
			quoted = false
		}
	}
	for i := range out {
		if joining[out[i].word] {
			out[i].ends = true
			if i > 0 {
				out[i-1].ends = true
			}
		}
	}
	return out
}

// closesQuote reports whether quotation marks end with a word, whatever signs follow.
func closesQuote(raw string) bool {
	raw = strings.TrimRight(raw, ".,;:!?)")
	return strings.HasSuffix(raw, `"`) || strings.HasSuffix(raw, "'") || strings.HasSuffix(raw, "”") || strings.HasSuffix(raw, "“") || strings.HasSuffix(raw, "»")
}

// parts are the words of one that was written together: don't, l'alarme, allume-moi.
func parts(word string) []string {
	switch word {
	case "":
		return nil
	case "dont":
		return []string{"do", "not"}
	case "cannot", "can't", "cant":
		return []string{"can", "not"}
	case "won't", "wont":
		return []string{"will", "not"}
	}
	if bare, ok := strings.CutSuffix(word, "n't"); ok {
		return []string{bare, "not"}
	}
	return strings.FieldsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

// match is a verb where it stands.
type match struct {
	form
	spans  []Span
	behind int // the last of its words, of the tokens
}

// matchesAt are the verbs that begin at a word. Where one has more words behind it, the verb alone is
// another.
func matchesAt(all []token, i int, told bool) []match {
	if all[i].quoted {
		return nil
	}
	forms := formsOf(all[i].word)
	if len(forms) == 0 {
		forms = alone(all[i].word, told)
	}
	if len(forms) == 0 {
		return nil
	}
	end := i + 1
	for end < len(all) && end-i <= 12 && !all[end-1].ends && !all[end].quoted {
		end++
	}
	at := func(behind string, last bool) int {
		found := -1
		for j := i + 1; j < end; j++ {
			if all[j].word == behind && (found < 0 || last) {
				found = j
			}
		}
		return found
	}
	var whole, alone []match
	nearest := -1
	for _, f := range forms {
		if !f.asks && !told {
			continue
		}
		if f.behind == "" {
			alone = append(alone, match{f, []Span{{all[i].at, all[i].at + 1}}, i})
			continue
		}
		j := at(f.behind, f.language == "de")
		if j < 0 {
			continue
		}
		better := nearest < 0 || f.language == "de" && j > nearest || f.language != "de" && (weak[all[nearest].word] || nearest != i+1 && j == i+1 && !weak[all[j].word])
		if j != nearest && !better {
			continue
		}
		if j != nearest {
			whole, nearest = nil, j
		}
		spans := []Span{{all[i].at, all[i].at + 1}}
		switch k := all[j].at; k {
		case all[i].at:
		case all[i].at + 1:
			spans[0].To++
		default:
			spans = append(spans, Span{k, k + 1})
		}
		whole = append(whole, match{f, spans, j})
	}
	if len(whole) > 0 {
		return whole
	}
	return alone
}

// weak are words behind a verb that count where nothing else does: "on" leads to a time or a place as often, and the
// music may be what is put on pause.
var weak = wordSet("on musique musica")

// Says reports whether a text asks for the very deed that a value is a word for: pause, off.
func Says(text, value string) bool {
	ids := map[string]bool{}
	if id := stateOf(value); id != "" {
		ids[id] = true
	}
	if all := tokens(value); len(all) > 0 && len(all) < 3 {
		for _, m := range matchesAt(all, 0, true) {
			ids[m.id] = true
		}
	}
	all := gapped(tokens(text))
	for i := range all {
		found := matchesAt(all, i, false)
		if len(found) > 0 && !isSpokenOf(all, i, found) && !isNegated(all, i, found) && slices.ContainsFunc(found, func(m match) bool { return ids[m.id] }) {
			return true
		}
	}
	return false
}

var (
	articles = wordSet("a an the my our your his her their its this these those some any every each another of der die das den dem des ein eine einen einem einer mein meine meinen meiner unser unsere kein keine keinen un une el una mi mis tu ton ta mon ma")
	// telling are who somebody tells of, where a verb stands behind them.
	telling = wordSet("i he she they we it who nobody somebody everybody ich er wir man es je j il elle elles ils on yo ella nosotros ellos")
	helping = wordSet("will would could can may might must shall did does always never usually often already just")
	being   = wordSet("am is are was were be been s m re ist sind war est sont esta estan")
	// asking begin a question that wants to know something.
	asking = wordSet("did does is are was were what when where who whose which why how should shall whether am ist sind war waren hast hat habt wann wo wer was warum wieso wie welche welcher soll sollte muss est sont etait quand ou qui pourquoi comment quel quelle as avez dois cuando donde quien como cual cuanto esta estan has ha debo hay")
	people = wordSet("i you he she they we it")
	wanted = wordSet("you possible able mind du ihr sie tu vous usted puedes podrias peux pouvez pourrais pourriez kannst konntest konnen wurdest")
	// apart lead to what isn't done now: it is to be remembered, or has yet to come.
	apart = wordSet("remind remember reminder erinner erinnere rappelle rappelez recuerdame recuerda recuerdeme note notiere")
	// before lead to what another deed is told by.
	leading = wordSet("before after without by while about from of instead than ohne bevor nachdem ob sans avant sin antes")
	filler  = wordSet("please can could will would you bitte kannst du s'il te plait por favor now jetzt also so ok okay hey chalie")
)

// In finds the words of what somebody says that name the deed, and those that ask for the contrary.
func (d Deed) In(text string) Words {
	var out Words
	if slices.Contains(d.given, strings.Trim(fold(text), " .,!?")) {
		return out // a value alone, though a verb may be one
	}
	all := gapped(tokens(text))
	verbs, passedOn := 0, false
	for i := range all {
		passedOn = passedOn || i > 0 && all[i-1].colon && len(out.Named)+len(out.Against)+verbs > 0
		found := matchesAt(all, i, false)
		own := d.ownVerb(all, i)
		if len(found) == 0 && !own {
			continue
		}
		verbs++
		if passedOn || isSpokenOf(all, i, found) || isLeft(all, i) {
			continue
		}
		spans := []Span{{all[i].at, all[i].at + 1}}
		if len(found) > 0 {
			spans = found[0].spans
		}
		switch how := d.judge(all, i, found, own); {
		case isNegated(all, i, found) && how == asksFor:
			out.Against = append(out.Against, spans...)
		case isNegated(all, i, found):
		case how == asksFor:
			out.Named = append(out.Named, spans...)
		case how == asksAgainst:
			out.Against = append(out.Against, spans...)
		}
	}
	if verbs == 0 {
		d.switched(all, &out)
	}
	if at := d.called(text, all); at.To > 0 && len(out.Named)+len(out.Against) == 0 {
		out.Named = append(out.Named, at)
	}
	return out
}

// Asks reports whether a text has a verb by which something is asked for, in a language; "" for whichever.
func Asks(text, language string) bool {
	all := tokens(text)
	for i := range all {
		found := slices.DeleteFunc(matchesAt(all, i, false), func(m match) bool { return language != "" && m.language != language })
		if len(found) > 0 && !isSpokenOf(all, i, found) {
			return true
		}
	}
	return false
}

// particles are what stands at the end of a part that shares the verb of the part before: turn the pump on and the
// light off.
var particles = wordSet("on off ein aus an auf zu ab hoch runter")

// gapped are words with the verb of the part before in each part that has a particle at its end, and no verb and
// nobody who tells something: "and the light is off" asks for nothing.
func gapped(all []token) []token {
	var out []token
	verb, part := -1, 0
	for i := range all {
		out = append(out, all[i])
		if len(formsOf(all[i].word)) > 0 && len(matchesAt(all, i, true)) > 0 && slices.ContainsFunc(formsOf(all[i].word), func(f form) bool { return particles[f.behind] }) {
			if verb < 0 {
				verb = i
			}
		}
		if !all[i].ends && i+1 < len(all) {
			continue
		}
		from := part
		for from <= i && joining[all[from].word] {
			from++
		}
		has := slices.ContainsFunc(all[from:i+1], func(t token) bool {
			return len(formsOf(t.word)) > 0 && !particles[t.word] || being[t.word] || telling[t.word] || asking[t.word]
		})
		if from > part && verb >= 0 && verb < part && from < i && !has && particles[all[i].word] {
			at := len(out) - (i - from + 1)
			shared := all[verb]
			shared.ends, shared.stop = false, false
			out = slices.Insert(out, at, shared)
		}
		if joining[all[i].word] && i > part {
			part = i
		} else if !joining[all[i].word] {
			part = i + 1
		}
	}
	return out
}

// isLeft reports whether a verb says that something is to stay as it is: leave it running.
func isLeft(all []token, i int) bool {
	return leaves[all[i].word] && i+1 < len(all) && !all[i].ends && left[all[i+1].word]
}

var (
	leaves = wordSet("leave lass lasst lassen laisse laissez deja dejad dejala dejalo")
	left   = wordSet("it that this them everything as be alone es das ihn sie die den alles le la les l ca tout lo los las eso todo")
)

// judgement is what a verb says of a deed.
type judgement int

const (
	saysNothing judgement = iota
	asksFor
	asksAgainst
)

// judge is what the verb at a place says of the deed: it is the tool's own, or else contrary to it, or
// else another for the same.
func (d Deed) judge(all []token, i int, found []match, own bool) judgement {
	if own || slices.ContainsFunc(found, func(m match) bool { return d.does[m.id] }) {
		return asksFor
	}
	for does := range d.does {
		if slices.ContainsFunc(found, func(m match) bool { return areContrary(m.id, does) }) || len(found) == 0 && areContrary(all[i].word, does) {
			return asksAgainst
		}
	}
	for does := range d.does {
		if slices.ContainsFunc(found, func(m match) bool { return areNear(m.id, does) }) {
			return asksFor
		}
	}
	general := func(m match) bool {
		return slices.Contains([]string{"make", "put", "set", "get", "give", "do", "run", "use", "let", "start", "turn on", "order"}, m.id)
	}
	if slices.ContainsFunc(found, general) && !d.isOneOfTwo() && slices.ContainsFunc(all, func(t token) bool { return len(t.word) > 2 && d.isNamed(t.word) }) {
		return asksFor
	}
	return saysNothing
}

// ownVerb reports whether a word is the tool's own verb, which no row has: in the form that it has in its
// description, in one of the same stem, or before what it is done to: "vacuum the hall".
func (d Deed) ownVerb(all []token, i int) bool {
	word := all[i].word
	if all[i].quoted || len(word) < 3 || formsOf(word) != nil {
		return false
	}
	for does := range d.does {
		if formsOf(does) == nil && (word == does || word == gerund(does) || sameStem(word, does)) {
			return true
		}
		if areContrary(word, does) && (strings.HasPrefix(word, "un") || strings.HasPrefix(word, "dis") || strings.HasPrefix(word, "de")) {
			return true
		}
	}
	first := i == 0 || filler[all[i-1].word] || all[i-1].ends || all[i-1].word == "to"
	behind := i+1 < len(all) && !all[i].ends && (articles[all[i+1].word] || all[i+1].name && !unicode.IsDigit(rune(all[i+1].word[0]))) // a thing has a number behind it: locker 12
	return slices.ContainsFunc(d.parts, func(part string) bool { return first && behind && word == part || word == gerund(part) })
}

// sameStem reports whether two words are forms of one verb, where nothing is known of it.
func sameStem(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	isEnding := func(s string) bool {
		return s == "" || slices.Contains([]string{"e", "en", "t", "et", "n", "er", "ez", "ons", "ent", "a", "ar", "as", "an", "ir", "s", "es"}, s)
	}
	return n > 3 && isEnding(a[n:]) && isEnding(b[n:])
}

// isSpokenOf reports whether a verb isn't told to be done: it is a thing, what somebody tells or wants to
// know, or what is to be remembered.
func isSpokenOf(all []token, i int, found []match) bool {
	language := ""
	if len(found) > 0 {
		language = found[0].language
	}
	before := func(n int) string {
		if i-n < 0 || all[i-n].stop {
			return ""
		}
		return all[i-n].word
	}
	one, two := before(1), before(2)
	roman := language == "fr" || language == "es"
	switch {
	case articles[one] && !(roman && (one == "tu" || one == "ma" || one == "ta")), telling[one] && !(i > 1 && all[i-1].ends) && !(one == "yo" && language == "en"), helping[one] && telling[two]:
		return true
	case one == "you" && slices.Contains([]string{"when", "if", "once", "before", "after", "while", "until", "that"}, two):
		return true
	case all[i].word == "do" && (i+1 == len(all) || !articles[all[i+1].word] && all[i+1].word != "it"):
		return true // it only helps another verb
	case being[one] && language == "en", i+1 < len(all) && !all[i].ends && (all[i+1].word == "ich" || all[i+1].word == "wir" && language == "de"):
		return true
	case leading[one] && strings.HasSuffix(all[i].word, "ing") && one != "about":
		return true
	}
	return isAsked(all, i) || isApart(all, i)
}

// isAsked reports whether a verb stands in a question that wants to know something.
func isAsked(all []token, i int) bool {
	start := i
	for start > 0 && !all[start-1].ends {
		start--
	}
	for start < i && (filler[all[start].word] && !wanted[all[start].word] || joining[all[start].word]) {
		start++
	}
	head := all[start : i+1]
	has := func(words map[string]bool) bool {
		return slices.ContainsFunc(head, func(t token) bool { return words[t.word] })
	}
	first := head[0].word
	second := ""
	if len(head) > 1 {
		second = head[1].word
	}
	switch {
	case first == "why" && slices.ContainsFunc(head, func(t token) bool { return t.word == "not" }), (first == "how" || first == "what") && second == "about":
		return false
	case (first == "do" || first == "have" || first == "has" || first == "had") && people[second]:
		return !slices.ContainsFunc(head, func(t token) bool { return t.word == "mind" || t.word == "could" })
	case !asking[first]:
		return false
	case slices.Contains([]string{"is", "are", "would", "est", "ist"}, first):
		return !has(wanted) || first == "are" && second != "you"
	}
	return true
}

// isApart reports whether a verb stands behind what leads to something that isn't to be done now.
func isApart(all []token, i int) bool {
	for j := i - 1; j >= 0 && !all[j].stop; j-- {
		if apart[all[j].word] && !(j > 0 && all[j-1].word == "not") {
			return true
		}
	}
	return false
}

// isNegated reports whether a verb is told not to be done, in the way of its language.
func isNegated(all []token, i int, found []match) bool {
	language := "en"
	if len(found) > 0 {
		language = found[0].language
	}
	start, end := i, i
	for start > 0 && !all[start-1].ends {
		start--
	}
	for end+1 < len(all) && !all[end].ends {
		end++
	}
	clause := all[start : end+1]
	has := func(in []token, words ...string) bool {
		return slices.ContainsFunc(in, func(t token) bool { return slices.Contains(words, t.word) })
	}
	switch language {
	case "de":
		return has(clause, "nicht", "nie", "niemals", "kein", "keine", "keinen", "keines") && !has(clause, "vergiss", "vergesst", "vergessen", "nur", "wahr", "konntest", "kannst", "wollen") ||
			has(all[start:i], "hor", "hore", "aufhoren")
	case "fr":
		return has(clause, "ne", "n", "pas", "jamais") && !has(all[start:i], "oublie", "oubliez", "oublies") || has(all[start:i], "arrete", "arretez", "cesse")
	case "es":
		return has(all[max(start, i-4):i], "no", "nunca", "jamas", "tampoco") && !has(all[start:i], "olvides", "olvide", "olvidar") || has(all[start:i], "deja", "para") && has(all[start:i], "de")
	}
	for j := i - 1; j >= start && i-j <= 7; j-- {
		switch word := all[j].word; {
		case word == "forget", word == "wait", word == "hesitate", word == "worry":
			return false
		case word == "stop" || word == "quit" || word == "cease" || word == "stopped":
			return strings.HasSuffix(all[i].word, "ing")
		case word == "never" || word == "without" || word == "instead" || word == "rather" || word == "nor" || word == "neither":
			return true
		case word == "not":
			return !(j > 0 && being[all[j-1].word]) && (all[j+1].word != "you" || has(all[j:i], "dare")) && !(j+1 < i && has(all[j+1:j+2], "only"))
		case j+1 < i && len(formsOf(word)) > 0 && len(matchesAt(all, j, false)) > 0 && word != "do" && word != "let":
			return false // that is what is negated
		}
	}
	return false
}

// switched finds what says without a verb that something is to be on or off: "lights on again".
func (d Deed) switched(all []token, out *Words) {
	for i, t := range all {
		id := map[string]string{"on": "turn on", "off": "turn off", "an": "turn on", "aus": "turn off"}[t.word]
		last := i+1 == len(all) || t.ends || slices.Contains([]string{"again", "please", "now", "in", "too", "for", "bitte", "jetzt", "wieder"}, all[min(i+1, len(all)-1)].word)
		if id == "" || i == 0 || !last || t.quoted || being[all[max(0, i-1)].word] || slices.ContainsFunc(all[:i], func(o token) bool { return being[o.word] || asking[o.word] }) {
			continue
		}
		span := Span{t.at, t.at + 1}
		switch d.judge(all, i, []match{{form: form{id: id}}}, false) {
		case asksFor:
			out.Named = append(out.Named, span)
		case asksAgainst:
			out.Against = append(out.Against, span)
		}
	}
}

// called finds the very name of the tool, where somebody wrote it as a name, or says that it is to be
// used.
func (d Deed) called(text string, all []token) Span {
	for at, raw := range strings.Fields(fold(text)) {
		word := strings.TrimFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if word == "" || word != d.name {
			continue
		}
		leads := at > 0 && slices.ContainsFunc(all, func(t token) bool {
			return t.at == at-1 && slices.Contains([]string{"use", "call", "run", "tool", "nutze", "benutze", "utilise", "usa"}, t.word)
		})
		if leads || strings.ContainsAny(word, "_-./") {
			return Span{at, at + 1}
		}
	}
	return Span{}
}

// IsNamedIn reports whether a question of Chalie's names the deed: by its verb, or by the tool's name. What
// is contrary isn't asked for by it.
func (d Deed) IsNamedIn(question string) bool {
	all := tokens(question)
	for i := range all {
		all[i].quoted = false
	}
	for i := range all {
		found := matchesAt(all, i, false)
		if (len(found) > 0 || d.ownVerb(all, i)) && !isNegated(all, i, found) && d.judge(all, i, found, len(found) == 0) == asksFor {
			return true
		}
	}
	return len(d.parts) > 1 && strings.Contains(fold(question), d.name)
}

// going join a message to what was just done: "and the back door, too".
var going = wordSet("and also too again same another as well und auch noch nochmal wieder ebenso et aussi encore pareil y tambien otra igual")

// GoesOn reports whether a message wants what was just done once more, of something else.
func GoesOn(text string) bool {
	all := tokens(text)
	if len(all) == 0 || len(all) > 8 || tongues.BeginsWithNo(text) {
		return false
	}
	within := func(t token) bool { return going[t.word] && !joining[t.word] && t.word != "as" }
	return going[all[0].word] || slices.ContainsFunc(all[1:], within)
}
