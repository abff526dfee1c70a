package relate

import (
	"math/bits"

	"chalie/domain"
)

// What one shared word is worth where only one commitment carries it.
const (
	codeWorth    domain.PPM = 650_000
	placeWorth   domain.PPM = 350_000 // room 4, table 12: every house has one
	nameWorth    domain.PPM = 600_000 // a name on both sides
	likelyWorth  domain.PPM = 560_000 // a name on one side, and perhaps on the other
	writtenWorth domain.PPM = 400_000 // a name on one side, an ordinary word on the other
	rareWorth    domain.PPM = 330_000 // a rare word
	commonWorth  domain.PPM = 120_000
	partOfName   domain.PPM = 300_000 // a common word that is part of a name on both sides
	wholeName    domain.PPM = 280_000 // on top, for a name of several words that is the same
	kindOfName   domain.PPM = 150_000 // a name's kind (Station, Clinic)
)

// What else counts.
const (
	sameDay    domain.PPM = 100_000
	otherDay   domain.PPM = -350_000
	dayAnchors            = Unsure // a day says nothing to less than this
)

// most is what a word can be worth at most.
func most(c class) domain.PPM {
	switch c {
	case code:
		return codeWorth
	case rare:
		return nameWorth
	case common:
		return partOfName
	case generic:
		return kindOfName
	}
	return 0
}

// worth is what a word is worth that stands in both.
func worth(said, planned *word) domain.PPM {
	switch max(said.class, planned.class) {
	case code:
		if said.class != planned.class {
			return 0
		}
		if isPlaceCode(said.key) {
			return placeWorth
		}
		return codeWorth
	case rare:
		return rareWord(said.shape, planned.shape)
	case generic:
		if inNames(said, planned) {
			return kindOfName
		}
	case common:
		if inNames(said, planned) {
			return partOfName
		}
		return commonWorth
	}
	return 0
}

// inNames tells whether a word is part of a name on both sides.
func inNames(a, b *word) bool {
	return a.name >= 0 && b.name >= 0 && a.shape != plain && b.shape != plain && max(a.shape, b.shape) == capital
}

// rareWord weighs a word of no table by how it is written.
func rareWord(a, b shape) domain.PPM {
	switch low, high := min(a, b), max(a, b); {
	case low == capital:
		return nameWorth
	case low == unsure && high == capital:
		return likelyWorth
	case high == capital:
		return writtenWorth
	}
	return rareWorth
}

// faded is the worth of a word that many commitments carry: a tenth less for
// every doubling from four on, and nothing from a thousand on.
func faded(worth domain.PPM, carriers int32) domain.PPM {
	doublings := domain.PPM(max(0, bits.Len32(uint32(max(carriers, 1)))-2))
	return max(0, worth*(10-doublings)/10)
}
