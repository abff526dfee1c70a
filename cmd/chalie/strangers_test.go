package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// What a small machine has for Chalie, and what its log holds.
const (
	smallMachine = 256 << 20
	greatSignals = 2000
)

// A great signal is about the largest that may be sent: 310 KB.

func greatContent(n int) string {
	return fmt.Sprintf("Number %d. %s", n, strings.Repeat("word ", 60<<10/5))
}

var greatMetadata = `{"x":"` + strings.Repeat("m", 250<<10) + `"}`

// TestStrangers has one stranger after the other try to take all memory and all room
// on the disk of a small machine, on a log of large signals, while its person talks to
// Chalie. CHALIE_ATTACK_ROUNDS is how often; with 1 there is less of each.
func TestStrangers(t *testing.T) {
	rounds := domaintest.Rounds(t, domaintest.AttackRounds, 0)
	if rounds == 0 {
		t.Skipf("it keeps a processor busy for a minute and a half: run it with %s=1, as CI does", domaintest.AttackRounds)
	}
	box := confine(t, smallMachine)
	data := filepath.Join(t.TempDir(), "data")
	fill(t, data, greatSignals)
	v := box.serve(data)
	v.ready()
	box.holds(v, "a start")
	s := &strangers{t: t, v: v, many: map[bool]int{false: 4, true: 1}[rounds > 1], operator: registerKeyed(t, v.setup), token: v.issueToken()}
	pages := s.pages()
	for round := range rounds {
		for _, attack := range []struct {
			name string
			run  func()
		}{
			{"pages of the log", s.readLog}, {"what is in mind", s.readWorld}, {"logins", s.guess}, {"bodies without an end", s.endlessBodies},
			{"pages that nobody let in", pages},
			{"large registrations", s.largeRegistrations}, {"renames", s.renames}, {"small registrations", s.smallRegistrations},
			{"large signals", s.largeSignals},
		} {
			before := sizeOf(t, data)
			said := s.whileTalking(attack.run)
			box.holds(v, fmt.Sprintf("%s (round %d, %d answers meanwhile)", attack.name, round, said))
			if grown := sizeOf(t, data) - before; grown > 64<<20 {
				t.Errorf("%s left %d MiB on the disk", attack.name, grown>>20)
			}
		}
	}
	v.stop()
	v = box.serve(data)
	v.ready()
	box.holds(v, "a start after all of it")
	s.v = v
	s.talk()
	v.stop()
}

// fill writes large signals into the log of a data directory, as an earlier version
// may have taken them in within some minutes.
func fill(t *testing.T, data string, signals int) {
	t.Helper()
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	clock := sysclock.Clock{}
	ids := ulids.New(clock)
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	numbers := make(chan int)
	var writing sync.WaitGroup
	for range 8 { // who wait for the disk together
		writing.Go(func() {
			for n := range numbers {
				signal := domain.SignalReceived{SignalType: "news", Source: "station", ActivationEnergy: 0.4,
					Content: greatContent(n), Metadata: []byte(greatMetadata)}
				id := ids.NewID()
				entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, domain.MillisOf(clock.Now()), "station", signal)
				if err == nil {
					_, err = log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range signals {
		numbers <- n
	}
	close(numbers)
	writing.Wait()
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// sizeOf is what a data directory takes on the disk.
func sizeOf(t *testing.T, data string) (bytes int64) {
	t.Helper()
	// Files come and go below a running program.
	_ = filepath.Walk(data, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// strangers attack a program. Each of their attacks ends by itself.
type strangers struct {
	t        *testing.T
	v        *victim
	many     int      // each does this part of what it could
	operator []string // the headers of a request from Chalie's pages
	token    string
}

// whileTalking runs an attack while the person talks, and tells how often they were
// answered: once at least when it is over.
func (s *strangers) whileTalking(attack func()) (answers int) {
	s.t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		attack()
	}()
	for over := false; !over; answers++ {
		select {
		case <-done:
			over = true
		default:
		}
		s.talk()
	}
	return answers
}

// talk says something and waits for the answer.
func (s *strangers) talk() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	id, err := s.v.api.Say(ctx, "What can you do?", "")
	if err == nil {
		err = follow(ctx, s.v.api, id, func(object apiclient.Object[domain.Record]) (end bool, err error) {
			rec, err := object.Value()
			return rec.Envelope.Type == "reasoning.concluded", err
		}, nil)
	}
	if err != nil {
		s.t.Fatalf("the person isn't answered: %v\n%s", err, lastOf(s.v.said.String()))
	}
}

func lastOf(text string) string { return text[max(0, len(text)-4000):] }

// crowd does something many times, so many at once. What is answered is counted.
func (s *strangers) crowd(times, atOnce int, do func(n int) (status int, err error)) {
	var mu sync.Mutex
	answers := map[string]int{}
	var wg sync.WaitGroup
	work := make(chan int)
	for range atOnce {
		wg.Go(func() {
			for n := range work {
				status, err := do(n)
				said := strconv.Itoa(status)
				if err != nil {
					said = "no answer"
				}
				mu.Lock()
				answers[said]++
				mu.Unlock()
			}
		})
	}
	for n := range max(1, times/s.many) {
		work <- n
	}
	close(work)
	wg.Wait()
	s.t.Logf("answered: %v", answers)
}

// drained asks and reads the answer without keeping it.
func (s *strangers) drained(path string) (status int, err error) {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.v.address+path, http.NoBody)
	if err != nil {
		return 0, err
	}
	for _, line := range s.operator {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if n > 16<<20 {
		s.t.Errorf("%s answers %d MiB", path, n>>20)
	}
	return resp.StatusCode, err
}

func (s *strangers) readLog() {
	s.crowd(16, 2, func(n int) (int, error) {
		return s.drained([]string{"/api/log?limit=1000", "/api/log?limit=1000&order=newest", "/api/log?limit=1000&topic=signals&gist=true", "/api/traces?words=sparrow&texts=true"}[n%4])
	})
}

func (s *strangers) readWorld() {
	s.crowd(16, 4, func(n int) (int, error) { return s.drained([]string{"/api/world", "/now"}[n%2]) })
}

// guess is ten wrong logins at once, again and again, from as many addresses as this
// machine has for itself.
func (s *strangers) guess() {
	s.crowd(80, 10, func(n int) (int, error) {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, 0, byte(n+1))}}
		client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}, Timeout: patience}
		resp, err := client.Post(s.v.address+"/auth/login", "application/json", strings.NewReader(`{"username":"ada","password":"a wrong sentence"}`))
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
	})
}

// pages shows the page of an interface that waits for the person, to many at once: one
// that is as large as any, and one of as many blocks as are read of it. It registers
// before the others do, who leave no room for it.
func (s *strangers) pages() func() {
	block := `{"type":"text"},`
	pages := []string{strings.Repeat(block, (4<<20-100)/len(block)), strings.Repeat(block, 1300)}
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"blocks":[`+pages[asked.Add(1)%2]+`{}]}`)
	}))
	s.t.Cleanup(server.Close)
	var made struct {
		ID string `json:"interface_id"`
	}
	status, answer, err := s.v.ask(http.MethodPost, "/register", fmt.Sprintf(`{"name":"Pages","version":"1","description":"d","author":"","port":%d,"scopes":{}}`, server.Listener.Addr().(*net.TCPAddr).Port))
	if err != nil || status != http.StatusCreated || json.Unmarshal([]byte(answer), &made) != nil {
		s.t.Fatalf("registered with %d %s, %v", status, answer, err)
	}
	return func() {
		s.crowd(240, 30, func(int) (int, error) {
			status, _, err := s.v.ask(http.MethodGet, "/gw/"+made.ID+"/render", "")
			return status, err
		})
	}
}

// endlessBodies are many requests whose bodies come but for their last bytes: of a
// mebibyte, which no stranger may send, and as large as they may be.
func (s *strangers) endlessBodies() {
	s.crowd(1500, 1500, func(n int) (int, error) {
		each := []int{1 << 20, 16 << 10}[n%2]
		conn, err := net.DialTimeout("tcp", strings.TrimPrefix(s.v.address, "http://"), patience)
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(4 * time.Second))
		if _, err := fmt.Fprintf(conn, "POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{\"username\":\"", each); err != nil {
			return 0, err
		}
		piece := []byte(strings.Repeat("a", 15<<10))
		for range each / len(piece) {
			if _, err := conn.Write(piece); err != nil {
				break
			}
		}
		answer, err := io.ReadAll(io.LimitReader(conn, 12))
		if len(answer) < 12 {
			return 0, err
		}
		return strconv.Atoi(string(answer[9:12]))
	})
}

func (s *strangers) registers(name string, port int, scopes string) (int, error) {
	status, _, err := s.v.ask(http.MethodPost, "/register", fmt.Sprintf(`{"name":%q,"version":"1.0.0","description":"d","author":"","port":%d,"scopes":%s}`, name, port, scopes))
	return status, err
}

// largeRegistrations bring 480 scopes of 800 bytes each.
func (s *strangers) largeRegistrations() {
	var scopes strings.Builder
	for _, kind := range []string{"signals", "messages"} {
		fmt.Fprintf(&scopes, `%q:{`, kind)
		for n := range 240 {
			fmt.Fprintf(&scopes, `"%s-%d":%q,`, kind, n, strings.Repeat("w", 800))
		}
		scopes.WriteString(`"last":"w"},`)
	}
	all := "{" + strings.TrimSuffix(scopes.String(), ",") + "}"
	s.crowd(400, 4, func(n int) (int, error) { return s.registers(fmt.Sprintf("Large %d", n), 20000+n, all) })
}

// renames make one place a new one, again and again.
func (s *strangers) renames() {
	scopes := fmt.Sprintf(`{"signals":{"news":%q}}`, strings.Repeat("w", 500))
	s.crowd(1000, 4, func(n int) (int, error) { return s.registers(fmt.Sprintf("Renamed %d", n), 30000, scopes) })
}

func (s *strangers) smallRegistrations() {
	s.crowd(2000, 4, func(n int) (int, error) { return s.registers(fmt.Sprintf("Small %d", n), 40000+n, `{}`) })
}

// largeSignals are what one program with a token may send.
func (s *strangers) largeSignals() {
	s.crowd(400, 4, func(n int) (int, error) {
		status, _, err := s.v.ask(http.MethodPost, "/api/signals", fmt.Sprintf(`{"signal_type":"news","content":%q,"metadata":%s}`, greatContent(n), greatMetadata), "Authorization: Bearer "+s.token)
		return status, err
	})
}
