package speech_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chalie/domain/language/speech"
)

// Every message is said somewhere, and what is said is declared, with its arguments.
func TestMessagesAreSaid(t *testing.T) {
	declared := speech.Declared()
	said := map[string]bool{}
	files := token.NewFileSet()
	for _, room := range []string{"commands", "adapters/builtinmodel", "domain/language"} {
		err := filepath.WalkDir(filepath.Join("..", "..", "..", room), func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					said[literal(n)] = true
				case *ast.CallExpr:
					checkSaid(t, files, declared, n)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for id := range declared {
		if !said[string(id)] {
			t.Errorf("nothing says the message %s: say it, or take it out of messages", id)
		}
	}
}

// checkSaid checks a call such as say("done", args{"what": one.its()}), or tools.Says("ask.when", "what", text).
func checkSaid(t *testing.T, files *token.FileSet, declared map[speech.ID]map[string]string, call *ast.CallExpr) {
	t.Helper()
	name, ok := call.Fun.(*ast.Ident)
	if of, in := call.Fun.(*ast.SelectorExpr); in {
		room, _ := of.X.(*ast.Ident)
		name, ok = of.Sel, room != nil && room.Name == "tools"
	}
	if !ok || name.Name != "say" && name.Name != "Says" || len(call.Args) == 0 {
		return
	}
	id := literal(call.Args[0])
	of, known := declared[speech.ID(id)]
	if id == "" {
		return
	}
	if !known {
		t.Errorf("%s: there is no message %q: add it to a table of messages", files.Position(call.Pos()), id)
		return
	}
	for i, arg := range call.Args[1:] {
		if arg := literal(arg); name.Name == "Says" && arg != "" && i%2 == 0 && of[arg] == "" {
			t.Errorf("%s: the message %s has no argument %q", files.Position(call.Pos()), id, arg)
		}
		given, ok := arg.(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, element := range given.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if ok && literal(pair.Key) != "" && of[literal(pair.Key)] == "" {
				t.Errorf("%s: the message %s has no argument %q", files.Position(pair.Pos()), id, literal(pair.Key))
			}
		}
	}
}

// literal is the text of a string literal; "" of anything else.
func literal(n ast.Expr) string {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}
