package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

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
	b.socket("POST", "/api/policy/check", `{"autonomy":"readonly","max_depth":0,"approval_minutes":5,"rules":[{"name":"ask","channels":["chat","chatt"],"verdict":"denied"}]}`).
		wants(200, `"warnings":["rule ask names the channel \"chatt\"`, "the channels are chat, message")
	b.socket("PUT", "/api/policy", closed).wants(200, `"warnings":[]`)

	const misspelt = `{"autonomy":"readonly","max_depth":0,"approval_minutes":5,"rules":[{"name":"pay","actor":["operator"],"verdict":"allowed"}]}`
	b.socket("PUT", "/api/policy", misspelt).wants(400, `unknown field`, "actor")
	b.socket("PUT", "/api/policy", closed+closed).wants(400, "there is more")
	b.socket("PUT", "/api/policy", `{"autonomy":"readonly"}`).wants(400, "approval_minutes")
	b.socket("GET", "/api/policy", "").wants(200, `"rules":[{"name":"nothing","verdict":"denied"}]`)
	b.call("GET", "/api/policy", "").wants(401)
	b.call("PUT", "/api/policy", closed).wants(401)
}

// TestPolicyChangedMeanwhile has two change the same policy, each against what it saw.
func TestPolicyChangedMeanwhile(t *testing.T) {
	b := newBench(t, settings{})
	rules := func(name string) string {
		return `{"autonomy":"readonly","max_depth":0,"approval_minutes":5,"rules":[{"name":"` + name + `","verdict":"denied"}]}`
	}
	seen := b.socket("GET", "/api/policy", "").wants(200).header.Get("ETag")
	if !strings.HasPrefix(seen, `"sha256:`) {
		t.Fatalf("the policy's entity tag is %s", seen)
	}
	first := b.socket("PUT", "/api/policy", rules("first"), header("If-Match", seen)).wants(200).header.Get("ETag")
	b.socket("PUT", "/api/policy", rules("second"), header("If-Match", seen)).wants(412, `"code":"policy_changed"`, "changed meanwhile")
	b.socket("PUT", "/api/policy", rules("first"), header("If-Match", seen)).wants(200) // it is in force already
	b.socket("GET", "/api/policy", "").wants(200, `"name":"first"`)
	b.socket("PUT", "/api/policy", rules("second"), header("If-Match", first)).wants(200, `"name":"second"`)
	b.socket("PUT", "/api/policy", rules("third"), header("If-Match", "*")).wants(200)
	b.socket("PUT", "/api/policy", rules("fourth")).wants(200)

	// Of many at once against the same, one is in time.
	seen = b.socket("GET", "/api/policy", "").wants(200).header.Get("ETag")
	codes := make(chan int, 8)
	for n := range cap(codes) {
		go func() {
			codes <- b.socket("PUT", "/api/policy", rules(fmt.Sprint("racer", n)), header("If-Match", seen)).status
		}()
	}
	count := map[int]int{}
	for range cap(codes) {
		count[<-codes]++
	}
	if count[200] != 1 || count[412] != cap(codes)-1 {
		t.Errorf("answers by status: %v", count)
	}
}

func TestTrustTool(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	b.socket("GET", "/api/tools", "").wants(200, `"side_effects":true,"requires_approval":false,"autonomy":"full"`)
	const manifest = "/api/tools/cancel_appointment/manifest"
	b.socket("PUT", manifest, `{"side_effects":false,"autonomy":"supervised"}`).wants(200, `"side_effects":false,"requires_approval":false,"autonomy":"supervised"`)
	b.socket("GET", "/api/tools", "").wants(200, `"side_effects":false,"requires_approval":false,"autonomy":"supervised"`)
	b.socket("PUT", manifest, `{}`).wants(200, `"side_effects":true`)
	// Said under a regime that isn't in force any more, nothing changes.
	was := b.socket("GET", "/api/policy", "").wants(200).header.Get("ETag")
	b.socket("PUT", manifest, `{"unasked":true}`, header("If-Match", was)).wants(200, `"unasked":true`)
	b.socket("PUT", manifest, `{"unasked":false}`, header("If-Match", was)).wants(412, "policy_changed")
	b.socket("GET", "/api/tools", "").wants(200, `"unasked":true`)
	b.socket("PUT", manifest, `{}`).wants(200, `"unasked":false`)
	b.socket("PUT", manifest, `{"autonomy":"total"}`).wants(400, "autonomy")
	b.socket("PUT", manifest, `{"sideeffects":false}`).wants(400, "unknown field")
	b.socket("PUT", "/api/tools/fly/manifest", `{}`).wants(404, "no_tool")
	b.call("PUT", manifest, `{}`).wants(401)
}
