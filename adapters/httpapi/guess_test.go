package httpapi_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Who guesses passwords has to wait, and nobody else has to.
func TestGuessingIsSlow(t *testing.T) {
	const right = `{"username":"ada","password":"` + password + `"}`
	const wrong = `{"username":"ada","password":"wrong horse"}`
	b := newBench(t, settings{})
	own := b.settled()
	stranger, another := peer("203.0.113.9:5000"), peer("203.0.113.10:5000")
	for range 10 {
		b.call("POST", "/auth/login", wrong, stranger).wants(401)
	}
	// Not even the right one is judged then: it would tell the stranger.
	for _, body := range []string{wrong, right} {
		refused := b.call("POST", "/auth/login", body, stranger).wants(429, `"code":"rate_limited"`, "try again in 60 s", "chalie password")
		if after := refused.header.Get("Retry-After"); after != "60" {
			t.Errorf("it may come back after %q s", after)
		}
	}
	b.call("PUT", "/api/account/password", `{"present":"wrong horse","password":"battery staple"}`, cookie(own), stranger).wants(429)
	for name, way := range map[string][]with{"another address": {another}, "this machine": {fromHere}, "a tunnel here": {fromHere, header("X-Forwarded-For", "203.0.113.9")}} {
		if code := b.call("POST", "/auth/login", right, way...).status; code != 200 {
			t.Errorf("from %s the answer is %d", name, code)
		}
	}
	b.socket("POST", "/auth/login", right).wants(200)
	b.clock.Advance(59 * time.Second)
	b.call("POST", "/auth/login", right, stranger).wants(429, "try again in 1 s")
	b.clock.Advance(time.Second)
	b.call("POST", "/auth/login", right, stranger).wants(200)

	// Strangers who come through a tunnel don't shut out who sits at the machine, and
	// all of an IPv6 network is one.
	for n := range 10 {
		b.call("POST", "/auth/login", wrong, fromHere, header("X-Forwarded-For", fmt.Sprint(n))).wants(401)
		b.call("POST", "/auth/login", wrong, peer(fmt.Sprintf("[2001:db8::%x]:1", n+1))).wants(401)
	}
	b.call("POST", "/auth/login", right, fromHere, header("X-Forwarded-For", "11")).wants(429)
	b.call("POST", "/auth/login", right, peer("[2001:db8::ffff]:1")).wants(429)
	b.call("POST", "/auth/login", right, peer("[2001:db8:0:1::1]:1")).wants(200)
	b.call("POST", "/auth/login", right, fromHere).wants(200)

	// A guess at the present password counts like one at the door, and what isn't a guess
	// counts for nothing.
	b.clock.Advance(time.Minute)
	for range 20 {
		b.call("POST", "/auth/login", right, stranger).wants(200)
		b.call("POST", "/auth/login", `{"username":"ada"}`, stranger).wants(400)
		b.call("PUT", "/api/account/password", `{"present":"x","password":"short"}`, cookie(own), stranger).wants(400)
	}
	for range 10 {
		b.call("PUT", "/api/account/password", `{"present":"wrong horse","password":"battery staple"}`, cookie(own), stranger).wants(403)
	}
	b.call("PUT", "/api/account/password", `{"present":"`+password+`","password":"battery staple"}`, cookie(own), stranger).wants(429)
	b.socket("PUT", "/api/account/password", `{"password":"battery staple"}`).wants(200)
}

// Many at once are no more than one after the other.
func TestGuessesAtOnce(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	var judged, refused atomic.Int64
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			switch code := b.call("POST", "/auth/login", `{"username":"ada","password":"wrong horse"}`, peer("203.0.113.9:1")).status; code {
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
	if judged.Load() != 10 || refused.Load() != 40 {
		t.Errorf("%d were judged, %d refused", judged.Load(), refused.Load())
	}
}

// A crowd of guessers is remembered as one once it is large: what is remembered has a bound.
func TestGuessersAreBounded(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	const wrong = `{"username":"ada","password":"wrong horse"}`
	codes := map[int]int{}
	for n := range 4096 + 30 {
		codes[b.call("POST", "/auth/login", wrong, peer(fmt.Sprintf("10.0.%d.%d:1", n/256, n%256))).status]++
	}
	if codes[401] != 4096+10 || codes[429] != 20 {
		t.Errorf("the answers are %v", codes)
	}
	b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, peer("10.0.0.1:1")).wants(200)
	b.clock.Advance(time.Minute)
	b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, peer("10.1.0.1:1")).wants(200)
}
