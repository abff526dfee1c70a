package builtinmodel_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

// monday is the moment of every sentence in another language: Monday 1 March 2027, 08:30 in
// New York.
func monday(t testing.TB) (domain.Millis, *time.Location) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return domain.MillisOf(time.Date(2027, time.March, 1, 8, 30, 0, 0, zone)), zone
}

// becomes is what comes of a sentence, in a line: its calls with their times as moments or
// rules; ask; none; or say and the answer.
func becomes(t testing.TB, sentence string) string {
	t.Helper()
	now, zone := monday(t)
	p := asks(sentence)
	p.AsOf, p.Zone, p.Tools = now, zone, append(skillsOffered(t), house...)
	r := reply(t, p)
	if len(r.ToolCalls) == 0 {
		text := domain.PlainText(r.Blocks)
		said := language.Turn{Said: speech.Recorded(r.Spoken)}
		switch english := r.Spoken == nil || r.Spoken.Language == "en"; {
		case english:
		case language.IsUnclear(said.Said):
			return "none"
		case said.Says("talk", "clock", "sum", "beyond"):
			return "say " + text
		}
		if r.Blocks[0]["type"] == "alert" || strings.HasPrefix(text, "I ") {
			return "none" // in English: too short to tell the language
		}
		return "ask"
	}
	var out []string
	for _, c := range r.ToolCalls {
		var params map[string]any
		if err := json.Unmarshal(c.Params, &params); err != nil {
			t.Fatal(err)
		}
		fields := []string{}
		for _, name := range slices.Sorted(maps.Keys(params)) {
			value := fmt.Sprint(params[name])
			switch name {
			case "when", "deadline":
				at, err := when.Parse(value, now, zone)
				if err != nil || len(at.Unread(value)) > 0 || at.Rest(value) != "" {
					return "ask"
				}
				value = at.At.Time().In(zone).Format("2006-01-02T15:04")
				if at.Recurrence != nil {
					value = when.SayAgain(*at.Recurrence)
				}
			case "during":
				from, _, err := when.During(value, now, zone)
				if err != nil {
					return "ask"
				}
				value = from.Time().In(zone).Format("2006-01-02T15:04")
			}
			fields = append(fields, name+"="+value)
		}
		out = append(out, strings.TrimSpace(c.Tool+" "+strings.Join(fields, "; ")))
	}
	return strings.Join(out, " & ")
}

// fitsWanted reports whether what was heard is one of the alternatives, each of which may
// leave out the end of a time.
func fitsWanted(got, want string) bool {
	for one := range strings.SplitSeq(want, " || ") {
		if got == one || strings.HasPrefix(one, "say ") && strings.HasPrefix(got, "say") && strings.Contains(got, strings.TrimPrefix(one, "say ")) {
			return true
		}
		tool, fields, _ := strings.Cut(one, " ")
		done, rest, _ := strings.Cut(got, " ")
		wanted, heard := strings.Split(fields, "; "), strings.Split(rest, "; ")
		slices.Sort(wanted)
		if len(wanted) != len(heard) || tool != done {
			continue
		}
		all := true
		for i, field := range wanted {
			_, value, timed := strings.Cut(field, "=")
			timed = timed && (strings.Contains(field, "when=") || strings.Contains(field, "during=") || strings.Contains(field, "deadline="))
			switch {
			case timed && strings.HasPrefix(value, "T"): // a time of day on any day
				all = all && strings.HasSuffix(heard[i], value)
			case timed:
				all = all && strings.HasPrefix(heard[i], field)
			default:
				all = all && heard[i] == field
			}
		}
		if all {
			return true
		}
	}
	return false
}

// Sentences as people type them. What isn't right is printed; wrong is what does something
// that wasn't asked for.
func TestTongues(t *testing.T) {
	const least, most = 80, 2 // percent that have to be right, and may be wrong
	for _, name := range []string{"de", "es", "fr"} {
		raw, err := os.ReadFile("testdata/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		all, right, wrong := 0, 0, 0
		for line := range strings.Lines(string(raw)) {
			sentence, want, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				continue
			}
			all++
			got := becomes(t, sentence)
			done := !strings.HasPrefix(got, "ask") && !strings.HasPrefix(got, "none") && !strings.HasPrefix(got, "say")
			switch {
			case fitsWanted(got, want):
				right++
			case done:
				wrong++
				t.Logf("wrong %s\n  got  %s\n  want %s", sentence, got, want)
			default:
				t.Logf("not right %s\n  got  %s\n  want %s", sentence, got, want)
			}
		}
		t.Logf("%s: %d of %d right, %d wrong", name, right, all, wrong)
		if 100*right < least*all || 100*wrong > most*all {
			t.Errorf("%s: %d of %d are right and %d wrong: at least %d %% have to be right, and at most %d %% wrong", name, right, all, wrong, least, most)
		}
	}
}

// No English sentence of the tests is taken for one in another language.
func TestEnglishStaysEnglish(t *testing.T) {
	var all []string
	for _, c := range tableSentences() {
		all = append(all, c.said)
	}
	raw, err := os.ReadFile("../../domain/language/when/testdata/readings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		said, _, _ := strings.Cut(line, "\t")
		all = append(all, said)
	}
	for _, said := range all {
		if l, ok := tongues.Of(said); ok {
			t.Errorf("%q is taken for %s", said, l.Name)
		}
		if tongues.Elsewhere(said) {
			t.Errorf("%q is taken for a language that isn't read", said)
		}
	}
}

// Whatever a language's times are in English can be read there from end to end.
func TestTranslatedTimesAreRead(t *testing.T) {
	now, zone := monday(t)
	raw, err := os.ReadFile("../../domain/language/tongues/testdata/times.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if english := fields[2]; english != "asks" {
			if at, err := when.Parse(english, now, zone); err != nil || at.Rest(english) != "" || len(at.Unread(english)) > 0 {
				t.Errorf("%s: %q is %q, of which %q is left (%v)", fields[0], fields[1], english, at.Rest(english), err)
			}
		}
	}
}

// turnOf is a turn in which the model answers what is said first, with its words and values.
func turnOf(t *testing.T, p language.Prompt, said string) language.Turn {
	t.Helper()
	p.Asked.Text, p.Recent = said, nil
	got := reply(t, p)
	return language.Turn{Prompt: said, Reply: domain.PlainText(got.Blocks), Said: speech.Recorded(got.Spoken), RecordedAt: p.AsOf - 60_000}
}

// A question for what is missing is answered in the language, too, and what was set is
// changed and taken back in it.
func TestAnswersInTongues(t *testing.T) {
	now, zone := monday(t)
	for _, c := range []struct{ before, said, want string }{
		{"Erinnere mich an den Kuchen", "morgen um halb neun", `remind {"what":"den Kuchen","when":"tomorrow at 8:30"}`},
		{"Recuérdame mañana a las 8", "llamar a Ana", `remind {"what":"llamar a Ana","when":"tomorrow at 8"}`},
		{"Rappelle-moi le gâteau", "dans deux heures", `remind {"what":"le gâteau","when":"in 2 hours"}`},
		{"J'ai une réunion avec Luc demain à 10h", "oui", `appointment {"action":"add","what":"réunion avec Luc","when":"tomorrow at 10","with":"Luc"}`},
		{"J'ai une réunion avec Luc demain à 10h", "non", "? Alors je laisse : «J'ai une réunion avec Luc demain à 10h»."},
		{"Termin beim Arzt am Freitag", "um 10", `appointment {"action":"add","what":"Termin beim Arzt","when":"on Friday at 10"}`},
		{"danke", "ja", "? Ich habe gerade nichts gefragt."},
		{"danke", "thanks", "? You're welcome."},
	} {
		p, before := offers(t, c.said), offers(t, c.before)
		before.AsOf, before.Zone, before.Recent, p.AsOf, p.Zone = now-60_000, zone, nil, now, zone
		p.Recent = []language.Turn{answered(t, before)}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q behind %q: got %s, want %s", c.said, p.Recent[0].Reply, got, c.want)
		}
	}
	due := now.Add(22 * time.Hour)
	cake := tells("remind", fmt.Sprintf(`{"reminder_id":%q,"text":"den Kuchen","due":%d}`, firstID, due), "reminder.new",
		speech.Args{"what": speech.Text{Words: "den Kuchen"}, "times": speech.Message{ID: "when.once", Args: speech.Args{"at": speech.Time{At: due}}}})
	cita := told(true, `{}`, "Which appointment is meant: \"Ana\", \"Luis\"?", domain.ActionsBlock(
		domain.Button{Label: "Ana", Skill: "appointment", Params: map[string]any{"action": "cancel", "which": firstID}},
		domain.Button{Label: "Luis", Skill: "appointment", Params: map[string]any{"action": "cancel", "which": secondID}}))
	for said, want := range map[string]string{
		"vergiss es":                 `reminder {"action":"cancel","which":"` + firstID + `"}`,
		"déjalo":                     `reminder {"action":"cancel","which":"` + firstID + `"}`,
		"nein, um neun":              `reminder {"action":"move","when":"at 9","which":"` + firstID + `"}`,
		"non, vendredi":              `reminder {"action":"move","when":"on Friday","which":"` + firstID + `"}`,
		"verschieb ihn auf Mittwoch": `reminder {"action":"move","when":"Wednesday","which":"` + firstID + `"}`,
	} {
		p := offers(t, said)
		p.AsOf, p.Zone = now, zone
		p.Recent = []language.Turn{{Prompt: "Erinnere mich morgen um 8 an den Kuchen", Reply: "ŋ", Done: []language.Done{cake}, RecordedAt: now - 60_000}}
		if got := outline(reply(t, p)); got != want {
			t.Errorf("%q: got %s, want %s", said, got, want)
		}
	}
	p := offers(t, "sí")
	cita.Prompt, cita.Reply = "Cancela la reunión", cita.Done[0].Error
	p.Recent = []language.Turn{cita}
	if got, want := outline(reply(t, p)), "? Eso no responde a mi pregunta: nombra una de las opciones, o di qué debo hacer."; got != want {
		t.Errorf("a yes to which of two: got %s, want %s", got, want)
	}
}

// What was set is changed and taken back in the language by what the skill said as values, whatever the words
// are that were made of it.
func TestWhatWasSaidInTongues(t *testing.T) {
	now, zone := monday(t)
	const id = "0192a000-0000-7000-8000-000000000001"
	due := domain.MillisOf(time.Date(2027, time.March, 2, 8, 0, 0, 0, zone))
	set := tells("remind", fmt.Sprintf(`{"reminder_id":%q,"text":"den Kuchen","due":%d}`, id, due), "reminder.new", speech.Args{
		"times": speech.Message{ID: "when.once", Args: speech.Args{"at": speech.Time{At: due}}}, "what": speech.Text{Words: "den Kuchen"},
	})
	met := tells("appointment", fmt.Sprintf(`{"appointment_id":%q,"text":"Termin mit Tom","start":%d,"end":%d}`, id, due, due.Add(time.Hour)), "appointment.planned", speech.Args{
		"how": speech.Kind("made"), "at": speech.Span{From: due, To: due.Add(time.Hour)}, "what": speech.Text{Words: "Termin mit Tom"},
	})
	for _, c := range []struct {
		done       language.Done
		said, want string
	}{
		{set, "mach es um 9", `reminder {"action":"move","when":"9","which":"` + id + `"}`},
		{set, "Abbrechen", `reminder {"action":"cancel","which":"` + id + `"}`},
		{set, "vergiss es", `reminder {"action":"cancel","which":"` + id + `"}`},
		{set, "déjalo", `reminder {"action":"cancel","which":"` + id + `"}`},
		{set, "nein, um neun", `reminder {"action":"move","when":"at 9","which":"` + id + `"}`},
		{set, "non, vendredi", `reminder {"action":"move","when":"on Friday","which":"` + id + `"}`},
		{met, "verschieb ihn auf Mittwoch", `appointment {"action":"move","when":"Wednesday","which":"` + id + `"}`},
		{met, "sag ihn ab", `appointment {"action":"cancel","which":"` + id + `"}`},
		{met, "no, at 11", `appointment {"action":"move","when":"at 11","which":"` + id + `"}`},
		{met, "never mind", `appointment {"action":"cancel","which":"` + id + `"}`},
	} {
		p := offers(t, c.said)
		p.AsOf, p.Zone = now, zone
		p.Recent = []language.Turn{{Prompt: "Erinnere mich morgen um 8 an den Kuchen", Reply: "ŋ", Done: []language.Done{c.done}, RecordedAt: now - 60_000}}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q: got %s, want %s", c.said, got, c.want)
		}
	}
	asked := language.Done{Call: domain.ToolCall{Tool: "list", Params: json.RawMessage(`{"action":"drop","list":"shopping"}`)}, Own: true, Outcome: domain.ToolFailedType, Text: "ŋ?", Error: "ŋ?",
		Blocks: []domain.Block{{"type": "actions", "buttons": []any{map[string]any{"label": "ŋ", "payload": map[string]any{"skill": "list", "action": "drop", "list": "shopping", "confirmed": true}}}}},
		Said:   []speech.Said{{As: speech.Asked, Says: []speech.Message{{ID: "list.sure", Args: speech.Args{"how": speech.Kind("drop"), "list": speech.Text{Words: "shopping"}, "items": speech.List{speech.Message{ID: "more", Args: speech.Args{"n": speech.Count(9)}}}}}}}}}
	yes := offers(t, "sí")
	yes.AsOf, yes.Zone = now, zone
	yes.Recent = []language.Turn{{Prompt: "Borra la lista de la compra", Reply: "ŋ?", Done: []language.Done{asked}, RecordedAt: now - 60_000}}
	if got, want := outline(reply(t, yes)), `list {"action":"drop","confirmed":true,"list":"shopping"}`; got != want {
		t.Errorf("yes: got %s, want %s", got, want)
	}
	p := offers(t, "Erinnere mich morgen um 8 an den Kuchen")
	p.AsOf, p.Zone, p.Done = now, zone, []language.Done{set}
	p.Tools = slices.DeleteFunc(p.Tools, func(o language.Offered) bool { return o.Name == "remind" })
	told := reply(t, p)
	if got, want := domain.PlainText(told.Blocks), "Ich erinnere dich morgen, Dienstag, 2. März um 08:00 Uhr: den Kuchen"; got != want || told.Spoken == nil || told.Spoken.Language != "de" || told.Spoken.Catalogue == "" || len(told.Spoken.Said) > 0 {
		t.Errorf("told is %q, %+v, want %q", got, told.Spoken, want)
	}
}

// What came of a call is told in the language of the message, and what the person wrote stays
// as it is. An interface's words are never touched, and what leads to them is told.
func TestResultsInTongues(t *testing.T) {
	for _, c := range []struct{ said, tool, result, want string }{
		{"Remind me tomorrow at 8 of den Kuchen", "remind", "I'll remind you tomorrow, Tuesday 2 March at 08:00: den Kuchen", "I'll remind you tomorrow, Tuesday 2 March at 08:00: den Kuchen"},
		{"Erinnere mich morgen um 8 an den Kuchen", "remind", "Something new in English.", "Something new in English."},
		{"Wie wird das Wetter in Berlin?", "weather", "Cancelled: x, tomorrow at 08:00.", "„weather“ von Station antwortet:\n> Cancelled: x, tomorrow at 08:00."},
	} {
		p := offers(t, c.said)
		p.Done = []language.Done{made(c.tool, `{}`, language.Done{Text: c.result})}
		p.Tools = slices.DeleteFunc(p.Tools, func(o language.Offered) bool { return o.Name == "remind" })
		if got := domain.PlainText(reply(t, p).Blocks); got != c.want {
			t.Errorf("%q: %s, want %s", c.said, got, c.want)
		}
	}
}

// What is added while an answer is under way changes it.
func TestSteersInTongues(t *testing.T) {
	for _, c := range []struct{ said, added, want string }{
		{"Erinnere mich morgen um 8 an den Kuchen", "nein, übermorgen", `remind {"what":"den Kuchen","when":"the day after tomorrow at 8"}`},
		{"Setz Milch auf die Einkaufsliste", "und Butter", `list {"action":"add","item":"Milch, Butter","list":"shopping"}`},
		{"Pon leche en la lista de la compra", "olvídalo", "? De acuerdo: no he hecho nada."},
		{"Rappelle-moi demain à 8h le gâteau", "non, la tarte", `remind {"what":"la tarte","when":"tomorrow at 8"}`},
	} {
		p := offers(t, c.said)
		p.Steers = []string{c.added}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q with %q: got %s, want %s", c.said, c.added, got, c.want)
		}
	}
}

// What is in no language that is read is answered in one line.
func TestOtherLanguages(t *testing.T) {
	for _, said := range []string{"ricordami di chiamare il dentista domani alle 8", "zet melk op de boodschappenlijst", "Напомни мне завтра", "明天提醒我"} {
		if got := domain.PlainText(reply(t, offers(t, said)).Blocks); !strings.HasPrefix(got, "I read English, German, Spanish and French") || strings.Contains(got, "\n") {
			t.Errorf("%q is answered with %q", said, got)
		}
	}
}
