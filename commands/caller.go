package commands

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
)

// Caller is the sender of a request: a program with a token, an interface, or the operator.
//
// What is counted, kept or remembered for it, and what it may see, goes by Principal, which is
// Chalie's own. Name and Source are for people to read.
type Caller struct {
	Name      string           // the payload source of what it sends without naming one
	Source    domain.Source    // the emitter its envelopes carry
	Principal domain.Principal // accountable; rates and repeats are counted by it
	Signals   []string         // the signal types it may send, sorted; none means any
	Rights    []string         // those of them that are rights, and that the person gave it
	Operator  bool             // may do everything
	Issued    bool             // by a token that the operator issued for it
	Zone      string           // where its device is, by the IANA name that came with this request; "" when that isn't known

	former former
}

// former is what earlier builds knew a program by: the name of its token, as long as that
// token was the one with the name.
type former struct {
	principal domain.Principal // "" when there is none
	after     domain.Position  // the token's issue
}

// Owns reports whether a record is what this caller is accountable for.
func (c Caller) Owns(rec domain.Record) bool { return c.Is(rec.Envelope.Principal, rec.Position) }

// Is reports whether a principal, as it was recorded at a position, is this caller: also by the
// name that an earlier build knew it by.
func (c Caller) Is(who domain.Principal, at domain.Position) bool {
	return who == c.Principal || c.former.principal != "" && who == c.former.principal && at > c.former.after
}

// Former is the caller as an earlier build knew it, and the position behind which its records
// are; false when no build knew it otherwise. It is for looking things up, and may do nothing.
func (c Caller) Former() (Caller, domain.Position, bool) {
	return Caller{Principal: c.former.principal}, c.former.after, c.former.principal != ""
}

// OperatorCaller is the person, speaking through source ("api", "socket" …).
func OperatorCaller(source domain.Source) Caller {
	return Caller{Name: string(domain.PrincipalOperator), Source: source, Principal: domain.PrincipalOperator, Operator: true}
}

// TokenCaller is the program that a token belongs to.
func TokenCaller(t domain.Token) Caller {
	c := Caller{Name: t.Name, Source: domain.Source(t.Name), Principal: t.Principal(), Signals: t.Signals, Rights: domain.RightsIn(t.Signals), Issued: true}
	if domain.CheckTokenName(t.Name) != nil {
		// A name of an earlier build that somebody else goes by: it says nothing of whose a record is.
		c.Name, c.Source = "program "+strconv.Quote(t.Name), "program"
		return c
	}
	c.former = former{domain.Principal(t.Name), t.Position}
	return c
}

// OnlyOperator returns a policy error about what only the person may do.
func (c Caller) OnlyOperator(what string) error {
	if c.Operator {
		return nil
	}
	return &domain.Error{Op: what, Category: domain.Policy, Code: "operator_only",
		Message: "only the person may " + what + ", and " + c.Name + " isn't them"}
}

// MayEmit returns a policy error when the caller's token doesn't permit a type.
func (c Caller) MayEmit(signalType string) error {
	if len(c.Signals) == 0 {
		return nil
	}
	if _, ok := slices.BinarySearch(c.Signals, signalType); ok {
		return nil
	}
	shown, more := c.Signals, ""
	if len(shown) > 10 {
		shown, more = shown[:10], " …"
	}
	return &domain.Error{Op: "submit signal", Category: domain.Policy, Code: "signal_type_not_permitted", Field: "signal_type",
		Message: fmt.Sprintf("%s may not send signals of type %q, only %s%s: send one of those, or ask the operator for a token that permits it",
			c.Name, signalType, strings.Join(shown, ", "), more)}
}

// Has reports whether the person gave the caller a right.
func (c Caller) Has(right string) bool {
	return c.Operator || slices.Contains(c.Rights, right)
}

// ScopeConsole is what a token has to name among its types to speak for its person as a
// console does: what it says is the person's, and it hears all that they do.
const ScopeConsole = domain.RightConsole

// Console is the caller as the person's console: what it says is theirs, under its own name.
// It may do no more than a console. False for a caller that may not be one: an interface never
// may, whatever signals it was approved for.
func (c Caller) Console() (Caller, bool) {
	if c.Operator {
		return c, true
	}
	if !c.Issued || !c.Has(ScopeConsole) {
		return Caller{}, false
	}
	c.Principal = domain.PrincipalOperator
	return c, true
}

// ScopeMCP is what a token has to name among its types for its program to speak MCP: to see
// what Chalie has in mind and did, and to ask for tools.
const ScopeMCP = domain.RightMCP

// MCP is the caller as a program that speaks MCP. False for one that may not: the operator,
// who isn't a program, and an interface, whatever it was approved for.
func (c Caller) MCP() (Caller, bool) {
	if c.Operator || !c.Issued || !c.Has(ScopeMCP) {
		return Caller{}, false
	}
	return c, true
}

// ConsoleCaller is a console on this machine that sends no key.
func ConsoleCaller() Caller {
	return Caller{Name: ScopeConsole, Source: ScopeConsole, Principal: domain.PrincipalOperator, Signals: []string{ScopeConsole}, Rights: []string{ScopeConsole}, Issued: true}
}

// InterfaceCaller is an interface that speaks unprompted: accountable under
// its id. A registered one may send the signal types that were approved; ask
// Interface.Approved first when none may be, since a caller without types may send
// any. Rights are those that the person approved, whatever it declared.
func InterfaceCaller(i domain.Interface) Caller {
	signals := i.Signals
	if i.Origin == domain.OriginRegistered {
		signals = i.Approved.Signals
	}
	return Caller{Name: i.Name, Source: i.Source(), Principal: i.Principal(), Signals: signals, Rights: domain.RightsOfInterfaces(i.Approved.Signals)}
}
