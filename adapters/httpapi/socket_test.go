package httpapi_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// plug stands for the sockets. It upgrades what can be, says hello later, and
// keeps what it was told.
type plug struct {
	mu    sync.Mutex
	who   []commands.Caller
	alive []func() bool
	later time.Duration
	again int // calls of Recheck
}

var _ httpapi.Sockets = (*plug)(nil)

func (p *plug) Upgrade(w http.ResponseWriter, r *http.Request, who commands.Caller, alive func() bool) error {
	p.mu.Lock()
	p.who, p.alive = append(p.who, who), append(p.alive, alive)
	p.mu.Unlock()
	if r.Header.Get("Upgrade") != "websocket" {
		return &domain.Error{Op: "upgrade", Category: domain.Validation, Code: httpapi.CodeUpgradeRequired,
			Message: "this is for WebSockets: ask for an upgrade"}
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	go func() {
		defer conn.Close()
		domaintest.Pass(p.later)
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n\r\nhello")
	}()
	return nil
}

func (p *plug) Recheck() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.again++
}

// asked is how often Upgrade was called.
func (p *plug) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.who)
}

func TestSocketIsHandedOver(t *testing.T) {
	b := newBench(t, settings{})
	session, token := b.settled(), b.token("station", "[]")
	for name, c := range map[string]struct {
		opts   []with
		status int
	}{
		"nobody":                        {nil, 401},
		"a forged session":              {[]with{cookie("forged")}, 401},
		"a forged token":                {[]with{bearer("forged")}, 401},
		"a token":                       {[]with{bearer(token)}, 403},
		"a token beside a good session": {[]with{bearer(token), cookie(session)}, 403},
	} {
		answer := b.call("GET", "/ws", "", append(c.opts, header("Upgrade", "websocket"))...)
		if answer.wants(c.status); b.plug.asked() != 0 {
			t.Errorf("%s got as far as the upgrade", name)
		}
	}
	for _, method := range []string{"HEAD", "POST", "PUT"} {
		if a := b.call(method, "/ws", "", cookie(session)); a.status != 405 {
			t.Errorf("%s /ws answers %d", method, a.status)
		}
	}
	if b.plug.asked() != 0 {
		t.Fatal("another method got as far as the upgrade")
	}
	answer := b.call("GET", "/ws", "", cookie(session)).wants(426, `"code":"upgrade_required"`)
	if answer.header.Get("Upgrade") != "websocket" || answer.header.Get("Connection") != "Upgrade" {
		t.Errorf("the headers are %v", answer.header)
	}
	if who := b.plug.who[0]; !who.Operator || who.Principal != domain.PrincipalOperator || who.Source != "api" {
		t.Errorf("the socket is %+v's", who)
	}
}

func TestSocketWithoutSession(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	b.call("GET", "/ws", "", cookie(session)).wants(426)
	b.socket("GET", "/ws", "").wants(426)
	person, process := b.plug.alive[0], b.plug.alive[1]
	tail := b.log.Tail()
	b.clock.Advance(29 * 24 * time.Hour)
	if !person() || !process() {
		t.Error("a session in its time isn't alive")
	}
	if b.log.Tail() != tail {
		t.Error("asking was recorded")
	}
	b.call("POST", "/auth/logout", "", cookie(session)).wants(200)
	if person() || !process() {
		t.Errorf("after logging out: the person %v, the process %v", person(), process())
	}

	again := b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`).wants(200).session()
	b.call("GET", "/ws", "", cookie(again)).wants(426)
	b.clock.Advance(30 * 24 * time.Hour)
	if b.plug.alive[2]() || person() || !process() {
		t.Error("an expired session is alive")
	}
}

func TestNoSockets(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Sockets = nil }})
	b.socket("GET", "/ws", "", header("Upgrade", "websocket")).wants(503, "chalie serve")
	b.call("GET", "/ws", "", header("Upgrade", "websocket")).wants(401)
}

// TestSocketOutlivesTheServersDeadlines keeps one open for longer than any
// request may take.
func TestSocketOutlivesTheServersDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, settings{})
		b.plug.later = time.Hour
		conn := served(t, b)()
		_, err := io.WriteString(conn, "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		b.must(err)
		answer, err := io.ReadAll(bufio.NewReader(conn))
		if err != nil || !strings.HasSuffix(string(answer), "hello") || !strings.HasPrefix(string(answer), "HTTP/1.1 101") {
			t.Errorf("the answer is %q, %v", answer, err)
		}
	})
}
