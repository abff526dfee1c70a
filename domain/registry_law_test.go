package domain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
)

// anything makes some next thing happen, as the decisions allow it.
func (k *known) anything(t *rapid.T) {
	k.now = k.now.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "minutes")) * time.Minute)
	port := rapid.IntRange(1, 3).Draw(t, "port")
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"wind", "rain", "snow"}), 0, 3).Draw(t, "types")
	key := domain.HashSecret(fmt.Sprint("key", rapid.IntRange(1, 5).Draw(t, "key")))
	at, ok := k.fold.At("127.0.0.1", port)
	id := k.ids.NewID()
	if ok {
		id = at.ID
	}
	switch rapid.IntRange(0, 8).Draw(t, "what") {
	case 0:
		// A key is random: none is issued twice.
		if _, known := k.issued[key]; !known {
			k.issued[key] = true
			tellOf(k, k.fold.IssuePairingKey(key, k.now))
		}
	case 1:
		if used, _, err := k.fold.UsePairingKey(key, "a", "127.0.0.1", port, k.now); err == nil {
			tellOf(k, used)
		}
	case 2:
		tellOf(k, pairing("paired", port, fmt.Sprint("token", len(k.records))))
	case 3:
		name := rapid.SampledFrom([]string{"one", "other"}).Draw(t, "name")
		if e, _, changed, err := k.fold.Register(coming(domain.ID{}, name, port, names...), id); changed && err == nil {
			tellOf(k, e)
		}
	case 4:
		if e, changed, err := k.fold.Approve(id, domain.NewApproval(nil, names, nil)); changed && err == nil {
			tellOf(k, e)
		}
	case 5:
		tools := []domain.Tool{{Name: rapid.SampledFrom([]string{"book", "cancel"}).Draw(t, "tool")}}
		if e, changed, err := k.fold.Refresh(id, "2", tools, nil); changed && err == nil {
			tellOf(k, e)
		}
	case 6:
		if e, ok := k.fold.GoOffline(id, 3, "silence"); ok {
			tellOf(k, e)
		}
	case 7:
		if e, ok := k.fold.ComeOnline(id); ok {
			tellOf(k, e)
		}
	case 8:
		if e, err := k.fold.Remove(id); err == nil {
			tellOf(k, e)
		}
	}
}

func lived(t *rapid.T) *known {
	k := newKnown(t)
	for range rapid.IntRange(1, 40).Draw(t, "n") {
		k.anything(t)
	}
	return k
}

// TestRegistryIsSound holds what every history keeps.
func TestRegistryIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := lived(t).fold
		places, tokens := map[int]bool{}, 0
		for id, i := range r.Interfaces {
			if i.ID != id || places[i.Port] {
				t.Fatalf("%s is known as %+v, and its place may be taken", id, i)
			}
			places[i.Port] = true
			if !i.Approved.Within(i.Scopes).Equal(i.Approved) {
				t.Fatalf("it may do more than it asked for: %+v", i)
			}
			if i.TokenHash == nil {
				continue
			}
			tokens++
			if found, ok := r.Token(*i.TokenHash); !ok || found != i {
				t.Fatalf("its token lets in %+v", found)
			}
		}
		if tokens != len(r.Tokens) {
			t.Fatalf("%d tokens are known, %d interfaces have one", len(r.Tokens), tokens)
		}
		for key := range r.Burnt {
			if _, both := r.Keys[key]; both {
				t.Fatal("a burnt key is good")
			}
		}
	})
}

// TestRegistryGoesOnFromItsStoredForm breaks off anywhere.
func TestRegistryGoesOnFromItsStoredForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := lived(t)
		cut := rapid.IntRange(0, len(k.records)).Draw(t, "cut")
		first := foldRegistry(t, k.records[:cut])
		text, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		var second domain.Registry
		if err := json.Unmarshal(text, &second); err != nil {
			t.Fatal(err)
		}
		for _, rec := range k.records[cut:] {
			if err := second.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
		got, err := json.Marshal(&second)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(k.fold)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("broken off after %d of %d:\n%s\nwant\n%s (%v)", cut, len(k.records), got, want, err)
		}
	})
}

// TestErasingNeverWidens holds that a lost payload lets nobody in and allows
// nothing that wasn't so with it.
func TestErasingNeverWidens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := lived(t)
		if len(k.records) == 0 {
			return
		}
		n := rapid.IntRange(0, len(k.records)-1).Draw(t, "erase")
		r := k.erasing(n)
		for token := range r.Tokens {
			if _, ok := k.fold.Tokens[token]; !ok {
				t.Fatalf("without %s a token comes back", k.records[n].Envelope.Type)
			}
		}
		for key, issued := range r.Keys {
			if _, ok := k.fold.Keys[key]; !ok && k.now < issued.ExpiresAt {
				t.Fatalf("without %s a pairing key comes back", k.records[n].Envelope.Type)
			}
		}
		for id, i := range r.Interfaces {
			whole := k.fold.Interfaces[id]
			if whole == nil {
				t.Fatalf("without %s an interface comes back: %+v", k.records[n].Envelope.Type, i)
			}
			for _, s := range i.Approved.Signals {
				if !slices.Contains(whole.Approved.Signals, s) {
					t.Fatalf("without %s it may send %s", k.records[n].Envelope.Type, s)
				}
			}
			if i.Status() == domain.StatusOnline && whole.Status() != domain.StatusOnline {
				t.Fatalf("without %s it is online instead of %s", k.records[n].Envelope.Type, whole.Status())
			}
		}
	})
}
