package relate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/relate"
)

// now is Friday, 20 November 2026, 17:00 UTC.
var now = domain.Millis(time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC).UnixMilli())

func in(d time.Duration) domain.Millis { return now + domain.Millis(d.Milliseconds()) }

func heard(text, source, topic string) relate.Terms {
	return relate.Read(relate.Text{ID: domain.ID{1}, Kind: relate.Signal, Text: text, Source: source, Topic: topic, At: now}, time.UTC)
}

func planned(text string, due domain.Millis) relate.Terms {
	return relate.Read(relate.Text{ID: domain.ID{2}, Kind: relate.Reminder, Text: text, At: now, Due: due}, time.UTC)
}

func TestScenes(t *testing.T) {
	tests := []struct {
		name          string
		planned       string
		due           domain.Millis
		heard         string
		source, topic string
		surfaces      bool
	}{
		{"a name", "dinner reservation at Luigi's", in(2 * time.Hour), "Luigi's is closed tonight", "city-news", "restaurants", true},
		{"a curly apostrophe", "dinner reservation at Luigi's", in(2 * time.Hour), "Luigi’s is closed tonight", "", "", true},
		{"no apostrophe", "dinner reservation at Luigi's", in(2 * time.Hour), "luigis is closed tonight", "", "", true},
		{"another day", "dinner reservation at Luigi's", in(26 * time.Hour), "Luigi's is closed tonight", "", "", false},
		{"weather", "dinner reservation at Luigi's", in(2 * time.Hour), "Heavy rain expected tonight", "weather", "weather", false},
		{"shares", "dinner reservation at Luigi's", in(2 * time.Hour), "ACME shares fall 12 percent", "stocks", "market", false},
		{"a game", "dinner reservation at Luigi's", in(2 * time.Hour), "The final starts at 19:00 tonight", "sports", "football", false},
		{"a dinner elsewhere", "dinner reservation at Luigi's", in(2 * time.Hour), "Dinner reservation at Brasserie Nord confirmed for tonight", "", "", false},
		{"a time alone", "call the bank", in(2 * time.Hour), "The concert begins tonight", "", "", false},
		{"a flight", "fly to Oslo with LH454", in(3 * time.Hour), "LH 454 delayed by 50 minutes", "airport", "", true},
		{"another flight", "check in for LH454", in(3 * time.Hour), "LH455 delayed by 50 minutes", "airport", "", false},
		{"two people of one first name", "lunch with Marco Bellini", in(3 * time.Hour), "Marco Rossi won the stage", "", "", false},
		{"a whole name", "lunch with Marco Bellini", in(3 * time.Hour), "Marco Bellini is ill", "", "", true},
		{"only mentioned", "dinner reservation at Luigi's", in(2 * time.Hour), "Luigi's serves the best gnocchi", "city-news", "restaurants", false},
		{"heard too late", "dinner reservation at Luigi's", in(-2 * time.Hour), "Luigi's is closed tonight", "city-news", "restaurants", false},
		{"another line", "metro line D to Spandau", in(2 * time.Hour), "Line B: no trains until 20:00", "", "transit", false},
		{"the same line", "metro line D to Spandau", in(2 * time.Hour), "Line D: no trains until 20:00", "", "transit", true},
		{"a topic alone", "gardening", in(2 * time.Hour), "The show starts at 19:00 tonight", "", "gardening", false},
		{"a part of a house", "appointment in Wing B", in(5 * time.Hour), "Emergency in Wing B — visitor restrictions active.", "hospital", "health", true},
		{"a part of a house, long before", "cardiology appointment with Dr. Smith in Wing B", in(72 * time.Hour), "Emergency in Wing B — visitor restrictions active.", "hospital", "", true},
		{"another part of it", "appointment in Wing C", in(5 * time.Hour), "Emergency in Wing B — visitor restrictions active.", "hospital", "health", false},
		{"the house alone", "appointment at the hospital", in(5 * time.Hour), "Emergency in Wing B — visitor restrictions active.", "hospital", "health", false},
		{"a part in small letters", "exam in tower c", in(5 * time.Hour), "tower c is closed for repairs", "", "", true},
		{"a part in another language", "Termin im Trakt B", in(5 * time.Hour), "Sperrung im Trakt B: closed until 18:00", "", "", true},
		{"another part in another language", "Termin im Trakt C", in(5 * time.Hour), "Sperrung im Trakt B: closed until 18:00", "", "", false},
		{"a letter inside a name", "walk along Malcolm X Boulevard", in(5 * time.Hour), "Malcolm X Boulevard is closed", "", "", true},
		{"the first of a row", "yoga in Hall A at the gym", in(5 * time.Hour), "Yoga is moved from Hall A to the garden", "", "", true},
		{"what is no story but the thing that changes", "stall at the Brockweir festival", in(72 * time.Hour), "Brockweir festival cancelled", "", "", true},
		{"two rare words", "pay for the kayak mooring", 0, "Kayak moorings are sold out from Monday", "", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rel := relate.Between(heard(tt.heard, tt.source, tt.topic), planned(tt.planned, tt.due))
			if rel.Surfaces() != tt.surfaces {
				t.Errorf("score %v, surfaces %v, want %v; evidence %v", rel.Score, rel.Surfaces(), tt.surfaces, rel.Evidence)
			}
		})
	}
}

// TestWordings holds everyday wordings against each other.
func TestWordings(t *testing.T) {
	d := func(hours int) domain.Millis { return in(time.Duration(hours) * time.Hour) }
	tests := []struct {
		planned string
		due     domain.Millis
		heard   string
		source  string
		topic   string
		want    bool
	}{
		{"Pick up Mira from Ostrava Central at 18:40", d(2), "Trains to Ostrava Central delayed by 40 minutes", "rail", "transport", true},
		{"buy milk and eggs", 0, "Egg prices rise again", "news", "economy", false},
		{"dentist appointment with Dr. Kowalski", d(20), "Dr Kowalski's practice is closed tomorrow due to illness", "", "", true},
		{"dentist appointment with Dr. Kowalski", d(20), "Dental hygiene week begins tomorrow", "health", "", false},
		{"jog in Volkspark", d(14), "Heavy thunderstorms expected tomorrow morning", "weather", "weather", true},
		{"jog in Volkspark", d(38), "Heavy thunderstorms expected tomorrow morning", "weather", "weather", false},
		{"jog in Volkspark", d(14), "Heavy thunderstorms expected in Malaga tomorrow morning", "weather", "weather", false},
		{"jog in Volkspark", d(14), "Volkspark closed after storm damage", "city", "", true},
		{"take line 4 to the office", d(14), "Line 4 suspended between Zoo and Harbour", "transit", "", true},
		{"take line 4 to the office", d(14), "Line 7 suspended between Zoo and Harbour", "transit", "", false},
		{"Parcel 77120345 arrives", d(14), "Your parcel 77120345 could not be delivered", "dhl", "", true},
		{"Parcel 77120345 arrives", d(14), "Your parcel 99120345 could not be delivered", "dhl", "", false},
		{"Concert: Nils Frahm at Funkhaus", d(4), "Nils Frahm cancels tonight's show", "music", "", true},
		{"Concert: Nils Frahm at Funkhaus", d(4), "Funkhaus evacuated after fire alarm", "news", "", true},
		{"Meeting with Anna in room 4.12", d(4), "Room 4.12 is double-booked this afternoon", "facility", "", true},
		{"Meeting with Anna", d(4), "Anna Karenina returns to the theatre", "culture", "", false},
		{"book club at Brightside Books: The Overstory", d(4), "Brightside Books closes early today", "", "", true},
		{"Pay the invoice from Stromnetz", d(4), "Stromnetz raises prices", "", "energy", true},
		{"Yoga class at Lotus Studio", d(4), "Lotus Bakery recalls biscuits", "", "", false},
		{"Yoga class at Lotus Studio", d(4), "Lotus Studio: tonight's class is cancelled", "", "", true},
		{"Submit grant application to Wexford Council", d(40), "Wexford Council's portal is down for maintenance", "", "", true},
		{"Submit grant application to Wexford Council", d(40), "Dublin Council's portal is down for maintenance", "", "", false},
		{"Check in for the flight to Lisbon", d(20), "Lisbon airport: ground staff on strike", "", "", true},
		{"Take the car to Hansen's garage", d(20), "hansens garage closed for inventory", "", "", true},
		{"Return the library books", 0, "The library is closed on Monday", "", "", true},
		{"Drive to Grandma via the Elbe tunnel", d(2), "Elbe Tunnel closed tonight", "traffic", "", true},
		{"wine tasting at Château Margaux", d(15), "chateau margaux: visits suspended", "", "", true},
		{"Order 2291-A pickup", d(3), "Order 2291-A is ready", "", "", true},
		{"team lunch at the Thai place on Rose Street", d(3), "Rose Street closed for roadworks", "", "", true},
		{"swim at the Ostpark pool", d(3), "Pool at Ostpark closed due to chlorine leak", "", "", true},
		{"gym", d(3), "Gym prices rise", "", "", false},
		{"meet Priya at Central Station", d(3), "Central Bank raises rates", "", "", false},
		{"meet Priya at Central Station", d(3), "Power outage at Central Station", "", "", true},
		{"Fix the Bosch dishwasher", 0, "Bosch recalls dishwashers made in 2021", "", "", true},
		{"Prepare slides for Halvorsen board", d(30), "halvorsen: board moved to thursday", "", "", true},
		{"school run: Greenfield Primary", d(15), "Greenfield Primary closed tomorrow: heating failure", "", "", true},
		{"school run: Greenfield Primary", d(15), "Greenfield Shopping Centre opens tomorrow", "", "", false},
	}
	for _, tt := range tests {
		rel := relate.Between(heard(tt.heard, tt.source, tt.topic), planned(tt.planned, tt.due))
		if rel.Surfaces() != tt.want {
			t.Errorf("%q and %q: score %v, want surfaces %v; evidence %v", tt.heard, tt.planned, rel.Score, tt.want, rel.Evidence)
		}
	}
}

// Five loud strangers don't come between a closed restaurant and a dinner there,
// and don't surface themselves.
func TestLuigis(t *testing.T) {
	said := []relate.Text{
		{Text: "Heavy rain expected tonight, up to 30 mm", Source: "weather", Topic: "weather"},
		{Text: "ACME shares fall 12 percent after earnings", Source: "stocks", Topic: "market"},
		{Text: "City marathon: Main Street closed on Sunday", Source: "city-news", Topic: "traffic"},
		{Text: "Final tonight at 19:00: Rovers against United", Source: "sports", Topic: "football"},
		{Text: "New dinner menu: book your table now!", Source: "ads", Topic: "restaurants"},
		{Text: "Luigi's is closed tonight", Source: "city-news", Topic: "restaurants"},
	}
	signals := make([]relate.Terms, len(said))
	for i, s := range said {
		s.ID, s.Kind, s.At = domain.ID{10, byte(i)}, relate.Signal, now
		signals[i] = relate.Read(s, time.UTC)
	}
	dinner := planned("dinner reservation at Luigi's", in(2*time.Hour))
	found := relate.Relate(signals, []relate.Terms{planned("call the plumber about the boiler", in(20*time.Hour)), dinner})
	if found[0].Signal != (domain.ID{10, 5}) || found[0].Commitment != dinner.ID() || !found[0].Surfaces() {
		t.Fatalf("found %+v", found)
	}
	for _, r := range found[1:] {
		if r.Surfaces() {
			t.Errorf("a stranger surfaces: %+v", r)
		}
	}
	if got, want := found[0].Shared(), []string{`both name "Luigi's"`, "both are for the same day"}; !slices.Equal(got, want) {
		t.Errorf("shared %q, want %q", got, want)
	}
}

// What tonight means depends on where the person is.
func TestZone(t *testing.T) {
	at := domain.Millis(time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC).UnixMilli())
	due := at + domain.Millis((19 * time.Hour).Milliseconds())
	score := func(zone *time.Location) domain.PPM {
		s := relate.Read(relate.Text{ID: domain.ID{1}, Kind: relate.Signal, Text: "Luigi's is closed today", At: at}, zone)
		c := relate.Read(relate.Text{ID: domain.ID{2}, Kind: relate.Reminder, Text: "dinner at Luigi's", At: at, Due: due}, zone)
		return relate.Between(s, c).Score
	}
	if here, there := score(time.UTC), score(time.FixedZone("", 3600)); here >= relate.Surfaces || there < relate.Surfaces {
		t.Errorf("in UTC %v, an hour further east, where it is the same day, %v", here, there)
	}
}

// A signal bears on what it fits best, and on both where it fits both.
func TestRivals(t *testing.T) {
	bears := func(said string, on ...string) []string {
		commitments := make([]relate.Terms, len(on))
		for i, text := range on {
			commitments[i] = relate.Read(relate.Text{ID: domain.ID{2, byte(i)}, Kind: relate.Task, Text: text, At: now, Due: in(3 * time.Hour)}, time.UTC)
		}
		var out []string
		for _, r := range relate.Relate([]relate.Terms{heard(said, "", "")}, commitments) {
			if r.Surfaces() {
				out = append(out, on[r.Commitment[1]])
			}
		}
		slices.Sort(out)
		return out
	}
	got := bears("The baker on Quellgasse closes at 18:00 today", "fetch the cake from the baker on Quellgasse", "return the drill on Quellgasse")
	if want := []string{"fetch the cake from the baker on Quellgasse"}; !slices.Equal(got, want) {
		t.Errorf("bears on %q, want %q", got, want)
	}
	got = bears("Quellgasse is closed until tomorrow", "fetch the cake on Quellgasse", "return the drill on Quellgasse")
	if want := []string{"fetch the cake on Quellgasse", "return the drill on Quellgasse"}; !slices.Equal(got, want) {
		t.Errorf("bears on %q, want %q", got, want)
	}
}

func TestWords(t *testing.T) {
	tests := []struct {
		evidence relate.Evidence
		want     string
	}{
		{relate.Evidence{Kind: relate.ByName, Text: "Luigi's", Weight: 1}, `both name "Luigi's"`},
		{relate.Evidence{Kind: relate.ByCode, Text: "LH454", Weight: 1}, `both carry "LH454"`},
		{relate.Evidence{Kind: relate.ByWord, Text: "kayak", Weight: 1}, `both speak of "kayak"`},
		{relate.Evidence{Kind: relate.BySource, Text: "Silva", Weight: 1}, `it comes from "Silva"`},
		{relate.Evidence{Kind: relate.ByDay, Weight: 1}, "both are for the same day"},
		{relate.Evidence{Kind: relate.ByDay, Weight: -1}, "they speak of different days"},
		{relate.Evidence{Kind: relate.ByChange, Text: "closed", Weight: 1}, `the signal says "closed"`},
		{relate.Evidence{Kind: relate.ByRival, Weight: -1}, "the signal fits something else better"},
	}
	for _, tt := range tests {
		if got := tt.evidence.Words(); got != tt.want {
			t.Errorf("%+v reads %q, want %q", tt.evidence, got, tt.want)
		}
	}
}

// A number is one, in whatever groups it is written.
func TestNumbersInGroups(t *testing.T) {
	for _, c := range []struct {
		planned, heard string
		same           bool
	}{
		{"pay invoice 4 111 222", "Invoice 4111222 is overdue", true},
		{"pay invoice 4 111 222", "Invoice 4.111.222 is overdue", true},
		{"pay invoice 4'111'222", "Invoice 4,111,222 is overdue", true},
		{"pay invoice 4 111 222", "Invoice 4 111 333 is overdue", false},
		{"pay invoice 4 111 222", "Invoice 4 222 111 is overdue", false},
		{"pay invoice 12 345", "Invoice 12345 is overdue", true},
		{"fly with LH1802", "LH 1802 is delayed", true},
		{"fly with LH 1802", "LH 1803 is delayed", false},
		{"call 0151 2345678", "0151/2345678 is out of order", true},
		{"call (0151) 2345678", "01512345678 is out of order", true},
		{"call 0151-234-5678", "0151 2345678 is out of order", true},
		{"call 0151 2345678", "0151 9345678 is out of order", false},
		{"call 0151 2345678", "0152 2345678 is out of order", false},
		{"renew 4111 1111 1111 1112", "4111111111111112 was declined", true},
		{"renew 4111 1111 1111 1112", "4111 1111 1111 1113 was declined", false},
		{"rent to DE89 3704 0044 0532 0130 00", "DE89370400440532013000 is blocked", true},
		{"rent to DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 99 is blocked", false},
		{"rent to GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819 is blocked", true},
		{"rent to GB29 NWBK 6016 1331 9268 19", "GB29 NWBK 6016 1331 9268 20 is blocked", false},
		// Numbers side by side that are several.
		{"meet in room 12", "Room 12 150 seats: closed", true},
		{"fetch 77120345 on 20 11 2026", "77120345 is late", true},
		{"pay bill 77120", "Bill 77120 2026 is overdue", true},
	} {
		rel := relate.Between(heard(c.heard, "", ""), planned(c.planned, 0))
		both := slices.ContainsFunc(rel.Evidence, func(e relate.Evidence) bool { return e.Kind == relate.ByCode })
		if both != c.same || !c.same && rel.Surfaces() {
			t.Errorf("%q and %q: score %v, %v", c.planned, c.heard, rel.Score, rel.Evidence)
		}
	}
}

// Groups of any kind make no difference between a number and itself, and none hide
// that two numbers are two.
func TestGroupsAreNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[1-9][0-9]{8,15}`).Draw(t, "digits")
		size := rapid.SampledFrom([]int{3, 4}).Draw(t, "size")
		var groups []string
		for rest := digits; rest != ""; rest = rest[min(size, len(rest)):] {
			groups = append(groups, rest[:min(size, len(rest))])
		}
		if len(groups[len(groups)-1]) == 1 || len(groups[0]) == 4 && (groups[0] < "2100" && groups[0] >= "1900") {
			t.Skip("a digit alone, or what may be a year")
		}
		text := strings.Join(groups, rapid.SampledFrom([]string{" ", "-", "\u00a0"}).Draw(t, "between"))
		for _, said := range []string{"Parcel " + text + " is late", text + " is late", "it is " + text} {
			if rel := relate.Between(heard(said, "", ""), planned("fetch "+digits, 0)); len(rel.Evidence) == 0 || rel.Evidence[0].Kind != relate.ByCode {
				t.Fatalf("%q and %s: %v", said, digits, rel.Evidence)
			}
			other := digits[:4] + string('0'+(digits[4]-'0'+1)%10) + digits[5:]
			if rel := relate.Between(heard(said, "", ""), planned("fetch "+other, 0)); rel.Surfaces() || len(rel.Evidence) > 0 && rel.Evidence[0].Kind == relate.ByCode {
				t.Fatalf("%q and %s: %v", said, other, rel.Evidence)
			}
		}
	})
}
