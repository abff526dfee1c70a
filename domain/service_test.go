package domain_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// The declarations of this program hold together: no signal comes back to who
// emits it, and every type in use is emitted and taken.
func TestServicesAreDeclared(t *testing.T) {
	if err := checkServices(domain.Services()); err != nil {
		t.Error(err)
	}
}

func TestCheckServicesRefuses(t *testing.T) {
	change := func(name string, with func(*domain.Service)) []domain.Service {
		services := domain.Services()
		i := slices.IndexFunc(services, func(s domain.Service) bool { return s.Name == name })
		services[i].Emits, services[i].Consumes = slices.Clone(services[i].Emits), slices.Clone(services[i].Consumes)
		with(&services[i])
		return services
	}
	for name, c := range map[string]struct {
		services []domain.Service
		want     string
	}{
		"a circle of one": {change(domain.ServiceIdle, func(s *domain.Service) { s.Consumes = s.Emits }), "idle → idle"},
		"a circle of two": {func() []domain.Service {
			services := change(domain.ServicePlans, func(s *domain.Service) { s.Consumes = []domain.SpineType{domain.ThreadExpired} })
			i := slices.IndexFunc(services, func(s domain.Service) bool { return s.Name == domain.ServiceThreads })
			services[i].Consumes = []domain.SpineType{domain.TraitChanged}
			return services
		}(), "threads → plans → threads"},
		"nobody takes": {change(domain.ServiceBackground, func(s *domain.Service) { s.Consumes = s.Consumes[1:] }), "nobody takes idle_discovery"},
		"nobody emits": {change(domain.ServiceThreads, func(s *domain.Service) { s.Emits = nil }), "thread_expired is to be emitted by threads"},
		"no emitter by the table": {change(domain.ServiceMonitor, func(s *domain.Service) { s.Emits = []domain.SpineType{domain.IdleDiscovery} }),
			"monitor emits idle_discovery"},
		"emits what isn't there": {change(domain.ServiceMonitor, func(s *domain.Service) { s.Emits = []domain.SpineType{"made_up"} }), "made_up"},
		"two of one name":        {append(domain.Services(), domain.Services()[0]), "two services"},
		"no layer":               {change(domain.ServiceIdle, func(s *domain.Service) { s.Layer = "" }), "no layer"},
		"no fail mode":           {change(domain.ServiceIdle, func(s *domain.Service) { s.FailMode = "" }), "what is missing"},
		"a timer without time":   {change(domain.ServiceIdle, func(s *domain.Service) { s.Cycle = 0 }), "no cycle"},
	} {
		err := checkServices(c.services)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestSignsOfLife(t *testing.T) {
	for _, s := range domain.Services() {
		if s.TTL() != 2*s.Cycle {
			t.Errorf("%s: a sign of life is good for %s, a cycle is %s", s.Name, s.TTL(), s.Cycle)
		}
		if known, ok := domain.ServiceNamed(s.Name); !ok || known.Layer != s.Layer {
			t.Errorf("%s is not found by its name", s.Name)
		}
	}
	if _, ok := domain.ServiceNamed("nobody"); ok {
		t.Error("nobody is a service")
	}
}

// checkServices returns an error that names what is wrong with how services
// declare themselves: a signal that would come back to who emits it through any
// chain, a type that nobody emits or nobody takes, an emitter that the table of
// types doesn't know.
func checkServices(services []domain.Service) error {
	seen := map[string]bool{}
	for _, s := range services {
		switch {
		case seen[s.Name]:
			return undeclared("two services are named " + s.Name)
		case s.Layer != domain.LayerCognitive && s.Layer != domain.LayerEmbodiment && s.Layer != domain.LayerCapability:
			return undeclared(fmt.Sprintf("%s belongs to no layer, or to one that isn't known: %q", s.Name, s.Layer))
		case s.FailMode == "" || s.Trigger == "":
			return undeclared(s.Name + " doesn't say what sets it off, or what is missing while it is dead")
		case s.Trigger == domain.TriggerTimer && s.Cycle <= 0:
			return undeclared(s.Name + " has a timer and no cycle")
		}
		seen[s.Name] = true
		for _, t := range s.Emits {
			if kind, ok := domain.SpineTypeNamed(t); !ok || !kind.EmittedBy(s.Name) {
				return undeclared(fmt.Sprintf("%s emits %s, and the table of types doesn't say so", s.Name, t))
			}
		}
	}
	for _, kind := range domain.SpineKinds() {
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
func checkEnds(kind domain.SpineKind, services []domain.Service) error {
	taken := slices.ContainsFunc(services, func(s domain.Service) bool { return slices.Contains(s.Consumes, kind.Type) })
	if !kind.Reserved() && !taken {
		return undeclared(fmt.Sprintf("nobody takes %s", kind.Type))
	}
	for _, name := range kind.Emitters {
		i := slices.IndexFunc(services, func(s domain.Service) bool { return s.Name == name })
		if i < 0 || !slices.Contains(services[i].Emits, kind.Type) {
			return undeclared(fmt.Sprintf("%s is to be emitted by %s, which doesn't say so", kind.Type, name))
		}
	}
	return nil
}

func undeclared(message string) error {
	return errors.New(message + ": mend the declarations of services")
}

// roundTrip is a way from a service back to itself, or nothing.
func roundTrip(services []domain.Service) []string {
	next := map[string][]string{}
	for _, e := range domain.SpineEdges(services) {
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
