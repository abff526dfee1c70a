package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/cockroachdb/pebble/v2"

	"chalie/adapters/apiclient"
	"chalie/adapters/demo"
	"chalie/adapters/models"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// The witness is kept, not made: nothing but this flag, with a folder of its own, makes
// another one.
var makeWitness = flag.String("make-witness", "", "make a witness of this build in a folder that is empty or not there")

// TestMakeWitness lives the life that the witness is a record of, and writes it down with
// the facts that this build knows of it:
//
//	go test ./cmd/chalie -run TestMakeWitness -make-witness FOLDER
//
// All of it is recorded by the program itself. Some things happen only when they are made
// to: a service is ended from inside, a stored fold and a stored record are changed behind
// the program's back, and the program's own bus carries a message of a stream that nobody
// in it has. Older versions of events can't be recorded by a newer build: some records of
// the first days are given the form that they had then ([aged]). Clock and ids are the
// same in every run; secrets, ports, and what runs beside each other are not, so another
// run gives the same life and not the same bytes.
//
// It belongs to the build that it came with: a later one that can't live this life any
// more does without it, and is held to what is kept.
func TestMakeWitness(t *testing.T) {
	if *makeWitness == "" {
		t.Skip("a witness is made only when it is asked for: -make-witness FOLDER")
	}
	if entries, err := os.ReadDir(*makeWitness); err == nil && len(entries) > 0 {
		t.Fatalf("%s isn't empty: a witness is never written over", *makeWitness)
	}
	t.Setenv("TZ", "UTC")
	l := beginLife(t)
	for _, day := range []func(){
		l.movesIn, l.plans, l.worldGoesBy, l.asksForTools, l.setsRules,
		l.nextMorning, l.isRobbed, l.machineFails,
		l.thinksWithAModel, l.isInterrupted,
		l.weekLater, l.isRepaired, l.movesOut,
	} {
		day()
	}
	writeWitness(t, l.data, *makeWitness)
}

// household is a Chalie with its person and the programs around them, over several days.
type household struct {
	t     *testing.T
	clock *domaintest.Clock
	ids   *domaintest.IDs
	data  string

	s      *story
	v      *victim
	device *device
	cookie string // of the session that the device has
	token  string // of the station, which sends what it hears

	restaurant *demo.Program
	hospital   *demo.Program
	oven       *program
	model      *mind
	judge      *mind
	stocks     *daemon
	stream     domain.ID // the restaurant's broadcast
}

// A pause in a conversation is too short for Chalie to think by itself; all others aren't.
const (
	witnessIdle  = 200 * time.Millisecond
	witnessPause = 100 * time.Millisecond
)

func beginLife(t *testing.T) *household {
	clock := domaintest.NewClock()
	l := &household{t: t, clock: clock, ids: domaintest.NewIDs(clock, 0x2a), data: filepath.Join(t.TempDir(), "data")}
	l.model = startMind(t, func(question) thought { return thought{text: nothingFound} })
	l.judge = startMind(t, func(question) thought {
		return thought{text: `{"outcome":"success","confidence":0.9,"reasoning":"It does what was asked.","issues":[]}`}
	})
	return l
}

// wakes starts Chalie, and the device connects if there is one.
func (l *household) wakes(change func(*Config)) {
	l.t.Helper()
	l.s = beginWith(l.t, l.data, l.clock, func(c *Config) {
		c.IDs, c.IdleAfter, c.AuditAt, c.Debounce = l.ids, witnessIdle, "off", 0
		change(c)
	})
	l.v = &victim{t: l.t, data: l.data, address: "http://" + l.s.app.Addr(), api: l.s.api}
	l.settles() // what fell due is told
	if l.cookie != "" {
		l.device = l.v.listening(l.cookie, 1)[0]
	}
}

func asItComes(*Config) {}

// sleeps stops Chalie.
func (l *household) sleeps() {
	l.t.Helper()
	l.settles()
	l.device.close()
	l.s.api.Close()
	l.s.end()
	if err := <-l.s.ended; err != nil {
		l.t.Fatalf("the program ended with %v\n%s", err, l.s.logs)
	}
}

// settles waits until nothing has been recorded for a while.
func (l *household) settles() {
	l.t.Helper()
	const calm = 450 * time.Millisecond // above what anything in the program waits for by the machine's clock
	tail, since := domain.Position(0), time.Now()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(patience); time.Since(since) < calm; <-look.C {
		if now := l.s.app.log.Tail(); now != tail {
			tail, since = now, time.Now()
		}
		if time.Now().After(deadline) {
			l.t.Fatalf("something is recorded on and on, through %d", tail)
		}
	}
}

// passes lets time pass, and what comes of that be done.
func (l *household) passes(d time.Duration) {
	l.t.Helper()
	l.clock.Advance(d)
	l.settles()
}

// ticksUntil lets the clock go on in small steps until something of a type is recorded.
func (l *household) ticksUntil(kind domain.EventType) {
	l.t.Helper()
	domaintest.Until(l.t, "there is a "+string(kind), func() bool {
		l.clock.Advance(time.Millisecond)
		found, err := l.s.app.log.Select(l.t.Context(), domain.Selector{Topic: domain.TopicInterfaces}, 1, 1000)
		return err == nil && slices.ContainsFunc(found, func(rec domain.Record) bool { return rec.Envelope.Type == kind })
	})
}

// says speaks on the device, and waits for what comes of it.
func (l *household) says(text string) {
	l.t.Helper()
	l.clock.Advance(witnessPause)
	l.device.tells(text)
	l.settles()
}

// hears lets the station send signals.
func (l *household) hears(energy float64, contents ...string) {
	l.t.Helper()
	l.clock.Advance(witnessPause)
	for batch := range slices.Chunk(contents, domain.MaxSignalsPerBatch) {
		var signals []string
		for _, content := range batch {
			signals = append(signals, fmt.Sprintf(`{"signal_type":"news","content":%q,"source":"station","topic":"city","activation_energy":%g,"metadata":{"channel":4}}`, content, energy))
		}
		l.v.wants(http.StatusOK, http.MethodPost, "/api/signals/batch", "["+strings.Join(signals, ",")+"]", "Authorization: Bearer "+l.token)
	}
	l.settles()
}

// asks uses the API as the person does, over the socket.
func (l *household) asks(status int, method, path, body string, headers ...string) string {
	l.t.Helper()
	l.clock.Advance(witnessPause)
	answer := l.v.wants(status, method, "socket:"+path, body, headers...)
	l.settles()
	return answer
}

// invokes has a tool called, whatever comes of it.
func (l *household) invokes(tool, params string, headers ...string) (status int, answer string) {
	l.t.Helper()
	l.clock.Advance(witnessPause)
	way := "socket:"
	if len(headers) > 0 {
		way = ""
	}
	status, answer, err := l.v.ask(http.MethodPost, way+"/api/tools/"+tool+"/invoke", `{"params":`+params+`}`, headers...)
	if err != nil {
		l.t.Fatal(err)
	}
	l.settles()
	return status, answer
}

// checksIn says where and how the person is.
func (l *household) checksIn(body string) {
	l.t.Helper()
	l.clock.Advance(witnessPause)
	l.v.wants(http.StatusOK, http.MethodPost, "/health", body, "Cookie: "+l.cookie)
	l.settles()
}

// logsIn begins another session, and returns the headers that its requests have.
func (l *household) logsIn(password, more, browser string) []string {
	l.t.Helper()
	l.clock.Advance(witnessPause)
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodPost, l.v.address+"/auth/login", strings.NewReader(fmt.Sprintf(`{"username":"ada","password":%q%s}`, password, more)))
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", browser)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		l.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || len(resp.Cookies()) == 0 {
		l.t.Fatalf("logging in was answered %s", resp.Status)
	}
	c := resp.Cookies()[0]
	return []string{"Cookie: " + c.Name + "=" + c.Value, "User-Agent: " + browser}
}

// waiting are the proposals that wait for the person.
func (l *household) waiting() []proposed {
	l.t.Helper()
	return read[struct{ Approvals []proposed }](l.t, l.v.wants(http.StatusOK, http.MethodGet, "socket:/api/approvals", "")).Approvals
}

// decides grants or refuses all that waits.
func (l *household) decides(decision string) {
	l.t.Helper()
	for _, p := range l.waiting() {
		l.asks(http.StatusOK, http.MethodPost, "/api/approvals/"+p.Token, fmt.Sprintf(`{"decision":%q}`, decision))
	}
}

const witnessPassword = "a long sentence nobody guesses"

// movesIn: the account, the devices, the programs that come in and the one that doesn't.
func (l *household) movesIn() {
	t := l.t
	l.wakes(asItComes)
	l.cookie = register(t, l.s.app.SetupLink())
	l.device = l.v.listening(l.cookie, 1)[0]
	tablet := l.logsIn(witnessPassword, "", "Mozilla/5.0 (tablet)")
	l.logsIn(witnessPassword, "", "Mozilla/5.0 (telephone)")
	if status, _, err := l.v.ask(http.MethodPost, "/auth/login", `{"username":"ada","password":"a guess"}`); err != nil || status != http.StatusUnauthorized {
		t.Fatalf("a guess was answered %d, %v", status, err)
	}
	l.v.wants(http.StatusOK, http.MethodPost, "/auth/logout", "", tablet...)
	l.checksIn(`{"location":{"lat":35.89972,"lon":14.51472,"name":"Valletta"},"timezone":"Europe/Malta","device":{"class":"desktop","platform":"linux"},"energy":0.7,"attention":"ambient"}`)

	for what, program := range map[string]**demo.Program{"restaurant": &l.restaurant, "hospital": &l.hospital} {
		p, err := demo.Open(what)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		*program = p
	}
	key := l.v.pairingKey()
	if _, err := l.restaurant.Pair(t.Context(), l.v.address, key); err != nil {
		t.Fatal(err)
	}
	stranger := startProgram(t, "stranger")
	l.v.wants(http.StatusBadRequest, http.MethodPost, "/api/interfaces/pair", stranger.pairing(key))
	if _, err := l.hospital.Pair(t.Context(), l.v.address, l.v.pairingKey()); err != nil {
		t.Fatal(err)
	}
	added := read[struct {
		ID domain.ID `json:"stream_id"`
	}](t, l.asks(http.StatusCreated, http.MethodPost, "/api/streams", fmt.Sprintf(`{"url":%q,"source":"Luigi's"}`, l.restaurant.StreamURL())))
	l.stream = added.ID
	issued, err := l.v.api.IssueToken(t.Context(), "station", []string{"news", "weather"})
	if err != nil {
		t.Fatal(err)
	}
	token, err := issued.Value()
	if err != nil {
		t.Fatal(err)
	}
	l.token = token.Token
	l.settles()
}

// plans: what the person wants kept. The built-in model answers.
func (l *household) plans() {
	for _, text := range []string{
		"remind me: dinner reservation at Luigi's in 4 hours", "remind me to water the plants every day at 7",
		"remind me: visit Dr Okafor in wing B tomorrow at 10", "remind me to call Anna tomorrow at 11",
		"cancel the reminder about Anna", "move the reminder about Dr Okafor to tomorrow at 9", "task: tax return by Friday at 17:00",
		"task: paint the fence", "the tax return is 40 % done", "drop the fence", "task: order firewood", "done with the firewood",
		"put milk, eggs and bread on the shopping list", "take milk off the shopping list", "put a tent on the packing list", "delete the packing list",
		"remember that my dentist is Dr Okafor", "remember that the spare key is with Maria", "forget the spare key",
		"what have I planned?", "fold the moon in half, but only when the tide is right",
	} {
		l.says(text)
	}
	l.invokes("task", `{"action":"move","which":"tax return","deadline":"on Saturday at 12:00"}`)
	l.device.tells(`{"type":"action","payload":{"skill":"remind","text":"stretch in 30 minutes"}}`)
	l.settles()
	l.device.tells(`{"type":"action","payload":{"skill":"somersault"}}`)
	l.settles()
	picture := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
		"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
	image := read[struct {
		ID string `json:"image_id"`
	}](l.t, l.v.wants(http.StatusCreated, http.MethodPost, "/chat/image", picture, "Cookie: "+l.cookie, "Content-Type: image/png"))
	l.device.tells(`{"type":"chat","text":"this is where I eat tonight","source":"voice","image_ids":["` + image.ID + `"]}`)
	l.settles()
	l.says("my password is hunter2-and-more, remember it")
}

// worldGoesBy: what is heard, and what of it is told.
func (l *household) worldGoesBy() {
	t := l.t
	hospital := func(text, severity string) {
		t.Helper()
		l.clock.Advance(witnessPause)
		if err := informs(t.Context(), l.hospital, text, severity); err != nil {
			t.Fatal(err)
		}
		l.settles()
	}
	l.hears(0.9, loud...)
	l.hears(0.06, "Luigi's may be busy tonight")
	l.passes(22 * time.Minute) // nothing of it is to be told
	l.v.wants(http.StatusAccepted, http.MethodPost, "/api/signals", `{"signal_type":"weather","content":"Gale warning for Valletta","source":"sky","activation_energy":0.5}`,
		"Authorization: Bearer "+l.token, "Idempotency-Key: gale-1")
	l.v.wants(http.StatusAccepted, http.MethodPost, "/api/signals", `{"signal_type":"weather","content":"Gale warning for Valletta","source":"sky","activation_energy":0.5}`,
		"Authorization: Bearer "+l.token, "Idempotency-Key: gale-1")
	l.settles()
	l.restaurant.Broadcast(l.restaurant.News)
	l.settles()
	l.passes(5 * time.Minute) // it is told
	l.passes(2 * time.Minute) // it was told
	l.hears(0.8, "Luigi's lost its licence for dinner after an inspection")
	l.passes(2 * time.Minute) // something about the plan was told a moment ago
	if err := l.hospital.Send(t.Context(), "/api/signals", l.hospital.News, nil); err != nil {
		t.Fatal(err)
	}
	l.checksIn(`{"attention":"focused"}`)
	l.passes(time.Minute) // the person is focused
	hospital(movedWords, "")
	hospital(alarmWords, "critical")
	hospital(alarmWords, "critical") // the same again
	l.checksIn(`{"attention":"ambient","energy":0.3}`)
	l.passes(45 * time.Minute)
	l.says("what is on your mind?")
	l.says("why did you tell me that?")
}

// asksForTools: what programs are asked to do, and what is asked before.
func (l *household) asksForTools() {
	l.says("cancel my appointment")
	l.says("apt_2041")
	l.invokes("cancel_appointment", `{"appointment_id":"apt_2041"}`)
	l.invokes("cancel_appointment", `{"appointment_id":2077}`)
	l.invokes("list_appointments", `{}`)
	l.says("cancel my reservation res_999")
	asked := l.waiting()
	if len(asked) != 1 {
		l.t.Fatalf("there waits %+v", asked)
	}
	way := "/api/approvals/" + asked[0].Token
	l.v.wants(http.StatusForbidden, http.MethodPost, way, `{"decision":"grant"}`, "Authorization: Bearer "+l.token)
	l.says("no")
	l.says("cancel my reservation res_801")
	l.says("yes")
	l.asks(http.StatusConflict, http.MethodPost, way, `{"decision":"grant"}`)
	l.invokes("list_reservations", `{}`)
	l.invokes("list_reservations", `{}`, "Authorization: Bearer "+l.token)
	l.decides("grant")
	l.invokes("list_appointments", `{}`, "Authorization: Bearer "+l.token) // nobody decides about it
}

// setsRules: what is allowed, and what a tool is taken for.
func (l *household) setsRules() {
	l.asks(http.StatusOK, http.MethodPut, "/api/tools/list_reservations/manifest", `{"side_effects":false}`) // all that an older build knew to say
	l.asks(http.StatusOK, http.MethodPut, "/api/tools/list_appointments/manifest", `{"side_effects":false,"unasked":true}`)
	in := read[struct{ Policy domain.PolicyRules }](l.t, l.asks(http.StatusOK, http.MethodGet, "/api/policy", "")).Policy
	no := domain.PolicyRule{Name: "no_lists", Capabilities: []string{"chalie/list"}, Verdict: domain.VerdictDenied}
	in.Rules = append([]domain.PolicyRule{no}, in.Rules...)
	body, err := json.Marshal(in)
	if err != nil {
		l.t.Fatal(err)
	}
	l.asks(http.StatusOK, http.MethodPut, "/api/policy", string(body))
	l.says("put butter on the shopping list")
	in.Rules = in.Rules[1:]
	if body, err = json.Marshal(in); err != nil {
		l.t.Fatal(err)
	}
	l.asks(http.StatusOK, http.MethodPut, "/api/policy", string(body))
	l.says("put butter on the shopping list")
	errand := message.NewMessage("0199f8d1-errand", []byte(`{"fetch":"the parcel"}`))
	errand.Metadata.Set("shop", "corner")
	if err := l.s.app.bus.Publisher().Publish("errands", errand); err != nil {
		l.t.Fatal(err)
	}
	l.sleeps()
}

// nextMorning: what fell due while Chalie slept, and a program that registers by
// itself, goes away and comes back.
func (l *household) nextMorning() {
	l.clock.Advance(19*time.Hour + 12*time.Minute)
	l.wakes(func(c *Config) { c.HealthEvery, c.IdleAfter = 10*time.Millisecond, time.Hour })
	l.stocks = newDaemon(l.t, "Stocks")
	l.stocks.start(l.v, http.StatusCreated)
	l.v.awaits("interface.registered", 1)
	l.asks(http.StatusOK, http.MethodPost, "/api/interfaces/"+l.stocks.id+"/refresh", "")
	l.v.wants(http.StatusOK, http.MethodPut, "/api/apps/"+l.stocks.id+"/scopes",
		`{"approved_scopes":{"context":{"location":true,"energy":true},"signals":{"quote":true},"messages":{"stocks":true}}}`, "Cookie: "+l.cookie)
	l.settles()
	l.stocks.signal(l.v, http.StatusAccepted, "quote", `{"ticker":"AAPL","price":185.5}`)
	l.stocks.message(l.v, http.StatusAccepted, "AAPL is at 185.50", `"stocks"`)
	l.stocks.context(l.v)
	l.invokes("quote", `{"symbol":"AAPL","days":5}`)
	l.stocks.on("/execute", saying(`{"text":"{\"symbol\":\"AAPL\",\"price\":191}","data":null,"error":null}`))
	l.invokes("quote", `{"symbol":"AAPL","days":5}`) // another answer to the same question
	l.stocks.close()
	l.ticksUntil("interface.went_offline")
	l.stocks.listen(fmt.Sprintf("127.0.0.1:%d", l.stocks.port))
	l.ticksUntil("interface.came_online")
	l.settles()
	l.says("the reminder about Dr Okafor is done")
	l.sleeps()
}

// isRobbed: somebody else uses a session, the person sees it and locks them out.
func (l *household) isRobbed() {
	l.clock.Advance(3 * time.Hour)
	l.wakes(asItComes)
	stolen := l.logsIn(witnessPassword, `,"key":true`, "Mozilla/5.0 (laptop)")
	l.v.wants(http.StatusOK, http.MethodGet, "/conversation/recent?limit=1", "", stolen[0], "User-Agent: curl/8.5")
	l.settles()
	seen := read[struct {
		Elsewhere []struct {
			ID string `json:"id"`
		}
	}](l.t, l.asks(http.StatusOK, http.MethodGet, "/api/sessions-elsewhere", ""))
	for _, use := range seen.Elsewhere {
		l.asks(http.StatusOK, http.MethodDelete, "/api/sessions-elsewhere/"+use.ID, "")
	}
	if _, err := l.v.api.SetPassword(l.t.Context(), "another sentence, and longer"); err != nil {
		l.t.Fatal(err)
	}
	l.settles()
	l.device.close()
	again := l.logsIn("another sentence, and longer", "", "Mozilla/5.0 (desktop)")
	l.cookie = strings.TrimPrefix(again[0], "Cookie: ")
	l.device = l.v.listening(l.cookie, 1)[0]
	l.sleeps()
}

// machineFails: a stored fold isn't what the log says, which the audit of the night
// finds, and it is folded again; a service ends, and others are not heard of while the
// machine sleeps.
func (l *household) machineFails() {
	now := l.clock.Now().UTC()
	night := time.Date(now.Year(), now.Month(), now.Day()+1, 2, 29, 59, 950_000_000, time.UTC) // half past three in Valletta
	l.clock.Advance(night.Sub(now) - 20*time.Minute)
	l.wakes(asItComes)
	l.hears(0.5, "The harbour bridge is raised at six")
	l.sleeps()
	l.clock.Set(night)
	doctor(l.t, l.data, `"energy":500000`, `"energy":900000`)
	l.wakes(func(c *Config) { c.AuditAt = "" })
	l.clock.Advance(100 * time.Millisecond)
	l.v.awaits("projection.diverged", 1)
	if err := l.v.api.Rebuild(l.t.Context(), []string{"world"}, false); err != nil {
		l.t.Fatal(err)
	}
	l.v.awaits("projection.rebuilt", 1)
	l.clock.Advance(6 * time.Hour)
	(&mortal{l.s, l.v}).kill(domain.ServiceThreads)
	l.v.awaits("service.recovered", 1)
	l.sleeps()
}

// thinksWithAModel: another model than the built-in one thinks, and a second checks it.
func (l *household) thinksWithAModel() {
	l.oven = startProgram(l.t, "oven")
	l.oven.on("/capabilities", saying(witnessOven))
	l.oven.on("/execute", l.bakes)
	l.clock.Advance(3 * time.Hour)
	l.wakes(l.withModel)
	l.v.pair(l.oven)
	l.settles()
	l.model.says(witnessThoughts)
	l.says("bake bread for 40 minutes")
	l.decides("grant")
	l.says("bake a cake for 25 minutes") // its answer isn't of the declared form
	l.decides("grant")
	l.invokes("bake", `{"what":"soufflé","minutes":12}`) // it hangs up in the middle of it
	l.judge.says(func(question) thought {
		return thought{text: `{"outcome":"partial","confidence":0.7,"reasoning":"It leaves a part out.","issues":["say when"]}`}
	})
	l.says("bake biscuits for 15 minutes")
	l.decides("refuse")
	l.says("teleport me home")
	l.says("tell me a secret")
	l.hears(0.7, "The ferry to Gozo is cancelled today")
	l.model.says(func(q question) thought {
		if q.cycle {
			return thought{text: `{"findings":[{"text":"The ferry to Gozo doesn't go today.","topic":"travel","confidence":0.9,"urgent":true,"evidence":[{"item":1,"weight":0.8}]},` +
				`{"text":"It may rain.","topic":"weather","confidence":0.2,"urgent":false,"evidence":[{"item":1,"weight":0.1}]}]}`}
		}
		return witnessThoughts(q)
	})
	l.passes(30 * time.Minute)
	l.passes(30 * time.Minute)
	l.sleeps()
}

// witnessOven offers a tool that says what state it acts on, and what it returns.
const witnessOven = `[{"name":"bake","description":"Bakes","state_snapshot":"oven_state","parameters":[{"name":"what","type":"string","required":true,"description":"what"},
	{"name":"minutes","type":"integer","required":true,"description":"how long"}],"returns":{"type":"object","properties":{"ready_in":{"type":"integer"}},"required":["ready_in"]}},
	{"name":"oven_state","description":"How hot the oven is","side_effects":false,"parameters":[{"name":"what","type":"string","required":true,"description":"what"},
	{"name":"minutes","type":"integer","required":true,"description":"how long"}]}]`

// bakes answers for the oven.
func (l *household) bakes(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Capability string
		Params     struct{ What string }
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		l.t.Error(err)
	}
	switch {
	case call.Capability == "oven_state":
		saying(`{"text":"The oven is at 180 degrees.","data":{"degrees":180},"error":null}`)(w, r)
	case strings.Contains(call.Params.What, "soufflé"):
		panic(http.ErrAbortHandler)
	case strings.Contains(call.Params.What, "cake"):
		saying(`{"text":"soon","data":{"ready":"soon"},"error":null}`)(w, r)
	default:
		saying(`{"text":"It is in the oven.","data":{"ready_in":40},"error":null}`)(w, r)
	}
}

// witnessThoughts are those of a model that calls a tool when it is told to bake.
func witnessThoughts(q question) thought {
	what, bake := strings.CutPrefix(q.message, "bake ")
	what, _, _ = strings.Cut(what, " for ")
	switch {
	case q.cycle:
		return thought{text: nothingFound}
	case bake && len(q.results) == 0:
		return thought{calls: []calling{{"bake", fmt.Sprintf(`{"what":%q,"minutes":40}`, what)}}}
	case bake:
		return thought{text: "The oven says: " + q.results[0]}
	case strings.HasPrefix(q.message, "teleport") && len(q.results) == 0:
		return thought{calls: []calling{{"teleport", `{"to":"home"}`}}}
	case strings.Contains(q.message, "secret"):
		return thought{locked: true}
	}
	return thought{text: "I can't do that."}
}

func (l *household) withModel(c *Config) {
	judge := l.choice("judge", l.judge)
	c.Models = models.Chosen{Models: []models.Choice{l.choice("thinker", l.model)}, Verifier: &judge}
}

// choice chooses a model, by a name.
func (l *household) choice(name string, m *mind) models.Choice {
	l.t.Helper()
	choice, err := models.ParseChoice("openai:" + name + "@" + m.server.URL + "/v1")
	if err != nil {
		l.t.Fatal(err)
	}
	return choice
}

// isInterrupted: the person speaks into what is under way, adds to it, queues behind it
// and cancels it; a cycle makes room, and what waits longest is dropped.
func (l *household) isInterrupted() {
	l.clock.Advance(time.Hour)
	asked, room := make(chan string, 256), make(chan struct{})
	l.model.says(func(q question) thought {
		asked <- q.message
		select {
		case <-room:
		case <-q.Context().Done():
		}
		if q.cycle {
			return thought{text: nothingFound}
		}
		return thought{text: "Yes."}
	})
	l.wakes(l.withModel)
	l.clock.Advance(20 * time.Minute)
	hear(l.t, asked) // a cycle thinks, and goes on thinking
	for i := range 55 {
		l.v.wants(http.StatusOK, http.MethodPost, "/health", fmt.Sprintf(`{"location":{"lat":%d,"lon":14.5,"name":"at sea"}}`, 36+i%2), "Cookie: "+l.cookie)
	}
	l.settles()
	l.device.tells("what is the weather like?")
	l.v.awaits("reasoning.yielded", 1)
	l.device.tells(`{"type":"act_steer","text":"in Gozo, I mean"}`)
	l.device.tells("and what time is it?")
	l.settles()
	said := l.v.awaits("message.received", 1)
	l.device.tells(fmt.Sprintf(`{"type":"cancel","exchange_id":%q}`, said[len(said)-1].Envelope.ID.UUID()))
	l.settles()
	close(room)
	l.settles()
	l.model.says(witnessThoughts)
	l.sleeps()
}

// weekLater: a program that nobody let in is forgotten.
func (l *household) weekLater() {
	l.clock.Advance(time.Hour)
	l.wakes(asItComes)
	gadgets := newDaemon(l.t, "Gadgets")
	gadgets.start(l.v, http.StatusCreated)
	l.settles()
	gadgets.close()
	l.sleeps()
	l.clock.Advance(8 * 24 * time.Hour)
	l.wakes(asItComes)
	l.v.awaits("interface.expired", 1) // once a minute by the machine's clock
	l.sleeps()
}

// isRepaired: a record is damaged where it lies, and lost to the repair.
func (l *household) isRepaired() {
	var lost domain.Position
	l.clock.Advance(time.Hour)
	l.wakes(asItComes)
	for _, rec := range l.v.records() {
		if rec.Envelope.Type == "service.died" { // nothing rests on what is lost, so all else can be decided again
			lost = rec.Position
		}
	}
	l.sleeps()
	damageRecord(l.t, l.data, lost)
	if done, err := repairLog(l.t.Context(), l.data, term.NoMeter()); err != nil || done.Lost != 1 {
		l.t.Fatalf("the repair ends with %+v, %v", done, err)
	}
}

// movesOut: a broadcast floods, and what was let in goes again.
func (l *household) movesOut() {
	l.clock.Advance(time.Hour)
	l.wakes(asItComes)
	l.says("remind me to thank Anna in 3 hours")
	l.hears(0.8, "Anna's train is late")
	l.passes(10 * time.Minute)
	var prices []string
	for i := range 105 {
		prices = append(prices, fmt.Sprintf("MSFT at %d.%02d", 410+i/10, 7*i%100))
	}
	l.hears(0.2, prices...)
	l.passes(10 * time.Minute)
	l.invokes("list_reservations", `{}`, "Authorization: Bearer "+l.token) // waits to this day
	l.asks(http.StatusOK, http.MethodDelete, "/api/streams/"+l.stream.UUID(), "")
	if err := l.v.api.RevokeToken(l.t.Context(), "station"); err != nil {
		l.t.Fatal(err)
	}
	apps, err := l.v.api.Apps(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	list, err := apiclient.Values(apps)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, app := range list {
		if app.Name == l.hospital.Name {
			if err := l.v.api.RemoveInterface(l.t.Context(), app.ID.ID); err != nil {
				l.t.Fatal(err)
			}
		}
	}
	l.says("thanks")
	l.sleeps()
}

// damageRecord flips a bit of a stored record, through Pebble, as if the byte had been
// wrong in memory when it was written, and leaves no other file that has the record.
func damageRecord(t *testing.T, data string, at domain.Position) {
	t.Helper()
	db, err := pebble.Open(logFolder(data), &pebble.Options{FormatMajorVersion: pebble.FormatNewest, Logger: quietPebble{}})
	if err != nil {
		t.Fatal(err)
	}
	key := binary.BigEndian.AppendUint64([]byte{'r'}, uint64(at))
	value, closer, err := db.Get(key)
	if err != nil {
		t.Fatal(err)
	}
	record := bytes.Clone(value)
	record[len(record)/2] ^= 1
	if err := errors.Join(closer.Close(), db.Set(key, record, pebble.Sync), db.Compact(t.Context(), []byte{'r'}, []byte{'s'}, false), db.Close()); err != nil {
		t.Fatal(err)
	}
}
