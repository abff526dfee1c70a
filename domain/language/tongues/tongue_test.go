package tongues_test

import (
	"os"
	"strings"
	"testing"

	"chalie/domain/language/tongues"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"German", "Erinnere mich morgen um 8 an den Zahnarzt"}, {"German", "alarm um 7"}, {"German", "wecker"}, {"German", "Lösche die Einkaufsliste"},
		{"Spanish", "recuerdame llamar a mama"}, {"Spanish", "¿qué hora es?"}, {"", "Annulla"}, {"Spanish", "hola"}, {"French", "merci"}, {"French", "Supprime le rappel"}, {"French", "je suis crevé"},
	} {
		got := ""
		if l, ok := tongues.Of(c.text); ok {
			got = l.Name
		}
		if got != c.name {
			t.Errorf("%q is in %q, want %q", c.text, got, c.name)
		}
	}
}

// Names and odd words don't make an English sentence another one.
func TestEnglish(t *testing.T) {
	for text := range strings.SplitSeq(strings.TrimSpace(english), "\n") {
		if l, ok := tongues.Of(text); ok {
			t.Errorf("%q is taken for %s", text, l.Name)
		}
		if tongues.Elsewhere(text) {
			t.Errorf("%q is taken for a language that isn't read", text)
		}
	}
}

const english = `
call José de la Cruz
dinner at Casa de Maria
remind me of the Los Angeles trip
Luigi's is closed tonight
put crème brûlée and tarte aux pommes on the shopping list
add pan de muerto to the list
play Die Hard
what's the weather in Las Palmas de Gran Canaria?
remind me to call Jürgen Müller at Die Zeit
Mets game tonight
set an alarm para mañana
Maria de la Rosa
El Paso
Los Angeles
Rio de Janeiro
Jean-Luc
Bon Jovi tickets
is Le Bistro open?
meet Hans at the Bahnhof
learn the der die das table
send Björn the schedule
remind me to watch Amélie
cinco de mayo party
RSVP to Zoë
lorem ipsum dolor
asdf
hmm
lol
no
me too
son
also
what does danke mean
how do you say tomorrow in Spanish
translate buenos días for me
say hola to Ana
note: wifi is Sonnenblume
I love die Toten Hosen
buy milk
eggs bacon bread
gym at 6
dentist 10am
Anna 5pm
mom birthday
rent due
flight LH 441
order 66
remind me
sushi ramen sake
Ikea Billy shelf
Volvo service
ciao for now
per diem form
vice versa
ad hoc meeting
pro bono hours
status quo
a la carte menu
de facto standard
e.g. this
i.e. that
`

func TestElsewhere(t *testing.T) {
	for text := range strings.SplitSeq(strings.TrimSpace(elsewhere), "\n") {
		if !tongues.Elsewhere(text) {
			t.Errorf("%q is in no language that isn't read", text)
		}
		if l, ok := tongues.Of(text); ok {
			t.Errorf("%q is taken for %s", text, l.Name)
		}
	}
}

const elsewhere = `
ricordami di chiamare il dentista domani alle 8
che ore sono?
aggiungi il latte alla lista della spesa
cosa devo fare oggi
buongiorno
herinner me eraan om morgen de tandarts te bellen
zet melk op de boodschappenlijst
hoe laat is het?
goedemorgen
me lembre de ligar para o dentista amanhã às 8
que horas são?
coloque leite na lista de compras
obrigado
przypomnij mi jutro o 8 żeby zadzwonić do dentysty
która jest godzina?
dzień dobry
påminn mig i morgon klockan 8 att ringa tandläkaren
hvad er klokken?
yarın saat 8'de dişçiyi aramamı hatırlat
připomeň mi zítra v 8 zavolat zubaři
amintește-mi mâine la 8 să sun la dentist
emlékeztess holnap 8-kor hogy hívjam a fogorvost
muistuta minua huomenna kello 8 soittaa hammaslääkärille
ingatkan saya besok jam 8 untuk menelepon dokter gigi
напомни мне завтра в 8 позвонить стоматологу
нагадай мені завтра
明天八点提醒我给牙医打电话
明日の8時に歯医者に電話するのを忘れないで
내일 8시에 치과에 전화하라고 알려줘
ذكرني غدا في الثامنة
תזכיר לי מחר בשמונה
υπενθύμισέ μου αύριο στις 8
मुझे कल याद दिलाना
เตือนฉันพรุ่งนี้
`

func TestKnows(t *testing.T) {
	for word, want := range map[string]bool{"Übermorgen": true, "erinnere": true, "mañana": true, "après": true, "the": true, "herinner": true, "Zahnarzt": false, "Okafor": false, "Nikolaus": false} {
		if tongues.Knows(word) != want {
			t.Errorf("%s: known is %t", word, !want)
		}
	}
}

// What is said of a time, in English.
func TestWhen(t *testing.T) {
	raw, err := os.ReadFile("testdata/times.tsv")
	if err != nil {
		t.Fatal(err)
	}
	languages := map[string]*tongues.Tongue{"de": tongues.German, "es": tongues.Spanish, "fr": tongues.French}
	for line := range strings.Lines(string(raw)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 {
			continue
		}
		at := languages[fields[0]].When(fields[1])
		got := at.English
		if len(at.Unread) > 0 || at.Rest != "" {
			got = "asks"
		}
		if got != fields[2] {
			t.Errorf("%s: %q is %q (rest %q, unread %q), want %q", fields[0], fields[1], got, at.Rest, at.Unread, fields[2])
		}
	}
}
