package speech_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/speech/speechtest"
)

// sample is a value of a type as the tables write it.
func sample(t *testing.T, written string) speech.Value {
	t.Helper()
	at := domain.MillisOf(time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC))
	written = strings.TrimSuffix(written, "?")
	if one, list := strings.CutSuffix(written, "*"); list {
		return speech.List{sample(t, one), sample(t, one)}
	}
	switch written {
	case "text":
		return speech.Text{Words: "ŧ"}
	case "time":
		return speech.Time{At: at}
	case "span":
		return speech.Span{From: at, To: at.Add(time.Hour)}
	case "period":
		return speech.Period{Since: at, Before: at.Add(time.Hour), Said: "on thursday"}
	case "again":
		return speech.Again{Rule: "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=18;BYMINUTE=0"}
	case "length":
		return speech.Length(90 * time.Minute)
	case "count":
		return speech.Count(2)
	case "clock":
		return speech.Clock("09:30")
	case "number":
		return speech.Number("2.5")
	case "id":
		return speech.Ref(domain.ID{1})
	case "part":
		return speech.Message{ID: "more", Args: speech.Args{"n": speech.Count(3)}}
	}
	kinds := speech.Kinds()[written]
	if len(kinds) == 0 {
		t.Fatalf("%s is no type", written)
	}
	return speech.Kind(kinds[0])
}

// Every message is said in every language and in one that nobody speaks, with all its arguments, and with
// none that may be missing. The made-up sentences share no word with the English ones, so nobody who reads a
// sentence understands them.
func TestEveryMessageIsSaid(t *testing.T) {
	made, letters := speechtest.MadeUp(t), regexp.MustCompile(`\p{L}[\p{L}']*`)
	now := domain.MillisOf(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))
	v := speech.Voice{Now: now, Zone: time.UTC}
	for id, of := range speech.Declared() {
		whole, least := speech.Message{ID: id, Args: speech.Args{}}, speech.Message{ID: id, Args: speech.Args{}}
		for name, written := range of {
			whole.Args[name] = sample(t, written)
			if !strings.HasSuffix(written, "?") {
				least.Args[name] = whole.Args[name]
			}
		}
		for _, m := range []speech.Message{whole, least} {
			if err := m.Check(); err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			english := map[string]bool{}
			for _, w := range letters.FindAllString(strings.ToLower(speech.English().Say(m, v)), -1) {
				english[w] = w != "ŧ"
			}
			for _, w := range letters.FindAllString(strings.ToLower(made.Say(m, v)), -1) {
				if english[w] {
					t.Errorf("%s: the made-up sentence %q has the English word %q", id, made.Say(m, v), w)
				}
			}
			for _, c := range append(speech.All(), made) {
				if said := c.Say(m, v); strings.TrimSpace(said) == "" || strings.ContainsAny(said, "{}[]#") {
					t.Errorf("%s: %s says %q", c.Language, id, said)
				}
			}
		}
		// A sentence has words of its own: what is only its argument is a text, or a word of a kind.
		if len(of) == 1 && of["kind"] == "" && !letters.MatchString(strings.ReplaceAll(speech.English().Say(speech.Message{ID: id, Args: speech.Args{"what": speech.Text{Words: "0"}}}, v), "0", "")) {
			t.Errorf("%s says nothing but its argument", id)
		}
	}
}
