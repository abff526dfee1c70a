package reckon

import (
	"strings"
	"time"

	"chalie/domain/language/speech"
	"chalie/domain/language/when"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/ca"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/nz"
	"github.com/rickar/cal/v2/us"
)

// publicHolidays are those of the whole country in which a zone lies; nil where they aren't known.
func publicHolidays(zone *time.Location) []*cal.Holiday {
	return map[string][]*cal.Holiday{"US": us.Holidays, "GB": gb.Holidays, "IE": ie.Holidays, "CA": ca.Holidays, "NZ": nz.Holidays}[when.CountryOf(zone)]
}

const publicHoliday = `(?:(?:national|public|bank|federal|legal|official) )?holidays?`

var (
	holidayOn   = matching(`^(?:is|are|was|will) (?:there )?(?:be )?(?:a |an |any )?` + publicHoliday + ` (?:on |for |in )?(.+)$`)
	isHoliday   = matching(`^(?:is|was|will) (.+?) (?:be )?(?:a |an |any )?` + publicHoliday + `$`)
	whichOn     = matching(`^(?:what|which) ` + publicHoliday + ` (?:is|are|falls?|comes?)(?: there)?(?: on)? (.+)$`)
	nextHoliday = matching(`^(?:(?:when|what) (?:is|will be)|on (?:what|which) day is|(?:what|which) (?:day|date)(?: of the week)? (?:is|does|will)|how (?:long|many days) (?:is it )?until) (?:the |our )?(?:next|upcoming|coming) (?:(?:national|public|bank|federal|legal|official) )?holiday(?: fall)?(?: be)?(?: on)?$`)
)

// holiday answers on which days nobody works.
func (a asker) holiday(s string) (Answer, bool) {
	known := publicHolidays(a.at.Location())
	if nextHoliday.in(s) {
		if known == nil {
			return unworked("holidays")
		}
		for d := midnight(a.at).AddDate(0, 0, 1); ; d = d.AddDate(0, 0, 1) {
			if name := holidayAt(known, d); name != "" {
				return say("holiday", speech.Args{"how": speech.Kind("next"), "name": speech.Text{Words: name}, "at": onlyDay(d)})
			}
		}
	}
	for _, r := range []pattern{holidayOn, isHoliday, whichOn} {
		m := r.parts(s)
		if m == nil {
			continue
		}
		from, to, ok := a.named(strings.TrimPrefix(m[1], "there "), false)
		if !ok || to.Sub(from) > 25*time.Hour {
			continue
		}
		if known == nil {
			return unworked("holidays")
		}
		if name := holidayAt(known, from); name != "" {
			return say("holiday", speech.Args{"how": speech.Kind("yes"), "name": speech.Text{Words: name}, "at": onlyDay(from)})
		}
		return say("holiday", speech.Args{"how": speech.Kind("no"), "at": onlyDay(from)})
	}
	return none()
}

// holidayAt is the holiday that is kept on a day, "" for none.
func holidayAt(known []*cal.Holiday, d time.Time) string {
	for _, h := range known {
		for _, year := range []int{d.Year(), d.Year() + 1} { // New Year may be kept the day before
			actual, observed := h.Calc(year)
			for _, at := range []time.Time{actual, observed} {
				if !at.IsZero() && at.Year() == d.Year() && at.YearDay() == d.YearDay() {
					return h.Name
				}
			}
		}
	}
	return ""
}
