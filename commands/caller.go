package commands

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
)

// Caller is the sender of a request: a program with a token, an interface, or the operator.
type Caller struct {
	Name      string           // the payload source of what it sends without naming one
	Source    domain.Source    // the emitter its envelopes carry
	Principal domain.Principal // accountable; rates and repeats are counted by it
	Signals   []string         // the signal types it may send, sorted; none means any
	Operator  bool             // may do everything
	Issued    bool             // by a token that the operator issued for it
}

// OperatorCaller is the person, speaking through source ("api", "socket" …).
func OperatorCaller(source domain.Source) Caller {
	return Caller{Name: string(domain.PrincipalOperator), Source: source, Principal: domain.PrincipalOperator, Operator: true}
}

// TokenCaller is the program that a token belongs to.
func TokenCaller(t domain.Token) Caller {
	return Caller{Name: t.Name, Source: domain.Source(t.Name), Principal: domain.Principal(t.Name), Signals: t.Signals, Issued: true}
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

// MayByName reports whether the caller may send a type because somebody named it, and not
// because it may send any.
func (c Caller) MayByName(signalType string) bool {
	return c.Operator || slices.Contains(c.Signals, signalType)
}

// ScopeConsole is what a token has to name among its types to speak for its person as a
// console does: what it says is the person's, and it hears all that they do.
const ScopeConsole = "console"

// Console is the caller as the person's console: what it says is theirs, under its own name.
// It may do no more than a console. False for a caller that may not be one: an interface never
// may, whatever signals it was approved for.
func (c Caller) Console() (Caller, bool) {
	if c.Operator {
		return c, true
	}
	if !c.Issued || !c.MayByName(ScopeConsole) {
		return Caller{}, false
	}
	c.Principal = domain.PrincipalOperator
	return c, true
}

// ScopeMCP is what a token has to name among its types for its program to speak MCP: to see
// what Chalie has in mind and did, and to ask for tools.
const ScopeMCP = "mcp"

// MCP is the caller as a program that speaks MCP, under its own name. False for one that may
// not, and for the operator, who isn't a program.
func (c Caller) MCP() (Caller, bool) {
	if c.Operator || !c.MayByName(ScopeMCP) {
		return Caller{}, false
	}
	c.Source = domain.ChannelMCP
	return c, true
}

// ConsoleCaller is a console on this machine that sends no key.
func ConsoleCaller() Caller {
	return Caller{Name: ScopeConsole, Source: ScopeConsole, Principal: domain.PrincipalOperator, Signals: []string{ScopeConsole}, Issued: true}
}

// InterfaceCaller is an interface that speaks unprompted: accountable under
// its id. A registered one may send the signal types that were approved; ask
// Interface.Approved first when none may be, since a caller without types may send
// any.
func InterfaceCaller(i domain.Interface) Caller {
	signals := i.Signals
	if i.Origin == domain.OriginRegistered {
		signals = i.Approved.Signals
	}
	return Caller{Name: i.Name, Source: i.Source(), Principal: i.Principal(), Signals: signals}
}
