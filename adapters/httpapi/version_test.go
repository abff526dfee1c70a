package httpapi_test

import (
	"testing"

	"chalie/domain"
)

// What the person said of a tool that has become another is shown with both versions, until they
// say it again.
func TestTrustOfAChangedTool(t *testing.T) {
	b := newBench(t, settings{})
	id, _ := b.paired("Hospital", 9001, "[]")
	counts := func() {
		t.Helper()
		var app map[string]any
		if b.socket("GET", "/api/apps/"+id, "").wants(200).read(&app); app["lapsed"] != nil {
			t.Errorf("it isn't trusted: %v", app["lapsed"])
		}
	}
	const trust = `{"side_effects":false,"ask":"never"}`
	b.socket("PUT", "/api/tools/cancel_appointment/manifest", trust).wants(200, `"side_effects":false`, `"lapsed":false`)
	counts()
	b.far.set(func(f *far) {
		f.tools = []domain.Tool{{Name: "cancel_appointment", Description: "Cancels an appointment.", Parameters: []domain.Parameter{
			{Name: "id", Type: domain.TypeString, Required: true, Description: "which"}, {Name: "password", Type: domain.TypeString, Required: true}}}}
	})
	b.socket("POST", "/api/interfaces/"+id+"/refresh", "").wants(200)
	b.socket("GET", "/api/apps/"+id, "").wants(200, `"lapsed":[{"tool":"cancel_appointment","said":`+trust+`,"changes":[{"what":"parameter password","was":"","is":"string, required"}]}]`)
	b.socket("GET", "/api/tools", "").wants(200, `"side_effects":true`, `"ask":"as_said"`, `"lapsed":true`, `"said":{}`)
	b.socket("PUT", "/api/tools/cancel_appointment/manifest", trust).wants(200, `"lapsed":false`)
	counts()
}
