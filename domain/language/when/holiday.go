package when

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/aa"
)

// A holiday is the days of a year that have a name. Those whose day another calendar
// counts, by the moon, aren't known: a sentence that names one leaves it unread.
type holiday struct {
	names  string // one after the other, with commas between; of words as normal makes them
	day    *cal.Holiday
	length int // in days; 0 for one
}

func fixed(month time.Month, day int) *cal.Holiday {
	return &cal.Holiday{Month: month, Day: day, Func: cal.CalcDayOfMonth}
}

// nthOf is the nth such weekday of a month, from its end for a negative one.
func nthOf(n int, day time.Weekday, month time.Month) *cal.Holiday {
	return &cal.Holiday{Month: month, Weekday: day, Offset: n, Func: cal.CalcWeekdayOffset}
}

// from is the nth such weekday from a date on, or back from it.
func from(month time.Month, day, n int, weekday time.Weekday) *cal.Holiday {
	return &cal.Holiday{Month: month, Day: day, Weekday: weekday, Offset: n, Func: cal.CalcWeekdayFrom}
}

func easter(offset int) *cal.Holiday {
	return &cal.Holiday{Offset: offset, Func: cal.CalcEasterOffset}
}

// then is a day so many days after another.
func then(h *cal.Holiday, days int) *cal.Holiday {
	return &cal.Holiday{Func: func(_ *cal.Holiday, year int) time.Time {
		at, _ := h.Calc(year)
		return at.AddDate(0, 0, days)
	}}
}

var thanksgiving = nthOf(4, time.Thursday, time.November)

// feasts hang on Easter; of each there is an Orthodox one, too.
var feasts = []holiday{
	{"easter, easter sunday, easter day, pascha", aa.Easter, 0},
	{"easter monday", aa.EasterMonday, 0},
	{"easter saturday, holy saturday, black saturday, easter eve, great saturday", easter(-1), 0},
	{"good friday, great friday, holy friday", aa.GoodFriday, 0},
	{"maundy thursday, holy thursday, covenant thursday, sheer thursday, thursday of mysteries, great thursday", aa.MaundyThursday, 0},
	{"palm sunday, branch sunday, passion sunday", easter(-7), 0},
	{"ash wednesday", easter(-46), 0},
	{"shrove tuesday, pancake day, pancake tuesday, mardi gras, fat tuesday, shrovetide", easter(-47), 0},
	{"shrove monday, rose monday, rosenmontag, clean monday, green monday, pure monday", easter(-48), 0},
	{"lent", easter(-46), 46},
	{"holy week", easter(-7), 7},
	{"ascension, ascension day, ascension thursday", aa.AscensionDay, 0},
	{"pentecost, pentecost sunday, whit sunday, whitsunday, whitsun, white sunday", aa.Pentecost, 0},
	{"whit monday, pentecost monday", aa.PentecostMonday, 0},
	{"trinity sunday", easter(56), 0},
	{"corpus christi", aa.CorpusChristi, 0},
}

var holidays = append([]holiday{
	{"christmas, christmas day, xmas, xmas day, x mas", aa.ChristmasDay, 0},
	{"christmas eve, xmas eve, christmas eve day", fixed(12, 24), 0},
	{"boxing day, st stephen day, second day of christmas", aa.ChristmasDay2, 0},
	{"new year, new year day", aa.NewYear, 0},
	{"new year eve, old year night, silvester, sylvester, hogmanay", fixed(12, 31), 0},
	{"epiphany, three king day, twelfth night", aa.Epiphany, 0},
	{"candlemas, groundhog day, groundhogs day", fixed(2, 2), 0},
	{"valentine, valentine day, st valentine day", fixed(2, 14), 0},
	{"leap day", fixed(2, 29), 0},
	{"st david day", fixed(3, 1), 0},
	{"women day, international women day", fixed(3, 8), 0},
	{"pi day", fixed(3, 14), 0},
	{"st patrick day, st paddy day, st patty day, paddy day, patrick day", fixed(3, 17), 0},
	{"st joseph day", fixed(3, 19), 0},
	{"annunciation, lady day", fixed(3, 25), 0},
	{"april fool, april fool day, all fool day", fixed(4, 1), 0},
	{"tax day", fixed(4, 15), 0},
	{"emancipation day", fixed(4, 16), 0},
	{"earth day", fixed(4, 22), 0},
	{"st george day, george day", fixed(4, 23), 0},
	{"anzac day", fixed(4, 25), 0},
	{"arbor day", nthOf(-1, time.Friday, time.April), 0},
	{"may day, international worker day, worker day", aa.WorkersDay, 0},
	{"star war day", fixed(5, 4), 0},
	{"cinco de mayo", fixed(5, 5), 0},
	{"mother day, mothering sunday", nthOf(2, time.Sunday, time.May), 0},
	{"armed force day", nthOf(3, time.Saturday, time.May), 0},
	{"victoria day", from(5, 24, -1, time.Monday), 0},
	{"memorial day, decoration day", nthOf(-1, time.Monday, time.May), 0},
	{"flag day", fixed(6, 14), 0},
	{"father day", nthOf(3, time.Sunday, time.June), 0},
	{"juneteenth", fixed(6, 19), 0},
	{"midsummer, midsummer day, st john day", fixed(6, 24), 0},
	{"canada day, dominion day", fixed(7, 1), 0},
	{"independence day, fourth of july, 4 th of july", fixed(7, 4), 0},
	{"bastille day", fixed(7, 14), 0},
	{"parent day", nthOf(4, time.Sunday, time.July), 0},
	{"friendship day", nthOf(1, time.Sunday, time.August), 0},
	{"assumption, assumption day, assumption of mary", aa.AssumptionOfMary, 0},
	{"labor day, labour day", nthOf(1, time.Monday, time.September), 0},
	{"grandparent day", then(nthOf(1, time.Monday, time.September), 6), 0},
	{"patriot day", fixed(9, 11), 0},
	{"michaelmas", fixed(9, 29), 0},
	{"columbus day, indigenous people day", nthOf(2, time.Monday, time.October), 0},
	{"boss day, bosses day", &cal.Holiday{Func: bossesDay}, 0},
	{"united nation day, un day", fixed(10, 24), 0},
	{"reformation day", fixed(10, 31), 0},
	{"halloween, hallowe'en, all hallow eve, hallows eve", fixed(10, 31), 0},
	{"all saint day, all saint, all hallow", aa.AllSaintsDay, 0},
	{"all soul day, all soul, day of the dead, dia de los muertos", fixed(11, 2), 0},
	{"guy fawkes night, guy fawke day, bonfire night", fixed(11, 5), 0},
	{"veteran day, remembrance day, armistice day, martinmas, st martin day", fixed(11, 11), 0},
	{"men day, international men day", fixed(11, 19), 0},
	{"thanksgiving, thanksgiving day, turkey day", thanksgiving, 0},
	{"black friday", then(thanksgiving, 1), 0},
	{"small business saturday", then(thanksgiving, 2), 0},
	{"cyber monday", then(thanksgiving, 4), 0},
	{"giving tuesday", then(thanksgiving, 5), 0},
	{"st andrew day", fixed(11, 30), 0},
	{"st nicholas day", fixed(12, 6), 0},
	{"immaculate conception", aa.ImmaculateConception, 0},
	{"st lucy day, santa lucia", fixed(12, 13), 0},
	{"first advent, first sunday of advent, advent sunday, first advent sunday", from(12, 24, -4, time.Sunday), 0},
	{"kwanzaa", fixed(12, 26), 7},
	{"martin luther king day, mlk day, martin luther king jr day, civil right day", nthOf(3, time.Monday, time.January), 0},
	{"inauguration day", fixed(1, 20), 0},
	{"burns night, burn supper", fixed(1, 25), 0},
	{"australia day", fixed(1, 26), 0},
	{"president day, washington birthday", nthOf(3, time.Monday, time.February), 0},
	{"lincoln birthday", fixed(2, 12), 0},
	{"orthodox christmas, orthodox christmas day", fixed(1, 7), 0},
	{"orthodox new year, old new year", fixed(1, 14), 0},
}, feasts...)

// bossesDay is the working day that lies nearest to 16 October.
func bossesDay(_ *cal.Holiday, year int) time.Time {
	day := time.Date(year, time.October, 16, 0, 0, 0, 0, time.UTC)
	switch day.Weekday() {
	case time.Saturday:
		return day.AddDate(0, 0, -1)
	case time.Sunday:
		return day.AddDate(0, 0, 1)
	}
	return day
}

// byName holds the holidays by the first of the words of their names, the longest first.
var byName = sync.OnceValue(func() map[string][]namedHoliday {
	out := map[string][]namedHoliday{}
	add := func(h holiday, before string, julian bool) {
		for name := range strings.SplitSeq(h.names, ", ") {
			words := strings.Fields(before + name)
			for i, w := range words {
				words[i] = normal(w)
			}
			day := h.day
			if julian {
				day = &cal.Holiday{Offset: day.Offset, Func: day.Func, Julian: true}
			}
			out[words[0]] = append(out[words[0]], namedHoliday{words, day, h.length})
		}
	}
	for _, h := range holidays {
		add(h, "", false)
	}
	for _, h := range feasts {
		add(h, "orthodox ", true)
		add(h, "greek orthodox ", true)
	}
	for _, all := range out {
		slices.SortStableFunc(all, func(a, b namedHoliday) int { return len(b.words) - len(a.words) })
	}
	return out
})

type namedHoliday struct {
	words  []string
	day    *cal.Holiday
	length int
}

var withoutApostrophes = strings.NewReplacer("'s", "", "’s", "", "'", "", "’", "")

// normal makes the forms of a word in a name one: saint and st, kings and king's.
func normal(word string) string {
	if d := shortWeekdays[word]; d != nil {
		return strings.ToLower(d.String())
	}
	if word == "saint" {
		return "st"
	}
	word = withoutApostrophes.Replace(word)
	if len(word) > 3 {
		word = strings.TrimRight(word, "s")
	}
	return word
}

// holiday reads the name of one where a day is expected: a Christmas tree isn't one.
func (r *reader) holiday(i int, introduced bool) (*days, int) {
	i = r.skip(i, "the")
	var best namedHoliday
	end := 0
	for _, h := range byName()[normal(r.text(i))] {
		if next := r.words(i, h.words); next > 0 {
			best, end = h, next
			break
		}
	}
	if end == 0 {
		return nil, 0
	}
	if len(best.words) > 1 && (end == len(r.tokens) || r.is(end, "to", "at", "in", ",", ".", "remind") || r.tokens[end].isNumber()) {
		introduced = true // a name that hardly is anything else
	}
	if !introduced && !r.behindMe(i) && i > 0 && !r.is(i-1, "the", "of", "until", "till", "before", "after", "since", "through") {
		return nil, 0
	}
	if !introduced && i == 0 && end < len(r.tokens) && !r.is(end, "to", ",", ":", "at", "in", "of", "this", "next", "last", "remind") && !r.tokens[end].isNumber() && units[r.text(end)] == 0 {
		return nil, 0
	}
	out := &days{cycle: Year, named: named{holiday: true}, of: func(year int) (period, bool) {
		at, _ := best.day.Calc(year)
		if at.IsZero() || at.Year() != year {
			return period{}, false
		}
		p := dayPeriod(dateAt(at))
		if best.length > 0 {
			p.to = p.from + date(best.length)
		}
		return p, true
	}}
	return r.holidayOfYear(out, end)
}

// words is the token behind the words of a name; a full stop may stand behind st.
func (r *reader) words(i int, words []string) int {
	for _, w := range words {
		if i >= len(r.tokens) || normal(r.text(i)) != w {
			return 0
		}
		i = r.dot(i + 1)
		if r.is(i, "'", "’") && r.joined(i) {
			return 0
		}
	}
	return i
}

// holidayOfYear reads the year behind the name: Easter 2013, Easter of last year.
func (r *reader) holidayOfYear(d *days, i int) (*days, int) {
	at := r.skip(i, "of", "in", ",")
	if n, next := r.digits(at, 4); next > 0 && len(r.text(at)) == 4 && n >= 1900 && n < 2200 {
		return r.inYear(d, n, next, i)
	}
	if n, next := r.spokenYear(at); next > 0 {
		return r.inYear(d, n, next, i)
	}
	step, next := r.direction(at)
	if next > 0 && r.is(next, "year", "yr") {
		return r.inYear(d, r.now.Year()+min(step, 1), next+1, i)
	}
	return d, i
}

func (r *reader) inYear(d *days, year, next, otherwise int) (*days, int) {
	p, ok := d.of(year)
	if !ok {
		return d, otherwise
	}
	out := once(p)
	out.named = d.named
	return out, next
}
