package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
)

const (
	rightLogin = `{"username":"ada","password":"` + password + `"}`
	wrongLogin = `{"username":"ada","password":"wrong horse"}`
)

// heldUp is how long tries were held up, in the order in which they came.
type heldUp struct {
	mu  sync.Mutex
	all []time.Duration
}

func (h *heldUp) pause(_ context.Context, d time.Duration) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, d)
	return nil
}

// last is how long the last one was held up.
func (h *heldUp) last() time.Duration { return h.all[len(h.all)-1] }

// newGuarded is a bench that waits for nothing, and tells for how long it would have.
func newGuarded(t *testing.T, proxies ...string) (*bench, *heldUp) {
	h := &heldUp{}
	return newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Pause = h.pause
		for _, p := range proxies {
			cfg.Proxies = append(cfg.Proxies, netip.MustParsePrefix(p))
		}
	}}), h
}

// Who guesses is slowed down more and more, and turned away only when too many of its own
// wait before it. Nobody else waits for it.
func TestGuessingIsSlow(t *testing.T) {
	b, h := newGuarded(t)
	own := b.settled()
	stranger, another := peer("203.0.113.9:5000"), peer("203.0.113.10:5000")
	for range 10 {
		b.call("POST", "/auth/login", wrongLogin, stranger).wants(401)
		if h.last() != 0 {
			t.Fatalf("a try was held up by %v", h.last())
		}
	}
	for n := range 5 {
		b.call("POST", "/auth/login", wrongLogin, stranger).wants(401)
		if want := time.Duration(n+1) * 6 * time.Second; h.last() != want {
			t.Errorf("try %d was held up by %v, want %v", n+11, h.last(), want)
		}
	}
	// The right one isn't judged then: it would tell the stranger.
	for _, body := range []string{wrongLogin, rightLogin} {
		refused := b.call("POST", "/auth/login", body, stranger).wants(429, `"code":"rate_limited"`, "Nothing is locked", "chalie password")
		if after := refused.header.Get("Retry-After"); after != "30" {
			t.Errorf("it may come back after %q s", after)
		}
	}
	for name, way := range map[string][]with{"another address": {another}, "this machine": {fromHere}, "a tunnel here": {fromHere, header("X-Forwarded-For", "203.0.113.9")}} {
		b.call("POST", "/auth/login", rightLogin, way...).wants(200)
		if h.last() != 0 {
			t.Errorf("from %s it is held up by %v", name, h.last())
		}
	}
	b.socket("POST", "/auth/login", rightLogin).wants(200)
	// Who is logged in changes the password, whatever comes from the same address.
	b.call("PUT", "/api/account/password", `{"present":"`+password+`","password":"`+password+`"}`, cookie(own), stranger).wants(200)
	b.clock.Advance(time.Minute)
	b.call("POST", "/auth/login", rightLogin, stranger).wants(200)
	if h.last() != 0 {
		t.Errorf("after a minute it is held up by %v", h.last())
	}
	// All of an IPv6 network is one, and what isn't a guess counts for nothing.
	for n := range 15 {
		b.call("POST", "/auth/login", wrongLogin, peer(fmt.Sprintf("[2001:db8::%x]:1", n+1))).wants(401)
	}
	b.call("POST", "/auth/login", rightLogin, peer("[2001:db8::ffff]:1")).wants(429)
	b.call("POST", "/auth/login", rightLogin, peer("[2001:db8:0:1::1]:1")).wants(200)
	for range 20 {
		b.call("POST", "/auth/login", rightLogin, stranger).wants(200)
		b.call("POST", "/auth/login", `{"username":"ada"}`, stranger).wants(400)
	}
	// Wrong present passwords are guesses as well.
	for range 15 {
		b.call("PUT", "/api/account/password", `{"present":"wrong horse","password":"battery staple"}`, cookie(own), stranger).wants(403)
	}
	b.call("PUT", "/api/account/password", `{"present":"`+password+`","password":"battery staple"}`, cookie(own), stranger).wants(429)
	b.socket("PUT", "/api/account/password", `{"password":"battery staple"}`).wants(200)
}

// device is the cookie by which a browser is known that was logged in.
func (a told) device() string {
	a.t.Helper()
	for _, c := range (&http.Response{Header: a.header}).Cookies() {
		if c.Name == "chalie_device" && c.HttpOnly && c.SameSite == http.SameSiteLaxMode {
			return c.Value
		}
	}
	a.t.Fatalf("the answer sets no device: %v", a.header)
	return ""
}

func asDevice(text string) with { return header("Cookie", "chalie_device="+text) }

// A device that was logged in once isn't held up by what strangers try: neither from its
// own address, as behind a proxy that nobody named, nor from everywhere.
func TestStrangersHoldUpNoKnownDevice(t *testing.T) {
	b, h := newGuarded(t)
	b.settled()
	here := peer("127.0.0.1:1")
	device := b.call("POST", "/auth/login", rightLogin, here).wants(200).device()
	codes := map[int]int{}
	for n := range 300 {
		codes[b.call("POST", "/auth/login", wrongLogin, here, header("X-Forwarded-For", fmt.Sprint(n))).status]++
		codes[b.call("POST", "/auth/login", wrongLogin, here).status]++
		codes[b.call("POST", "/auth/login", wrongLogin, peer(fmt.Sprintf("10.%d.%d.1:1", n/100, n%100))).status]++
		codes[b.call("POST", "/auth/login", wrongLogin, here, asDevice("forged."+strings.Repeat("0", 64))).status]++
	}
	if codes[401] != 300+15 || codes[429] != 3*300-15 || len(codes) != 2 {
		t.Errorf("all together were answered %v", codes)
	}
	// Neither does it hold up a new device at a clean address by more than a second.
	b.call("POST", "/auth/login", rightLogin, peer("203.0.113.9:1")).wants(200)
	if h.last() > time.Second {
		t.Errorf("a clean address is held up by %v", h.last())
	}
	b.call("POST", "/auth/login", rightLogin, here).wants(429)
	b.call("POST", "/auth/login", rightLogin, here, asDevice(device)).wants(200)
	if h.last() != 0 {
		t.Errorf("the device is held up by %v", h.last())
	}
	// Whoever stole that cookie can guess beside the device, as slowly as anybody.
	for range 15 {
		b.call("POST", "/auth/login", wrongLogin, here, asDevice(device)).wants(401)
	}
	b.call("POST", "/auth/login", rightLogin, here, asDevice(device)).wants(429)
	b.clock.Advance(time.Minute)
	b.start(settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Pause = h.pause }})
	for range 15 {
		b.call("POST", "/auth/login", wrongLogin, here).wants(401)
	}
	b.call("POST", "/auth/login", rightLogin, here).wants(429)
	b.call("POST", "/auth/login", rightLogin, here, asDevice(device)).wants(200) // a restart forgets no device
	// Another password ends them.
	b.socket("PUT", "/api/account/password", `{"password":"battery staple"}`).wants(200)
	b.call("POST", "/auth/login", `{"username":"ada","password":"battery staple"}`, here, asDevice(device)).wants(429)
}

// Behind a proxy that the operator trusts each client counts for itself, by what that
// proxy says and by nothing that the client made up.
func TestTrustedProxy(t *testing.T) {
	b, h := newGuarded(t, "127.0.0.1/32", "10.9.0.0/16")
	b.settled()
	from := func(name, value string) []with { return []with{peer("127.0.0.1:1"), header(name, value)} }
	for n := range 15 {
		b.call("POST", "/auth/login", wrongLogin, from("X-Forwarded-For", fmt.Sprintf("198.51.100.%d, 203.0.113.9", n))...).wants(401)
	}
	b.call("POST", "/auth/login", rightLogin, from("X-Forwarded-For", "198.51.100.99, 203.0.113.9")...).wants(429)
	b.call("POST", "/auth/login", rightLogin, from("X-Forwarded-For", "203.0.113.9, 10.9.0.4")...).wants(429) // two proxies
	for name, way := range map[string][]with{
		"another client": from("X-Forwarded-For", "203.0.113.9, 203.0.113.10"), "with a port": from("X-Forwarded-For", "203.0.113.11:4711"),
		"the standard way":  from("Forwarded", `for=203.0.113.9, for="[2001:db8::1]:4711";proto=https`),
		"nobody in between": {peer("127.0.0.1:1")}, "what can't be read": from("X-Forwarded-For", "unknown"),
	} {
		b.call("POST", "/auth/login", rightLogin, way...).wants(200)
		if h.last() != 0 {
			t.Errorf("%s is held up by %v", name, h.last())
		}
	}
	// Who isn't the proxy is believed nothing, and the list shows the client.
	for range 15 {
		b.call("POST", "/auth/login", wrongLogin, peer("192.0.2.7:1"), header("X-Forwarded-For", "203.0.113.77")).wants(401)
	}
	b.clock.Advance(time.Minute)
	b.socket("DELETE", "/api/sessions", "").wants(200)
	b.call("POST", "/auth/login", rightLogin, from("X-Forwarded-For", "203.0.113.77")...).wants(200)
	b.socket("GET", "/api/sessions", "").wants(200, `"from":"203.0.113.77","relayed":false`)
}

// Many at once are no more than one after the other, and strangers are judged one by one.
func TestGuessesAtOnce(t *testing.T) {
	b, _ := newGuarded(t)
	b.settled()
	var judged, refused atomic.Int64
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			switch code := b.call("POST", "/auth/login", wrongLogin, peer("203.0.113.9:1")).status; code {
			case http.StatusUnauthorized:
				judged.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			default:
				t.Errorf("the answer is %d", code)
			}
		})
	}
	wg.Wait()
	if judged.Load() != 15 || refused.Load() != 35 {
		t.Errorf("%d were judged, %d refused", judged.Load(), refused.Load())
	}
}

// What a flood of guesses holds open is bounded, and a clean address comes before all of
// it: a right password is found to be right within seconds, and a wrong one as well.
func TestAFloodOnlySlows(t *testing.T) {
	for name, behind := range map[string]func(addr string) []with{
		"direct": func(addr string) []with { return []with{peer(addr + ":1")} },
		"behind a trusted proxy": func(addr string) []with {
			return []with{peer("10.9.0.1:1"), header("X-Forwarded-For", addr)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
					cfg.Proxies = append(cfg.Proxies, netip.MustParsePrefix("10.9.0.0/16"))
				}})
				b.settled()
				ctx, leave := context.WithCancel(t.Context())
				leaving := func(r *http.Request) { *r = *r.WithContext(ctx) }
				flood := func(addr string) int {
					return b.call("POST", "/auth/login", wrongLogin, append(behind(addr), leaving)...).status
				}
				// Nine addresses come first, and then so many that not all can wait.
				var refused atomic.Int64
				var wg sync.WaitGroup
				for n := range 40 {
					for range 15 {
						wg.Go(func() {
							if flood(fmt.Sprintf("198.51.100.%d", n)) == http.StatusTooManyRequests {
								refused.Add(1)
							}
						})
					}
					if n == 8 || n == 39 {
						synctest.Wait()
						for i, body := range []string{rightLogin, wrongLogin, rightLogin} {
							begun := time.Now()
							b.call("POST", "/auth/login", body, behind(fmt.Sprintf("203.0.113.%d", n))...).wants([]int{200, 401, 200}[i])
							if took := time.Since(begun); took > 4*time.Second {
								t.Errorf("beside %d addresses that guess, login %d from a clean one took %v", n+1, i, took)
							}
						}
					}
				}
				if refused.Load() == 0 {
					t.Error("all of the flood is held open")
				}
				leave()
				wg.Wait()
			})
		})
	}
}

// Whoever has more addresses than can be remembered makes nobody else one of them.
func TestMoreGuessersThanAreRemembered(t *testing.T) {
	b, _ := newGuarded(t)
	b.settled()
	for n := range 5000 {
		b.call("POST", "/auth/login", wrongLogin, peer(fmt.Sprintf("10.0.%d.%d:1", n/256, n%256))).wants(401)
	}
	for range 10 {
		b.call("POST", "/auth/login", wrongLogin, peer("203.0.113.9:1")).wants(401)
	}
	b.call("POST", "/auth/login", rightLogin, peer("203.0.113.10:1")).wants(200)
}

// A clock that was ahead has nobody wait for as long.
func TestGuessesAfterTheClockWasWrong(t *testing.T) {
	const year = 365 * 24 * time.Hour
	b, h := newGuarded(t)
	b.settled()
	b.clock.Advance(year)
	for range 12 {
		b.call("POST", "/auth/login", wrongLogin, peer("203.0.113.9:1")).wants(401)
	}
	b.clock.Advance(-year)
	for n := range 15 {
		b.call("POST", "/auth/login", wrongLogin, peer("203.0.113.9:1")).wants(401)
		if want := time.Duration(max(0, n-9)*6) * time.Second; h.last() != want {
			t.Errorf("try %d is held up by %v, want %v", n+1, h.last(), want)
		}
	}
}

// It is the time that holds up, and who goes away waits for nothing.
func TestGuessesWait(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	for range 10 {
		b.call("POST", "/auth/login", wrongLogin, peer("203.0.113.9:1")).wants(401)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithTimeout(t.Context(), 5*time.Second)
		defer leave()
		begun := time.Now()
		gone := b.call("POST", "/auth/login", wrongLogin, peer("203.0.113.9:1"), func(r *http.Request) { *r = *r.WithContext(ctx) })
		if took := time.Since(begun); took != 5*time.Second || gone.status != http.StatusServiceUnavailable {
			t.Errorf("who goes away is answered %d after %v", gone.status, took)
		}
	})
}

// What is remembered of guessers has a bound, and none of it is a known device's.
func TestGuessersAreBounded(t *testing.T) {
	b, h := newGuarded(t)
	b.settled()
	device := b.call("POST", "/auth/login", rightLogin).wants(200).device()
	for n := range 5000 {
		if n%50 == 0 {
			b.clock.Advance(time.Minute)
		}
		b.call("POST", "/auth/login", wrongLogin, peer(fmt.Sprintf("10.0.%d.%d:1", n/256, n%256))).wants(401)
	}
	b.call("POST", "/auth/login", rightLogin, peer("10.0.0.1:1"), asDevice(device)).wants(200)
	if h.last() != 0 {
		t.Errorf("the device is held up by %v", h.last())
	}
}
