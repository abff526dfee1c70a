package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Codes of a name that invokes nothing. All are of category not_found.
const (
	CodeNoTool        Code = "no_tool"         // nothing offers it
	CodeAmbiguousTool Code = "ambiguous_tool"  // more than one interface does
	CodeToolOffline   Code = "tool_offline"    // what offers it doesn't answer
	CodeToolPending   Code = "tool_unapproved" // what offers it waits for the person
)

// maxNamesTold bounds the names an error lists.
const maxNamesTold = 8

// ResolveOffer is Offer with the reason why there is none: a not-found error
// with one of the codes above, which lists the qualified names when the one given
// is that of several tools.
func (r *Registry) ResolveOffer(name string) (Offer, error) { return r.ResolveOfferBeside(nil, name) }

// ResolveOfferBeside is ResolveOffer among what interfaces offer and what Chalie
// itself can do, if that isn't nil.
func (r *Registry) ResolveOfferBeside(own *Interface, name string) (Offer, error) {
	offers := r.OffersBeside(own)
	if o, ok := offerIn(offers, name); ok {
		return o, nil
	}
	refused := func(code Code, message string) error {
		return &Error{Op: "find tool", Category: NotFound, Code: code, Field: "name", Message: message}
	}
	shown := clip(name, MaxToolNameBytes)
	var same []string
	for _, o := range offers {
		if o.GoesBy(name) {
			same = append(same, o.Name)
		}
	}
	if len(same) > 0 {
		return Offer{}, refused(CodeAmbiguousTool, fmt.Sprintf("%s is offered by %d interfaces: name one of %s", shown, len(same), someOf(same)))
	}
	for _, i := range r.Listed() {
		for _, t := range i.Tools {
			if o := (Offer{Tool: t, Interface: i}); !o.GoesBy(name) {
				continue
			}
			if i.Status() == StatusPending {
				return Offer{}, refused(CodeToolPending, fmt.Sprintf("%s belongs to %s, which waits for your approval: approve its scopes first", shown, i.Name))
			}
			return Offer{}, refused(CodeToolOffline, fmt.Sprintf("%s belongs to %s, which is offline: it can be invoked again when %s answers", shown, i.Name, i.Name))
		}
	}
	return Offer{}, refused(CodeNoTool, fmt.Sprintf("there is no tool %q: list the tools to see which there are", shown))
}

// GoesBy reports whether a name means the tool: its own, or a qualified one.
func (o Offer) GoesBy(name string) bool {
	if o.Tool.Name == name {
		return true
	}
	whose, ok := strings.CutSuffix(name, "."+o.Tool.Name)
	if !ok || whose == o.Interface.Name {
		return ok
	}
	return !o.IsOwn() && (whose == o.Interface.ID.UUID() || whose == o.Interface.ID.String())
}

// ownCapabilities begins the capability ids of what Chalie itself can do.
const ownCapabilities = "chalie/"

// CapabilityID names the tool in the policy's books: interface id, slash, the
// interface's own name for the tool. Of Chalie's own it is chalie, slash, name.
func (o Offer) CapabilityID() string {
	if o.IsOwn() {
		return ownCapabilities + o.Tool.Name
	}
	return o.Interface.ID.UUID() + "/" + o.Tool.Name
}

// someOf lists names, sorted, and how many it left out.
func someOf(names []string) string {
	names = slices.SortedFunc(slices.Values(names), cmp.Compare[string])
	if len(names) <= maxNamesTold {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamesTold], ", "), len(names)-maxNamesTold)
}
