package turns

import (
	"regexp"
	"slices"
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tongues"
	"chalie/domain/language/tools"
)

// asides are what people tell of themselves beside what they want: I'm ill, I can't make it. They name no thing and
// no day, so nothing of what is wanted can be in them.
var asides = regexp.MustCompile(`^(?:(?:ugh|oh|ok|sorry|well|hey|ach|oh je|desolee?|perdon|uf|uff|bon|bueno) )*(?:` + strings.Join([]string{
	`(?:i m|im|i am|we re|we are) (?:still |so |too |all |both |really |just )*(?:ill|sick|tired|exhausted|unwell|busy|away|stuck|late|home|back|abroad)(?: again| now| anyway)?`,
	`(?:i|we) (?:can t|cant|cannot|can not|won t|wont) (?:make it|come|go|be there|attend|manage)(?: any more| anymore| after all| now| anyway)?`,
	`(?:i|we) (?:don t|dont|do not) feel (?:so |very |too )?(?:well|good)`, `(?:i |we )?just (?:got|came) (?:home|back|in)`, `something (?:has |s )?(?:came|come) up`,
	`(?:ich bin|wir sind|bin) (?:noch |so |zu |leider |grad |gerade |wieder )*(?:krank|mude|unterwegs|verhindert|verreist|zuruck|weg|daheim|zu hause|erkaltet|beschaftigt)`,
	`(?:ich kann|wir konnen) (?:da |leider |doch )*nicht(?: kommen| hingehen| hin)?`, `(?:ich schaffe?|wir schaffen) (?:es|das) (?:leider |doch )?nicht`,
	`mir ist (?:et)?was dazwischengekommen`, `mir geht (?:s|es) (?:gar )?nicht gut`,
	`(?:je suis|on est|nous sommes) (?:encore |trop |vraiment |bien )*(?:malades?|fatiguee?s?|occupee?s?|prise?s?|absente?s?|rentree?s?|de retour|la)`,
	`(?:je|on) (?:ne )?(?:peux|peut|pourrai|pourra) (?:plus|pas)(?: venir| y aller)?`, `j ai un empechement`, `(?:je|on) rentre(?: juste)?`, `je viens de rentrer`,
	`(?:yo )?(?:estoy|estamos) (?:muy |aun |todavia )*(?:enferm[oa]s?|mal[oa]?s?|cansad[oa]s?|ocupad[oa]s?|fuera|de vuelta|en casa|de viaje)`,
	`(?:yo )?(?:al final )?no (?:puedo|podemos|llego|llegamos)(?: ir| asistir| venir)?`, `me (?:ha surgido|surgio) (?:algo|un imprevisto)`, `acabo de (?:llegar|volver)`,
}, "|") + `)$`)

// oneself are words of which an aside has one.
var oneself = sentences.WordsIn("i i'm i’m im we we're we’re were just something ich wir bin mir je on nous j'ai j’ai yo estoy estamos no me acabo")

// ofOneself reports whether a text may have an aside, so that most needn't be looked at closely.
func ofOneself(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if oneself[strings.ToLower(strings.Trim(word, ",.;:!?¿¡"))] {
			return true
		}
	}
	return false
}

// becauses lead to an aside behind a request, and therefore's stand between one before it and the request.
var (
	becauses  = sentences.WordsIn("because cause since as weil denn da parce que car porque pues")
	therefore = sentences.WordsIn("so also alors donc entonces")
)

// withoutAside is a request to end or move something, what points at that, or a question, without what somebody tells of
// themselves before or behind it: I'm ill, cancel both; cancel it, I can't make it. It is "" for any other text.
func (l Talk) withoutAside(text string) string {
	const longest = 12
	if len(text) > tools.MaxPlainText || !ofOneself(text) {
		return ""
	}
	words := tools.PlainWordsOf(text)
	joined := func(from, to int) string {
		var out []string
		for _, w := range words[from:to] {
			out = append(out, w.Word)
		}
		return strings.Join(out, " ")
	}
	for i := 1; i < len(words); i++ {
		if words[i].At == words[i-1].At {
			continue
		}
		if i <= longest && (strings.ContainsAny(text[words[i-1].End-1:words[i].Start], ",.;:!–—-") || therefore[words[i].Word]) && asides.MatchString(joined(0, i)) {
			from := i
			for from+1 < len(words) && therefore[words[from].Word] {
				from++
			}
			if rest := text[words[from].Start:]; l.onlyEnds(rest) || l.onlyAsks(rest) != nil {
				return rest
			}
		}
		if len(words)-i <= longest && asides.MatchString(joined(i, len(words))) {
			to := i
			for to > 1 && becauses[words[to-1].Word] {
				to--
			}
			if rest := strings.TrimRight(text[:words[to-1].End], sentences.Closing); !tools.Limits[words[to-1].Word] && l.onlyEnds(rest) {
				return rest
			}
		}
	}
	return ""
}

// onlyEnds reports whether a text asks for nothing but that plans end or move, of which it names some or points at
// what was spoken of.
func (l Talk) onlyEnds(text string) bool {
	l.P.Asked.Text = text
	wanted := l.refers(l.InEnglish(text, l.before()))
	if len(wanted) == 0 {
		wanted = l.Hears(text)
	}
	return len(wanted) > 0 && !slices.ContainsFunc(wanted, func(in tools.Intent) bool {
		action, _ := in.Params["action"].(string)
		return in.Tool != tools.SkillRemove && !slices.Contains([]string{"cancel", "skip", "pause", "move", "drop"}, action)
	})
}

// before is what was said before; "" for nothing.
func (l Talk) before() string {
	if n := len(l.P.Recent); n > 0 {
		return l.P.Recent[n-1].Prompt
	}
	return ""
}

// otherwise are words with which somebody takes back, limits or explains an answer.
var otherwise = sentences.WordsIn("no not but mean meant except only instead rather nein nicht kein keine aber sondern meine ausser nur lieber doch non pas mais dire sauf seulement plutot pero quiero decir salvo solo mejor sino")

// withoutWhy is an answer that takes both, all or one by its place, without why that is behind a comma: both, I'm
// off. It is "" for any other text, and where nothing was asked.
func (l Talk) withoutWhy(text string) string {
	const longest = 8
	at := strings.IndexAny(text, ",;:–—")
	if at < 1 || strings.ContainsAny(text, "?¿") || !l.isAsked() {
		return ""
	}
	head, why := strings.TrimSpace(text[:at]), tools.PlainWordsOf(text[at:])
	if len(why) < 2 || len(why) > longest || !tools.IsTold(why[:1]) && !tools.Reasons[why[0].Word] || slices.ContainsFunc(why, func(w tools.PlainWord) bool { return otherwise[w.Word] || tools.Limits[w.Word] }) {
		return ""
	}
	last, _ := l.Last()
	asked := tools.TellingOf(last.Reply)
	if slices.ContainsFunc(why, func(w tools.PlainWord) bool { return !tools.Small()[w.Word] && tools.IsOneOf(asked, w.Word) }) {
		return "" // it may say which
	}
	a, answers := tongues.AnswerIn(head)
	picks := answers && !a.No() && (a.Both() || a.All()) || slices.ContainsFunc(tongues.All(), func(t *tongues.Tongue) bool { return t.Pick(head) != "" })
	if !picks {
		return ""
	}
	return head
}

// asksBehind is a question that changes nothing, behind what somebody tells: just got home, what did I miss?
func (l Talk) asksBehind(text string) []tools.Intent {
	const longest = 8
	at := strings.LastIndexAny(strings.TrimRight(text, sentences.Closing+" "), ",.;:!–—")
	if at < 1 || len(text) > tools.MaxPlainText || len(tools.PlainWordsOf(text[:at])) > longest {
		return nil
	}
	question := strings.TrimLeft(text[at:], ",.;:!–— ")
	return l.onlyAsks(question)
}

// onlyAsks is what a text asks of what Chalie keeps, where that changes nothing; nil for any other.
func (l Talk) onlyAsks(text string) []tools.Intent {
	asked := l.Hears(text)
	if len(asked) == 0 || slices.ContainsFunc(asked, func(in tools.Intent) bool {
		o, known := l.Offered(in.Tool)
		return !in.Ask.IsZero() || !known || !l.IsOwn(in.Tool) || o.SideEffects && !(in.Tool == tools.SkillList && in.Params["action"] == "show")
	}) {
		return nil
	}
	return asked
}
