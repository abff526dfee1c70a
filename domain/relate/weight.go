package relate

import (
	"math/bits"
	"time"

	"chalie/domain"
)

// What one shared word is worth.
const (
	codeWorth    domain.PPM = 600_000
	placeWorth   domain.PPM = 400_000 // room 4, table 12: every house has one
	nameWorth    domain.PPM = 240_000 // a word of no table, written as a name by at least one
	rareWorth    domain.PPM = 220_000 // the same, written as a name by nobody
	commonWorth  domain.PPM = 210_000
	familyWorth  domain.PPM = 200_000 // two long rare words that begin alike: vaccine, vaccination
	kindOfName   domain.PPM = 190_000 // a name's kind (Station, Clinic) on both sides
	genericWorth domain.PPM = 140_000
	actWorth     domain.PPM = 90_000
	matterWorth  domain.PPM = 310_000 // what belongs together, at the time and place of the plan
	wholeName    domain.PPM = 40_000  // on top, for a name of several words that is the same
)

// What is left of a word's worth, in percent, where it isn't said in the text.
const (
	topicPercent      = 50
	senderPercent     = 80 // the commitment has the sender's whole name
	partSenderPercent = 60
)

// What else counts, where there is a tie.
const (
	tie   domain.PPM = 150_000 // less than this is none, whatever else counts
	faint domain.PPM = 40_000  // words worth less than this aren't looked at

	coverage   domain.PPM = 110_000  // all of the commitment's words; a part of it for some
	change     domain.PPM = 130_000  // it says that something changes
	noChange   domain.PPM = -50_000  // it doesn't
	idle       domain.PPM = -600_000 // and has no time, no limit and no you either
	answers    domain.PPM = 150_000  // it speaks of what is asked, whatever changes
	wholeEntry domain.PPM = 90_000   // what changes is all of what is on a list, for which no time is near
	clockCue   domain.PPM = 90_000
	dayCue     domain.PPM = 120_000
	limitCue   domain.PPM = 120_000
	youCue     domain.PPM = 110_000
	soon       domain.PPM = 140_000 // it is heard within soonest of the due time
	over       domain.PPM = -700_000
	sameDay    domain.PPM = 70_000
	sameClock  domain.PPM = 80_000
	otherDay   domain.PPM = -150_000
	dayBefore  domain.PPM = -250_000 // what changes is over before the commitment is due
	otherCode  domain.PPM = -150_000
	otherName  domain.PPM = -150_000 // each names something, and they share no name
	forPublic  domain.PPM = -90_000
	aStory     domain.PPM = -190_000

	soonest = domain.Millis(36 * time.Hour / time.Millisecond)
)

// When another commitment fits a signal better.
const (
	rivalHas   domain.PPM = 60_000  // it shares everything, and this much more
	rivalLeads domain.PPM = 100_000 // it shares other things, and is this much ahead
	weakLeads  domain.PPM = 10_000  // the same, where this pair shares no name and no code
	rivalTakes            = 70      // percent of the score
)

// most is the greatest worth of a word.
func most(c class) domain.PPM {
	switch c {
	case code:
		return codeWorth
	case rare:
		return nameWorth
	case common:
		return commonWorth
	case generic:
		return kindOfName
	case act:
		return actWorth
	case part:
		return familyWorth
	case matter:
		return matterWorth
	case empty:
	}
	return 0
}

// worth is what a word is worth that is in both, where no other commitment
// carries it.
func worth(said, planned *word) domain.PPM {
	if (said.class == part) != (planned.class == part) || (said.class == matter) != (planned.class == matter) || (said.class == code) != (planned.class == code) {
		return 0
	}
	switch c := max(said.class, planned.class); c {
	case code:
		if isPlaceCode(said.key) {
			return placeWorth
		}
		return codeWorth
	case rare:
		if isNamed(said, planned) {
			return nameWorth
		}
		return rareWorth
	case generic:
		if inNames(said, planned) {
			return kindOfName
		}
		return genericWorth
	case common, act, part, matter, empty:
		return most(c)
	}
	return 0
}

// isNamed tells whether a word is written as a name by at least one.
func isNamed(a, b *word) bool { return max(a.shape, b.shape) == capital }

// isTelling tells whether a word is a name or a code, and not one of many words.
func isTelling(said, planned *word) bool {
	c := max(said.class, planned.class)
	return c == code || c == rare && isNamed(said, planned)
}

// inNames tells whether a word is part of a name on both sides.
func inNames(a, b *word) bool {
	return a.name >= 0 && b.name >= 0 && a.shape != plain && b.shape != plain && isNamed(a, b)
}

// faded is the worth of a word that several commitments carry. A name loses a
// sixth with every doubling from four on, so it is nothing from 128 on; any other
// word a fifth with the second and less with each that follows.
func faded(worth domain.PPM, carriers int32, telling bool) domain.PPM {
	if !telling {
		return worth * 4 / (3 + domain.PPM(carriers))
	}
	doublings := domain.PPM(max(0, bits.Len32(uint32(carriers))-2))
	return max(0, worth*(6-doublings)/6)
}
