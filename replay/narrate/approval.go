package narrate

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
)

// approvals are the events of the policy and of approvals.
var approvals = map[domain.EventType]Entry{
	domain.ApprovalProposedType: event[domain.ApprovalProposed]{
		Kind: "Policy", Lead: "Chalie asked for approval:", From: callStep, Subject: "Chalie",
		Measured: map[string]string{"payload.proposal_token": ofToken, "payload.summary": forPeople},
		// A line has no zone, so it doesn't name the hour.
		LineOf: func(e domain.Envelope, p domain.ApprovalProposed) string {
			return fmt.Sprintf("may it? %s (within %s)", Summary(p.Summary), Span(p.ExpiresAt.Sub(e.Timestamp)))
		},
		Labelled: func(p domain.ApprovalProposed) string { return "asked for your approval: " + Summary(p.Summary) },
		Clause: func(s Scene, p domain.ApprovalProposed) Phrase {
			return Sayf("Chalie asked for your approval: %s", About(s.Record(), Quoted(Summary(p.Summary))))
		},
	}.entry(),
	domain.ApprovalGrantedType: event[domain.ApprovalGranted]{
		Kind: "Policy", Lead: "%s approved:", From: byPerson,
		Line:   func(p domain.ApprovalGranted) string { return "approved by " + Way(p.Actor, p.Correlator) },
		Label:  "you approved it",
		Clause: func(s Scene, _ domain.ApprovalGranted) Phrase { return Sayf("you approved %s", s.Proposal()) },
	}.entry(),
	domain.ApprovalRefusedType: event[domain.ApprovalRefused]{
		Kind: "Policy", Lead: "%s refused:", From: byPerson,
		Line:   func(p domain.ApprovalRefused) string { return "refused by " + Way(p.Actor, p.Correlator) },
		Label:  "you refused it",
		Clause: func(s Scene, _ domain.ApprovalRefused) Phrase { return Sayf("you refused %s", s.Proposal()) },
	}.entry(),
	domain.ApprovalExpiredType: event[domain.ApprovalExpired]{
		Kind: "Policy", Lead: "A question was not answered:", From: callStep.but("when it was noticed is given"),
		Line:  func(domain.ApprovalExpired) string { return "nobody answered in time, which is a no" },
		Label: "nobody approved it in time",
		Clause: func(s Scene, _ domain.ApprovalExpired) Phrase {
			return Sayf("the time was over in which you could have approved %s", s.Proposal())
		},
	}.entry(),
	domain.AttemptRefusedType: event[domain.AttemptRefused]{
		Kind: "Policy", Lead: "An answer did nothing:", From: origin{OriginGiven, "somebody tried something, and it did nothing"},
		Line: func(p domain.AttemptRefused) string {
			return fmt.Sprintf("an answer by %s did nothing: %s", Actor(p.Actor), Spelt(string(p.Reason)))
		},
		Labelled: func(p domain.AttemptRefused) string { return "a decision did nothing: " + Spelt(string(p.Reason)) },
	}.entry(),
	domain.PolicyChangedType: event[domain.PolicyChanged]{
		Kind: "Policy", Lead: "You changed the policy:", From: byPerson,
		Line: func(p domain.PolicyChanged) string {
			return fmt.Sprintf("%s, autonomy %s", Counted(len(p.Policy.Rules), "rule", "rules"), p.Policy.Autonomy)
		},
		Label: "you changed the policy",
	}.entry(),
	domain.CapabilityChangedType: event[domain.CapabilityChanged]{
		Kind: "Policy", Lead: "You changed what a tool may do:", From: byPersonOrSkill,
		Line: Trust,
		Labelled: func(p domain.CapabilityChanged) string {
			return "you said what the policy is to know of " + p.CapabilityID
		},
	}.entry(),
	domain.SettingsChangedType: event[domain.SettingsChanged]{
		Kind: "Setting", Lead: "You changed a setting:", From: byPersonOrSkill,
		Line:     Setting,
		Labelled: func(p domain.SettingsChanged) string { return "you set " + Setting(p) },
	}.entry(),
	domain.DifferencesAcceptedType: event[domain.DifferencesAccepted]{
		Kind: "Replay", Lead: "You accepted what a replay decides otherwise:", From: byPerson,
		Line:  func(p domain.DifferencesAccepted) string { return Counted(len(p.Kinds), "kind", "kinds") },
		Label: "you accepted what a replay decides otherwise",
	}.entry(),
}

// Setting tells a change of a setting: "surfaces from 0.5 to 0.37".
func Setting(p domain.SettingsChanged) string {
	from, to := p.Name+" from "+p.From, p.To
	if p.Default {
		to += ", which Chalie comes with"
	}
	if !p.Undoes.IsZero() {
		return from + " back to " + to
	}
	return from + " to " + to
}

// ways are the words for how a proposal was decided.
var ways = map[domain.Correlator]string{
	domain.ByApprovalToken: "with its token", domain.ByReply: "in a reply", domain.ByReaction: "with a reaction",
	domain.ByPlainText: "in words", domain.ByButton: "by a button", domain.ByForm: "in a form that the program showed", domain.ByCancel: "by stopping what it was for",
	domain.ByRevocation: "by revoking the token of the program that asked",
	domain.ByRemoval:    "by removing the interface that asked or was to do it",
}

// Way tells who decided a proposal, and how.
func Way(actor string, by domain.Correlator) string {
	if how, ok := ways[by]; ok {
		return Actor(actor) + ", " + how
	}
	return Actor(actor) + ", " + Spelt(string(by))
}

// Reasons are the policy's reason codes in words: the rule that matched, by its name, and
// the other reasons.
func Reasons(p domain.PolicyDecided) string {
	var out []string
	for _, code := range p.ReasonCodes {
		switch {
		case code == domain.ReasonApproval && len(p.ReasonCodes) > 1: // it follows from the other reasons
		case code == domain.AutonomyReason(domain.AutonomyFull) && !p.Allowed: // a reason in favour, but another one decided
		default:
			out = append(out, domain.ReasonWords(code))
		}
	}
	return strings.Join(out, ", ")
}

// Verdict is the policy's verdict, with or without the tool's name: "allowed the tool
// book", "left it to you", "denied".
func Verdict(p domain.PolicyDecided, what string) string { return verdict(p, Words(what)).String() }

func verdict(p domain.PolicyDecided, what Phrase) Phrase {
	before, behind := p.Verdict.Did()
	if p.Allowed { // includes verdicts of newer versions
		before, behind = domain.VerdictAllowed.Did()
	}
	out := []Phrase{Words(before)}
	for _, more := range []Phrase{what, Words(behind)} {
		if len(more) > 0 {
			out = append(out, more)
		}
	}
	return Join(out, " ")
}

// Decision is a verdict with its reasons: "denied it: no rule allows it".
func Decision(p domain.PolicyDecided, what string) string {
	out := Verdict(p, what)
	if reasons := Reasons(p); reasons != "" {
		out += ": " + reasons
	}
	var duties []string
	for _, code := range p.Obligations {
		if code != domain.ObligationAsk { // the verdict says that
			duties = append(duties, domain.ObligationWords(code))
		}
	}
	if len(duties) > 0 {
		out += "; it asks for: " + strings.Join(duties, ", ")
	}
	return out
}

// Codes are the recorded codes behind Decision's words: reasons, obligations and rules.
func Codes(p domain.PolicyDecided) []string {
	out := slices.Concat([]string{string(p.Verdict)}, p.ReasonCodes, p.Obligations, []string{p.RegimeID})
	return slices.Compact(slices.DeleteFunc(out, func(code string) bool { return code == "" }))
}
