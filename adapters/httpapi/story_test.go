package httpapi_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// TestFirstDay is what a person and a program do on their first day.
func TestFirstDay(t *testing.T) {
	b := newBench(t, settings{perMinute: 100})
	b.call("GET", "/auth/status", "").wants(200, `"has_master_account":false`, `"has_providers":false`, `"has_session":false`)
	b.call("POST", "/api/signals", rain).wants(401, `"error":"Authentication required"`)
	session := b.settled()
	b.call("GET", "/auth/status", "", cookie(session)).wants(200, `"has_master_account":true`, `"has_session":true`)

	var issued struct {
		Name, Token string
		Signals     []string
	}
	b.call("POST", "/api/tokens", `{"name":"station","signals":["weather_forecast"]}`, cookie(session)).wants(201).read(&issued)
	var accepted struct {
		OK       bool
		SignalID string `json:"signal_id"`
	}
	b.call("POST", "/api/signals", rain, bearer(issued.Token)).wants(202).read(&accepted)
	id, err := domain.ParseID(accepted.SignalID)
	if err != nil || !accepted.OK || accepted.SignalID != id.UUID() {
		t.Errorf("the answer is %+v, %v", accepted, err)
	}
	stock := `{"signal_type":"price_alert","content":"AAPL up 10%","source":"stock-exchange","activation_energy":0.7}`
	b.call("POST", "/api/signals", stock, bearer(issued.Token)).wants(403, "station", "price_alert", "weather_forecast")
	b.call("POST", "/api/signals", stock, cookie(session)).wants(202)

	type item struct {
		Kind, Label, Source, Gate string
		Salience                  float64
		EnvelopeID                string `json:"envelope_id"`
		AgeSeconds                int64  `json:"age_seconds"`
	}
	var world struct{ Items, LeftOut []item }
	b.call("GET", "/api/world", "", cookie(session)).wants(200).read(&world)
	if len(world.Items) != 2 || world.Items[0].Label != "AAPL up 10%" || world.Items[0].Salience != 1 || world.Items[0].Source != "stock-exchange" ||
		world.Items[1].Label != "Heavy rain expected" || world.Items[1].Salience != 0.8 || world.Items[1].Source != "station" ||
		world.Items[1].EnvelopeID != id.String() {
		t.Errorf("the world is %+v", world)
	}
	b.clock.Advance(6 * time.Hour)
	b.call("GET", "/api/world", "", cookie(session)).wants(200).read(&world)
	if world.Items[0].Salience != 0.7 || world.Items[1].Salience != 0.4 || world.Items[0].AgeSeconds != 6*3600 {
		t.Errorf("after six hours the world is %+v", world)
	}

	b.call("DELETE", "/api/tokens/station", "", cookie(session)).wants(200, `"ok":true`)
	b.call("POST", "/api/signals", rain, bearer(issued.Token)).wants(401)
	b.call("POST", "/auth/logout", "", cookie(session)).wants(200, `{"ok":true}`)
	b.call("GET", "/api/world", "", cookie(session)).wants(401)
	again := b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`).wants(200).login()
	b.call("GET", "/api/world", "", cookie(again)).wants(200)

	b.holds(domain.TopicSignals, 2)
	for _, rec := range b.records(domain.TopicAll) {
		for _, secret := range slices.Concat(strings.Fields(session), strings.Fields(again), []string{issued.Token, password}) {
			text := string(rec.Envelope.Payload.Bytes)
			if strings.Contains(strings.ReplaceAll(text, "hash of "+password, ""), secret) {
				t.Errorf("a secret is in the log: %s", text)
			}
		}
	}
}

// TestRestart shows that nothing who may come in depends on is in memory only.
func TestRestart(t *testing.T) {
	b := newBench(t, settings{perMinute: 2})
	session, token := b.settled(), b.token("station", "[]")
	b.call("POST", "/api/signals", rain, bearer(token)).wants(202)
	b.call("POST", "/api/signals", rain, bearer(token), header("Idempotency-Key", "k")).wants(202)
	b.start(settings{perMinute: 2})
	b.call("GET", "/api/world", "", cookie(session)).wants(200, "Heavy rain")
	b.call("POST", "/api/signals", rain, bearer(token)).wants(429)
	b.call("POST", "/api/signals", rain, bearer(token), header("Idempotency-Key", "k")).wants(202)
	b.holds(domain.TopicSignals, 2)
}
