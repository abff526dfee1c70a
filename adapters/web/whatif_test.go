package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chalie/domain"
)

func supposing(t *testing.T, label string) *fakeAPI {
	t.Helper()
	answers := worldOf(t, label)
	answers["/api/policy"] = `{"regime_id":"r","policy":{"autonomy":"supervised","rules":[]}}`
	return &fakeAPI{account: true, session: true, answers: answers}
}

// The form holds the question that is in the address.
func TestWhatIf(t *testing.T) {
	api := supposing(t, "Luigi's is closed")
	page := api.shows(t, "/what-if", "<h1>What if</h1>", "Nothing is done while you try", "what was heard has half its weight after this <code>half_life</code>",
		`data-set="half_life" data-value="6h" value="6h"`, "It is 6h. Give a duration: 1s to 3650d.", `<option value="`+domain.ID{15: 1}.String()+`">Luigi&#39;s is closed</option>`,
		`<option value="recorded_at">`, `<option>builtin/9</option>`, `\"supervised\"`, `<option value="all" selected>`)
	if strings.Contains(page, "data-asked") {
		t.Error("nothing was asked")
	}
	asked := url.Values{
		"set": {"half_life=12h"}, "without": {domain.ID{15: 1}.UUID(), "pos:7"}, "edit": {"pos:8 content=a=b c"}, "since": {"7d"}, "policy": {`{"autonomy":"full"}`},
	}
	api.shows(t, "/what-if?"+asked.Encode(), "data-asked", `class="setting changed"`, `data-value="6h" value="12h"`,
		`<li data-id="`+domain.ID{15: 1}.UUID()+`"><span class="what" dir="auto">Luigi&#39;s is closed</span>`, `<li data-id="pos:7"><span class="what" dir="auto">pos:7</span>`,
		`data-id="pos:8" data-field="content" data-value="a=b c"`, `<option value="7d" selected>`, `{&#34;autonomy&#34;:&#34;full&#34;}`)
	api.shows(t, "/what-if?approve=pos%3A9", "data-asked", `<ul class="chips" id="approve"><li data-id="pos:9">`)
	api.shows(t, "/what-if?set=half_life%3D6h&since=-2h", `<option value="since" selected>`, `value="-2h"`)
	api.shows(t, "/what-if?trace=last&model=oracle", `<option value="trace" selected>`, `value="last"`, `data-model="oracle"`, `<option selected>oracle</option>`)
}

// Where nothing runs there is no policy to begin with, and all else can be asked.
func TestWhatIfOfALog(t *testing.T) {
	api := supposing(t, hostile)
	api.refusals = map[string]int{"/api/policy": http.StatusServiceUnavailable}
	if page := api.shows(t, "/what-if?without="+domain.ID{15: 1}.UUID(), `id="in-force">""</script>`); strings.Contains(page, "<img src=x") {
		t.Error("a text became HTML")
	}
	api.refusals = map[string]int{"/api/policy": http.StatusUnauthorized}
	if w := get(t, newSite(t, api), "/what-if?set=a%3Db"); w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/login?next=%2Fwhat-if") {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
}
