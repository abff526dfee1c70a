package when

// partOfDay is a morning, an afternoon, an evening or a night.
type partOfDay struct {
	from, to int  // its hours
	hour     int  // when nothing else is said
	late     bool // its hours are after noon
	night    bool // its small hours belong to the day before
	today    bool // it names this day's
	coming   bool // it names the next one that begins: in the morning
}

var parts = map[string]partOfDay{
	"morning": {from: 0, to: 12, hour: 9}, "afternoon": {from: 12, to: 19, hour: 15, late: true},
	"evening": {from: 18, to: 24, hour: 19, late: true}, "night": {from: 18, to: 24, hour: 20, late: true, night: true},
	"lunch": {from: 12, to: 14, hour: 12, late: true}, "lunchtime": {from: 12, to: 14, hour: 12, late: true},
	"dinnertime": {from: 18, to: 21, hour: 19, late: true}, "teatime": {from: 16, to: 18, hour: 17, late: true}, "suppertime": {from: 18, to: 21, hour: 19, late: true}, "bedtime": {from: 21, to: 24, hour: 22, late: true},
	"mornin": {from: 0, to: 12, hour: 9}, "eve": {from: 18, to: 24, hour: 19, late: true},
}

// more are parts of parts, and ends of days.
var more = []struct {
	words string
	part  partOfDay
}{
	{"early hours of the morning", partOfDay{from: 0, to: 9, hour: 6}},
	{"early in the morning", partOfDay{from: 0, to: 9, hour: 7}},
	{"first thing in the morning", partOfDay{from: 0, to: 9, hour: 7}},
	{"first thing", partOfDay{from: 0, to: 9, hour: 8}},
	{"late in the afternoon", partOfDay{from: 16, to: 19, hour: 17, late: true}},
	{"late in the evening", partOfDay{from: 21, to: 24, hour: 21, late: true}},
	{"late at night", partOfDay{from: 21, to: 24, hour: 22, late: true, night: true}},
	{"early morning", partOfDay{from: 0, to: 9, hour: 7}},
	{"late morning", partOfDay{from: 11, to: 12, hour: 11}},
	{"early afternoon", partOfDay{from: 12, to: 15, hour: 13, late: true}},
	{"late afternoon", partOfDay{from: 16, to: 19, hour: 17, late: true}},
	{"early evening", partOfDay{from: 18, to: 20, hour: 18, late: true}},
	{"late evening", partOfDay{from: 21, to: 24, hour: 21, late: true}},
	{"late night", partOfDay{from: 21, to: 24, hour: 22, late: true, night: true}},
	{"end of the day", partOfDay{from: 17, to: 24, hour: 17, late: true}},
	{"end of day", partOfDay{from: 17, to: 24, hour: 17, late: true}},
	{"end of business", partOfDay{from: 17, to: 24, hour: 17, late: true}},
	{"close of business", partOfDay{from: 17, to: 24, hour: 17, late: true}},
	{"eod", partOfDay{from: 17, to: 24, hour: 17, late: true}},
	{"cob", partOfDay{from: 17, to: 24, hour: 17, late: true}},
}

// partOfDay reads "in the evening", "tonight", "this morning", "early in the morning";
// behind a day also "evening" alone.
func (r *reader) partOfDay(i int, behindDay bool) (*partOfDay, int) {
	if r.is(i, "tonight", "tonite") {
		part := parts["night"]
		part.today = true
		return &part, i + 1
	}
	if r.seq(i, "late tonight") > 0 {
		return &partOfDay{from: 21, to: 24, hour: 22, late: true, night: true, today: true}, i + 2
	}
	at, today := i, false
	introduced := true
	switch {
	case r.is(i, "this"):
		at, today = i+1, true
	case r.anyOf(i, "in the", "during the", "by the", "at the") > 0:
		at = i + 2
	case r.is(i, "at", "by", "in", "around", "during"):
		at = i + 1
	default:
		introduced = false
	}
	for _, m := range more {
		if n := r.seq(at, m.words); n > 0 {
			part := m.part
			part.today = today || r.is(at, "eod", "cob")
			return &part, n
		}
	}
	if r.is(i, "early", "late") && r.is(i+1, "this") { // late this afternoon
		part, next := partNamed(r.text(i) + " " + r.text(i+2))
		if next > 0 {
			part.today = true
			return part, i + 3
		}
	}
	if part, ok := parts[r.text(at)+"time"]; ok && r.is(at+1, "time") && (introduced || behindDay) { // at dinner time
		part.today = today
		return &part, at + 2
	}
	part, ok := parts[r.text(at)]
	switch {
	case !ok:
		return nil, 0
	case !introduced && !behindDay:
		return nil, 0
	case r.is(i, "at", "by", "in", "around", "during") && at == i+1 && !r.is(at, "night", "lunch", "lunchtime", "dinnertime", "suppertime", "teatime", "bedtime"):
		return nil, 0
	}
	part.today, part.coming = today, r.seq(i, "in the") > 0
	if n := r.skip(at+1, "time"); n > at+1 && r.is(at, "lunch", "morning", "evening", "night") {
		at++
	}
	return &part, at + 1
}

// partNamed is one of more by its words.
func partNamed(words string) (*partOfDay, int) {
	for _, m := range more {
		if m.words == words {
			part := m.part
			return &part, 1
		}
	}
	return nil, 0
}

// reads is an hour from 1 to 12 as it is meant in this part of the day.
func (d partOfDay) reads(hour int) int {
	switch {
	case d.night && (hour < 6 || hour == 12):
		return hour%12 + 24
	case d.late && hour < 12:
		return hour + 12
	case !d.late && hour == 12:
		return 0
	}
	return hour
}
