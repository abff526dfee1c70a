package domain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Every code that is told to people has words of its own, in its one table.
func TestCodesHaveWords(t *testing.T) {
	codes := constants(t)
	told := map[string]func(string) bool{
		"Gate": func(code string) bool { g, ok := gates[Gate(code)]; return ok && g.clause != "" && g.brief != "" },
		"Outcome": func(code string) bool {
			o, ok := outcomes[Outcome(code)]
			return ok && o.label != "" && o.brief != "" && o.sentence != "" && o.noun != ""
		},
		"Stage":    func(code string) bool { return stageWords[Stage(code)] != "" },
		"Reason":   func(code string) bool { return reasons[code] != "" },
		"Autonomy": func(code string) bool { return reasons[reasonAutonomy+code] != "" },
		"PolicyVerdict": func(code string) bool {
			did, _ := PolicyVerdict(code).Did()
			return code == "denied" || did != "denied"
		},
		"VerificationOutcome": func(code string) bool { return VerificationOutcome(code).Label() != VerificationOutcome("").Label() },
	}
	for kind, has := range told {
		if len(codes[kind]) < 3 {
			t.Errorf("only %q are found of %s", codes[kind], kind)
		}
		for _, code := range codes[kind] {
			if !has(code) {
				t.Errorf("the %s %q has no words", kind, code)
			}
		}
	}
}

// constants are the values of the string constants of this package, by their type; those
// without one by what their name begins with.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, name := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			lit, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			value, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			kind := ""
			if of, ok := spec.Type.(*ast.Ident); ok {
				kind = of.Name
			} else if strings.HasPrefix(spec.Names[0].Name, "Reason") {
				kind = "Reason"
			}
			out[kind] = append(out[kind], value)
			return true
		})
	}
	return out
}

// A code of a newer version is spelt out.
func TestUnknownCodes(t *testing.T) {
	if gate := Gate("too_far_away"); gate.Clause() != "too far away" || gate.Brief() != "too far away" {
		t.Errorf("a gate is told as %q and %q", gate.Clause(), gate.Brief())
	}
	if o := Outcome("half_done"); o.Brief() != "half done" || o.Sentence() != "It ended as half done" || o.Label("") != "ended: half_done" {
		t.Errorf("an outcome is told as %q, %q, %q", o.Brief(), o.Sentence(), o.Label(""))
	}
	for code, want := range map[string]string{"asked_in_words": `the rule "asked in words"`, "autonomy_of_a_newer_version": "how far it is trusted: of a newer version"} {
		if got := ReasonWords(code); got != want {
			t.Errorf("%s is told as %q, want %q", code, got, want)
		}
	}
}
