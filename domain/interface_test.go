package domain_test

import (
	"reflect"
	"testing"

	"chalie/domain"
)

func TestUnapproved(t *testing.T) {
	asked := domain.Scopes{
		Context: map[string]string{"location": "for the weather", "timezone": "for the hours"},
		Signals: map[string]string{"wind": "when it blows", "rain": "when it falls"},
	}
	for _, c := range []struct {
		name     string
		origin   domain.Origin
		approved domain.Approval
		want     domain.Scopes
	}{
		{"nothing was approved", domain.OriginRegistered, domain.Approval{}, asked},
		{"a part", domain.OriginRegistered, domain.NewApproval([]string{"location", "timezone"}, []string{"wind"}, []string{"news"}),
			domain.Scopes{Signals: map[string]string{"rain": "when it falls"}}},
		{"all", domain.OriginRegistered, domain.NewApproval([]string{"location", "timezone"}, []string{"wind", "rain"}, nil), domain.Scopes{}},
		{"a paired one's token permits its signals", domain.OriginPaired, domain.NewApproval([]string{"location"}, nil, nil),
			domain.Scopes{Context: map[string]string{"timezone": "for the hours"}}},
	} {
		got := domain.Interface{Origin: c.origin, Scopes: asked, Approved: c.approved}.Unapproved()
		if !reflect.DeepEqual(got, c.want) || got.Empty() != reflect.DeepEqual(c.want, domain.Scopes{}) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if len(asked.Context) != 2 || len(asked.Signals) != 2 {
		t.Errorf("it changed what was asked for: %+v", asked)
	}
}

// What is asked for after an approval shows, and what was approved stays so.
func TestUnapprovedSinceAnApproval(t *testing.T) {
	k := newKnown(t)
	id := k.ids.NewID()
	tellOf(k, coming(id, "Weather", 4001, "wind"))
	tellOf(k, allow(id, "wind"))
	if got := k.fold.Interfaces[id].Unapproved(); !got.Empty() {
		t.Errorf("all was approved, but %+v is left", got)
	}
	tellOf(k, coming(id, "Weather", 4001, "wind", "rain"))
	got := k.fold.Interfaces[id].Unapproved()
	if _, ok := got.Signals["rain"]; !ok || len(got.Signals) != 1 {
		t.Errorf("it asks anew for %+v", got)
	}
}
