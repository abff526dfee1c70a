package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
)

// longAgo is a data directory that was never folded, with more records than a command folds
// without keeping what comes of it.
func longAgo(t testing.TB) string {
	t.Helper()
	data, clock := t.TempDir(), domaintest.NewClock()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	fillAsOf(t, log, clock, longRecords)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

const longRecords = 30_000

// look is what a command does that asks for a path, and how many records it folds.
func look(t testing.TB, data string, need needs, path string) (answer string, folded domain.Position) {
	t.Helper()
	off, err := openOffline(t.Context(), data, need, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer off.close()
	folded = off.folded
	var mu sync.Mutex
	ctx := projections.Telling(t.Context(), func(done, total domain.Position) {
		mu.Lock()
		defer mu.Unlock()
		if done == total || total > muchToFold {
			folded = max(folded, total)
		}
	})
	w := httptest.NewRecorder()
	off.core.api.TrustedHandler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", path, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s is answered %d %s", path, w.Code, w.Body)
	}
	return w.Body.String(), folded
}

var looksThen = map[string]needs{
	"/api/world?at=pos:20000":         pastToo,
	"/api/world?at=pos:29990":         pastToo,
	"/conversation/recent?at=pos:900": pastToo,
	"/api/plans?at=pos:29000":         pastToo,
	"/api/approvals?at=pos:18000":     pastToo | foldsToo,
	"/api/traces?limit=3":             foldsToo,
}

// The second look folds next to nothing, at the end of the log and in the middle, and says what
// the first said; so does one after what was kept was deleted, in part or all of it.
func TestALookKeepsWhatItFolds(t *testing.T) {
	t.Parallel()
	data := longAgo(t)
	first := map[string]string{}
	for path, need := range looksThen {
		first[path], _ = look(t, data, need, path)
	}
	again := func(when string, quick bool) {
		t.Helper()
		for path, need := range looksThen {
			answer, folded := look(t, data, need, path)
			if answer != first[path] {
				t.Errorf("%s %s is answered\n%s\nand was\n%s", when, path, answer, first[path])
			}
			if quick && folded > muchToFold {
				t.Errorf("%s %s folds %d records", when, path, folded)
			}
		}
	}
	again("again", true)
	if err := os.RemoveAll(filepath.Join(foldedFolder(data), "traces-3")); err != nil {
		t.Fatal(err)
	}
	again("without one", false)
	if err := os.RemoveAll(foldedFolder(data)); err != nil {
		t.Fatal(err)
	}
	again("without any", false)
	again("in the end", true)
}

// What was kept of another log is not used, and doesn't stay.
func TestALookAtAnotherLog(t *testing.T) {
	t.Parallel()
	one, other := longAgo(t), longAgo(t)
	truth := map[string]string{}
	for path, need := range looksThen {
		truth[path], _ = look(t, other, need, path)
		look(t, one, need, path)
	}
	if err := errors.Join(os.RemoveAll(foldedFolder(other)), os.CopyFS(foldedFolder(other), os.DirFS(foldedFolder(one)))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for path, need := range looksThen {
			if answer, _ := look(t, other, need, path); answer != truth[path] {
				t.Errorf("by the folds of another log %s is answered\n%s\ninstead of\n%s", path, answer, truth[path])
			}
		}
	}
	for path, need := range looksThen {
		if _, folded := look(t, other, need, path); folded > muchToFold {
			t.Errorf("%s folds %d records for ever", path, folded)
		}
	}
}

// Where nothing can be kept the answer is the same, nothing is changed, and why is told.
func TestALookThatCanKeepNothing(t *testing.T) {
	t.Parallel()
	data := longAgo(t)
	if err := os.WriteFile(foldedFolder(data), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := "/api/world?at=pos:20000"
	refused := map[needs]string{}
	for range 2 {
		for _, need := range []needs{pastToo, pastToo | foldsToo} {
			m := &foldMeter{}
			off, err := openOffline(t.Context(), data, need, m)
			if err != nil {
				t.Fatal(err)
			}
			off.close()
			if m.lost == nil || !strings.Contains(m.lost.Error(), foldedFolder(data)) {
				t.Errorf("why nothing is kept is told as %v", m.lost)
			}
			answer, folded := look(t, data, need, path)
			if folded < 20_000 {
				t.Errorf("it folds %d records", folded)
			}
			refused[need] = answer
		}
	}
	if err := os.Remove(foldedFolder(data)); err != nil {
		t.Fatal(err)
	}
	kept, _ := look(t, data, pastToo, path)
	for need, answer := range refused {
		if answer != kept {
			t.Errorf("with %d, where nothing is kept, it is answered\n%s\nelse\n%s", need, answer, kept)
		}
	}
}

// A look that is broken off leaves nothing wrong.
func TestALookThatIsBrokenOff(t *testing.T) {
	t.Parallel()
	data := longAgo(t)
	ctx, stop := context.WithCancel(t.Context())
	off, err := openOffline(ctx, data, pastToo, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := projections.Telling(ctx, func(done, _ domain.Position) {
		if done > 12_000 {
			stop()
		}
	})
	w := httptest.NewRecorder()
	off.core.api.TrustedHandler().ServeHTTP(w, httptest.NewRequestWithContext(asked, "GET", "/api/world?at=pos:29990", nil))
	if w.Code == http.StatusOK {
		t.Error("it was answered all the same")
	}
	off.close()
	stop()
	if off, err := openOffline(ctx, data, foldsToo, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("folding that is given up gives %v", err)
		off.close()
	}
	const path = "/api/world?at=pos:29990"
	answer, folded := look(t, data, pastToo, path)
	if folded > 22_500 {
		t.Errorf("it folds %d records: what was kept is gone", folded)
	}
	list, _ := look(t, data, foldsToo, "/api/traces")
	if err := os.RemoveAll(foldedFolder(data)); err != nil {
		t.Fatal(err)
	}
	if afresh, _ := look(t, data, pastToo, path); afresh != answer {
		t.Errorf("it is answered\n%s\nand afresh\n%s", answer, afresh)
	}
	if afresh, _ := look(t, data, foldsToo, "/api/traces"); afresh != list {
		t.Errorf("the list is\n%s\nand afresh\n%s", list, afresh)
	}
}

// An answer about the past rests on nothing later, so it is the same without the projections of
// the present.
func TestThePastNeedsNoPresent(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	imports(t, unpacked(t, witnessFolder, wholeFile), data)
	off, err := openOffline(t.Context(), data, recordsOnly, nil)
	if err != nil {
		t.Fatal(err)
	}
	tail := off.log.Tail()
	off.close()
	for _, of := range []string{"/api/world", "/api/plans", "/api/interfaces", "/conversation/recent", "/api/conversations", "/api/policy", "/api/settings"} {
		for at := tail / 3; at <= tail; at += tail / 3 {
			path := fmt.Sprintf("%s?at=pos:%d", of, at)
			with, _ := look(t, data, foldsToo|pastToo, path)
			if without, _ := look(t, data, pastToo, path); with != without {
				t.Errorf("%s is\n%s\nand without projections\n%s", path, with, without)
			}
		}
	}
}

// What takes a moment isn't told; what takes long is, once, and then how far it is.
func TestFoldMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		m := &foldMeter{say: func(text string) { told = append(told, text) }}
		work := func(seconds, total domain.Position) []string {
			told = nil
			for s := range seconds {
				m.draw(s*total/seconds, total)
				domaintest.Pass(time.Second)
			}
			m.draw(total, total)
			return told
		}
		for name, quiet := range map[string][]string{"few records": work(40, muchToFold), "a moment": work(1, 1_000_000)} {
			if len(quiet) > 0 {
				t.Errorf("of %s it tells %q", name, quiet)
			}
		}
		want := []string{
			"Chalie doesn't run here, so this command folds 2,000,000 positions of its log, and keeps what comes of it for the next one",
			"1,000,000 of 2,000,000 positions, about 10 s left",
		}
		if got := work(20, 2_000_000); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("it tells %q, want %q", got, want)
		}
		if got := work(5, 50_000); len(got) > 0 {
			t.Errorf("what comes after that it tells as %q", got)
		}
		m = &foldMeter{say: m.say}
		m.notKept(errors.New("the log is damaged"))
		if got := work(5, 50_000); len(got) != 1 || !strings.HasSuffix(got[0], "; that can't be kept for the next one: the log is damaged") {
			t.Errorf("it tells %q", got)
		}
	})
}

// What may be shown without the projections of the present is told by the flag alone.
func TestMomentIsPast(t *testing.T) {
	for asked, want := range map[string]bool{
		"": false, "pos:12": true, "-2h": true, "+6h": false, "2h": false, "1700000000000": false,
		"2020-01-02T03:04:05Z": true, "2999-01-02T03:04:05Z": false,
	} {
		if got := (moment{asked, asked}).isPast(); got != want {
			t.Errorf("%q is past: %t", asked, got)
		}
	}
}
