package hearing

import (
	"slices"
	"strings"
	"unicode"

	"chalie/domain/language/gauge"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Ways to ask how all on a list is.
var (
	howItIs = []sentences.Phrase{
		"how is|are|was|were my|our|the|these|those *of doing|going|looking|performing|faring|coming|getting|holding on|up|along?", "how is|are|was|were my|our|the *of",
		"how has|have my|our|the *of been doing|going|performing|done?", "how did my|our|the *of do|go|perform",
		"what is|are up with my|our *of", "what is the state|status of my|our|the *of", "status of my|our|the *of",
		"sum up my|our|the *of", "summarise|summarize my|our|the *of", "give|get me? a|an summary|update|overview of|on my|our|the *of", "update me on my|our|the *of", "update on my|our|the *of",
		"what|how about my|our *of",
	}
	whatChanged = []sentences.Phrase{
		"is|are there? any|a change|changes|movement|movements in|of|on|to|with my|our|the *of", "any change|changes|movement|movements in|of|on|to|with my|our|the *of",
		"has|have|did anything|something? change|changed|move|moved in|on my|our|the *of", "has|have|did my|our|the *of change|changed|move|moved|risen|fallen|rise|fall",
		"what has? changed in|on my|our|the *of", "how much has|have|did my|our|the *of change|changed|move|moved|gain|gained|lose|lost|risen|fallen",
		"what are the values of my|our|the *of",
	}
	whatWorth = []sentences.Phrase{"what is|are my|our|the *of worth", "how much is|are my|our|the *of worth", "what is the value|worth of my|our|the *of"}
	howThing  = []sentences.Phrase{
		"is|are *of up|down|rising|falling|higher|lower|green|red", "is|are *of up|down or up|down", "has|have|did *of gone|go|went|been up|down", "has|have|did *of risen|fallen|rise|fall|gain|gained|drop|dropped",
		"how is|are|was|did *of doing|performing|trading|do|moving", "what is *of at|trading at?", "where is *of at|trading at?", "how much is *of", "what is the price|value|quote of *of", "what is *of trading at",
	}
)

// collections are words for what is kept a list of and heard of, one by one.
var collections = []string{"portfolio", "portfolios", "watchlist", "stocks", "shares", "investments", "holdings", "garden", "plants", "flowers", "herbs", "packages", "parcels", "deliveries", "shipments", "crypto", "coins"}

// notKept are words for what "how is it" asks the world or a person about, and no list.
var notKept = []string{"weather", "traffic", "forecast", "temperature", "air", "pollen", "market", "markets", "economy", "news", "game", "match", "score", "world", "life", "day", "days", "week", "weekend", "month", "year", "morning", "evening", "night", "time", "date",
	"mom", "mum", "mother", "dad", "father", "wife", "husband", "son", "daughter", "sister", "brother", "friend", "friends", "boss", "family", "partner", "girlfriend", "boyfriend", "kids", "children", "baby", "hair", "spelling", "english", "mood", "food", "commute", "road", "roads"}

// valued hears who asks how all on a list is, or what something stands at: "how's my portfolio?",
// "any change in my watchlist?", "is AAPL up?".
func (l Listener) valued(s sentences.Said) (tools.Intent, bool) {
	if _, ok := l.Offered(tools.SkillValues); !ok || !s.Asks() && !s.Is(0, "any", "status", "sum", "summarise", "summarize", "update", "get", "did") {
		return tools.Intent{}, false
	}
	in := tools.Intent{Tool: tools.SkillValues, Params: map[string]any{}, Subject: "of"}
	s, during := l.withoutDuring(s)
	if during != "" {
		in.Params["during"] = during
	}
	if c, ok := s.Any(whatWorth...); ok && l.isKept(c.Sentence("of")) {
		in.Params["of"], in.Params["worth"] = c.Get("of"), true
		return in, true
	}
	if c, ok := s.Any(slices.Concat(howItIs, whatChanged)...); ok && l.isKept(c.Sentence("of")) {
		in.Params["of"] = c.Get("of")
		return in, true
	}
	if c, ok := s.Any(howThing...); ok {
		of := c.Sentence("of")
		own := of.Is(0, "my", "our", "the")
		if own {
			of = of.From(1)
		}
		if own && isCollection(of) || isSymbol(of) {
			in.Params["of"] = of.All()
			return in, true
		}
	}
	return tools.Intent{}, false
}

// withoutDuring is a question without the period at its end, and that.
func (l Listener) withoutDuring(s sentences.Said) (rest sentences.Said, during string) {
	if n := len(s.Words); n > 3 && s.BeginsAt(n-2, "so", "far") {
		s = s.UpTo(n - 2)
	}
	const most = 3
	for n := most; n > 0; n-- {
		at := len(s.Words) - n
		if at < 2 {
			continue
		}
		during = s.Part(at, len(s.Words))
		if _, _, past := when.Named(during, l.P.AsOf, l.Zone()); !past && !l.IsTimely(during) {
			continue
		}
		if strings.EqualFold(during, "now") || strings.EqualFold(during, "right now") {
			during = ""
		}
		return s.UpTo(at), during
	}
	return s, ""
}

// worth hears who asks what all on a list is worth, which no tool is for.
func (l Listener) worth(s sentences.Said) (tools.Intent, bool) {
	in, ok := l.valued(s)
	if !ok || in.Params["worth"] == nil {
		return tools.Intent{}, false
	}
	if _, fits := l.Tool(s); fits {
		return tools.Intent{}, false
	}
	return in, true
}

// isKept reports whether words may be the name of a list or memory: a few, that aren't plans, nor
// what the world or a person is asked about.
func (l Listener) isKept(of sentences.Said) bool {
	const most = 3
	if len(of.Words) == 0 || len(of.Words) > most || l.IsTimely(of.All()) {
		return false
	}
	for i, w := range of.Words {
		if n := sentences.Nouns[w.Lower]; n != sentences.NoNoun && n != sentences.AnOccasion || slices.Contains(notKept, strings.TrimSuffix(w.Lower, "'s")) || of.Is(i, "in", "on", "at", "near", "over", "from", "to", "of", "with", "for", "and", "or", "like", "about", "list", "lists", "i", "you", "me", "it", "that", "this", "going", "doing") {
			return false
		}
	}
	return true
}

// isCollection reports whether words end with one for what is kept a list of.
func isCollection(of sentences.Said) bool {
	return len(of.Words) > 0 && len(of.Words) < 4 && of.Is(len(of.Words)-1, collections...)
}

// alsoWords are symbols that are words when they aren't in capitals.
var alsoWords = []string{"COST", "SHOP", "SPOT", "META", "DIS", "SOL", "SAP", "UBER", "CRM"}

// isSymbol reports whether a word is the symbol or the name of something that is traded: two to
// five capitals, or one of those that are known.
func isSymbol(of sentences.Said) bool {
	if len(of.Words) == 0 || len(of.Words) > 3 {
		return false
	}
	text := of.All()
	upper := strings.ToUpper(text)
	if len(gauge.Also(text)) > 0 || len(of.Words) == 1 && len(gauge.Also(upper)) > 0 && !slices.Contains(alsoWords, upper) && len(text) > 2 {
		return true
	}
	const shortest, longest = 3, 5
	return len(of.Words) == 1 && len(text) >= shortest && len(text) <= longest && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsUpper(r) })
}
