package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

// TestJSONHasOneWayOut holds every command to the console's JSON: a second encoder
// would escape nothing. What else writes JSON text is shown on one line or goes to
// a program, and is listed.
func TestJSONHasOneWayOut(t *testing.T) {
	elsewhere := map[string]string{
		"demo_person.go":  "frames and bodies that are sent",
		"policy.go":       "rules that are sent",
		"tool_params.go":  "parameters that are sent",
		"tool_show.go":    "drawn line by line, each made fit for one",
		"export_repro.go": "a file",
	}
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0) //nolint:staticcheck // one folder, no build tags in question
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for name, file := range packages["main"].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := sel.X.(*ast.Ident)
			if !ok || from.Name != "json" {
				return true
			}
			switch sel.Sel.Name {
			case "Marshal", "MarshalIndent", "NewEncoder", "Indent", "Compact":
				seen++
				if elsewhere[name] == "" {
					t.Errorf("%s uses json.%s: print with the console's JSON, or say here where it goes", files.Position(n.Pos()), sel.Sel.Name)
				}
			}
			return true
		})
	}
	if seen == 0 {
		t.Fatal("no use was found, not even those that are listed: the search is broken")
	}
}
