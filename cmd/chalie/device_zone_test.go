package main

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/api"
	"chalie/adapters/unixsocket"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestZoneOfTheDevice walks all ways in: each takes with it where the device is, and refuses by
// name what is no zone.
func TestZoneOfTheDevice(t *testing.T) {
	t.Setenv("TZ", "UTC")
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	own := registerKeyed(t, v.setup)
	cookie, _ := strings.CutPrefix(own[0], "Cookie: ")
	d := v.listening(cookie, 1)[0]
	program := "Authorization: Bearer " + v.mcpToken("editor", "mcp")
	_, _, head := v.send("POST", mcpBegins, program)
	session := "Mcp-Session-Id: " + head.Get("Mcp-Session-Id")
	v.send("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, program, session)

	const params = `"what":"WHAT","when":"tomorrow at 15:00"`
	n := 0
	another := func(text string) string { // one that was set before would be asked about
		n++
		return strings.ReplaceAll(text, "WHAT", "feed x"+string(rune('a'+n/26))+string(rune('a'+n%26)))
	}
	asks := func(path, body string) func(string) string {
		return func(zone string) string {
			_, answer, err := v.ask("POST", path, another(body), append(own, api.TimezoneHeader+": "+zone)...)
			return fmt.Sprint(answer, err)
		}
	}
	says := func(path, body string) func(string) string {
		return func(zone string) string {
			_, answer, err := v.ask("POST", path, fmt.Sprintf(another(body), zone), own...)
			return fmt.Sprint(answer, err)
		}
	}
	socket := func(message string) func(string) string {
		return func(zone string) string {
			d.tells(fmt.Sprintf(another(message), zone))
			if strings.Contains(zone, "/") && !strings.HasPrefix(zone, "Mars") {
				return "" // what comes of it is in the log
			}
			h, err := d.until(func(h heard) bool { return h.Type == "error" && h.ExchangeID.IsZero() })
			return fmt.Sprint(h.Message, err)
		}
	}
	for _, way := range []struct {
		name string
		goes func(zone string) string // what it is told
		sets bool                     // whether a plan comes of it
	}{
		{"a tool's route, by the header", asks("/api/tools/remind/invoke", `{"params":{`+params+`}}`), true},
		{"a tool's route, by the body", says("/api/tools/remind/invoke", `{"params":{`+params+`},"timezone":%q}`), true},
		{"a button's route, by the header", asks("/api/actions", `{"payload":{"skill":"remind",`+params+`}}`), true},
		{"a button's route, by the body", says("/api/actions", `{"payload":{"skill":"remind",`+params+`},"timezone":%q}`), true},
		{"a button on the socket", socket(`{"type":"action","payload":{"skill":"remind",` + params + `},"timezone":%q}`), true},
		{"words on the socket", socket(`{"type":"chat","text":"remind me tomorrow at 15:00 to WHAT","timezone":%q}`), true},
		{"words, by the header", asks("/api/messages", `{"text":"remind me tomorrow at 15:00 to WHAT"}`), true},
		{"words, by the body", says("/api/messages", `{"text":"remind me tomorrow at 15:00 to WHAT","timezone":%q}`), true},
		{"a console, by the header", asks("/api/chat/send", `{"message":"remind me tomorrow at 15:00 to WHAT"}`), true},
		{"a program's call", func(zone string) string {
			_, answer, err := v.ask("POST", "socket:/capabilities/invoke", fmt.Sprintf(`{"envelope_id":"","trace_id":"","parent_id":"","kind":"command","source":"cron","principal":"operator","timestamp":"2026-11-27T09:00:00+00:00","capability_id":"chalie/remind","input_payload":{%s},"actor":"operator","channel":"cron","invocation_id":"","parent_invocation_id":"","confirmed":true,"approval_token":""}`, another(params)),
				"Content-Type: application/json", api.TimezoneHeader+": "+zone)
			return fmt.Sprint(answer, err)
		}, true},
		{"MCP over HTTP", func(zone string) string {
			_, answer, _ := v.send("POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"plans","arguments":{}}}`, program, session, api.TimezoneHeader+": "+zone)
			return answer
		}, false},
		{"MCP over a connection", func(zone string) string { return v.speaksFrom(zone) }, false},
	} {
		t.Run(way.name, func(t *testing.T) {
			for _, zone := range []string{"Asia/Tokyo", "America/New_York"} {
				begun := v.records()
				told := way.goes(zone)
				domaintest.Until(t, "it is recorded with "+zone+" after "+told, func() bool { return askedFrom(v.records()[len(begun):], zone, way.sets) })
			}
			for _, none := range []string{"Mars/Phobos", "+02:00"} {
				begun := len(v.records())
				if told := way.goes(none); !strings.Contains(told, `"`+none+`\"`) && !strings.Contains(told, `"`+none+`"`) || !strings.Contains(told, "Europe/Malta") {
					t.Errorf("%s is answered %s", none, told)
				}
				for _, rec := range v.records()[begun:] {
					if domain.DeviceZone(rec.Envelope) != "" || rec.Envelope.Type == domain.ReminderSetType {
						t.Errorf("%s is recorded all the same: %s %s", none, rec.Envelope.Type, rec.Envelope.Payload.Bytes)
					}
				}
			}
		})
	}
	t.Run("the command line", func(t *testing.T) {
		begun := len(v.records())
		cmd := exec.CommandContext(t.Context(), "chalie", "tool", "invoke", "remind", "what=feed all", "when=tomorrow at 15:00", "--data", v.data)
		cmd.Env = slices.Concat(v.cmd.Env, []string{"TZ=Asia/Tokyo"})
		if out, err := cmd.CombinedOutput(); err != nil || !askedFrom(v.records()[begun:], "Asia/Tokyo", true) {
			t.Errorf("it is answered %s, %v", out, err)
		}
	})
	if says := v.chalie("replay", "--all"); !strings.Contains(says, "All is decided as it was") {
		t.Errorf("the replay says %s", says)
	}
	v.stop()
}

// askedFrom reports whether records say that something was asked for in a zone, and that a
// reminder was set in it.
func askedFrom(records []domain.Record, zone string, sets bool) bool {
	asked, set := false, !sets
	for _, rec := range records {
		asked = asked || domain.DeviceZone(rec.Envelope) == zone
		if p, err := domain.Decode[domain.ReminderSet](rec.Envelope); rec.Envelope.Type == domain.ReminderSetType && err == nil {
			set = set || p.Zone == zone && p.Due.Time().UTC().Hour() == map[string]int{"Asia/Tokyo": 6, "America/New_York": 20}[zone]
		}
	}
	return asked && set
}

// speaksFrom has a program in a zone look at the plans over a connection, and returns the answer,
// or why it wasn't let in.
func (v *victim) speaksFrom(zone string) string {
	v.t.Helper()
	conn, err := unixsocket.Dial(context.Background(), v.data)
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	header := introduced("guest", "", false)
	header.Set(api.TimezoneHeader, zone)
	from, err := openMCP(v.t.Context(), conn, header)
	if err != nil {
		return err.Error()
	}
	s := &spoken{t: v.t, conn: conn, from: bufio.NewReader(from)}
	s.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)
	s.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s.ask("tools/call", `{"name":"plans","arguments":{}}`)
}
