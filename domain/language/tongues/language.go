package tongues

import (
	"strings"
	"unicode"
)

// scripts are the languages that letters alone tell. Where a script writes several, it is the
// one that most who write it speak.
var scripts = []struct {
	letters  *unicode.RangeTable
	language string
}{
	{unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Han, "zh"}, {unicode.Greek, "el"},
	{unicode.Hebrew, "he"}, {unicode.Arabic, "ar"}, {unicode.Devanagari, "hi"}, {unicode.Thai, "th"}, {unicode.Georgian, "ka"}, {unicode.Armenian, "hy"},
}

// marks are letters that one language of the Latin script has, and English hasn't.
var marks = []struct{ letters, language string }{
	{"ß", "de"}, {"ñ¿¡", "es"}, {"łąęśźżń", "pl"}, {"ãõ", "pt"}, {"œ", "fr"}, {"ěřů", "cs"}, {"őű", "hu"}, {"ğış", "tr"}, {"șț", "ro"}, {"åø", "da"},
}

// little are short words that a language has and English hasn't, for sentences that none of
// the tongues is sure of.
var little = []struct{ language, words string }{
	{"de", " der die das und ist nicht ich wir für mit ein eine auf zu morgen heute guten danke bitte "},
	{"fr", " le la les et est pas je vous nous pour avec une des du demain bonjour merci "},
	{"es", " el la los las y es no yo para con una mañana hola gracias por "},
	{"it", " il lo gli e è non per con una domani ciao grazie che sono "},
	{"nl", " de het een en is niet ik wij voor met morgen hallo dank "},
	{"pt", " o os as e é não eu para com uma amanhã olá obrigado "},
	{"pl", " i w na nie jest dla z jutro dzień dobry dziękuję "},
}

// Language is the language of a text as ISO 639-1 names it, by its letters and then by its
// words. It is a guess where it is short; without any sign it is English.
func Language(text string) string {
	text = strings.ToLower(text)
	letters, cyrillic := 0, 0
	counts := map[string]int{}
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if unicode.Is(unicode.Cyrillic, r) {
			cyrillic++
			continue
		}
		for _, s := range scripts {
			if unicode.Is(s.letters, r) {
				counts[s.language]++
				break
			}
		}
	}
	// English names stand in many a sentence: two words of its own tell the language.
	if 2*cyrillic > letters || cyrillicWords(text) > 1 {
		return slavic(text)
	}
	if counts["ja"] > 0 {
		return "ja" // Japanese is written with Han, too
	}
	for _, s := range scripts {
		if 2*counts[s.language] > letters {
			return s.language
		}
	}
	return latin(text)
}

func cyrillicWords(text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
			n++
		}
	}
	return n
}

// slavic tells apart the languages of the Cyrillic script. і, ї, є and ґ are Ukrainian, ы, э,
// ъ and ё are Russian; a text with neither is taken for Ukrainian, whose words lack the others'.
func slavic(text string) string {
	switch {
	case strings.ContainsAny(text, "ў"):
		return "be"
	case strings.ContainsAny(text, "іїєґ"):
		return "uk"
	case strings.ContainsAny(text, "ћђљњџј"):
		return "sr"
	case strings.ContainsAny(text, "ыэё"):
		return "ru"
	case strings.ContainsAny(text, "ъ"):
		return "bg"
	}
	return "uk"
}

func latin(text string) string {
	if t, ok := Of(text); ok {
		return map[*Tongue]string{German: "de", Spanish: "es", French: "fr"}[t]
	}
	best, most := "en", count(wordsOf(text), english())
	for _, l := range little {
		n := 0
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if strings.Contains(l.words, " "+word+" ") {
				n++
			}
		}
		if n > 1 && n > most {
			best, most = l.language, n
		}
	}
	if best != "en" {
		return best
	}
	for _, m := range marks {
		if strings.ContainsAny(text, m.letters) {
			return m.language
		}
	}
	return "en"
}
