package bynames

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// onList finds words that name entries by their place: the last item, the first two.
var onList = regexp.MustCompile(`(?i)^(?:the )?(?:very )?(first|top|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|bottom|latest|newest|\d{1,3}(?:st|nd|rd|th))(?: (\d{1,3}|two|three|four|five|six|couple of|few))?(?: (?:items?|things?|entr(?:y|ies)|ones?|names?|lines?))?$`)

// numbered finds an entry by its number: item 2.
var numbered = regexp.MustCompile(`(?i)^(?:the )?(?:item|entry|line|number|thing)(?: number| no\.?)? (\d{1,3})$`)

// Words for places and for how many.
var (
	ordinals = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	numbers  = map[string]int{"": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple of": 2, "few": 3}
)

// PlaceOnList reads words that name n entries of a list by their place: the last item, the first
// two, the 3rd. from counts from 0, or back from -1, which is the last n.
func PlaceOnList(said string) (from, n int, ok bool) {
	parts := onList.FindStringSubmatch(strings.TrimSpace(said))
	if parts == nil {
		if nth := numbered.FindStringSubmatch(strings.TrimSpace(said)); nth != nil {
			at, _ := strconv.Atoi(nth[1])
			return at - 1, 1, at > 0
		}
		return 0, 0, false
	}
	n, known := numbers[strings.ToLower(parts[2])]
	if !known {
		n, _ = strconv.Atoi(parts[2])
	}
	switch word := strings.ToLower(parts[1]); word {
	case "top":
	case "last", "bottom", "latest", "newest":
		from = -1
	default:
		if from = slices.Index(ordinals, word); from < 0 {
			at, _ := strconv.Atoi(strings.TrimRight(word, "stndrh"))
			from = max(at, 1) - 1
		}
	}
	return from, max(n, 1), true
}

// doubles finds words for entries that stand on a list twice.
var doubles = regexp.MustCompile(`(?i)^(?:all |any |the )*(?:duplicates?|doubles?|repeats|copies)(?: (?:items|entries|things))?$`)

// IsDoubles reports whether words name the entries that stand on a list twice.
func IsDoubles(said string) bool { return doubles.MatchString(strings.TrimSpace(said)) }

// kindAlone finds words that name a kind of plan, and none.
var kindAlone = regexp.MustCompile(`(?i)^(?:(?:the|my|our|that|this|all) )*(?:plans?|tasks?|todos?|to-dos?|alarms?|meetings?)$`)

// IsKindOfPlan reports whether words name a kind of plan, and none of that kind.
func IsKindOfPlan(said string) bool { return kindAlone.MatchString(said) }
