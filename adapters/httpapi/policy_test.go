package httpapi_test

import "testing"

func TestPolicy(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	b.socket("GET", "/api/policy", "").wants(200, `"regime_id":"sha256:`, `"name":"asked_in_words"`, `"autonomy":"supervised"`)
	const closed = `{"autonomy":"readonly","max_depth":0,"approval_minutes":5,"rules":[{"name":"nothing","verdict":"denied"}]}`
	b.socket("PUT", "/api/policy", closed).wants(200, `"name":"nothing"`)
	b.socket("GET", "/api/policy", "").wants(200, `"rules":[{"name":"nothing","verdict":"denied"}]`)
	b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(403, `"code":"denied"`, "nothing")

	const early = `{"autonomy":"readonly","max_depth":0,"approval_minutes":5,"rules":[{"name":"ask","capabilities":["cancel_appointment","nobody/*"],"verdict":"approval_required"}]}`
	b.socket("PUT", "/api/policy", early).wants(200, `"warnings":["rule ask names \"cancel_appointment\"`, `/cancel_appointment?`, `\"nobody/*\"`)
	b.socket("PUT", "/api/policy", closed).wants(200, `"warnings":[]`)

	const misspelt = `{"autonomy":"readonly","max_depth":0,"approval_minutes":5,"rules":[{"name":"pay","actor":["operator"],"verdict":"allowed"}]}`
	b.socket("PUT", "/api/policy", misspelt).wants(400, `unknown field`, "actor")
	b.socket("PUT", "/api/policy", closed+closed).wants(400, "there is more")
	b.socket("PUT", "/api/policy", `{"autonomy":"readonly"}`).wants(400, "approval_minutes")
	b.socket("GET", "/api/policy", "").wants(200, `"rules":[{"name":"nothing","verdict":"denied"}]`)
	b.call("GET", "/api/policy", "").wants(401)
	b.call("PUT", "/api/policy", closed).wants(401)
}

func TestTrustTool(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	b.socket("GET", "/api/tools", "").wants(200, `"side_effects":true,"requires_approval":false,"autonomy":"full"`)
	const manifest = "/api/tools/cancel_appointment/manifest"
	b.socket("PUT", manifest, `{"side_effects":false,"autonomy":"supervised"}`).wants(200, `"side_effects":false,"requires_approval":false,"autonomy":"supervised"`)
	b.socket("GET", "/api/tools", "").wants(200, `"side_effects":false,"requires_approval":false,"autonomy":"supervised"`)
	b.socket("PUT", manifest, `{}`).wants(200, `"side_effects":true`)
	b.socket("PUT", manifest, `{"autonomy":"total"}`).wants(400, "autonomy")
	b.socket("PUT", manifest, `{"sideeffects":false}`).wants(400, "unknown field")
	b.socket("PUT", "/api/tools/fly/manifest", `{}`).wants(404, "no_tool")
	b.call("PUT", manifest, `{}`).wants(401)
}
