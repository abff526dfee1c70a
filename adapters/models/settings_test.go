package models_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chalie/adapters/models"
	"chalie/domain"
)

// settings are read from a file with this text and mode, and an environment.
func settings(t *testing.T, file string, mode os.FileMode, env map[string]string) models.Settings {
	t.Helper()
	path := filepath.Join(t.TempDir(), models.FileName)
	if file != "" {
		if err := os.WriteFile(path, []byte(file), mode); err != nil {
			t.Fatal(err)
		}
	}
	return models.Settings{File: path, Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
}

// told is a choice in one line, with its key, which nothing else would show.
func told(c models.Choice) string {
	return fmt.Sprintf("%s at %q with %q from %q", c.Name(), c.BaseURL, c.Key.Expose(), c.KeyFrom)
}

func TestSettings(t *testing.T) {
	env := map[string]string{"ANTHROPIC_API_KEY": " anth \n", "OPENAI_API_KEY": "open", "MINE": "mine"}
	with := func(more string) map[string]string {
		out := maps.Clone(env)
		out["CHALIE_MODEL"] = more
		return out
	}
	const file = `{"models":[{"model":"anthropic:claude-opus-5","key":"filed"},{"model":"openai:qwen@https://llm.example/v1","key_from":"MINE"},{"model":"ollama:llama3"}],"verify":"anthropic/claude-opus-5"}`
	for _, c := range []struct {
		name, flag, file string
		env              map[string]string
		want             []string
	}{
		{"nothing", "", "", nil, nil},
		{"keys alone choose nothing", "", "", env, nil},
		{"the flag", "anthropic:claude-sonnet-5-5, openai:gpt-6-sol,,ollama:llama3.1:8b", "", env, []string{
			`anthropic/claude-sonnet-5-5 at "" with "anth" from "ANTHROPIC_API_KEY"`, `openai/gpt-6-sol at "" with "open" from "OPENAI_API_KEY"`,
			`ollama/llama3.1:8b at "http://127.0.0.1:11434/v1/" with "" from ""`}},
		{"the environment", "", "", with("openai:gpt-6-sol"), []string{`openai/gpt-6-sol at "" with "open" from "OPENAI_API_KEY"`}},
		{"the flag before the environment", "ollama:x", file, with("openai:gpt-6-sol"), []string{`ollama/x at "http://127.0.0.1:11434/v1/" with "" from ""`}},
		{"the environment before the file", "", file, with("ollama:x"), []string{`ollama/x at "http://127.0.0.1:11434/v1/" with "" from ""`}},
		{"none, whatever else is chosen", "builtin", file, with("openai:gpt-6-sol"), nil},
		{"the file", "", file, env, []string{`anthropic/claude-opus-5 at "" with "filed" from "models.json"`,
			`openai/qwen at "https://llm.example/v1/" with "mine" from "MINE"`, `ollama/llama3 at "http://127.0.0.1:11434/v1/" with "" from ""`}},
		{"the file's key for the flag's model", "anthropic:claude-opus-5", file, nil, []string{`anthropic/claude-opus-5 at "" with "filed" from "models.json"`}},
		// The variable holds the key of OpenAI: nobody else gets it.
		{"a server of one's own", "openai:x@http://10.0.0.1:8000,anthropic:y@https://proxy.example/a/,ollama:z@http://box:1/v1", "", env, []string{
			`openai/x at "http://10.0.0.1:8000/v1/" with "" from ""`, `anthropic/y at "https://proxy.example/a/" with "" from ""`, `ollama/z at "http://box:1/v1/" with "" from ""`}},
		{"a server of one's own by a name of the file", "openai:qwen@https://other.example/v1", file, env, []string{`openai/qwen at "https://other.example/v1/" with "" from ""`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := settings(t, c.file, 0o600, c.env)
			s.List = c.flag
			got, err := s.Read()
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, choice := range got.Models {
				lines = append(lines, told(choice))
			}
			if strings.Join(lines, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("they are\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestVerifierSettings(t *testing.T) {
	for _, c := range []struct{ name, list, verify, file, want string }{
		{"none", "ollama:x", "", "", ""},
		{"by name", "ollama:x", "ollama/x", "", "ollama/x"},
		{"another", "ollama:x", "openai:gpt-6-luna", "", "openai/gpt-6-luna"},
		{"of the file", "ollama:x", "", `{"verify":"ollama:y"}`, "ollama/y"},
		{"of the file by name", "ollama:x", "", `{"verify":"ollama/y","models":[{"model":"ollama:y"}]}`, "ollama/y"},
		{"the flag before the file", "ollama:x", "ollama:z", `{"verify":"ollama:y"}`, "ollama/z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := settings(t, c.file, 0o600, map[string]string{"OPENAI_API_KEY": "k"})
			s.List, s.Verify = c.list, c.verify
			got, err := s.Read()
			name := ""
			if got.Verifier != nil {
				name = got.Verifier.Name()
			}
			if err != nil || name != c.want {
				t.Errorf("the verifier is %q, %v", name, err)
			}
		})
	}
}

func TestTraitsOfTheFile(t *testing.T) {
	s := settings(t, `{"models":[{"model":"ollama:llava","vision":true,"tools":false,"schema":true,"context":8192,"max_output":700,"input_price":0.25,"output_price":1.5},
		{"model":"anthropic:claude-sonnet-5-5"},{"model":"openai:gpt-6-sol@https://proxy.example","responses":true}]}`, 0o600, nil)
	got, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	want := models.Traits{Context: 8192, MaxOutput: 700, Vision: true, Schema: true, Price: models.Price{Input: 250_000, Output: 1_500_000, CacheRead: 250_000, CacheWrite: 250_000}}
	if got.Models[0].Traits != want {
		t.Errorf("they are %+v", got.Models[0].Traits)
	}
	if known := got.Models[1].Traits; known.Context != 1_000_000 || !known.Vision || known.Price.Output != 10_000_000 {
		t.Errorf("they are %+v", known)
	}
	if own := got.Models[2]; !own.Responses || own.Traits.Price.IsKnown() {
		t.Errorf("it is %+v", own)
	}
}

func TestSettingsThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		name, flag, file string
		mode             os.FileMode
		says             string
	}{
		{"no provider", "gpt-6-sol", "", 0o600, "write PROVIDER:MODEL"},
		{"another provider", "acme:x", "", 0o600, `"acme" is no provider`},
		{"no model", "openai:", "", 0o600, "names no model"},
		{"no model before the address", "openai:@http://x", "", 0o600, "names no model"},
		{"a space", "openai:a b", "", 0o600, "names no model"},
		{"a long name", "openai:" + strings.Repeat("x", 200), "", 0o600, "names no model"},
		{"no host", "openai:x@http://", "", 0o600, "must be a URL"},
		{"a password", "openai:x@http://me:" + testKey + "@host", "", 0o600, "must have no password"},
		{"a query", "openai:x@http://host/?key=" + testKey, "", 0o600, "must have no password, query"},
		{"a file that others read", "", `{}`, 0o644, "can be read by others"},
		{"a file of another form", "", `{"models":[{"name":"x"}]}`, 0o600, `unknown field "name"`},
		{"a file that ends", "", `{"models":[`, 0o600, "can't be understood"},
		{"a key that is no text", "", `{"models":[{"model":"ollama:x","key":123456789}]}`, 0o600, "a key must be a text"},
		{"a model of the file", "", `{"models":[{"model":"x"}]}`, 0o600, "names no model"},
		{"a price", "", `{"models":[{"model":"ollama:x","input_price":-1}]}`, 0o600, "price out of bounds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := settings(t, c.file, c.mode, nil)
			s.List = c.flag
			_, err := s.Read()
			if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error is %v", err)
			}
			if err != nil && (strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "123456789")) {
				t.Errorf("it tells the key: %v", err)
			}
		})
	}
}

func TestModelsThatCantBe(t *testing.T) {
	choice := func(text string) models.Choice {
		c, err := models.ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, c := range []struct {
		name string
		cfg  models.Config
		says string
	}{
		{"one without a key", models.Config{Choices: []models.Choice{choice("ollama:x"), choice("anthropic:y")}}, "anthropic/y has no key: set ANTHROPIC_API_KEY"},
		{"one twice", models.Config{Choices: []models.Choice{choice("ollama:x"), choice("ollama:x")}}, "chosen twice"},
		{"one that says nothing", models.Config{Choices: []models.Choice{{Provider: models.Ollama, Model: "x"}}}, "needs a context"},
		{"no patience", models.Config{Attempt: -1}, "can't be negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := models.New(c.cfg); domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	if list, err := models.New(models.Config{}); err != nil || len(list) != 0 {
		t.Errorf("of nothing there are %v, %v", list, err)
	}
	list, err := models.New(models.Config{Choices: []models.Choice{choice("ollama:b"), choice("openai:a@http://x")}})
	if err != nil || len(list) != 2 || list[0].Name() != "ollama/b" || list[1].Name() != "openai/a" {
		t.Errorf("they are %v, %v", list, err)
	}
}

// A key shows in no way of printing what holds it.
func TestNothingShowsAKey(t *testing.T) {
	c, err := models.ParseChoice("anthropic:claude-opus-5")
	if err != nil {
		t.Fatal(err)
	}
	c.Key = models.NewSecret(testKey)
	cfg := models.Config{Choices: []models.Choice{c}}
	list, err := models.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, v := range []any{c.Key, &c.Key, c, &c, cfg.Choices, models.Chosen{Models: cfg.Choices, Verifier: &c}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
		slog.New(slog.NewTextHandler(&out, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "v", v)
	}
	fmt.Fprintf(&out, "%s", list[0].Name())
	if strings.Contains(out.String(), testKey) || strings.Contains(out.String(), fmt.Sprintf("%x", testKey)) {
		t.Errorf("the key is in %s", out.String())
	}
	contains(t, out.String(), "(secret)")
	if c.Key.Expose() != testKey || (models.Secret{}).String() != "" {
		t.Error("a secret isn't what it was")
	}
}
