package when

import (
	"strings"
	"time"
)

// abbreviated are zones by the letters that people write, east of Greenwich in minutes.
// Those that keep summer time by a place are in places.
var abbreviated = map[string]int{
	"utc": 0, "gmt": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120, "eet": 120, "eest": 180, "msk": 180, "ist": 330, "pkt": 300,
	"ict": 420, "wib": 420, "sgt": 480, "hkt": 480, "awst": 480, "jst": 540, "kst": 540, "acst": 570, "aest": 600, "acdt": 630, "aedt": 660,
	"nzst": 720, "nzdt": 780, "brt": -180, "art": -180, "ast": -240, "adt": -180, "edt": -240, "est": -300, "cdt": -300, "cst": -360, "mdt": -360, "mst": -420,
	"pdt": -420, "pst": -480, "akdt": -480, "akst": -540, "hst": -600, "sast": 120, "eat": 180,
}

// places are zones by names that the zones' own list doesn't have.
var places = map[string]string{
	"eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver", "pacific": "America/Los_Angeles",
	"east coast": "America/New_York", "west coast": "America/Los_Angeles", "uk": "Europe/London", "british": "Europe/London", "greenwich": "UTC",
	"central european": "Europe/Berlin", "german": "Europe/Berlin", "germany": "Europe/Berlin", "france": "Europe/Paris", "spain": "Europe/Madrid", "italy": "Europe/Rome",
	"india": "Asia/Kolkata", "indian": "Asia/Kolkata", "japan": "Asia/Tokyo", "japanese": "Asia/Tokyo", "china": "Asia/Shanghai", "beijing": "Asia/Shanghai",
	"san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles", "san diego": "America/Los_Angeles", "las vegas": "America/Los_Angeles", "la": "America/Los_Angeles", "california": "America/Los_Angeles",
	"boston": "America/New_York", "washington": "America/New_York", "miami": "America/New_York", "atlanta": "America/New_York", "philadelphia": "America/New_York", "nyc": "America/New_York",
	"dallas": "America/Chicago", "houston": "America/Chicago", "austin": "America/Chicago", "texas": "America/Chicago", "montreal": "America/Toronto", "ottawa": "America/Toronto",
	"munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin", "cologne": "Europe/Berlin", "barcelona": "Europe/Madrid", "milan": "Europe/Rome", "geneva": "Europe/Zurich",
	"mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata", "bangalore": "Asia/Kolkata", "osaka": "Asia/Tokyo", "hanoi": "Asia/Ho_Chi_Minh", "rio": "America/Sao_Paulo",
	"edinburgh": "Europe/London", "manchester": "Europe/London", "canberra": "Australia/Sydney", "wellington": "Pacific/Auckland", "hawaii": "Pacific/Honolulu", "et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles",
}

var continents = []string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian"}

// Place is the zone of a city, a country or a coast that has one: New York, Tokyo.
func Place(name string) (*time.Location, bool) {
	if z, ok := zoneNamed(name); ok {
		return z, true
	}
	if all := Locals(name); len(all) == 1 {
		return all[0].Zone, true
	}
	return nil, false
}

// zoneNamed is the zone of a name that is hardly ever anything but a place's.
func zoneNamed(name string) (*time.Location, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if id, ok := places[name]; ok {
		z, err := time.LoadLocation(id)
		return z, err == nil
	}
	if name == "" || len(name) > 30 || strings.ContainsAny(name, "./\\") {
		return nil, false
	}
	words := strings.Fields(name)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	for _, continent := range continents {
		if z, err := time.LoadLocation(continent + "/" + strings.Join(words, "_")); err == nil {
			return z, true
		}
	}
	return nil, false
}

// zone reads GMT, PST, "London time", "Eastern time", "in New York time", behind a time of day.
func (r *reader) zone(i int) (*time.Location, int) {
	at := r.skip(i, "(")
	closed := func(next int) int {
		if at > i {
			return r.skip(next, ")")
		}
		return next
	}
	if minutes, ok := abbreviated[r.text(at)]; ok {
		if r.is(at, "utc", "gmt") && r.is(at+1, "+", "-") && r.joined(at+1) && r.joined(at+2) {
			if n, ok := r.plain(at + 2); ok && n <= 14 {
				if r.is(at+1, "-") {
					n = -n
				}
				return time.FixedZone(strings.ToUpper(r.text(at))+r.text(at+1)+r.text(at+2), n*3600), closed(at + 3)
			}
		}
		if _, known := places[r.text(at)]; !known && (len(r.text(at)) > 3 || !r.is(at, "art", "eat", "est", "ist", "west", "ast") || r.is(at+1, ")") || at+1 >= len(r.tokens) || r.is(at, "est", "ist")) {
			return time.FixedZone(strings.ToUpper(r.text(at)), minutes*60), closed(r.skip(at+1, "time"))
		}
	}
	if r.is(at, "et", "ct", "mt", "pt") && r.tokens[at].upper {
		z, ok := Place(r.text(at))
		if ok {
			return z, closed(at + 1)
		}
	}
	if r.is(at, "eastern", "central", "mountain", "pacific") && (r.tokens[at].upper || !r.countsSomething(at+1)) && !r.is(at+1, "time", "standard", "daylight", "european") {
		z, ok := Place(r.text(at))
		if ok {
			return z, closed(at + 1)
		}
	}
	at = r.skip(at, "in", "of")
	for _, length := range []int{1, 2, 3} {
		end := at + length
		if !r.is(end, "time") && r.anyOf(end, "standard time", "daylight time", "summer time", "local time") == 0 {
			continue
		}
		z, ok := zoneNamed(r.said(at, end))
		if !ok && at < len(r.tokens) && r.tokens[at].upper {
			z, ok = Place(r.said(at, end)) // in small letters Bath and Nice are words
		}
		if ok {
			return z, closed(max(end+1, r.anyOf(end, "standard time", "daylight time", "summer time", "local time")))
		}
	}
	return nil, 0
}

// countries are the zones of countries of which something is known: their order of dates.
var countries = map[string]string{
	"US": "America/New_York America/Detroit America/Chicago America/Denver America/Boise America/Phoenix America/Los_Angeles America/Anchorage America/Juneau America/Nome America/Adak Pacific/Honolulu America/Menominee",
	"GB": "Europe/London Europe/Belfast Europe/Jersey Europe/Guernsey Europe/Isle_of_Man", "IE": "Europe/Dublin", "DE": "Europe/Berlin Europe/Busingen", "AT": "Europe/Vienna", "CH": "Europe/Zurich",
	"FR": "Europe/Paris", "ES": "Europe/Madrid Atlantic/Canary Africa/Ceuta", "IT": "Europe/Rome", "NL": "Europe/Amsterdam", "BE": "Europe/Brussels", "MT": "Europe/Malta", "PT": "Europe/Lisbon Atlantic/Azores Atlantic/Madeira",
	"DK": "Europe/Copenhagen", "SE": "Europe/Stockholm", "NO": "Europe/Oslo", "FI": "Europe/Helsinki", "PL": "Europe/Warsaw", "CZ": "Europe/Prague", "GR": "Europe/Athens", "HU": "Europe/Budapest", "RO": "Europe/Bucharest",
	"IN": "Asia/Kolkata Asia/Calcutta", "AU": "Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Perth Australia/Adelaide Australia/Hobart Australia/Darwin", "NZ": "Pacific/Auckland", "ZA": "Africa/Johannesburg",
	"BR": "America/Sao_Paulo", "AR": "America/Argentina/Buenos_Aires", "MX": "America/Mexico_City", "SG": "Asia/Singapore", "RU": "Europe/Moscow", "UA": "Europe/Kyiv Europe/Kiev", "TR": "Europe/Istanbul",
}

// countryOf is the country in which a zone lies, "" when that isn't known.
func countryOf(zone string) string {
	if strings.HasPrefix(zone, "America/Indiana/") || strings.HasPrefix(zone, "America/Kentucky/") || strings.HasPrefix(zone, "America/North_Dakota/") || strings.HasPrefix(zone, "US/") {
		return "US"
	}
	for country, zones := range countries {
		for z := range strings.FieldsSeq(zones) {
			if z == zone {
				return country
			}
		}
	}
	return ""
}
