package dialogue

import "strings"

// Stop is why an answer ended.
type Stop string

// The reasons.
const (
	StopDone    Stop = "done"
	StopLength  Stop = "length"  // it reached a bound: the end is missing
	StopRefused Stop = "refused" // the provider doesn't let the model answer
	StopUnknown Stop = "unknown" // for a reason that isn't known here: the end may be missing
	stopBroken  Stop = "broken"  // something failed: it is no answer
)

// stops are the reasons by what is in their names, as servers spell them; the first counts.
var stops = []struct {
	in   string
	stop Stop
}{
	{"filter", StopRefused}, {"safety", StopRefused}, {"refus", StopRefused}, {"prohibit", StopRefused}, {"blocklist", StopRefused},
	{"recitation", StopRefused}, {"spii", StopRefused}, {"guardrail", StopRefused}, {"moderation", StopRefused}, {"sensitive", StopRefused},
	{"incomplete", StopUnknown}, {"unfinish", StopUnknown}, {"rate_limit", stopBroken},
	{"error", stopBroken}, {"fail", stopBroken}, {"abort", stopBroken}, {"cancel", stopBroken}, {"interrupt", stopBroken},
	{"insufficient", stopBroken}, {"timeout", stopBroken}, {"malformed", stopBroken}, {"overload", stopBroken}, {"unavailable", stopBroken},
	{"length", StopLength}, {"max_", StopLength}, {"max-", StopLength}, {"maxtokens", StopLength}, {"limit", StopLength},
	{"context_window", StopLength}, {"truncat", StopLength}, {"budget", StopLength}, {"exhaust", StopLength},
	{"stop", StopDone}, {"end_turn", StopDone}, {"end_of", StopDone}, {"eos", StopDone}, {"eot", StopDone}, {"tool", StopDone}, {"function", StopDone},
	{"complet", StopDone}, {"done", StopDone}, {"finish", StopDone}, {"success", StopDone}, {"pause_turn", StopDone}, {"normal", StopDone},
}

// stopOf is what a server's reason means. None is no reason to doubt the end that it says it is.
func stopOf(reason string) Stop {
	reason = strings.ToLower(strings.TrimSpace(reason))
	if reason == "" || reason == "null" || reason == "end" {
		return StopDone
	}
	for _, s := range stops {
		if strings.Contains(reason, s.in) {
			return s.stop
		}
	}
	return StopUnknown
}
