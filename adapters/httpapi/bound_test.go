package httpapi

import (
	"testing"

	"chalie/adapters/api"
	"chalie/domain"
)

// Every route of the contract has a handler, and every handler a route.
func TestRoutesAreBound(t *testing.T) {
	routes, err := bound(api.Routes(), allHandlers())
	if err != nil || len(routes) < 80 {
		t.Fatalf("%d routes: %v", len(routes), err)
	}
	alone := allHandlers()
	delete(alone, "world")
	if _, err := bound(api.Routes(), alone); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a route without a handler: %v", err)
	}
	stray := allHandlers()
	stray["kettle"] = (*exchange).world
	if _, err := bound(api.Routes(), stray); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a handler without a route: %v", err)
	}
}
