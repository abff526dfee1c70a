package timing

import (
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// Period is the period that words name, as it is said back. One that can't be read has the words all the same; the
// error is that of [when.During].
func Period(said string, now domain.Millis, zone *time.Location) (speech.Period, error) {
	said = strings.TrimSpace(said)
	p := speech.Period{Said: InPeriod(said), Zone: zone.String()}
	var err error
	if p.Since, p.Before, err = when.During(said, now, zone); err != nil {
		return p, err
	}
	w, _, err := when.Narrow(said, now, zone)
	p.AnyDay = err == nil && !w.HasDay()
	p.ByName = strings.Contains(strings.ToLower(said), strings.ToLower(p.Since.Time().In(zone).Weekday().String()))
	return p, nil
}

// Free is the period in which time is asked for, as [when.Asked] reads it, and as it is said back.
func Free(said string, now domain.Millis, zone *time.Location) (when.Window, speech.Period, error) {
	w, err := when.Asked(strings.TrimSpace(said), now, zone)
	if err != nil {
		return w, speech.Period{}, err
	}
	p, _ := Period(said, now, zone)
	if !p.AnyDay {
		p.Since, p.Before = w.From, w.To
	}
	return w, p, nil
}
