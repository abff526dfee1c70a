package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
)

func TestSettings(t *testing.T) {
	b := newBench(t, settings{})
	b.token("station", "[]")
	before := b.log.Tail()
	b.socket("GET", "/api/settings", "").wants(200, `{"name":"surfaces","value":"0.5","default":"0.5","is_default":true,"unit":"a score","least":"0.25","most":"1","bounds":"0.25 to 1","meaning":"`, `"changes":[]`)
	b.socket("PUT", "/api/settings/surfaces", `{"value":"0.37"}`).wants(200, `"value":"0.37"`, `"is_default":false`, `"by":"operator","via":"socket","name":"surfaces","from":"0.5","to":"0.37","default":false,"undoes":"","undone":false`, `"undo":{`)
	b.socket("PUT", "/api/settings/surfaces", `{"value":"0.370"}`).wants(200)
	b.socket("PUT", "/api/settings/cooldown", `{"value":"90m"}`).wants(200, `"value":"1h30m"`)
	if tail := b.log.Tail(); tail != before+2 {
		t.Errorf("two changes made %d records", tail-before)
	}
	b.socket("GET", fmt.Sprint("/api/settings?at=pos:", before), "").wants(200, `"as_of":`, `"name":"surfaces","value":"0.5"`, `"changes":[]`)
	b.socket("GET", fmt.Sprint("/api/settings?at=pos:", before+1), "").wants(200, `"name":"surfaces","value":"0.37"`, `"name":"cooldown","value":"30m"`)

	b.socket("POST", "/api/settings/surfaces/undo", "").wants(200, `"value":"0.5"`, `"is_default":true`)
	b.socket("POST", "/api/settings/surfaces/undo", "").wants(404, "no change of surfaces is left to take back")
	b.socket("PUT", "/api/settings/cooldown", `{"value":"default"}`).wants(200, `"value":"30m"`, `"from":"1h30m","to":"30m","default":true`)
	b.socket("POST", "/api/settings/cooldown/undo", "{}").wants(200, `"value":"1h30m"`)
	b.holds(domain.TopicSystem, 5)

	b.socket("PUT", "/api/settings/surfaces", `{"value":"2"}`).wants(400, "surfaces can't be", "give a score from 0.25 to 1")
	b.socket("PUT", "/api/settings/surface", `{"value":"0.4"}`).wants(400, "there is no parameter", "surfaces, memory")
	b.socket("POST", "/api/settings/surface/undo", "").wants(400, "there is no parameter")
	b.socket("PUT", "/api/settings/surfaces", `{}`).wants(400, "surfaces")
	b.call("GET", "/api/settings", "").wants(401)
	b.call("PUT", "/api/settings/surfaces", `{"value":"0.4"}`).wants(401)
	token := b.token("market", "[]")
	b.call("PUT", "/api/settings/surfaces", `{"value":"0.4"}`, bearer(token)).wants(403, "operator_only")
}

// TestSettingChangedMeanwhile takes back a change that isn't the latest any more, and has
// many change a setting at once: what each says it changed from is what was set.
func TestSettingChangedMeanwhile(t *testing.T) {
	b := newBench(t, settings{})
	undo := func(answer string) string {
		_, id, _ := strings.Cut(answer, `"undo":{"envelope_id":"`)
		return `{"change":"` + id[:26] + `"}`
	}
	first := undo(b.socket("PUT", "/api/settings/memory", `{"value":"5"}`).wants(200).body)
	second := undo(b.socket("PUT", "/api/settings/memory", `{"value":"6"}`).wants(200).body)
	b.socket("POST", "/api/settings/memory/undo", first).wants(409, `"code":"setting_changed"`, "look at what they are now")
	b.socket("POST", "/api/settings/memory/undo", second).wants(200, `"value":"5"`)
	b.socket("POST", "/api/settings/memory/undo", second).wants(409)

	codes := make(chan int, 8)
	for n := range cap(codes) {
		go func() {
			codes <- b.socket("PUT", "/api/settings/memory", fmt.Sprintf(`{"value":"%d"}`, 10+n)).status
		}()
	}
	for range cap(codes) {
		if code := <-codes; code != 200 && code != 409 {
			t.Errorf("answered %d", code)
		}
	}
	var book domain.SettingsBook
	records, err := b.log.Select(t.Context(), domain.Selector{Key: domain.SettingsKey}, 1, 100)
	b.must(err)
	now := "4"
	for _, rec := range records {
		b.must(book.Evolve(rec))
		if c := book.Changes[len(book.Changes)-1]; c.From != now {
			t.Errorf("at %d it was changed from %s, and was %s", rec.Position, c.From, now)
		} else {
			now = c.To
		}
	}
}
