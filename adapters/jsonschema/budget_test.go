package jsonschema_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"chalie/adapters/jsonschema"
	"chalie/domain"
)

// heavy are schemas, and values for them, that ask for far more work than their size: how
// many objects the schema has is small in all of them, or its references go in circles.
func heavy() map[string][2]string {
	doubling := func(keyword, link string, levels int) string {
		var defs strings.Builder
		for i := range levels {
			fmt.Fprintf(&defs, `"a%d":{"%s":[{"%s":"#/$defs/a%d"},{"%s":"#/$defs/a%d"}]},`, i, keyword, link, i+1, link, i+1)
		}
		return fmt.Sprintf(`{"$defs":{%s"a%d":{"type":"string"}},"type":"object","properties":{"q":{"$ref":"#/$defs/a0"}}}`, defs.String(), levels)
	}
	numbers := func(n int) string { return strings.TrimSuffix(strings.Repeat("1234567,", n), ",") }
	distinct := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"n":%d},`, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	names := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+",", i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	deep := strings.Repeat(`{"a":`, 98) + "1" + strings.Repeat("}", 98)
	return map[string][2]string{
		"allOf":              {doubling("allOf", "$ref", 40), `{"q":"x"}`},
		"oneOf":              {doubling("oneOf", "$ref", 40), `{"q":"x"}`},
		"anyOf that fails":   {doubling("anyOf", "$ref", 40), `{"q":1}`},
		"dynamicRef":         {doubling("allOf", "$dynamicRef", 40), `{"q":"x"}`},
		"twice for each":     {`{"type":"object","$defs":{"n":{"properties":{"a":{"allOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/n"}]}}}},"$ref":"#/$defs/n"}`, deep},
		"twice by the root":  {`{"type":"object","properties":{"a":{"oneOf":[{"$ref":"#"},{"$ref":"#","title":"again"}]}}}`, deep},
		"unevaluated":        {`{"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}},"unevaluatedProperties":false}`, deep},
		"a long way":         {`{"type":"object","$defs":{` + names(`"a%[1]d":{"$ref":"#/$defs/b%[1]d"},"b%[1]d":{"properties":{"a":{"$ref":"#/$defs/a0"}}}`, 300) + `},"$ref":"#/$defs/a0"}`, deep},
		"patternProperties":  {`{"type":"object","patternProperties":{` + names(`"^(a|b)*%d$":{"type":"string"}`, 1_500) + `}}`, `{` + names(`"ab%d":"x"`, 15_000) + `}`},
		"uniqueItems":        {`{"type":"array","uniqueItems":true}`, "[" + distinct(20_000) + "]"},
		"uniqueItems nested": {`{"type":"array","items":{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"uniqueItems":true},`, 2_000), ",") + `]}}`, "[[" + distinct(20_000) + "]]"},
		"a huge enum":        {`{"type":"array","items":{"enum":[` + numbers(6_000) + `]}}`, "[" + strings.TrimSuffix(strings.Repeat("1,", 100_000), ",") + "]"},
		"enum of long texts": {`{"type":"array","items":{"enum":["` + strings.Repeat("x", 40_000) + `"]}}`, "[" + strings.TrimSuffix(strings.Repeat("1,", 100_000), ",") + "]"},
		"many in one":        {`{"type":"array","items":{"anyOf":[` + strings.TrimSuffix(strings.Repeat("false,", 9_000), ",") + `]}}`, "[" + strings.TrimSuffix(strings.Repeat("1,", 100_000), ",") + "]"},
		"a wide pattern":     {`{"type":"array","items":{"pattern":"(x?){900}y"}}`, `["` + strings.Repeat("x", 200_000) + `"]`},
		"many wide patterns": {`{"type":"object","patternProperties":{` + names(`"%d{900}":{}`, 4_000) + `}}`, `{"a":1}`},
		"large numbers":      {`{"type":"array","items":{"multipleOf":1e-400}}`, "[" + strings.TrimSuffix(strings.Repeat("1e399,", 40_000), ",") + "]"},
		"a number of 200 KB": {`{"type":"array","items":{"type":"integer","multipleOf":3,"minimum":1e999999999}}`, "[" + strings.Repeat("7", 200_000) + ",1e999999999]"},
		"long names":         {`{"type":"object","additionalProperties":{"additionalProperties":false}}`, `{"` + strings.Repeat("n", 100_000) + `":{` + names(`"x%d":1`, 10_000) + `}}`},
		"contains":           {`{"type":"array","items":{"contains":{"contains":{"const":7}}}}`, "[" + strings.TrimSuffix(strings.Repeat("[["+numbers(50)+"]],", 600), ",") + "]"},
		"required":           {`{"type":"array","items":{"required":[` + names(`"a%d"`, 5_000) + `]}}`, "[" + strings.TrimSuffix(strings.Repeat("{},", 80_000), ",") + "]"},
		"dependentRequired":  {`{"type":"array","items":{"dependentRequired":{` + names(`"a%d":["b","c"]`, 3_000) + `}}}`, "[" + strings.TrimSuffix(strings.Repeat(`{"a1":1},`, 20_000), ",") + "]"},
		"properties":         {`{"type":"array","items":{"properties":{` + names(`"a%d":{}`, 4_000) + `}}}`, "[" + strings.TrimSuffix(strings.Repeat(`{"a1":1},`, 20_000), ",") + "]"},
		"if":                 {`{"type":"object","properties":{"a":{"if":{"$ref":"#"},"then":{"$ref":"#"},"else":{"$ref":"#"}}}}`, deep},
		"not":                {`{"type":"object","properties":{"a":{"not":{"not":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}}}`, deep},
	}
}

// maxAllocated bounds what one check allocates from first to last. It grows with the steps,
// so it is a measure of the work that no other program on the machine changes.
const maxAllocated = 1 << 30

// Whatever a schema asks for, a check ends with its outcome or with the bound, the same each
// time, and leaves nothing behind.
func TestChecksAreBounded(t *testing.T) {
	for name, c := range heavy() {
		t.Run(name, func(t *testing.T) {
			before := measured()
			wrong, checked, err := (jsonschema.Formats{}).Check(t.Context(), json.RawMessage(c[0]), json.RawMessage(c[1]))
			after := measured()
			if err != nil && domain.CodeOf(err) != domain.CodeSchemaTooLarge && !errors.Is(err, context.DeadlineExceeded) { // which a busy machine meets first
				t.Errorf("the error is %v", err)
			}
			if !checked {
				t.Error("it is taken for no schema")
			}
			if total := after.total - before.total; total > maxAllocated {
				t.Errorf("%d MB were allocated", total>>20)
			}
			if after.held > before.held+1<<20 || after.goroutines > before.goroutines {
				t.Errorf("%d bytes are held after it, %d before; %d goroutines, %d before", after.held, before.held, after.goroutines, before.goroutines)
			}
			t.Logf("%d MB, %.80q, %v", (after.total-before.total)>>20, wrong, err)
		})
	}
}

// What waits for a check may stop waiting: then the check ends.
func TestChecksEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := heavy()["allOf"]
	before := measured()
	wrong, checked, err := (jsonschema.Formats{}).Check(ctx, json.RawMessage(c[0]), json.RawMessage(c[1]))
	after := measured()
	if !errors.Is(err, context.Canceled) || !checked || wrong != nil {
		t.Errorf("%q, %t, %v", wrong, checked, err)
	}
	if total := after.total - before.total; total > 8<<20 {
		t.Errorf("%d bytes were allocated after the end was asked for", total)
	}
	if after.held > before.held+1<<19 || after.goroutines > before.goroutines {
		t.Errorf("%d bytes are held after it, %d before; %d goroutines, %d before", after.held, before.held, after.goroutines, before.goroutines)
	}
}

type measure struct {
	total, held uint64
	goroutines  int
}

func measured() measure {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return measure{m.TotalAlloc, m.HeapAlloc, runtime.NumGoroutine()}
}

// FuzzSchemas looks for schemas and values that a check doesn't end with, or not twice with
// the same.
func FuzzSchemas(f *testing.F) {
	for _, c := range heavy() {
		if len(c[0])+len(c[1]) < 1<<10 {
			f.Add([]byte(c[0]), []byte(c[1]))
		}
	}
	f.Add([]byte(`{"type":"object","required":["at"],"properties":{"at":{"type":"string","pattern":"^[0-9]"},"n":{"multipleOf":0.1}}}`), []byte(`{"at":"15:00","n":1.1}`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		if len(schema) > 16<<10 || len(value) > 64<<10 {
			return
		}
		wrong, checked, err := (jsonschema.Formats{}).Check(t.Context(), schema, value)
		if err != nil && domain.CodeOf(err) != domain.CodeSchemaTooLarge {
			t.Fatal(err)
		}
		again, checkedAgain, errAgain := (jsonschema.Formats{}).Check(t.Context(), schema, value)
		if fmt.Sprint(wrong, checked, err) != fmt.Sprint(again, checkedAgain, errAgain) {
			t.Errorf("%q, %t, %v; and again %q, %t, %v", wrong, checked, err, again, checkedAgain, errAgain)
		}
	})
}
