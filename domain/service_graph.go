package domain

import (
	"fmt"
	"slices"
	"strings"
)

// SpineEdge says that what one service emits another consumes.
type SpineEdge struct {
	From, To string
	Type     SpineType
}

// SpineEdges are the ways that spine signals take between services, in the order
// of the services and of the types each emits.
func SpineEdges(services []Service) (edges []SpineEdge) {
	for _, from := range services {
		for _, t := range from.Emits {
			for _, to := range services {
				if slices.Contains(to.Consumes, t) {
					edges = append(edges, SpineEdge{from.Name, to.Name, t})
				}
			}
		}
	}
	return edges
}

// CheckServices returns a conflict that names what is wrong with how services
// declare themselves: a signal that would come back to who emits it through any
// chain, a type that nobody emits or nobody takes, an emitter that the table of
// types doesn't know.
func CheckServices(services []Service) error {
	seen := map[string]bool{}
	for _, s := range services {
		switch {
		case seen[s.Name]:
			return undeclared("two services are named " + s.Name)
		case s.Layer != LayerCognitive && s.Layer != LayerEmbodiment && s.Layer != LayerCapability:
			return undeclared(fmt.Sprintf("%s belongs to no layer, or to one that isn't known: %q", s.Name, s.Layer))
		case s.FailMode == "" || s.Trigger == "":
			return undeclared(s.Name + " doesn't say what sets it off, or what is missing while it is dead")
		case s.Trigger == TriggerTimer && s.Cycle <= 0:
			return undeclared(s.Name + " has a timer and no cycle")
		}
		seen[s.Name] = true
		for _, t := range s.Emits {
			if kind, ok := SpineTypeNamed(t); !ok || !kind.EmittedBy(s.Name) {
				return undeclared(fmt.Sprintf("%s emits %s, and the table of types doesn't say so", s.Name, t))
			}
		}
	}
	for _, kind := range SpineKinds() {
		if err := checkEnds(kind, services); err != nil {
			return err
		}
	}
	if round := roundTrip(services); len(round) > 0 {
		return undeclared("signals go round in a circle: " + strings.Join(round, " → "))
	}
	return nil
}

// checkEnds wants every type that is not reserved to be emitted and taken.
func checkEnds(kind SpineKind, services []Service) error {
	taken := slices.ContainsFunc(services, func(s Service) bool { return slices.Contains(s.Consumes, kind.Type) })
	if !kind.Reserved() && !taken {
		return undeclared(fmt.Sprintf("nobody takes %s", kind.Type))
	}
	for _, name := range kind.Emitters {
		i := slices.IndexFunc(services, func(s Service) bool { return s.Name == name })
		if i < 0 || !slices.Contains(services[i].Emits, kind.Type) {
			return undeclared(fmt.Sprintf("%s is to be emitted by %s, which doesn't say so", kind.Type, name))
		}
	}
	return nil
}

func undeclared(message string) error {
	return &Error{Op: "check services", Category: Conflict, Code: "undeclared", Message: message + "; mend the declarations of services"}
}

// roundTrip is a way from a service back to itself, or nothing.
func roundTrip(services []Service) []string {
	next := map[string][]string{}
	for _, e := range SpineEdges(services) {
		next[e.From] = append(next[e.From], e.To)
	}
	finished := map[string]bool{}
	var way []string
	var walk func(name string) []string
	walk = func(name string) []string {
		if i := slices.Index(way, name); i >= 0 {
			return append(slices.Clone(way[i:]), name)
		}
		if finished[name] {
			return nil
		}
		way = append(way, name)
		for _, to := range next[name] {
			if round := walk(to); round != nil {
				return round
			}
		}
		way = way[:len(way)-1]
		finished[name] = true
		return nil
	}
	for _, s := range services {
		if round := walk(s.Name); round != nil {
			return round
		}
	}
	return nil
}

// SpineMermaid draws the ways of spine signals as a Mermaid flowchart: each layer
// with its services, and an arrow for every pair with the types between them.
// Services that neither emit nor consume stand alone.
func SpineMermaid(services []Service) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, layer := range []Layer{LayerEmbodiment, LayerCapability, LayerCognitive} {
		fmt.Fprintf(&b, "  subgraph %s\n", layer)
		for _, s := range services {
			if s.Layer == layer {
				fmt.Fprintf(&b, "    %s\n", s.Name)
			}
		}
		b.WriteString("  end\n")
	}
	edges := SpineEdges(services)
	for i, e := range edges {
		between := []string{string(e.Type)}
		if slices.ContainsFunc(edges[:i], func(o SpineEdge) bool { return o.From == e.From && o.To == e.To }) {
			continue // drawn with the first of the pair
		}
		for _, o := range edges[i+1:] {
			if o.From == e.From && o.To == e.To {
				between = append(between, string(o.Type))
			}
		}
		fmt.Fprintf(&b, "  %s -->|%s| %s\n", e.From, strings.Join(between, "<br>"), e.To)
	}
	return b.String()
}
