package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
)

// offering is a registry of interfaces named a, b, c … by their places, each with
// the tools of its list.
func offering(lists ...[]string) (*domain.Registry, []*domain.Interface) {
	r := &domain.Registry{Interfaces: map[domain.ID]*domain.Interface{}}
	var all []*domain.Interface
	for n, names := range lists {
		i := &domain.Interface{ID: domain.ID{14: 7, 15: byte(n + 1)}, Origin: domain.OriginPaired, Name: string(rune('a' + n)), Since: domain.Millis(n)}
		for _, name := range names {
			i.Tools = append(i.Tools, domain.Tool{Name: name})
		}
		r.Interfaces[i.ID] = i
		all = append(all, i)
	}
	return r, all
}

func TestResolveOffer(t *testing.T) {
	r, all := offering([]string{"get", "put"}, []string{"get", "del"}, []string{"gone"}, []string{"new"}, []string{"get"})
	all[2].Offline = true
	all[3].Origin = domain.OriginRegistered
	all[4].Offline = true
	for _, c := range []struct {
		name string
		from string // the interface it is resolved to
		code domain.Code
		says string
	}{
		{"put", "a", "", ""}, {"a.put", "a", "", ""}, {"del", "b", "", ""}, {"a.get", "a", "", ""}, {"b.get", "b", "", ""},
		{all[1].ID.UUID() + ".get", "b", "", ""}, {all[1].ID.String() + ".get", "b", "", ""}, {all[0].ID.UUID() + ".put", "a", "", ""},
		{"get", "", domain.CodeAmbiguousTool, "get is offered by 2 interfaces: name one of a.get, b.get"},
		{"gone", "", domain.CodeToolOffline, "c, which is offline"},
		{"c.gone", "", domain.CodeToolOffline, "c, which is offline"},
		{"e.get", "", domain.CodeToolOffline, "e, which is offline"},
		{"new", "", domain.CodeToolPending, "d, which waits for your approval"},
		{"a.del", "", domain.CodeNoTool, `no tool "a.del"`},
		{"GET", "", domain.CodeNoTool, `no tool "GET"`},
		{"", "", domain.CodeNoTool, `no tool ""`},
		{".get", "", domain.CodeNoTool, `no tool ".get"`},
		{strings.Repeat("x", 1000), "", domain.CodeNoTool, strings.Repeat("x", domain.MaxToolNameBytes) + `"`},
	} {
		o, err := r.ResolveOffer(c.name)
		switch {
		case c.code == "" && (err != nil || o.Interface.Name != c.from || !strings.HasSuffix(c.name, o.Tool.Name)):
			t.Errorf("%q is %+v, %v", c.name, o, err)
		case c.code != "" && (domain.CodeOf(err) != c.code || domain.CategoryOf(err) != domain.NotFound || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%q: %v (%s), want %s: %q", c.name, err, domain.CodeOf(err), c.code, c.says)
		}
	}
	if o, err := r.ResolveOffer("put"); err != nil || o.CapabilityID() != all[0].ID.UUID()+"/put" {
		t.Errorf("the capability is %s, %v", o.CapabilityID(), err)
	}
}

// Interfaces of one name are told apart by their ids, and not all of many are
// listed.
func TestAmbiguousAmongNamesakes(t *testing.T) {
	lists := make([][]string, 12)
	for i := range lists {
		lists[i] = []string{"get"}
	}
	r, all := offering(lists...)
	for _, i := range all {
		i.Name = "twin"
	}
	for _, name := range []string{"get", "twin.get"} {
		_, err := r.ResolveOffer(name)
		want := fmt.Sprintf("%s is offered by 12 interfaces: name one of %s.get, ", name, all[0].ID.UUID())
		if domain.CodeOf(err) != domain.CodeAmbiguousTool || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "and 4 more") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What is offered can be invoked by the name it is offered under.
	for _, o := range r.Offers() {
		if got, err := r.ResolveOffer(o.Name); err != nil || got.Interface.ID != o.Interface.ID {
			t.Errorf("%s: %v, %v", o.Name, got, err)
		}
	}
}
