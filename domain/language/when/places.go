package when

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"
)

// placesFile says itself how it is written. It is read once it is needed.
//
//go:embed places.txt
var placesFile string

// Local is a zone, with the place that keeps it.
type Local struct {
	Place string // "London", "Birmingham (Alabama)", "Eastern time"
	Zone  *time.Location
}

// Locals are the zones of a place: of a city, a part of a country, a country, a coast, or of
// a zone by its name or letters. There are several for a place that has several, such as
// Australia, and for a name that several places have; where most people live comes first.
// Without any the place isn't known.
func Locals(place string) []Local {
	out, name := tabled(place)
	if out != nil || name == "" {
		return out
	}
	if z, ok := zoneNamed(name); ok {
		return []Local{{capitals(name), z}}
	}
	return nil
}

// Listed are the zones of a place that the tables have. It opens no file of zones in vain, so
// that each word of a sentence may be looked up.
func Listed(place string) []Local {
	out, _ := tabled(place)
	return out
}

// tabled are the zones of a place that the tables have; for another, its bare name.
func tabled(place string) (all []Local, bare string) {
	if z, ok := fromGreenwich(strings.ToLower(place)); ok {
		return []Local{{z.String(), z}}, ""
	}
	name := placeKey(place)
	if len(name) > maxPlaceBytes {
		return nil, ""
	}
	for _, before := range []string{"the ", "city of ", "state of ", "country of "} {
		name = strings.TrimPrefix(name, before)
	}
	for _, behind := range []string{" of the united states", " of the us", " of the usa", " of america", " of us"} {
		name = strings.TrimSuffix(name, behind)
	}
	if out := namedLocals(name); out != nil {
		return out, name
	}
	for _, behind := range []string{" time zone", " timezone", " standard time", " daylight time", " local time", " time", " zone", " standard", " city", " state"} {
		if short, ok := strings.CutSuffix(name, behind); ok {
			return tabled(short)
		}
	}
	if strings.ContainsAny(name, " ,") {
		return placeWithin(name), name
	}
	return nil, name
}

// fromGreenwich is a zone by its hours: gmt+2, utc minus five.
func fromGreenwich(name string) (*time.Location, bool) {
	behind, ok := strings.CutPrefix(name, "utc")
	if !ok {
		if behind, ok = strings.CutPrefix(name, "gmt"); !ok {
			return nil, false
		}
	}
	words := strings.Fields(strings.NewReplacer("+", " plus ", "-", " minus ", "−", " minus ").Replace(behind))
	if len(words) != 2 || words[0] != "plus" && words[0] != "minus" {
		return nil, false
	}
	n := units[words[1]]
	if n == 0 {
		var err error
		if n, err = strconv.Atoi(words[1]); err != nil {
			return nil, false
		}
	}
	const most = 14
	if n > most {
		return nil, false
	}
	if words[0] == "minus" {
		n = -n
	}
	return time.FixedZone(fmt.Sprintf("UTC%+d", n), n*3600), true
}

const maxPlaceBytes = 60

// namedLocals are those of a name as it stands in a table.
func namedLocals(name string) []Local {
	if other, ok := nicknames()[name]; ok {
		var out []Local
		for one := range strings.SplitSeq(other, "; ") {
			zone, label, isZone := strings.Cut(one, "=")
			if !isZone {
				out = append(out, namedLocals(one)...)
				continue
			}
			if z, err := time.LoadLocation(zone); err == nil {
				out = append(out, Local{label, z})
			}
		}
		return out
	}
	found := gazetteer()[name]
	if i := slices.IndexFunc(found, func(e entry) bool { return e.country == "" }); i >= 0 {
		found = found[i : i+1] // a country goes before its capital
	}
	var out []Local
	for _, e := range found {
		for _, id := range e.zones {
			if slices.ContainsFunc(out, func(l Local) bool { return l.Zone.String() == id }) {
				continue
			}
			z, err := time.LoadLocation(id)
			if err != nil {
				continue
			}
			label := e.name
			switch {
			case len(e.zones) > 1:
				label = cityOf(id)
			case slices.ContainsFunc(found, func(o entry) bool { return o.country != e.country }):
				label += " (" + e.country + ")"
			case len(found) > 1 && e.part != "" && e.part != e.name:
				label += " (" + e.part + ")"
			}
			out = append(out, Local{label, z})
		}
	}
	if len(out) == 1 && len(found) > 0 {
		out[0].Place = found[0].name // every place of the name keeps the same zone
	}
	if minutes, ok := abbreviated[name]; ok && out == nil {
		return []Local{{strings.ToUpper(name), time.FixedZone(strings.ToUpper(name), minutes*60)}}
	}
	return out
}

// placeWithin reads a city with what it lies in: "Lagos, Nigeria", "Portland Maine". Of one
// that isn't known the part of the country, or the country, tells the zone.
func placeWithin(name string) []Local {
	words := strings.Fields(strings.ReplaceAll(name, ",", " "))
	for at := len(words) - 1; at > 0; at-- {
		city, around := strings.Join(words[:at], " "), strings.Join(words[at:], " ")
		if state, ok := states()[around]; ok {
			around = state
		}
		outer := namedLocals(around)
		if outer == nil {
			continue
		}
		var inside []Local
		for _, l := range namedLocals(city) {
			if slices.ContainsFunc(outer, func(o Local) bool { return o.Zone.String() == l.Zone.String() }) {
				inside = append(inside, l)
			}
		}
		switch {
		case len(inside) > 0:
			inside[0].Place, _, _ = strings.Cut(inside[0].Place, " (")
			return inside[:1]
		case len(outer) == 1 && (strings.Contains(name, ",") || namedLocals(city) != nil):
			return outer
		}
	}
	return nil
}

// Mistyped is the one country, or the one city that a zone is named after, from which a word differs
// by a letter behind its first: lodnon, singapor.
func Mistyped(word string) (name string, ok bool) {
	const short = 5
	word = placeKey(word)
	if len(word) < short || len(word) > maxPlaceBytes {
		return "", false
	}
	for _, known := range renowned() {
		if word[0] != known[0] || !isLetterOff(word, known) {
			continue
		}
		if name != "" {
			return "", false
		}
		name = known
	}
	return name, name != ""
}

// renowned are the countries, the cities that zones are named after, and a few more of which people
// ask, by their keys.
var renowned = sync.OnceValue(func() []string {
	var out []string
	for line := range strings.Lines(placesFile) {
		head, rest, _ := strings.Cut(strings.TrimSpace(line), "|")
		name, isCountry := strings.CutPrefix(head, "=")
		if !isCountry {
			continue
		}
		out = append(out, placeKey(name))
		for zone := range strings.FieldsSeq(rest) {
			out = append(out, placeKey(cityOf(zone)))
		}
	}
	out = append(out, "beijing", "mumbai", "delhi", "chennai", "osaka", "barcelona", "munich", "hamburg", "milan", "geneva", "boston", "seattle", "houston", "dallas", "miami", "atlanta", "philadelphia", "california", "florida", "texas", "hawaii", "san francisco")
	slices.Sort(out)
	return slices.Compact(out)
})

// isLetterOff reports whether two words differ by a letter that is another, missing or one too
// many, or by two that have changed places.
func isLetterOff(word, other string) bool {
	if len(word) > len(other) {
		word, other = other, word
	}
	at := 0
	for at < len(word) && word[at] == other[at] {
		at++
	}
	switch {
	case word == other:
		return false
	case len(word) < len(other):
		return word[at:] == other[at+1:]
	}
	return word[at+1:] == other[at+1:] || at+1 < len(word) && word[at] == other[at+1] && word[at+1] == other[at] && word[at+2:] == other[at+2:]
}

// entry is a place of the table; a country lies in no country.
type entry struct {
	name, part, country string
	zones               []string
}

// gazetteer has the places of the table by their keys.
var gazetteer = sync.OnceValue(func() map[string][]entry {
	out := map[string][]entry{}
	add := func(e entry) { out[placeKey(e.name)] = append(out[placeKey(e.name)], e) }
	country := ""
	parts := map[string]int{} // of the country, to their entries
	for line := range strings.Lines(placesFile) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, rest, _ := strings.Cut(line, "|")
		if name, ok := strings.CutPrefix(head, "="); ok {
			country = name
			clear(parts)
			add(entry{name: name, zones: strings.Fields(rest)})
			continue
		}
		zone, few := strings.CutPrefix(head, "~")
		part, cities, _ := strings.Cut(rest, "|")
		at, known := parts[part]
		switch {
		case part == "" || few:
		case known:
			out[placeKey(part)][at].zones = append(out[placeKey(part)][at].zones, zone)
		default:
			parts[part] = len(out[placeKey(part)])
			add(entry{name: part, country: country, zones: []string{zone}})
		}
		for city := range strings.SplitSeq(cities, ";") {
			if city != "" {
				add(entry{name: city, part: part, country: country, zones: []string{zone}})
			}
		}
	}
	return out
})

// placeKey is a name as it is looked up: without capitals, accents, marks and apostrophes.
func placeKey(name string) string {
	var out strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(name)) {
		switch {
		case r == '.' || r == '\'' || r == '’' || r == '(' || r == ')' || 0x300 <= r && r < 0x370:
		case r == '-' || r == '_' || r == '/':
			out.WriteByte(' ')
		case r == ',':
			out.WriteString(", ")
		default:
			out.WriteRune(r)
		}
	}
	words := strings.Fields(out.String())
	for i, w := range words {
		if w == "saint" || w == "st" {
			words[i] = "st"
		}
	}
	return strings.Trim(strings.Join(words, " "), ", ")
}

// states are those of the United States by their letters, which only stand behind a city.
var states = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for both := range strings.SplitSeq("al alabama,ak alaska,az arizona,ar arkansas,ca california,co colorado,ct connecticut,de delaware,fl florida,ga georgia,hi hawaii,id idaho,il illinois,in indiana,ia iowa,ks kansas,ky kentucky,la louisiana,me maine,md maryland,ma massachusetts,mi michigan,mn minnesota,ms mississippi,mo missouri,mt montana,ne nebraska,nv nevada,nh new hampshire,nj new jersey,nm new mexico,ny new york,nc north carolina,nd north dakota,oh ohio,ok oklahoma,or oregon,pa pennsylvania,ri rhode island,sc south carolina,sd south dakota,tn tennessee,tx texas,ut utah,vt vermont,va virginia,wa washington state,wv west virginia,wi wisconsin,wy wyoming", ",") {
		letters, name, _ := strings.Cut(both, " ")
		out[letters] = name
	}
	return out
})

// cityOf is the city that a zone is named after.
func cityOf(zone string) string {
	name := strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
	if right, ok := map[string]string{"Sao Paulo": "São Paulo", "St Johns": "St. John's"}[name]; ok {
		return right
	}
	return name
}

// capitals is a name as it is written.
func capitals(name string) string {
	words := strings.Fields(name)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// nicknames are names that the table doesn't have, each with the name that it has, or with
// a zone and what to call it; several where the name is open.
var nicknames = sync.OnceValue(func() map[string]string {
	out := map[string]string{
		"georgia": "Asia/Tbilisi=Georgia, the country; America/New_York=Georgia, the state", "washington": "America/New_York=Washington, D.C.; America/Los_Angeles=Washington State",
		"korea": "south korea", "america": "united states", "congo": "Africa/Kinshasa=Kinshasa; Africa/Lubumbashi=Lubumbashi", "kansas city": "America/Chicago=Kansas City", "washington state": "America/Los_Angeles=Washington State",
		"utc": "UTC=UTC", "gmt": "UTC=GMT", "greenwich": "UTC=GMT", "greenwich mean": "UTC=GMT", "zulu": "UTC=UTC", "coordinated universal": "UTC=UTC", "universal": "UTC=UTC",
	}
	for id, names := range map[string]string{
		"America/New_York=Eastern time": "eastern, et, est, edt, eastern us, us eastern, eastern usa", "America/Chicago=Central time": "central, ct, cst, cdt, central us, us central", "America/Denver=Mountain time": "mountain, mt, mst, mdt, us mountain",
		"America/Los_Angeles=Pacific time": "pacific, pt, pst, pdt, us pacific", "America/Anchorage=Alaska time": "akst, akdt", "Pacific/Honolulu=Hawaii": "hst, hawaiian, hawaii aleutian", "America/Halifax=Atlantic time": "atlantic",
		"America/New_York=the East Coast": "east coast, eastcoast, eastern seaboard, eastern coast, us east coast, east coast us, american east coast", "America/Los_Angeles=the West Coast": "west coast, westcoast, pacific coast, western coast, us west coast, west coast us, american west coast",
		"America/Chicago=the Midwest": "midwest", "America/New_York=Washington, D.C.": "dc, washington dc, district of columbia", "America/New_York=New York": "nyc, new york, new york city, ny, big apple, manhattan, brooklyn, queens, bronx, staten island, harlem, long island, wall street",
		"America/Los_Angeles=Los Angeles": "la, hollywood, beverly hills, malibu, santa monica", "America/Los_Angeles=San Francisco": "sf, frisco, silicon valley, bay area, palo alto, cupertino, mountain view", "America/Chicago=Dallas": "fort worth, ft worth, dfw, plano", "America/New_York=Philadelphia": "philly",
		"America/New_York=New Jersey": "jersey city, nj", "America/Los_Angeles=Las Vegas": "vegas", "America/Los_Angeles=California": "ca, socal, cali, anaheim, disneyland", "America/New_York=Orlando": "disney world, disneyworld", "America/Chicago=Texas": "tx",
		"Europe/London=the United Kingdom": "uk, britain, great britain, british, united kingdom, bst", "Europe/London=England": "england, english", "Europe/London=Scotland": "scotland, scottish", "Europe/London=Wales": "wales, welsh", "Europe/London=Northern Ireland": "northern ireland",
		"Europe/Dublin=Ireland": "ireland, irish, republic of ireland, eire", "Europe/Amsterdam=the Netherlands": "netherlands, holland, dutch, the hague", "Europe/Berlin=Germany": "german, deutschland", "Europe/Paris=France": "french, riviera", "Europe/Madrid=Spain": "spanish",
		"Europe/Rome=Italy": "italian, tuscany, sicily, sardinia", "Europe/Athens=Greece": "greek, crete", "Europe/Lisbon=Portugal": "portuguese", "Europe/Zurich=Switzerland": "swiss", "Europe/Warsaw=Poland": "polish", "Europe/Stockholm=Sweden": "swedish", "Europe/Oslo=Norway": "norwegian",
		"Europe/Copenhagen=Denmark": "danish", "Europe/Helsinki=Finland": "finnish", "Europe/Vienna=Austria": "austrian", "Europe/Istanbul=Turkey": "turkish, turkiye", "Europe/Moscow=Moscow": "msk, moscow", "Europe/Kyiv=Ukraine": "ukraine, ukrainian", "Europe/Kyiv=Kyiv": "kiev, kyiv",
		"Europe/Prague=Czechia": "czech republic, czech", "Europe/Berlin=Central European time": "cet, cest, central european, central europe, middle european", "Europe/Athens=Eastern European time": "eet, eest, eastern european", "Europe/Lisbon=Western European time": "wet, western european",
		"Europe/Rome=Vatican": "vatican city", "Asia/Kolkata=India": "indian, ist, bharat", "Asia/Kolkata=Bangalore": "bangalore", "Asia/Kolkata=Mumbai": "bombay", "Asia/Kolkata=Chennai": "madras", "Asia/Kolkata=Kolkata": "calcutta, kolkata", "Asia/Kolkata=Delhi": "new delhi, delhi ncr",
		"Asia/Kolkata=Gurgaon": "gurugram, gurgaon", "Asia/Kolkata=Noida": "noida", "Asia/Kolkata=Goa": "goa", "Asia/Tokyo=Japan": "japanese, jst", "Asia/Tokyo=Okinawa": "okinawa", "Asia/Shanghai=China": "chinese", "Asia/Shanghai=Beijing": "peking", "Asia/Hong_Kong=Hong Kong": "hk, hongkong, hkt",
		"Asia/Seoul=South Korea": "korean, kst", "Asia/Manila=the Philippines": "philippines, philippine, filipino", "Asia/Ho_Chi_Minh=Vietnam": "vietnamese, viet nam", "Asia/Ho_Chi_Minh=Ho Chi Minh City": "saigon, ho chi minh city, ho chi minh", "Asia/Ho_Chi_Minh=Hanoi": "hanoi", "Asia/Bangkok=Thailand": "thai, phuket",
		"Asia/Singapore=Singapore": "sgt", "Asia/Karachi=Pakistan": "pakistani, pkt", "Asia/Dhaka=Bangladesh": "bangladeshi", "Asia/Yangon=Myanmar": "burma", "Asia/Jakarta=Jakarta": "wib", "Asia/Makassar=Bali": "bali, denpasar", "Asia/Dubai=the United Arab Emirates": "uae, emirates, united arab emirates, gulf, gst",
		"Asia/Riyadh=Saudi Arabia": "saudi, ksa", "Asia/Jerusalem=Israel": "israeli", "Asia/Tehran=Iran": "iranian, persia", "Asia/Taipei=Taiwan": "taiwanese", "Asia/Kathmandu=Nepal": "nepali", "Africa/Cairo=Egypt": "egyptian", "Africa/Johannesburg=South Africa": "south african, sast",
		"Africa/Nairobi=Kenya": "kenyan, east africa", "Africa/Lagos=Nigeria": "nigerian, west africa", "Australia/Sydney=Sydney": "aest, aedt, nsw, australian eastern", "Australia/Perth=Perth": "awst", "Australia/Adelaide=Adelaide": "acst, acdt", "Pacific/Auckland=New Zealand": "nz, kiwi, nzst, nzdt", "Pacific/Auckland=Wellington": "wellington",
		"America/Sao_Paulo=Brasília": "brt", "America/Sao_Paulo=Rio de Janeiro": "rio, rio de janeiro", "America/Argentina/Buenos_Aires=Argentina": "art, argentinian, argentine", "America/Mexico_City=Mexico City": "cdmx", "America/Bogota=Colombia": "colombian", "America/Puerto_Rico=Puerto Rico": "ast",
		"America/Montreal=Montreal": "montreal, quebec, quebec city", "America/Toronto=Ontario": "ontario",
	} {
		for name := range strings.SplitSeq(names, ", ") {
			out[name] = id
		}
	}
	for name, same := range map[string]string{
		"united states": "us, usa, u s a, u s, states, united states of america, united state, american", "australia": "australian, oz, down under, aus", "canada": "canadian", "brazil": "brazilian", "russia": "russian, russian federation", "mexico": "mexican", "indonesia": "indonesian",
		"myanmar": "burmese", "eswatini": "swaziland", "north macedonia": "macedonia", "ivory coast": "cote divoire", "cape verde": "cabo verde", "puerto rico": "puerto rican",
	} {
		for other := range strings.SplitSeq(same, ", ") {
			out[other] = name
		}
	}
	return out
})

// CountryOf is the country in which a zone lies, by the two letters of ISO 3166; "" where
// that isn't known.
func CountryOf(zone *time.Location) string { return countryOf(zone.String()) }
