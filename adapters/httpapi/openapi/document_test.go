package openapi_test

import (
	"bytes"
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
