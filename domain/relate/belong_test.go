package relate_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
)

func has(r relate.Relation, kind relate.By) bool {
	return slices.ContainsFunc(r.Evidence, func(e relate.Evidence) bool { return e.Kind == kind && e.Weight > 0 })
}

// What belongs together does so when and where the plan is.
func TestBelongings(t *testing.T) {
	d := func(hours int) domain.Millis { return in(time.Duration(hours) * time.Hour) }
	for _, c := range []struct {
		planned string
		due     domain.Millis // from Friday, 17:00
		heard   string
		want    bool
	}{
		{"barbecue with the neighbours", d(2), "Thunderstorms with hail this evening", true},
		{"barbecue with the neighbours", d(26), "Thunderstorms with hail this evening", false},
		{"barbecue with the neighbours", d(26), "Thunderstorms with hail tomorrow", true},
		{"barbecue with the neighbours", d(2), "Thunderstorms near Lisbon this evening", false},
		{"barbecue near Lisbon", d(2), "Thunderstorms near Lisbon this evening", true},
		{"barbecue with the neighbours", 0, "Thunderstorms with hail this evening", false},
		{"piano lesson", d(2), "Thunderstorms with hail this evening", false},
		{"bake the bread", d(2), "Power cut in your street from 18:00 to 21:00", true},
		{"bake the bread", d(5), "Power cut in your street from 18:00 to 21:00", false},
		{"bake the bread", d(17), "Power cut in your street tomorrow from 09:00 until noon", true},
		{"bake the bread", d(22), "Power cut in your street tomorrow from 09:00 until noon", false},
		{"wash the curtains", d(3), "No running water until midnight, main burst", true},
		{"wash the curtains", d(3), "Washing machine: programme finished", false},
		{"train to Leeds", d(15), "Railway staff on strike tomorrow", true},
		{"take tram 8 to town", d(2), "Tram 6: strike of drivers this evening", false},
		{"walk the dog", d(3), "Heat alert this evening, asphalt stays hot", true},
		{"swim in the bay", d(16), "Bathing ban tomorrow after sewage overflow", true},
	} {
		rel := relate.Between(heard(c.heard, "", ""), planned(c.planned, c.due))
		if rel.Surfaces() != c.want || c.want && !has(rel, relate.ByBelong) {
			t.Errorf("%q and %q: score %v, want surfaces %v; evidence %v", c.heard, c.planned, rel.Score, c.want, rel.Evidence)
		}
	}
}

// A name that is also a word meets its like only, and the word only the word.
func TestNamesThatAreWords(t *testing.T) {
	for _, c := range []struct {
		planned, heard, source string
		same                   bool
	}{
		{"lunch with May Lindqvist", "May Lindqvist is ill today", "", true},
		{"lunch with May", "May: running late, sorry", "", true},
		{"lunch with May", "running late, sorry! May", "", true},
		{"lunch with May", "can we do one o'clock?", "may", true},
		{"lunch with May", "The museum may be closed today", "", false},
		{"lunch with May", "Closed until 3 May", "", false},
		{"lunch with May", "May was the driest month for years", "", false},
		{"review with Mark", "EU leaders mark the end of the war", "", false},
		{"review with Mark", "Mark is ill, his reviews move to Monday", "", true},
		{"climbing with Storm", "Storm Agnes closes roads", "", false},
		{"dinner with Bill and Joy", "Bill on renting passes today", "", false},
		{"dinner with Bill and Joy", "Joy: Bill is ill, no dinner tonight", "", true},
		{"lunch with mark", "lunch with mark is cancelled", "", true},
		{"take Mr Wolf out", "Wolf shot in the north", "", false},
		{"take Mr Wolf out", "Mr Wolf can't come tomorrow", "", true},
		{"ICE 603 to Berlin", "ICE 603 is cancelled", "", true},
		{"ice for the coolers", "All ICE trains are late today", "", false},
		{"fetch the ice", "Ice is sold out today", "", true},
	} {
		rel := relate.Between(heard(c.heard, c.source, ""), planned(c.planned, in(3*time.Hour)))
		if same := has(rel, relate.ByName) || has(rel, relate.ByWord) || has(rel, relate.BySource); same != c.same {
			t.Errorf("%q and %q: want them to share something %v, evidence %v", c.heard, c.planned, c.same, rel.Evidence)
		}
	}
}

// An id is one in whatever groups.
func TestIDsInGroups(t *testing.T) {
	for _, c := range []struct {
		planned, heard string
		same           bool
	}{
		{"collect parcel AB 12 34", "AB1234 is ready", true},
		{"collect parcel AB 12 34", "AB-1234 is ready", true},
		{"collect parcel AB 12 34", "AB-12-34 is ready", true},
		{"collect parcel AB 12 34", "AB1243 is ready", false},
		{"container MSKU 714 220 9", "MSKU7142209: seal missing", true},
		{"container MSKU 714 220 9", "MSKU7142290: seal missing", false},
		{"permit NBI-4471-C", "NBI4471C expires today", true},
		{"docket 24-CV-1187", "24CV1187: hearing moved", true},
		{"cylinder GC 9 071 33", "GC907133 arrives tomorrow", true},
		{"fly with LH 454", "LH 454 20 minutes late", true},
		{"drive along the A7", "A7 120 cars stuck", true},
		{"meet at 10 30", "PO 10 30 is late", false},
	} {
		rel := relate.Between(heard(c.heard, "", ""), planned(c.planned, 0))
		if has(rel, relate.ByCode) != c.same {
			t.Errorf("%q and %q: want one code %v, evidence %v", c.heard, c.planned, c.same, rel.Evidence)
		}
	}
}

// A part of a building takes what follows as its name.
func TestPartsOfBuildings(t *testing.T) {
	for _, c := range []struct {
		planned, heard string
		want           bool
	}{
		{"board, room Kauri", "Room Kauri is flooded today", true},
		{"board, room Kauri", "Room Rimu is flooded today", false},
		{"dentist on the second floor", "Floor 2 is closed today", true},
		{"dentist on the 2nd floor", "No access to floor 3 today", false},
		{"eye doctor, exit 3", "Exit 3 is locked today", true},
		{"eye doctor, exit 3", "Exit 4 is locked today", false},
		{"pay for unit 4C", "Unit 4C: new account from today", true},
		{"pay for unit 4C", "Unit 4G: new account from today", false},
		{"photo at counter 6", "Counter 6 closes at 14:00 today", true},
		{"train from platform 9", "Platform 9 is closed today, use platform 4", true},
		{"talk in classroom 12", "Classroom 12 is being painted today, use another", true},
	} {
		rel := relate.Between(heard(c.heard, "", ""), planned(c.planned, in(3*time.Hour)))
		if rel.Surfaces() != c.want {
			t.Errorf("%q and %q: score %v, want surfaces %v; evidence %v", c.heard, c.planned, rel.Score, c.want, rel.Evidence)
		}
	}
}

// What speaks of most of a question answers it, unless it was heard before.
func TestQuestions(t *testing.T) {
	for _, c := range []struct {
		asked, heard string
		ago          time.Duration
		want         bool
	}{
		{"is there petrol at the Shell on Ngong Road?", "Shell Ngong Road has petrol again", time.Hour, true},
		{"is there petrol at the Shell on Ngong Road?", "Shell Ngong Road has petrol again", -time.Hour, false},
		{"when does the Huduma office open?", "Huduma counters open at 10 today", time.Hour, true},
		{"when does the pool open?", "Pool of talent: youth team wins", time.Hour, false},
		{"does the bank open on Friday?", "Bank robbery in Bamako", time.Hour, false},
	} {
		asked := relate.Read(relate.Text{ID: domain.ID{2}, Kind: relate.Question, Text: c.asked, At: in(-c.ago)}, time.UTC)
		if rel := relate.Between(heard(c.heard, "", ""), asked); rel.Surfaces() != c.want {
			t.Errorf("%q and %q: score %v, want surfaces %v; evidence %v", c.heard, c.asked, rel.Score, c.want, rel.Evidence)
		}
	}
}

// What is on a list has no time: all of it has to be what changes.
func TestEntries(t *testing.T) {
	for _, c := range []struct {
		listed, heard string
		want          bool
	}{
		{"bananas", "Bananas of the brand Yellow are being recalled", true},
		{"milk", "Milk is sold out at the corner shop", true},
		{"oat milk", "Oat milk is 20 percent off today", true},
		{"milk", "Milk Hill is open for hikers", false},
		{"oat milk", "Milk prices were a topic at the meeting", false},
	} {
		entry := relate.Read(relate.Text{ID: domain.ID{2}, Kind: relate.List, Text: c.listed, At: in(-24 * time.Hour)}, time.UTC)
		if rel := relate.Between(heard(c.heard, "", ""), entry); rel.Surfaces() != c.want {
			t.Errorf("%q and %q: score %v, want surfaces %v; evidence %v", c.heard, c.listed, rel.Score, c.want, rel.Evidence)
		}
	}
}

// A name that is also a word is one at a sentence's beginning, when the sentence goes on as
// about a person.
func TestNamesAtTheBeginning(t *testing.T) {
	for _, c := range []struct {
		planned, heard string
		want           bool
	}{
		{"meeting with May", "May is ill and can't come tomorrow", true},
		{"dinner with Storm", "Storm cancelled the dinner tomorrow", true},
		{"meeting with May", "May is the month of museums", false},
		{"visit Storm", "Storm is on its way to the coast", false},
	} {
		if rel := relate.Between(heard(c.heard, "outside", ""), planned(c.planned, in(20*time.Hour))); rel.Surfaces() != c.want {
			t.Errorf("%q and %q: score %v, want surfaces %v; evidence %v", c.heard, c.planned, rel.Score, c.want, rel.Evidence)
		}
	}
}

// An amount at the very beginning is read as any other.
func TestAmounts(t *testing.T) {
	for text, want := range map[string]bool{
		" -5 tonight": false, "-12 degrees this evening": true, "38 degrees this evening": true, "Gusts: 90 km/h this evening": true,
		"90": false, "10-15 degrees this evening": false, "minus 8 this evening": true, "90 km by bike this evening": false,
	} {
		if rel := relate.Between(heard(text, "", ""), planned("walk the dog", in(2*time.Hour))); has(rel, relate.ByBelong) != want {
			t.Errorf("%q: %v", text, rel.Evidence)
		}
	}
}

// Every matter of the lexicon is one that a text can speak of.
func TestLexiconFits(t *testing.T) {
	text, err := os.ReadFile("belongs.txt")
	if err != nil {
		t.Fatal(err)
	}
	matters, before := 0, ""
	for line := range strings.Lines(string(text)) {
		side, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch side {
		case "", "#", "=":
			continue
		case "<", ">":
			if before == "" || list == "" {
				t.Errorf("what belongs to what: %q", line)
			}
		default:
			matters++
			before = line
		}
	}
	if matters >= 64 {
		t.Errorf("%d matters are too many", matters)
	}
}
