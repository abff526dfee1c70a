package deed

import (
	"slices"
	"strings"
	"sync"
)

// opposites are contrary deeds, on a line each, by the ids of rows: each of one side is contrary
// to each of the other.
const opposites = `
turn on, start, play, resume, activate, arm, run / turn off, stop, pause, deactivate, disarm, cancel
lock, close / unlock, open
mute / unmute
raise, brighten, heat / lower, dim, cool
add, create, put, set, book, order, schedule, make, buy / remove, cancel
subscribe / unsubscribe, cancel
show / hide
accept, grant / reject, cancel, revoke
connect / disconnect
block / unblock, grant
join, book / leave, cancel
buy / sell
deposit / withdraw
install / uninstall
admit / discharge
load / unload
empty / fill
remove, archive / restore
log in / log out
upload / download
remember, note, remind / forget
publish / hide, remove
wake / mute
`

// negations are what English puts before a verb to say the contrary of any.
var negations = []string{"un", "dis", "de"}

var contraries = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(opposites) {
		left, right, _ := strings.Cut(strings.TrimSpace(line), " / ")
		for a := range strings.SplitSeq(left, ", ") {
			for b := range strings.SplitSeq(right, ", ") {
				if a != "" && b != "" {
					out[a], out[b] = append(out[a], b), append(out[b], a)
				}
			}
		}
	}
	return out
})

// areContrary reports whether two deeds are.
func areContrary(a, b string) bool {
	if slices.Contains(contraries()[a], b) {
		return true
	}
	return slices.ContainsFunc(negations, func(prefix string) bool { return a == prefix+b || b == prefix+a })
}

// hasContrary reports whether a deed has one, so that a word that only says that something is to
// be done doesn't tell which.
func hasContrary(id string) bool { return len(contraries()[id]) > 0 }
