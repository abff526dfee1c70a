package interfaces

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"unicode/utf8"

	"chalie/commands"
	"chalie/domain"
)

// TestPostIsNotReplayed takes away the first of the two things that keep a call
// from being made twice, the connection of its own: the second must do.
func TestPostIsNotReplayed(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := map[string]int{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					mu.Lock()
					asked[req.Method]++
					mu.Unlock()
					if req.Method == http.MethodPost {
						return
					}
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"status\":\"ok\"}")
				}
			})
		}
	})
	c, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	c.posts = c.reads
	tcp, _ := listener.Addr().(*net.TCPAddr)
	at := commands.Endpoint{Host: "127.0.0.1", Port: tcp.Port}
	for n := 1; n <= 10; n++ {
		if _, err := c.Health(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Execute(t.Context(), at, commands.Call{Capability: "c", Key: "k"}); domain.CodeOf(err) != commands.CodePeerUnknown {
			t.Errorf("the error is %v", err)
		}
		mu.Lock()
		if asked[http.MethodPost] != n {
			t.Errorf("%d calls were made as %d", n, asked[http.MethodPost])
		}
		mu.Unlock()
	}
	c.Close()
	listener.Close()
	wg.Wait()
}

func TestAuthority(t *testing.T) {
	for host, want := range map[string]string{
		"127.0.0.1": "127.0.0.1:80", "::1": "[::1]:80", "[::1]": "[::1]:80", "fd12::7": "[fd12::7]:80", "luigi.example": "luigi.example:80", "my_box": "my_box:80",
	} {
		if got := authority(commands.Endpoint{Host: host, Port: 80}); got != want {
			t.Errorf("%s is %q", host, got)
		}
	}
}

func TestPlaceRules(t *testing.T) {
	r := placeRules{
		allow: []netip.Prefix{netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("fe80::/10")},
		deny:  []netip.Prefix{netip.MustParsePrefix("169.254.169.254/32"), netip.MustParsePrefix("10.0.0.0/8")},
	}
	for addr, allowed := range map[string]bool{
		"169.254.7.7": true, "::ffff:169.254.7.7": true, "169.254.169.254": false, "::ffff:169.254.169.254": false, "10.1.2.3": false,
		"fe80::1%eth0": true, "fd00:ec2::254": false, "192.168.1.1": true, "fd12::1": true, "127.0.0.1": true, "::1": true, "203.0.113.9": true,
	} {
		if err := r.check(netip.MustParseAddr(addr)); (err == nil) != allowed {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if err := r.control(t.Context(), "tcp", "nonsense", nil); err == nil {
		t.Error("an address that can't be read passed")
	}
}

func TestTransports(t *testing.T) {
	c, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for name, tr := range map[string]*http.Transport{"reads": c.reads, "posts": c.posts} {
		if tr.Proxy != nil {
			t.Errorf("%s go through a proxy of the environment", name)
		}
		if tr.MaxConnsPerHost == 0 || tr.MaxIdleConns == 0 || tr.IdleConnTimeout == 0 || tr.MaxResponseHeaderBytes == 0 {
			t.Errorf("%s are not bounded", name)
		}
	}
}

// FuzzAnswers holds whatever an interface says to: understood, or an error that
// says what is wrong.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		`{"status":"ok"}`, `[{"name":"a","parameters":[{"name":"p","type":"string","required":true}]}]`, `{"scopes":{"signals":{"a":"b"}}}`,
		`{"text":"a","data":{},"error":null,"blocks":[{"type":"x"}],"openUrl":"/a"}`, `[`, `nul`, "\xff", `{"blocks":[[]]}`, `{"data":{"a":1}}`, ``,
	} {
		f.Add("application/json", []byte(seed))
	}
	f.Add("text/html", []byte("<p>"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		q := question{op: "fuzz", path: "/", at: commands.Endpoint{Host: "h", Port: 1}}
		text, err := q.json(answer{status: http.StatusOK, media: mediaType(contentType), body: body})
		if err != nil {
			if e := domain.CodeOf(err); e != commands.CodePeerBadJSON || !utf8.ValidString(err.Error()) {
				t.Fatalf("the error is %v", err)
			}
			return
		}
		for _, read := range []func([]byte) error{
			func(b []byte) error { _, _, err := readHealth(b); return err },
			func(b []byte) error { _, err := readTools(b); return err },
			func(b []byte) error { _, err := readMeta(b); return err },
			func(b []byte) error {
				r, err := readResult(b)
				if err == nil && r.OpenURL != nil && !canOpen(*r.OpenURL) {
					t.Fatalf("%q would be opened", *r.OpenURL)
				}
				return err
			},
		} {
			if err := read(text); err != nil && domain.CodeOf(q.badShape(err)) != commands.CodePeerBadShape {
				t.Fatalf("the error is %v", err)
			}
		}
	})
}
