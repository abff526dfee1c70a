package speech_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/speech/speechtest"
)

// What is stored is read back as it was said, with the language and the version of its words.
func TestSaidIsStored(t *testing.T) {
	var said []speech.Said
	for id, of := range speech.Declared() {
		m := speech.Message{ID: id, Args: speech.Args{}}
		for name, written := range of {
			m.Args[name] = sample(t, written)
		}
		if len(m.Args) == 0 {
			m.Args = nil
		}
		said = append(said, speech.Said{As: speech.Told, Says: []speech.Message{m}})
	}
	spoken, ok := speech.English().Stored(said)
	if !ok || spoken.Language != "en" || spoken.Catalogue != speech.English().Version {
		t.Fatalf("it is stored as %+v", spoken)
	}
	raw, err := json.Marshal(spoken)
	if err != nil {
		t.Fatal(err)
	}
	var back domain.Spoken
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if got := speech.Recorded(&back); !reflect.DeepEqual(got, said) {
		t.Errorf("stored and read, it is\n%+v\nwant\n%+v", got, said)
	}
}

// A message that isn't declared any more is read, and has no words.
func TestUnknownMessage(t *testing.T) {
	old := domain.Spoken{Said: []json.RawMessage{[]byte(`{"as":"did","says":[{"message":"kettle.boils","args":{"what":{"text":"tea"},"n":{"n":2}}}]}`)}}
	got := speech.Recorded(&old)
	if len(got) != 1 || got[0].Says[0].Args["what"] != (speech.Text{Words: "tea"}) {
		t.Fatalf("it is read as %+v", got)
	}
	if words := speech.English().Say(got[0].Says[0], speech.Voice{}); words != "" {
		t.Errorf("it says %q", words)
	}
	old.Said[0] = []byte(`{"as":"did","says":[{"message":"done","args":{"what":{"smell":"of tea"}}}]}`)
	if got := speech.Recorded(&old); got != nil {
		t.Errorf("a value that nobody knows is read as %+v", got)
	}
}

func TestCheck(t *testing.T) {
	text := speech.Text{Words: "tea"}
	for _, c := range []struct {
		name string
		m    speech.Message
		want string // "" when it is as declared
	}{
		{"as declared", speech.Message{ID: "task.made", Args: speech.Args{"what": text}}, ""},
		{"unknown", speech.Message{ID: "kettle.boils"}, "there is no such message"},
		{"an argument too many", speech.Message{ID: "done", Args: speech.Args{"what": text, "n": speech.Count(1)}}, "it has no argument n"},
		{"one too few", speech.Message{ID: "done"}, "its argument what is missing"},
		{"another type", speech.Message{ID: "done", Args: speech.Args{"what": speech.Count(1)}}, "its argument what is"},
		{"another kind", speech.Message{ID: "plan.none", Args: speech.Args{"kind": speech.Kind("cancel")}}, "its argument kind is"},
		{"within another", speech.Message{ID: "reminder.new", Args: speech.Args{"what": text, "times": speech.Message{ID: "when.once"}}}, "its argument at is missing"},
		{"no UTF-8", speech.Message{ID: "done", Args: speech.Args{"what": speech.Text{Words: "\xff"}}}, "no UTF-8"},
		{"an empty list", speech.Message{ID: "plan.which", Args: speech.Args{"kind": speech.Kind("anything"), "plans": speech.List{}}}, "its argument plans is"},
	} {
		err := c.m.Check()
		if got := domain.CategoryOf(err); c.want == "" && err != nil || c.want != "" && (got != domain.Validation || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// Texts of an envelope are marked as another's wherever they stand.
func TestTheirs(t *testing.T) {
	in := domain.ID{7}
	named := speech.Message{ID: "plan.named", Args: speech.Args{"what": speech.Text{Words: "tea", In: in}}}
	mine := speech.Message{ID: "plan.named", Args: speech.Args{"what": speech.Text{Words: "milk", In: domain.ID{8}}}}
	said := []speech.Said{{As: speech.Asked, Says: []speech.Message{{ID: "plan.which", Args: speech.Args{"kind": speech.Kind("anything"), "plans": speech.List{named, mine}}}}}}
	raw, err := json.Marshal(speech.Theirs(said, in, "interface/lab"))
	if err != nil || strings.Count(string(raw), "interface/lab") != 1 || !strings.Contains(string(raw), `{"text":"tea","in":"`) {
		t.Errorf("it is %s (%v)", raw, err)
	}
	if before, err := json.Marshal(said); err != nil || strings.Contains(string(before), "lab") {
		t.Errorf("what was said is changed: %s (%v)", before, err)
	}
}

// A plan is told in one line, with what of it there is.
func TestEntriesOfPlans(t *testing.T) {
	v := speech.Voice{Now: domain.MillisOf(time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)), Zone: time.UTC}
	at := v.Now.Add(24 * time.Hour)
	text := func(words string) speech.Text { return speech.Text{Words: words} }
	meets := speech.Args{"what": text("chess"), "span": speech.Span{From: at, To: at.Add(time.Hour)}, "people": speech.List{text("Ann"), text("Bob")}}
	with := func(name string, value speech.Value) speech.Args {
		out := maps.Clone(meets)
		out[name] = value
		return out
	}
	for _, c := range []struct {
		of                               speech.Args
		english, german, french, spanish string
	}{
		{with("place", text("the club")), "chess, tomorrow 09:00 to 10:00, at the club, with Ann and Bob", "chess, morgen 09:00 bis 10:00 Uhr, Ort: the club, mit Ann und Bob",
			"chess, demain de 09:00 à 10:00, lieu : the club, avec Ann et Bob", "chess, mañana de 09:00 a 10:00, en the club, con Ann y Bob"},
		{with("place", text("in der Halle")), "chess, tomorrow 09:00 to 10:00, in der Halle, with Ann and Bob", "chess, morgen 09:00 bis 10:00 Uhr, in der Halle, mit Ann und Bob",
			"chess, demain de 09:00 à 10:00, lieu : in der Halle, avec Ann et Bob", "chess, mañana de 09:00 a 10:00, en in der Halle, con Ann y Bob"},
		{speech.Args{"what": text("wake up"), "due": speech.Time{At: at}, "again": speech.Again{Rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"}}, "wake up, tomorrow at 09:00 (every day at 09:00)", "Wecken, morgen um 09:00 Uhr (jeden Tag um 09:00 Uhr)",
			"Réveil, demain à 09:00 (tous les jours à 09:00)", "Despertar, mañana a las 09:00 (todos los días a las 09:00)"},
		{speech.Args{"what": text("tax"), "percent": speech.Count(40), "was": speech.Time{At: v.Now}}, "tax (40 %), was due today at 09:00", "tax (40 %), war fällig heute um 09:00 Uhr", "tax (40 %), c'était pour aujourd'hui à 09:00", "tax (40 %), tocaba hoy a las 09:00"},
	} {
		m := speech.Message{ID: "plan.entry", Args: c.of}
		if err := m.Check(); err != nil {
			t.Error(err)
		}
		for i, want := range []string{c.english, c.german, c.french, c.spanish} {
			if got := speech.All()[i].Say(m, v); got != want {
				t.Errorf("%s says %q, want %q", speech.All()[i].Language, got, want)
			}
		}
	}
}

// What was heard of a name is told with how it differs, in each language's own order.
func TestValuesOfNames(t *testing.T) {
	v := speech.Voice{Now: domain.MillisOf(time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)), Zone: time.UTC}
	text, day := func(words string) speech.Text { return speech.Text{Words: words} }, 24*time.Hour
	m := speech.Message{ID: "value.entry", Args: speech.Args{
		"name": text("AAPL"),
		"said": speech.Message{ID: "value.said", Args: speech.Args{"values": speech.List{text("231.40")}, "sender": text("nasdaq"), "at": speech.Time{At: v.Now.Add(-5 * time.Minute)}}},
		"changes": speech.List{
			speech.Message{ID: "value.change", Args: speech.Args{"way": speech.Kind("up"), "by": speech.Number("1.40"), "share": speech.Number("0.6"), "from": text("230.00"), "at": speech.Time{At: v.Now.Add(-day)}}},
			speech.Message{ID: "value.change", Args: speech.Args{"label": text("soil"), "way": speech.Kind("down"), "points": speech.Number("3"), "since": text("34 %"), "at": speech.Time{At: v.Now.Add(-30 * time.Second)}}},
			speech.Message{ID: "value.change", Args: speech.Args{"way": speech.Kind("unchanged"), "from": text("7"), "at": speech.Time{At: v.Now}}},
		},
	}}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"AAPL: 231.40 (nasdaq, 5 min ago), up 1.40 (0.6 %) from 230.00 yesterday at 09:00, soil down 3 points since 34 % just now, unchanged from 7 just now.",
		"AAPL: 231.40 (nasdaq, vor 5 min), 1,40 (0,6 %) mehr als 230.00 gestern um 09:00 Uhr, soil 3 Punkte weniger seit 34 % gerade eben, unverändert gegenüber 7 gerade eben.",
		"AAPL : 231.40 (nasdaq, il y a 5 min), 1,40 (0,6 %) de plus que 230.00 hier à 09:00, soil 3 points de moins depuis 34 % à l'instant, inchangé par rapport à 7 à l'instant.",
		"AAPL: 231.40 (nasdaq, hace 5 min), 1,40 (0,6 %) más que 230.00 ayer a las 09:00, soil 3 puntos menos desde 34 % ahora mismo, igual que 7 ahora mismo.",
	} {
		if got := speech.All()[i].Say(m, v); got != want {
			t.Errorf("%s says\n%s\nwant\n%s", speech.All()[i].Language, got, want)
		}
	}
}

// A catalogue that lacks something says what.
func TestRead(t *testing.T) {
	english := speech.Tables("en")
	for want, tables := range map[string]string{
		"no words for the message done":       strings.Replace(english, "\ndone: Done: {what}\n", "\n", 1),
		"argument when, which the message":    strings.Replace(english, "\ndone: Done: {what}\n", "\ndone: Done: {when}\n", 1),
		"don't say the argument what":         strings.Replace(english, "\ndone: Done: {what}\n", "\ndone: Done.\n", 1),
		"need the argument until":             strings.Replace(english, "[, due {until, full}]", ", due {until, full}", 1),
		"closes nothing":                      strings.Replace(english, "\ndone: Done: {what}\n", "\ndone: Done: {what}}\n", 1),
		"isn't closed":                        strings.Replace(english, "\ndone: Done: {what}\n", "\ndone: Done: {what\n", 1),
		"words for kettle.boils, which is no": english + "kettle.boils: It boils.\n",
		"no forms of task, which is a thing":  strings.Replace(english, "\ntask        = task        | tasks", "", 1),
		"no form today of times":              strings.Replace(english, "\ntoday: today\n", "\n", 1),
	} {
		if tables == english {
			t.Fatalf("nothing is changed for %q", want)
		}
		// The words of another language stand in its own table.
		if _, err := speech.Read(strings.Replace(tables, "\nen\n", "\nqaa\n", 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	if made := speechtest.MadeUp(t); made.Say(speech.Message{ID: "say_yes"}, speech.Voice{}) != "Ŋo ŋyaS ŋsey." {
		t.Errorf("the made-up language says %q", made.Say(speech.Message{ID: "say_yes"}, speech.Voice{}))
	}
}

// What is quoted stands between the marks of each language, and can't leave them.
func TestQuoted(t *testing.T) {
	m := speech.Message{ID: "why.never_said", Args: speech.Args{"about": speech.Text{Words: "a “b” \"c\"\nd"}}}
	for language, want := range map[string]string{
		"en": `"a “b” \"c\"\nd"`, "de": `„a "b" "c"\nd“`, "fr": `«a "b" "c"\nd»`, "es": `«a "b" "c"\nd»`,
	} {
		in, _ := speech.In(language)
		if got := in.Say(m, speech.Voice{Zone: time.UTC}); !strings.Contains(got, want) {
			t.Errorf("in %s it is %q, want %s in it", language, got, want)
		}
	}
}
