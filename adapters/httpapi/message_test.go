package httpapi_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

const moved = `{"text":"Your appointment moved to 3 PM","source":"hospital-portal","topic":"health","metadata":{"clinic":"Cardiology"}}`

const unknownImage = "00000000-0000-7000-8000-000000000001"

func TestBadMessages(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		says       string
	}{
		{"nothing", "", 400, "the body is empty"},
		{"broken", `{"text":`, 400, "not JSON"},
		{"something after it", moved + moved, 400, "after top-level value"},
		{"an array", `[` + moved + `]`, 400, "a message must be an object; what came is an array"},
		{"a string", `"hello"`, 400, "what came is a string"},
		{"null", `null`, 400, "what came is null"},
		{"not UTF-8", "{\"text\":\"\xff\"}", 400, "not UTF-8"},
		{"no text", `{"source":"s"}`, 400, "text is required"},
		{"an empty text", `{"text":""}`, 400, "text is required"},
		{"a blank text", `{"text":" \n\t"}`, 400, "text is required"},
		{"a null text", `{"text":null}`, 400, "text is required"},
		{"another case", `{"Text":"hello"}`, 400, "text is required"},
		{"a number for the text", `{"text":7}`, 400, "text must be a string; what came is a number"},
		{"an object for the text", `{"text":{}}`, 400, "text must be a string; what came is an object"},
		{"a boolean for the source", `{"text":"a","source":true}`, 400, "source must be a string; what came is a boolean"},
		{"an array for the topic", `{"text":"a","topic":["x"]}`, 400, "topic must be a string; what came is an array"},
		{"a string for the metadata", `{"text":"a","metadata":"x"}`, 400, "metadata must be an object; what came is a string"},
		{"an array for the metadata", `{"text":"a","metadata":[]}`, 400, "metadata must be an object; what came is an array"},
		{"a string for the images", `{"text":"a","image_ids":"x"}`, 400, "image_ids must be an array; what came is a string"},
		{"a number for an image", `{"text":"a","image_ids":[7]}`, 400, "image_ids[0] must be a string; what came is a number"},
		{"no id for an image", `{"text":"a","image_ids":["` + unknownImage + `","mine"]}`, 400, "image_ids[1] is \\\"mine\\\", which is no id"},
		{"an unknown image", `{"text":"a","image_ids":["` + unknownImage + `"]}`, 400, "no image " + unknownImage + " was uploaded"},
		{"four images", `{"text":"a","image_ids":["a","b","c","d"]}`, 400, "image_ids has 4 elements, the bound is 3"},
		{"a long text", `{"text":"` + strings.Repeat("x", domain.MaxTextBytes+1) + `"}`, 400, "shorten it"},
		{"a long source", `{"text":"a","source":"` + strings.Repeat("x", domain.MaxNameBytes+1) + `"}`, 400, "source"},
		{"a long topic", `{"text":"a","topic":"` + strings.Repeat("x", domain.MaxTopicHintBytes+1) + `"}`, 400, "topic"},
		{"5 MB", `{"text":"` + strings.Repeat("x", 5<<20) + `"}`, 413, "1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			b.socket("POST", "/api/messages", c.body).wants(c.status, c.says)
			b.socket("POST", "/api/messages", c.body, header("Idempotency-Key", "k")).wants(c.status, c.says)
			b.holds(domain.TopicAll, 0)
			// And the key is still free.
			b.socket("POST", "/api/messages", moved, header("Idempotency-Key", "k")).wants(202)
		})
	}
}

func TestGoodMessages(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       domain.MessageReceived
	}{
		{"the least", `{"text":"a"}`, domain.MessageReceived{Text: "a", Source: "station"}},
		{"nulls", `{"text":"a","source":null,"topic":null,"metadata":null,"image_ids":null}`, domain.MessageReceived{Text: "a", Source: "station"}},
		{"everything", moved, domain.MessageReceived{Text: "Your appointment moved to 3 PM", Source: "hospital-portal", Topic: new("health"),
			Metadata: json.RawMessage(`{"clinic":"Cardiology"}`)}},
		{"where the device is", `{"text":"a","timezone":"America/New_York"}`, domain.MessageReceived{Text: "a", Source: "station", Zone: "America/New_York"}},
		{"unknown fields", `{"text":"a","Text":7,"imageIDs":["x"],"extra":{"text":"c"}}`, domain.MessageReceived{Text: "a", Source: "station"}},
		{"the last of two", `{"text":7,"text":"a","topic":"t","topic":null}`, domain.MessageReceived{Text: "a", Source: "station"}},
		{"escapes", `{"t\u0065xt":"\u00e4\n\ud83d\ude00"}`, domain.MessageReceived{Text: "\u00e4\n\U0001F600", Source: "station"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			token := b.token("station", `["weather"]`)
			var out struct {
				OK        bool
				MessageID string `json:"message_id"`
			}
			b.call("POST", "/api/messages", c.body, bearer(token)).wants(202).read(&out)
			e := b.records(domain.TopicMessages)[0].Envelope
			if !out.OK || out.MessageID != e.ID.UUID() || e.Trace.ID != e.ID || !e.Parent.IsZero() || e.Principal != b.principal("station") || e.Source != "station" {
				t.Errorf("told %+v, and the envelope is %+v", out, e)
			}
			got, err := domain.Decode[domain.MessageReceived](e)
			b.must(err)
			c.want.ImageIDs = []domain.ID{}
			want, err := json.Marshal(c.want)
			b.must(err)
			if have, err := json.Marshal(got); err != nil || !bytes.Equal(have, want) {
				t.Errorf("stored %s, %v\nwant   %s", have, err, want)
			}
		})
	}
}

func TestMessagesWithImages(t *testing.T) {
	b := newBench(t, settings{})
	token := b.token("station", "[]")
	first, second := b.uploaded(pictures(t)["image/png"]), b.uploaded(pictures(t)["image/gif"])
	ulid, err := domain.ParseID(second)
	b.must(err)
	for _, c := range []struct {
		name, body string
		text       string
		images     []string
	}{
		{"beside words", `{"text":"look","image_ids":["` + first + `"]}`, "look", []string{first}},
		{"alone", `{"image_ids":["` + first + `","` + ulid.String() + `"]}`, "", []string{first, second}},
		{"none", `{"text":"look","image_ids":[]}`, "look", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := *b
			b.t = t
			before := len(b.records(domain.TopicMessages))
			b.call("POST", "/api/messages", c.body, bearer(token)).wants(202)
			b.socket("POST", "/api/messages", c.body).wants(202)
			for _, rec := range b.records(domain.TopicMessages)[before:] {
				msg, err := domain.Decode[domain.MessageReceived](rec.Envelope)
				b.must(err)
				var images []string
				for _, id := range msg.ImageIDs {
					images = append(images, id.UUID())
				}
				if msg.Text != c.text || !slices.Equal(images, c.images) {
					t.Errorf("stored %q with %v", msg.Text, images)
				}
			}
			b.holds(domain.TopicMessages, before+2)
		})
	}
	b.socket("POST", "/api/messages", `{"text":"look","image_ids":["`+first+`","`+first+`"]}`).wants(400, "twice")
}

// A button is pressed by its payload, by the person only.
func TestPressedButtons(t *testing.T) {
	b := newBench(t, settings{})
	token := b.token("station", "[]")
	press := `{"payload":{"skill":"appointment","action":"book"},"label":"Yes"}`
	b.call("POST", "/api/actions", press, bearer(token)).wants(403)
	for body, says := range map[string]string{
		`{}`:                        "give payload.skill",
		`{"payload":{}}`:            "give payload.skill",
		`{"payload":{"skill":7}}`:   "payload must be an object with the name of a skill",
		`{"payload":[]}`:            "payload must be an object; what came is an array",
		`{"payload":{"skill":" "}}`: "give payload.skill",
		`{"payload":{"skill":"x"}`:  "not JSON",
		`{"payload":{"skill":"` + strings.Repeat("x", 129) + `"}}`:             "skill has 129 bytes",
		`{"payload":{"skill":"x"},"label":"` + strings.Repeat("x", 257) + `"}`: "label has 257 bytes",
	} {
		b.socket("POST", "/api/actions", body).wants(400, says)
	}
	var out struct {
		MessageID string `json:"message_id"`
	}
	b.socket("POST", "/api/actions", press).wants(202).read(&out)
	e := b.records(domain.TopicMessages)[0].Envelope
	got, err := domain.Decode[domain.ActionReceived](e)
	b.must(err)
	if out.MessageID != e.Trace.UUID() || got.Skill != "appointment" || got.Label != "Yes" || string(got.Payload) != `{"skill":"appointment","action":"book"}` {
		t.Errorf("told %+v, stored %+v", out, got)
	}
}

// Who can't upload an image is not told to attach one.
func TestAdviceForMessagesWithoutWords(t *testing.T) {
	b := newBench(t, settings{})
	session, token := b.settled(), b.token("station", "[]")
	daemon := b.registered(`{"messages":{"health":true}}`)
	for _, c := range []struct {
		name, path string
		opts       []with
		uploads    bool
	}{
		{"the operator", "/api/messages", []with{cookie(session)}, true},
		{"a token", "/api/messages", []with{bearer(token)}, false},
		{"an interface", "/gw/" + daemon + "/messages", []with{fromHere}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := *b
			b.t = t
			answer := b.call("POST", c.path, `{"text":" "}`, c.opts...).wants(400, "text is required: say something", `"field":"text"`)
			if strings.Contains(answer.body, "image") != c.uploads {
				t.Errorf("told %s", answer.body)
			}
		})
	}
}

func TestWhoMaySendMessages(t *testing.T) {
	b := newBench(t, settings{})
	session, token := b.settled(), b.token("station", "[]")
	for _, c := range []struct {
		name      string
		opts      []with
		status    int
		principal domain.Principal
	}{
		{"nobody", nil, 401, ""},
		{"a forged token", []with{bearer(token + "x")}, 401, ""},
		{"a forged session", []with{cookie("forged")}, 401, ""},
		{"a token", []with{bearer(token)}, 202, b.principal("station")},
		{"a session", []with{cookie(session)}, 202, "operator"},
		{"a session through a page of another site", []with{cookie(session), header("Sec-Fetch-Site", "cross-site")}, 403, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(b.records(domain.TopicMessages))
			b := *b
			b.t = t
			b.call("POST", "/api/messages", moved, c.opts...).wants(c.status)
			records := b.records(domain.TopicMessages)[before:]
			if c.status != 202 {
				b.holds(domain.TopicMessages, before)
				return
			}
			if len(records) != 1 || records[0].Envelope.Principal != c.principal {
				t.Errorf("the records are %+v", records)
			}
		})
	}
	b.call("GET", "/api/messages", "", cookie(session)).wants(405)
	b.call("PUT", "/api/messages", moved, cookie(session)).wants(405)
}

func TestMessageOnce(t *testing.T) {
	b := newBench(t, settings{})
	token := b.token("station", "[]")
	send := func(key, body string) told {
		return b.call("POST", "/api/messages", body, bearer(token), header("Idempotency-Key", key))
	}
	first, again := send("k", moved).wants(202, `"message_id"`), send("k", moved).wants(202)
	if first.body != again.body || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("answered %q, then %q, %v", first.body, again.body, again.header)
	}
	send("k", moved+" ").wants(409, "another body", "Idempotency-Key")
	send(strings.Repeat("k", 256), moved).wants(400, "Idempotency-Key")
	b.holds(domain.TopicMessages, 1)
	b.start(settings{})
	if after := send("k", moved).wants(202); after.body != first.body {
		t.Errorf("after a restart it is %q, before it was %q", after.body, first.body)
	}
	// The same key on another route is another key.
	b.call("POST", "/api/signals", rain, bearer(token), header("Idempotency-Key", "k")).wants(202, "signal_id")
	if other := send("k2", moved).wants(202); other.body == first.body {
		t.Error("two keys share an answer")
	}
	b.holds(domain.TopicMessages, 2)
}

// The header says where a device is when the body doesn't.
func TestZoneOfAMessage(t *testing.T) {
	for _, c := range []struct{ body, zone, want string }{
		{`{"text":"a"}`, "Asia/Tokyo", "Asia/Tokyo"},
		{`{"text":"a","timezone":"America/New_York"}`, "Asia/Tokyo", "America/New_York"},
		{`{"text":"a"}`, "nowhere", "refused"},
		{`{"text":"a","timezone":"Local"}`, "", "refused"},
	} {
		b := newBench(t, settings{})
		answer := b.socket("POST", "/api/messages", c.body, header("X-Timezone", c.zone))
		if c.want == "refused" {
			answer.wants(400, `is no time zone that Chalie knows`, `"code":"unknown_zone"`, `"field":"timezone"`)
			b.holds(domain.TopicMessages, 0)
			continue
		}
		answer.wants(202)
		got, err := domain.Decode[domain.MessageReceived](b.records(domain.TopicMessages)[0].Envelope)
		b.must(err)
		if got.Zone != c.want {
			t.Errorf("%s from %s is from %q, want %q", c.body, c.zone, got.Zone, c.want)
		}
	}
}
