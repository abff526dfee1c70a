package main

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// steps are pages of the log, as one request after the other is answered that waits for
// the next step; one without records waited in vain.
func steps(t *testing.T, waits *[]string, pages ...string) *apiclient.Client {
	return apiclient.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*waits = append(*waits, r.URL.Query().Get("wait"))
		if len(*waits) > len(pages) {
			t.Error("it asks on after the end")
			http.Error(w, "{}", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"records":[`+pages[len(*waits)-1]+`],"next":9,"tail":9}`)
	}))
}

// step is a record of an answer.
func step(kind, eventType, keys, payload string) string {
	const id = `"01M84A3QB6FFET9Z76QPZFW14H"`
	return `{"position":2,"topic":"reasoning","recorded_at":1,"envelope":{"envelope_id":` + id + `,"trace_id":` + id + `,"parent_id":null,"timestamp":1,` +
		`"kind":"` + kind + `","source":"reasoning","principal":"operator","type":"` + eventType + `","version":1,"keys":[` + keys + `],"payload":` + payload + `,"errors":[]}}`
}

// Who waits for an answer is told once that it takes long and what an interrupt does, and
// then only how far it came.
func TestSayTellsThatItWaits(t *testing.T) {
	started := step("event", "reasoning.started", "", `{}`)
	asked := step("command", "model.called", "", `{}`)
	answers := step("result", "model.replied", "", `{}`)
	uses := step("result", "model.replied", `"acts/1"`, `{"tool_calls":[{"id":"1","tool":"hospital.wards","params":{}}]}`)
	end := step("event", "reasoning.concluded", "", `{"outcome":"failed"}`)
	const first, how = "Still waiting. ", " Ctrl-C ends the waiting and nothing else: the answer comes all the same, and `chalie conversation --data mind` shows it.\n"
	for _, c := range []struct {
		name  string
		pages []string
		told  string
	}{
		{"at once", []string{started, end}, ""},
		{"slowly", []string{started + "," + asked, "", "", end}, first + "Thinking." + how},
		{"nearly", []string{started, "", "", asked + "," + answers, "", "", end}, first + "Looking up what it knows." + how + first + "Checking its answer.\n"},
		{"later", []string{"", "", started + "," + asked, "", uses, "", "", end}, first + "It hasn't begun." + how + first + "Thinking.\n" + first + "Using hospital.wards.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				console, _, told := testConsole()
				var waits []string
				w := &stillWaiting{cli: console.over("mind")}
				end := func(object apiclient.Object[domain.Record]) (bool, error) {
					rec, err := object.Value()
					return rec.Envelope.Type == "reasoning.concluded", err
				}
				if err := follow(t.Context(), steps(t, &waits, c.pages...), domain.ID{1}, w.watching(end), w.tell); err != nil {
					t.Fatal(err)
				}
				if told.String() != c.told {
					t.Errorf("it tells %q, want %q", told.String(), c.told)
				}
				if len(waits) != len(c.pages) || waits[0] != "5s" || c.told != "" && waits[len(waits)-1] != "30s" {
					t.Errorf("it waits %v for %d pages", waits, len(c.pages))
				}
			})
		})
	}
}
