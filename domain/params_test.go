package domain_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
)

func TestDefaultParams(t *testing.T) {
	want := map[string]string{
		"half_life": "6h", "threshold": "0.15", "context": "5", "capacity": "100", "due_half_life": "12h", "fired_for": "24h", "open_task": "0.5",
		"surfaces": "0.5", "memory": "4", "cooldown": "30m", "repeated": "24h", "directed": "1m", "model_calls": "8", "tool_calls": "16", "time": "5m", "cost": "0.5",
		"forms": "most", "backup_every": "0s", "keep_signals": "0s", "keep_reasoning": "0s",
	}
	for _, p := range domain.DefaultParams().Listed() {
		if want[p.Name] != p.Value {
			t.Errorf("%s is %s, want %s", p.Name, p.Value, want[p.Name])
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

func TestSetParam(t *testing.T) {
	if err := new(domain.DefaultParams()).Set("forms", "some"); !strings.Contains(err.Error(), "give none (only in Chalie's own chat and pages), most (") {
		t.Errorf("forms is refused with %v", err)
	}
	p := domain.DefaultParams()
	for name, value := range map[string]string{"half_life": "1d12h", "threshold": "0.25", "surfaces": "1", "directed": "90s", "cost": "0", "memory": " 7 ", "tool_calls": "0"} {
		if err := p.Set(name, value); err != nil {
			t.Errorf("%s = %s: %v", name, value, err)
		}
	}
	want := domain.DefaultParams()
	want.World.SignalHalfLife, want.World.Threshold, want.World.Surfaces = 36*time.Hour, 250_000, domain.One
	want.Notices.Directed, want.Memory = 90*time.Second, 7
	want.Limits.CostMicros, want.Limits.ToolCalls = 0, 0
	if p != want {
		t.Errorf("it is\n%+v\nwant\n%+v", p, want)
	}
}

// TestBoundsSayWhatIsTaken: nothing that the bounds name is refused, and nothing is taken that they don't name.
func TestBoundsSayWhatIsTaken(t *testing.T) {
	for _, p := range domain.DefaultParams().Listed() {
		want := p.Least + " to " + p.Most
		switch {
		case p.Name == "forms":
			want = "none, most, all"
		case strings.HasPrefix(p.Name, "keep_"):
			want = "7d to 3650d, or 0s"
		}
		if p.Bounds != want {
			t.Errorf("the bounds of %s are %q, want %q", p.Name, p.Bounds, want)
		}
		if err := new(domain.DefaultParams()).Set(p.Name, "0s"); strings.HasPrefix(p.Unit, "a duration") && (err == nil) != (p.Least == "0s" || strings.HasSuffix(p.Bounds, "or 0s")) {
			t.Errorf("%s, of %s, as 0s: %v", p.Name, p.Bounds, err)
		}
	}
}

func TestSetParamRefuses(t *testing.T) {
	for name, values := range map[string][]string{
		"half_life": {"", "6", "0s", "-1h", "1.5", "10000d", "1ns", "d", "-1d", "99999999999999999999d"}, "threshold": {"-0.1", "1.1", "1e3", "0.0000001", ".", "NaN", ""},
		"context": {"-1", "101", "five", "1.5"}, "cooldown": {"25h"}, "directed": {"0s"}, "cost": {"-1", "$1"}, "keep_signals": {"1s", "6d23h59m59s", "-8d", "3651d"}, "forms": {"some", "1", "", "Most"},
	} {
		for _, value := range values {
			p := domain.DefaultParams()
			err := p.Set(name, value)
			if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), name+" can't be") || p != domain.DefaultParams() {
				t.Errorf("%s = %q: %v, %+v", name, value, err, p)
			}
		}
	}
	p := domain.DefaultParams()
	err := p.Set("halflife", "6h")
	for _, known := range p.Listed() {
		if err == nil || !strings.Contains(err.Error(), known.Name) {
			t.Errorf("%v doesn't name %s", err, known.Name)
		}
	}
}

// What is listed can be set again, from whatever it was, and the bounds can be
// reached: every parameter is read back from where it was written.
func TestParamsReadWhatTheyWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := domain.DefaultParams(), domain.DefaultParams()
		for _, one := range p.Listed() {
			if err := p.Set(one.Name, rapid.SampledFrom([]string{one.Least, one.Most, one.Value}).Draw(t, one.Name)); err != nil {
				t.Fatal(err)
			}
		}
		for _, one := range p.Listed() {
			if err := q.Set(one.Name, one.Value); err != nil {
				t.Fatal(err)
			}
		}
		if p != q {
			t.Fatalf("it is\n%+v\nand read back\n%+v", p, q)
		}
	})
}

// A parameter more has to be settable.
func TestEveryParameterHasAName(t *testing.T) {
	fields := 0
	for _, shape := range []reflect.Type{reflect.TypeFor[domain.WorldRules](), reflect.TypeFor[domain.NoticeRules](), reflect.TypeFor[domain.ReasoningLimits]()} {
		fields += shape.NumField()
	}
	fields-- // by which rule something is over isn't a parameter
	if got, want := len(domain.DefaultParams().Listed()), fields+3+reflect.TypeFor[domain.Keep]().NumField(); got != want || reflect.TypeFor[domain.Params]().NumField() != 7 {
		t.Errorf("%d parameters have a name, want %d", got, want)
	}
}
