package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"chalie/domain"
)

// Variables of the environment.
const (
	ModelVariable     = "CHALIE_MODEL" // the models, as the flag takes them
	anthropicVariable = "ANTHROPIC_API_KEY"
	openaiVariable    = "OPENAI_API_KEY"
)

// FileName is the file of models in a data directory.
const FileName = "models.json"

// Settings is where the models are chosen: by a list of one's own, else by the
// environment, else by the file. Keys and traits come from the file and the
// environment in any case.
type Settings struct {
	List   string                           // as a flag gives it
	Verify string                           // a model that checks answers
	File   string                           // path; it need not exist
	Lookup func(name string) (string, bool) // the environment; default os.LookupEnv
}

// Chosen is what the settings come to.
type Chosen struct {
	Models   []Choice
	Verifier *Choice // nil: answers aren't checked by a model
	// Profiles are the models of the profiles quick, standard and deep, as they were written; the
	// first model answers for one that isn't there.
	Profiles map[string]string
}

// Read reads the settings. Its errors say what to change; none repeats a key.
func (s Settings) Read() (Chosen, error) {
	s = s.withEnvironment()
	file, err := readFile(s.File)
	if err != nil {
		return Chosen{}, err
	}
	var out Chosen
	if out.Models, err = s.list(file); err != nil {
		return Chosen{}, err
	}
	for i := range out.Models {
		if out.Models[i], err = s.complete(out.Models[i], file); err != nil {
			return Chosen{}, err
		}
	}
	for name := range file.Profiles {
		if name != "quick" && name != "standard" && name != "deep" {
			return Chosen{}, domain.Invalid("read settings", "profiles", fmt.Sprintf("%s has the profile %q: the profiles are quick, standard and deep", s.File, name))
		}
	}
	out.Profiles = file.Profiles
	out.Verifier, err = s.verifier(out.Models, file)
	return out, err
}

// One is a single model by its name, with what the file and the environment have of it.
func (s Settings) One(text string) (Choice, error) {
	s = s.withEnvironment()
	file, err := readFile(s.File)
	if err != nil {
		return Choice{}, err
	}
	choice, err := ParseChoice(text)
	if err != nil {
		return Choice{}, err
	}
	return s.complete(choice, file)
}

func (s Settings) withEnvironment() Settings {
	if s.Lookup == nil {
		s.Lookup = os.LookupEnv
	}
	return s
}

// verifier is the model that checks answers: one of those chosen or of the file
// by its name, or any other.
func (s Settings) verifier(chosen []Choice, file settingsFile) (*Choice, error) {
	verify := s.Verify
	if verify == "" {
		verify = file.Verify
	}
	if verify == "" {
		return nil, nil
	}
	for _, c := range chosen {
		if c.Name() == verify {
			return &c, nil
		}
	}
	for _, m := range file.Models {
		if c, err := ParseChoice(m.Model); err == nil && c.Name() == verify {
			verify = m.Model
		}
	}
	choice, err := ParseChoice(verify)
	if err != nil {
		return nil, err
	}
	choice, err = s.complete(choice, file)
	return &choice, err
}

// NoModels in place of a list chooses none: only the built-in model answers.
const NoModels = "builtin"

func (s Settings) list(file settingsFile) ([]Choice, error) {
	if s.List == NoModels {
		return nil, nil
	}
	if s.List != "" {
		return ParseChoices(s.List)
	}
	if list, ok := s.Lookup(ModelVariable); ok && list != "" {
		return ParseChoices(list)
	}
	var out []Choice
	for _, m := range file.Models {
		c, err := ParseChoice(m.Model)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// complete adds the key of a choice, and what the file says of it.
func (s Settings) complete(c Choice, file settingsFile) (Choice, error) {
	for _, m := range file.Models {
		said, err := ParseChoice(m.Model)
		if err != nil {
			return Choice{}, err
		}
		if said.Name() != c.Name() || said.BaseURL != c.BaseURL {
			continue
		}
		m.apply(&c.Traits)
		c.Style = Style{m.Temperature, m.Stop}
		c.Responses = m.Responses
		if !m.Key.IsZero() {
			c.Key, c.KeyFrom = m.Key, FileName
			return c, nil
		}
		if m.KeyFrom != "" {
			key, _ := s.Lookup(m.KeyFrom)
			c.Key, c.KeyFrom = NewSecret(key), m.KeyFrom
			return c, nil
		}
	}
	// The variables hold the keys of the providers themselves: no other address
	// gets them.
	if name := keyVariable(c.Provider); name != "" && c.BaseURL == "" {
		if key, ok := s.Lookup(name); ok && key != "" {
			c.Key, c.KeyFrom = NewSecret(key), name
		}
	}
	return c, nil
}

func keyVariable(p Provider) string {
	switch p {
	case Anthropic:
		return anthropicVariable
	case OpenAI:
		return openaiVariable
	}
	return ""
}

// settingsFile is the file of models.
type settingsFile struct {
	Models []settingsModel `json:"models"` // in the order they are asked
	Verify string          `json:"verify"`
	// Profiles are models by the names of profiles.
	Profiles map[string]string `json:"profiles"`
}

// settingsModel is one model, and what is different from what is known of it.
type settingsModel struct {
	Model     string `json:"model"`
	Key       Secret `json:"key"`
	KeyFrom   string `json:"key_from"` // a variable of the environment
	Context   *int   `json:"context"`
	MaxOutput *int   `json:"max_output"`
	Tools     *bool  `json:"tools"`
	Vision    *bool  `json:"vision"`
	Schema    *bool  `json:"schema"`
	Responses bool   `json:"responses"`

	Temperature *float64 `json:"temperature"`
	Stop        []string `json:"stop"` // sequences before which answers end

	Input  *float64 `json:"input_price"` // US dollars for a million tokens
	Output *float64 `json:"output_price"`
}

func (m settingsModel) apply(t *Traits) {
	set(&t.Context, m.Context)
	set(&t.MaxOutput, m.MaxOutput)
	set(&t.Tools, m.Tools)
	set(&t.Vision, m.Vision)
	set(&t.Schema, m.Schema)
	const perDollar = 1_000_000
	if m.Input != nil {
		t.Price.Input = int64(*m.Input * perDollar)
		t.Price.CacheRead, t.Price.CacheWrite = t.Price.Input, t.Price.Input
	}
	if m.Output != nil {
		t.Price.Output = int64(*m.Output * perDollar)
	}
}

func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

// maxFileBytes bounds the file.
const maxFileBytes = 1 << 20

// readFile reads the file of models. One that holds keys must be its owner's
// alone.
func readFile(path string) (settingsFile, error) {
	const op = "read the file of models"
	var out settingsFile
	if path == "" {
		return out, nil
	}
	f, err := os.Open(path)
	// That the folder is none is for whoever opens it to say.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return out, nil
	}
	if err != nil {
		return out, &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeDiskFailed, Message: "can't read " + path, Err: err}
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return out, &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeDiskFailed, Message: "can't read " + path, Err: err}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return out, domain.Invalid(op, "", fmt.Sprintf("%s can be read by others, and may hold keys: chmod 600 %s", path, path))
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes))
	if err != nil {
		return out, &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeDiskFailed, Message: "can't read " + path, Err: err}
	}
	decoder := json.NewDecoder(bytes.NewReader(domain.WithoutMark(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&out); err != nil {
		return settingsFile{}, domain.Invalid(op, "", fmt.Sprintf("%s can't be understood: %s", path, err))
	}
	for _, m := range out.Models {
		if err := m.check(); err != nil {
			return settingsFile{}, err
		}
	}
	return out, nil
}

func (m settingsModel) check() error {
	const op = "read the file of models"
	if c, err := ParseChoice(m.Model); err == nil {
		if err := (Style{m.Temperature, m.Stop}).check(op, m.Model, c.Provider); err != nil {
			return err
		}
	}
	for _, price := range []*float64{m.Input, m.Output} {
		const most = 1_000_000
		if price != nil && (*price < 0 || *price > most) {
			return domain.Invalid(op, "", m.Model+" has a price out of bounds: give US dollars for a million tokens")
		}
	}
	return nil
}
