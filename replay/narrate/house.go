package narrate

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// Went says what went, of which type, and under which time to keep.
func Went(p domain.SpanRetired) string {
	kept := make([]string, len(p.Kept))
	for i, k := range p.Kept {
		kept[i] = fmt.Sprintf("%s of “%s”", lasting(int64(k.For)), k.Topic)
	}
	types := make([]string, len(p.Counts))
	for i, c := range p.Counts {
		types[i] = fmt.Sprintf("%s of %s", Grouped(c.Records), c.Type)
	}
	return fmt.Sprintf("under the time to keep, %s: %s", strings.Join(kept, " and "), strings.Join(types, ", "))
}

// Lacks says what a look back lacks because it went since; "" of nothing.
func Lacks(spans []domain.SpanRetired) string {
	if len(spans) == 0 {
		return ""
	}
	var records uint64
	for _, s := range spans {
		records += s.Records
	}
	return fmt.Sprintf("%s of then or before went since, %s, and may be missing here; from position %s on nothing is missing",
		Counted(records, "record", "records"), Went(spans[len(spans)-1]), Grouped(uint64(spans[len(spans)-1].Through)))
}

// Rested says that what was decided through a base may have rested on records that went, the
// first of them at a position.
func Rested(went uint64, from, base domain.Position) string {
	return fmt.Sprintf("%s from this log, from position %s on, and what was decided through position %s may have rested on them",
		Counted(went, "record went", "records went"), Grouped(uint64(from)), Grouped(uint64(base)))
}

// WentFrom says that what is asked for went: the record at a position, or, without one, perhaps
// the envelope that was named.
func WentFrom(s domain.SpanRetired, at domain.Millis, pos domain.Position) string {
	when := at.Time().UTC().Format("2 January 2006")
	if pos > 0 {
		return fmt.Sprintf("the record at position %d went on %s, %s; `chalie log --type span.retired` lists all that went", pos, when, Went(s))
	}
	return fmt.Sprintf("it may have gone on %s, %s", when, Went(s))
}

// house is the events of Chalie itself: accounts, services, projections, the log.
var house = map[domain.EventType]Entry{
	domain.OperatorRegisteredType: event[domain.OperatorRegistered]{
		Kind: "Account", Lead: "The account was made:", From: byPerson,
		Line:  func(p domain.OperatorRegistered) string { return "account " + p.Username },
		Label: "you made your account",
	}.entry(),
	domain.PasswordChangedType: event[domain.PasswordChanged]{
		Kind: "Account", Lead: "You changed your password:", From: byPerson,
		Line: func(p domain.PasswordChanged) string {
			if p.SessionHash == "" {
				return "every session ended"
			}
			return "every other session ended"
		},
		Label: "you changed your password",
	}.entry(),
	domain.OperatorLoggedInType: event[domain.OperatorLoggedIn]{
		Kind: "Account", Lead: "You logged in", From: byPerson,
		Line:  func(p domain.OperatorLoggedIn) string { return visitor(p.From, p.Relayed, p.UserAgent) },
		Label: "you logged in",
	}.entry(),
	domain.OperatorLoginRefusedType: event[domain.OperatorLoginRefused]{
		Kind: "Account", Lead: "Somebody was not let in:", From: arrived,
		Line:  func(p domain.OperatorLoginRefused) string { return Counted(p.Count, "refused login", "refused logins") },
		Label: "a login was refused",
	}.entry(),
	domain.OperatorLoggedOutType: event[domain.OperatorLoggedOut]{
		Kind: "Account", Lead: "You logged out", From: byPerson, Label: "you logged out",
	}.entry(),
	domain.SessionExtendedType: event[domain.SessionExtended]{
		Kind: "Account", Lead: "Your session was extended", From: byPerson, Label: "your session was extended",
	}.entry(),
	domain.SessionUsedElsewhereType: event[domain.SessionUsedElsewhere]{
		Kind: "Account", Lead: "The cookie of your session was used elsewhere:", From: arrived,
		Line: func(p domain.SessionUsedElsewhere) string {
			return "its cookie alone " + visitor(p.From, p.Relayed, p.UserAgent)
		},
		Label: "the cookie of your session was used elsewhere",
	}.entry(),
	domain.SessionElsewhereSeenType: event[domain.SessionElsewhereSeen]{
		Kind: "Account", Lead: "You saw where your session was used", From: byPerson, Label: "you saw that your session was used elsewhere",
	}.entry(),

	domain.SpineSignalEmittedType: event[domain.SpineSignalEmitted]{
		Kind: "Own thought", Lead: "Chalie noticed:", From: byService, Bare: true,
		Line: func(p domain.SpineSignalEmitted) string {
			line := string(p.SignalType)
			if p.Content != nil {
				line += ": " + *p.Content
			}
			if p.Silent != nil {
				line += "; there was nothing to tell"
			}
			return line
		},
		Labelled: func(p domain.SpineSignalEmitted) string {
			if p.Content == nil {
				return meaning(p.SignalType)
			}
			return withDetail(meaning(p.SignalType), *p.Content)
		},
		Clause: func(s Scene, _ domain.SpineSignalEmitted) Phrase {
			return About(s.Record(), Noticed(s.Record().Envelope))
		},
		Reason: func(s Scene, _ domain.SpineSignalEmitted) Phrase {
			return Sayf("at %s %s", s.Clock(s.Record().RecordedAt), About(s.Record(), Noticed(s.Record().Envelope)))
		},
	}.entry(),
	domain.SpineSignalDroppedType: event[domain.SpineSignalDropped]{
		Kind: "Own thought", Lead: "Something was passed over:", From: origin{OriginGiven, "how many wait depends on how fast the process is"},
		Line: func(p domain.SpineSignalDropped) string {
			return fmt.Sprintf("%s has too much to do and misses %s", p.Consumer, p.Signal.UUID())
		},
		Labelled: func(p domain.SpineSignalDropped) string {
			return fmt.Sprintf("%s did not get it: %s", p.Consumer, p.Reason)
		},
	}.entry(),
	domain.ServiceDiedType: event[domain.ServiceDied]{
		Kind: "Service", Lead: "A service died:", From: byProcess,
		Line:     func(p domain.ServiceDied) string { return p.Service + " " + p.Reason },
		Labelled: func(p domain.ServiceDied) string { return withDetail(p.Service+" stopped working", p.Reason) },
	}.entry(),
	domain.ServiceRecoveredType: event[domain.ServiceRecovered]{
		Kind: "Service", Lead: "A service recovered:", From: byProcess,
		Line:     func(p domain.ServiceRecovered) string { return p.Service + " lives again" },
		Labelled: func(p domain.ServiceRecovered) string { return p.Service + " works again" },
	}.entry(),
	domain.EpochBegunType: event[domain.EpochBegun]{
		Kind: "Epoch", Lead: "An epoch began:", From: byProcess,
		Line:     func(p domain.EpochBegun) string { return "because of a " + Spelt(string(p.Reason)) },
		Labelled: func(p domain.EpochBegun) string { return "an epoch began: " + Spelt(string(p.Reason)) },
	}.entry(),
	domain.BackupFailedType: event[domain.BackupFailed]{
		Kind: "Backup", Lead: "A backup failed:", From: byProcess,
		Line:     func(p domain.BackupFailed) string { return p.Reason },
		Labelled: func(p domain.BackupFailed) string { return withDetail("a backup failed", p.Reason) },
	}.entry(),
	domain.BackupRecoveredType: event[domain.BackupRecovered]{
		Kind: "Backup", Lead: "A backup was made again:", From: byProcess,
		Line:     func(p domain.BackupRecovered) string { return "in " + p.Folder },
		Labelled: func(p domain.BackupRecovered) string { return withDetail("a backup was made again", p.Folder) },
	}.entry(),
	domain.SpanRetiredType: event[domain.SpanRetired]{
		Kind: "Records", Lead: "Records went:", From: byProcess,
		Line: Went,
		Labelled: func(p domain.SpanRetired) string {
			return Counted(p.Records, "record went", "records went") + ", whose time to be kept was over"
		},
	}.entry(),
	domain.ProjectionRebuiltType: event[domain.ProjectionRebuilt]{
		Kind: "Projection", Lead: "What is known was folded again:", From: byProcess,
		Line: func(p domain.ProjectionRebuilt) string {
			from, to := edition(p.FromVersion, p.FromGeneration), edition(p.ToVersion, p.ToGeneration)
			how := "folded again from the log"
			if p.RolledBack {
				how = "put back"
			}
			return fmt.Sprintf("%s was %s: %s to %s, %s", p.Name, how, from, to, Counted(int(p.Differences), "difference", "differences"))
		},
		Labelled: func(p domain.ProjectionRebuilt) string {
			if p.RolledBack {
				return p.Name + " was put back to the state kept before"
			}
			return p.Name + " was built again from the log"
		},
	}.entry(),
	domain.ProjectionDivergedType: event[domain.ProjectionDiverged]{
		Kind: "Projection", Lead: "What is known was found to differ:", From: byProcess,
		Line: func(p domain.ProjectionDiverged) string {
			return fmt.Sprintf("%s, version %d, is not what the log says through position %s: %s", p.Name, p.Version, Grouped(uint64(p.Position)),
				Counted(p.Differing, "thing differs", "things differ"))
		},
		Labelled: func(p domain.ProjectionDiverged) string {
			return p.Name + " was found to know something else than the log says"
		},
	}.entry(),
	domain.RecordLostType: event[domain.RecordLost]{
		Kind: "Record", Lead: "A record was lost:", From: origin{OriginGiven, "what is lost can't be decided again"},
		Line: func(p domain.RecordLost) string {
			switch {
			case p.Reason == domain.LostToAnother:
				return "lost: the export that was imported lacked this record"
			case p.Copy != "":
				return "lost to damage; what was left is kept in " + p.Copy
			}
			return "lost to damage"
		},
		Label: "a record of the log was lost",
	}.entry(),
	domain.LogTakenOverType: event[domain.LogTakenOver]{
		Kind: "Program", Lead: "The log was taken over:", From: byProcess,
		Line:     func(p domain.LogTakenOver) string { return "written by " + p.Host + " from here on" },
		Labelled: func(p domain.LogTakenOver) string { return p.Host + " took over the log" },
	}.entry(),
	domain.SystemStartedType: event[domain.SystemStarted]{
		Kind: "Program", Lead: "Chalie started:", From: byProcess,
		Line: func(p domain.SystemStarted) string {
			return fmt.Sprintf("version %s, log at %s", p.Version, Grouped(uint64(p.Tail)))
		},
		Labelled: func(p domain.SystemStarted) string { return "Chalie started, version " + p.Version },
	}.entry(),
	domain.SystemStoppedType: event[domain.SystemStopped]{
		Kind: "Program", Lead: "Chalie stopped:", From: byProcess,
		Line:     func(p domain.SystemStopped) string { return p.Reason },
		Labelled: func(p domain.SystemStopped) string { return "Chalie stopped: " + p.Reason },
	}.entry(),
}

// visitor tells a client's address and program.
func visitor(from string, relayed bool, userAgent string) string {
	var parts []string
	if from := CameFrom(from, relayed); from != "" {
		parts = append(parts, from)
	}
	if userAgent != "" {
		parts = append(parts, "with "+Client(userAgent))
	}
	return strings.Join(parts, ", ")
}

// CameFrom tells the origin of a login, as of domain.Visitor; "" when unknown.
func CameFrom(from string, relayed bool) string {
	switch {
	case from == "":
		return ""
	case !relayed:
		return "from " + from
	case from == domain.ThisMachine:
		return "through a proxy on " + from
	}
	return "through a proxy at " + from
}

// meaning is the meaning of a type of spine signal.
func meaning(t domain.SpineType) string {
	if kind, ok := domain.SpineTypeNamed(t); ok {
		return kind.Meaning
	}
	return "a signal came in (" + string(t) + ")"
}

// Noticed tells a spine signal, with or without its payload.
func Noticed(e domain.Envelope) string {
	p, err := domain.Decode[domain.SpineSignalEmitted](e)
	if err != nil {
		what := "something was noticed"
		if kind, ok := domain.SpineTypeOf(e); ok {
			what = meaning(kind)
		}
		return what + " " + Gone(e)
	}
	switch {
	case p.SignalType == domain.IdleDiscovery: // its content says that again
		return "nothing had been said or done for a while"
	case p.Content == nil || strings.TrimSpace(*p.Content) == "":
		return meaning(p.SignalType)
	case p.SignalType == domain.AmbientContext: // and so does this, with what has changed
		return strings.Replace(Shortened(*p.Content, MaxQuote), "the person's ", "your ", 1)
	}
	return meaning(p.SignalType) + ": " + Quoted(*p.Content)
}

// edition names a projection's store: 2, or 2.1.
func edition(version, generation int) string {
	if generation == 0 {
		return fmt.Sprint(version)
	}
	return fmt.Sprintf("%d.%d", version, generation)
}
