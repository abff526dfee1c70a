package httpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/adapters/httpapi/openapi/openapitest"
	"chalie/commands"
	"chalie/commands/account"
	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/commands/reasoning"
	"chalie/commands/setting"
	"chalie/commands/signal"
	"chalie/commands/tool"
	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/traces"
	"chalie/projections/transcript"
	"chalie/replay"
)

const password = "correct horse"

// setupKey stands for the one cmd prints.
const setupKey = "the-one-time-key"

// bench is a whole Chalie but for its disk and its command line.
type bench struct {
	mouth *mouth
	t     testing.TB
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *memlog.Log
	door  *door
	way   domain.Appender // to the door
	group *projections.Group
	blobs *shelf
	plug  *plug
	far   *far
	cfg   httpapi.Config
	api   checked
	trail *domaintest.Buffer

	tools func(domain.Regime) httpapi.Tools // under other rules
}

// checked is the handlers, and holds every answer to the contract.
type checked struct {
	*httpapi.API
	t testing.TB
}

func (c checked) Handler() http.Handler { return openapitest.Checked(c.t, c.API.Handler()) }

func (c checked) TrustedHandler() http.Handler {
	return openapitest.Checked(c.t, c.API.TrustedHandler())
}

// routes are all there are, as METHOD /path/{name}.
func routes() (all []string) {
	for _, r := range api.Routes() {
		all = append(all, r.Method+" "+r.Path)
	}
	return all
}

// settings change how a bench is built.
type settings struct {
	perMinute int
	change    func(*bench, *httpapi.Config)
}

func newBench(t testing.TB, s settings) *bench {
	t.Helper()
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	b := &bench{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: log, door: &door{Log: log}, trail: &domaintest.Buffer{}, api: checked{t: t},
		blobs: &shelf{held: map[string][]byte{}}, plug: &plug{}, far: newFar(), mouth: &mouth{}}
	b.start(s)
	return b
}

// start builds everything over the log, as a start of the program does.
func (b *bench) start(s settings) {
	b.t.Helper()
	b.way = b.door
	b.way = commandstest.Limited(b.t, b.env(), b.log, s.perMinute, nil).Log
	people, lines, things, said := small.Accounts(), traces.New(), small.World(), transcript.New()
	partners, calls, around, rules, set := small.Registry(), small.Invocations(), small.Surroundings(), small.NewPolicy(), small.Settings()
	unwanted := small.Unwanted()
	runner := func(p projections.Projection) *projections.Runner {
		r, err := projections.NewRunner(p, b.log, projections.NewMemStore(), b.clock, projections.Config{})
		b.must(err)
		return r
	}
	peopleRunner := runner(people)
	partnersRunner, callsRunner, aroundRunner, rulesRunner, setRunner := runner(partners), runner(calls), runner(around), runner(rules), runner(set)
	group, err := projections.NewGroup(peopleRunner, runner(lines), runner(things), runner(said), partnersRunner, callsRunner, aroundRunner, rulesRunner, setRunner, runner(unwanted))
	b.must(err)
	b.group = group
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- group.Run(ctx) }()
	b.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.t.Errorf("a projection failed: %v", err)
		}
	})
	b.must(group.WaitFor(ctx, b.log.Tail()))
	known, err := account.New(account.Config{
		Env: b.env(), Book: people, Applied: peopleRunner, Passwords: plainly{},
	})
	b.must(err)
	near, err := signal.NewSurroundings(signal.SurroundingsConfig{
		Env: b.env(), Book: around, Applied: aroundRunner,
	})
	b.must(err)
	signals, err := signal.New(signal.Config{
		Env: b.env(), Surroundings: near,
	})
	b.must(err)
	messages, err := message.New(message.Config{
		Env: b.env(), Conversation: said, Applied: group,
	})
	b.must(err)
	images, err := message.NewImages(message.ImagesConfig{Env: b.env(), Blobs: b.blobs})
	b.must(err)
	voices, err := voice.New(voice.Config{Env: b.env(), Recordings: b.blobs, Knowledge: b.mouth, Speakers: []voice.Speaker{b.mouth}, Hearers: []voice.Hearer{b.mouth}})
	b.must(err)
	b.cfg = httpapi.Config{
		Messages: messages, Images: images, Voices: voices, Transcript: said, Sockets: b.plug,
		Signals: signals, Accounts: known, Log: b.log, Counts: b.log, World: reasoning.NewMind(things, small.Surroundings(), b.log), Traces: lines, Past: replay.NewPast(b.log, nil, ""), Clock: b.clock, Applied: group,
		Health: func(context.Context) httpapi.Health { return httpapi.Health{Ready: true} }, Projections: group.Status,
		Verify: func(context.Context, func(done, total domain.Position)) (httpapi.Verification, error) {
			return httpapi.Verification{}, nil
		},
		Export:   func(context.Context, httpapi.ExportQuery, io.Writer) error { return nil },
		SetupKey: setupKey, Version: "1.2.3", Logger: slog.New(slog.NewTextHandler(b.trail, nil)),
	}
	b.cfg.Surroundings, b.cfg.Views = near, []projections.Projection{set, unwanted, rules}
	b.cfg.Settings, err = setting.New(setting.Config{Env: b.env(), Book: set, Unwanted: unwanted, Applied: group})
	b.must(err)
	b.connect(partners, partnersRunner)
	makeTools := func(regime domain.Regime) *tool.Tools {
		tools, err := tool.New(tool.Config{
			Env: b.env(), Book: partners, Invocations: calls, Applied: callsRunner,
			Peer: b.far, Regime: regime, Tokens: sealed{},
		})
		b.must(err)
		return tools
	}
	b.tools = func(regime domain.Regime) httpapi.Tools { return makeTools(regime) }
	tools := makeTools(rules)
	b.cfg.Tools = tools
	b.cfg.Approvals, err = tool.NewApprovals(tool.ApprovalsConfig{
		Env: b.env(), Invocations: calls, Applied: callsRunner, Tokens: sealed{}, Tools: tools,
	})
	b.must(err)
	b.cfg.Policies, err = tool.NewPolicies(tool.PoliciesConfig{
		Env: b.env(), Book: rules, Applied: rulesRunner, Tools: tools,
	})
	b.must(err)
	if s.change != nil {
		s.change(b, &b.cfg)
	}
	b.api.API, err = httpapi.New(b.cfg)
	b.must(err)
}

func (b *bench) env() commands.Env {
	return commands.Env{Log: b.way, Reader: b.log, Tail: b.log, Clock: b.clock, IDs: b.ids, Logger: slog.New(slog.DiscardHandler)}
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// plainly stands for a slow hash.
type plainly struct{}

func (plainly) Hash(_ context.Context, password string) (string, error) {
	return "hash of " + password, nil
}

func (plainly) Verify(_ context.Context, hash, password string) (bool, error) {
	return hash == "hash of "+password, nil
}

// door is the log with a failure on order.
type door struct {
	*memlog.Log
	mu   sync.Mutex
	fail error
}

func (d *door) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	d.mu.Lock()
	fail := d.fail
	d.mu.Unlock()
	if fail != nil {
		return domain.Receipt{}, fail
	}
	return d.Log.Append(ctx, b)
}

func (d *door) shut(fail error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = fail
}

// told is an answer.
type told struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

type with func(*http.Request)

func header(name, value string) with { return func(r *http.Request) { r.Header.Set(name, value) } }
func bearer(token string) with       { return header("Authorization", "Bearer "+token) }

// cookie is a login's cookie, and its key where settled made it.
func cookie(login string) with {
	secret, key, keyed := strings.Cut(login, " ")
	return func(r *http.Request) {
		r.Header.Set("Cookie", "chalie_session="+secret)
		if keyed {
			r.Header.Set("Chalie-Key", key)
		}
	}
}

// alone is a login's cookie without its key, as a server of another port is sent it.
func alone(login string) with {
	secret, _, _ := strings.Cut(login, " ")
	return cookie(secret)
}

// fromHere makes a request look as one by curl on this machine.
func fromHere(r *http.Request) {
	r.RemoteAddr, r.Host = "127.0.0.1:50123", "localhost:8081"
	r.Header.Set("Content-Type", "application/json")
}

func (b *bench) call(method, path, body string, opts ...with) told {
	b.t.Helper()
	return b.through(b.api.Handler(), method, path, body, opts...)
}

// socket calls as a trusted peer.
func (b *bench) socket(method, path, body string, opts ...with) told {
	b.t.Helper()
	return b.through(b.api.TrustedHandler(), method, path, body, opts...)
}

func (b *bench) through(h http.Handler, method, path, body string, opts ...with) told {
	b.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(context.Background(), method, path, reader)
	for _, opt := range opts {
		opt(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return told{b.t, w.Code, w.Header(), w.Body.String()}
}

// wants checks the status, and that a refusal says what to change.
func (a told) wants(status int, parts ...string) told {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("answered %d, want %d: %s", a.status, status, a.body)
	}
	for _, part := range parts {
		if !strings.Contains(a.body, part) {
			a.t.Errorf("the answer doesn't say %q: %s", part, a.body)
		}
	}
	if status >= 400 {
		var body struct{ Error string }
		if err := json.Unmarshal([]byte(a.body), &body); err != nil || len(body.Error) < 10 {
			a.t.Errorf("the refusal is %s, %v", a.body, err)
		}
	}
	return a
}

// read decodes the answer.
func (a told) read(into any) told {
	a.t.Helper()
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		a.t.Fatalf("the answer is %s: %v", a.body, err)
	}
	return a
}

// session is the secret of the cookie the answer sets.
func (a told) session() string {
	a.t.Helper()
	for _, c := range (&http.Response{Header: a.header}).Cookies() {
		if c.Name == "chalie_session" {
			return c.Value
		}
	}
	a.t.Fatalf("the answer sets no session: %v", a.header)
	return ""
}

// settled makes the account and logs in, as Chalie's pages do: the session has a key.
func (b *bench) settled() (login string) {
	b.t.Helper()
	return b.call("POST", "/auth/register", `{"username":"ada","password":"`+password+`","setup_key":"`+setupKey+`","key":true}`, fromHere).wants(201).login()
}

// login is the session of the answer, with its key.
func (a told) login() string {
	a.t.Helper()
	var in struct{ Key string }
	a.read(&in)
	if in.Key == "" {
		a.t.Fatalf("the answer has no key: %s", a.body)
	}
	return a.session() + " " + in.Key
}

// token issues one.
func (b *bench) token(name, signals string) string {
	b.t.Helper()
	var issued struct{ Token string }
	b.socket("POST", "/api/tokens", `{"name":"`+name+`","signals":`+signals+`}`).wants(201).read(&issued)
	return issued.Token
}

// principal is that of the program which was issued the latest token of a name.
func (b *bench) principal(name string) (who domain.Principal) {
	b.t.Helper()
	for _, rec := range b.records(domain.TopicAccounts) {
		if issued, err := domain.Decode[domain.TokenIssued](rec.Envelope); err == nil && rec.Envelope.Type == domain.TokenIssuedType && issued.Name == name {
			who = domain.ProgramPrincipal(rec.Envelope.ID)
		}
	}
	return who
}

func (b *bench) records(topic domain.Topic) []domain.Record {
	b.t.Helper()
	records, err := b.log.Select(context.Background(), domain.Selector{Topic: topic}, 1, 1<<20)
	b.must(err)
	return records
}

// holds checks that nothing else got into the log.
func (b *bench) holds(topic domain.Topic, want int) {
	b.t.Helper()
	if got := len(b.records(topic)); got != want {
		b.t.Errorf("topic %s has %d records, want %d", topic, got, want)
	}
}

const rain = `{"signal_type":"weather_forecast","content":"Heavy rain expected","activation_energy":0.4}`

// sealed is tool.Tokens for tests.
type sealed struct{}

func (sealed) Token(id domain.ID) string { return "apr_" + id.String() }
