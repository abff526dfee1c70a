package openapi_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"chalie/adapters/api"
	"chalie/adapters/httpapi/openapi"
)

// A validator that nobody here wrote accepts the document.
func TestDocumentIsValid(t *testing.T) {
	text, err := openapi.Document(api.Routes(), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	v, errs := validator.NewValidator(document)
	for _, err := range errs {
		t.Fatal(err)
	}
	valid, faults := v.ValidateDocument()
	for _, f := range faults {
		t.Errorf("%s: %s", f.Message, f.Reason)
		for _, s := range f.SchemaValidationErrors {
			t.Errorf("%s at %s", s.Reason, s.KeywordLocation)
		}
	}
	if !valid {
		t.Error("the document is not valid")
	}
}

// What linters of such documents ask for is there: a server, every tag explained, and a success and a
// refusal of every operation.
func TestDocumentIsWhole(t *testing.T) {
	text, err := openapi.Document(api.Routes(), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Servers []struct{ URL string }
		Tags    []struct{ Name, Description string }
		Paths   map[string]map[string]struct {
			Tags      []string
			Responses map[string]any
		}
	}
	if err := json.Unmarshal(text, &d); err != nil || len(d.Servers) != 1 || d.Servers[0].URL != "/" {
		t.Fatalf("the servers are %+v, %v", d.Servers, err)
	}
	known := map[string]bool{}
	for _, tag := range d.Tags {
		known[tag.Name] = tag.Description != ""
	}
	for path, operations := range d.Paths {
		for method, o := range operations {
			classes := map[byte]bool{}
			for code := range o.Responses {
				classes[code[0]] = true
			}
			if len(o.Tags) != 1 || !known[o.Tags[0]] || !classes['2'] || !classes['4'] {
				t.Errorf("%s %s has the tags %q and the responses %v", method, path, o.Tags, classes)
			}
		}
	}
}

// The same table makes the same document.
func TestDocumentIsStable(t *testing.T) {
	one, err := openapi.Document(api.Routes(), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		again, err := openapi.Document(api.Routes(), "1.2.3")
		if err != nil || !bytes.Equal(one, again) {
			t.Fatalf("another document came, %v", err)
		}
	}
}
