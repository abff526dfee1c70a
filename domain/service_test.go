package domain_test

import (
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// The declarations of this program hold together: no signal comes back to who
// emits it, and every type in use is emitted and taken.
func TestServicesAreDeclared(t *testing.T) {
	if err := domain.CheckServices(domain.Services()); err != nil {
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
		err := domain.CheckServices(c.services)
		if domain.CategoryOf(err) != domain.Conflict || !strings.Contains(err.Error(), c.want) {
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
