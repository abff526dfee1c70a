package skill

import (
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/relate"
)

// contradicted is the memory that a text contradicts, and a question about it. With two
// that contradict it the person has kept both before: that isn't asked again.
func contradicted(text string, all []planned) (old planned, question speech.Message) {
	var found []planned
	var now args
	for _, known := range all {
		instead, against := bynames.Against(text, known.text, relate.Stem)
		switch {
		case !against:
			continue
		case instead == "":
			now = args{"sentence": theirOwn(text)}
		default:
			now = args{"value": theirOwn(instead)}
		}
		found = append(found, known)
	}
	if len(found) != 1 {
		return planned{}, speech.Message{}
	}
	return found[0], say("memory.changed", now, args{"was": found[0].its()})
}
