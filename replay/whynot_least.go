package replay

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
)

// leastEnergy is the least activation energy with which a signal of some age passes
// a test of its salience; false when none is enough.
func leastEnergy(rules domain.WorldRules, age time.Duration, enough func(domain.PPM) bool) (domain.PPM, bool) {
	n := sort.Search(int(domain.One)+1, func(energy int) bool {
		salience, _ := rules.Salience(domain.Candidate{Kind: domain.ItemSignal, Energy: domain.PPM(energy), RecordedAt: 0}, domain.Millis(age.Milliseconds()))
		return enough(salience)
	})
	return domain.PPM(n), n <= int(domain.One)
}

// leastHalfLife is the shortest half-life, in whole milliseconds, with which a signal
// of some energy and age still weighs enough; false when none up to ten years does.
func leastHalfLife(rules domain.WorldRules, energy domain.PPM, age time.Duration) (time.Duration, bool) {
	const most = 3650 * 24 * time.Hour
	n := sort.Search(int(most.Milliseconds()), func(ms int) bool {
		rules.SignalHalfLife = time.Duration(ms+1) * time.Millisecond
		salience, _ := rules.Salience(domain.Candidate{Kind: domain.ItemSignal, Energy: energy}, domain.Millis(age.Milliseconds()))
		return salience >= rules.Threshold
	})
	return time.Duration(n+1) * time.Millisecond, n < int(most.Milliseconds())
}

// mostAge is how old a signal of some energy may be and still weigh enough, in whole
// milliseconds; false when it never does.
func mostAge(rules domain.WorldRules, energy domain.PPM) (time.Duration, bool) {
	const most = 3650 * 24 * time.Hour
	n := sort.Search(int(most.Milliseconds()), func(ms int) bool {
		salience, _ := rules.Salience(domain.Candidate{Kind: domain.ItemSignal, Energy: energy}, domain.Millis(ms))
		return salience < rules.Threshold
	})
	return time.Duration(n-1) * time.Millisecond, n > 0
}

// score writes a score as it is set: exactly, with no more digits than it has.
func score(p domain.PPM) string { return strconv.FormatFloat(p.Float(), 'f', -1, 64) }

// longer is a half-life in words that still is long enough: rounded up to a whole
// second, or minute when it is over an hour.
func longer(d time.Duration) time.Duration {
	unit := time.Second
	if d > time.Hour {
		unit = time.Minute
	}
	if up := d.Truncate(unit); up < d {
		return up + unit
	}
	return d
}

// lasting writes a time as it is set, without the parts that are nothing: 12m, 10h1m.
func lasting(d time.Duration) string {
	text := d.String()
	if d >= time.Minute && d%time.Minute == 0 {
		text = strings.TrimSuffix(text, "0s")
	}
	if d >= time.Hour && d%time.Hour == 0 {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
