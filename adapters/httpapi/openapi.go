package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/adapters/httpapi/openapi"
	"chalie/domain"
)

// openapi is GET /openapi.json: the contract, for programs.
func (x *exchange) openapi() error {
	document, err := x.api.document()
	if err != nil {
		return &domain.Error{Op: "draw the contract", Code: "internal", Message: "the document could not be drawn", Err: err}
	}
	x.write(http.StatusOK, document)
	return nil
}

func drawn(version string) func() ([]byte, error) {
	return func() ([]byte, error) { return openapi.Document(api.Routes(), version) }
}
