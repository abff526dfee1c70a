package domain_test

import (
	"fmt"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// What a client is told apart by: its words without digits, and where it comes from.
func TestClients(t *testing.T) {
	chrome := domain.Visitor{UserAgent: "Chrome/140.0 (Linux)", From: "2001:db8::7"}
	for name, c := range map[string]struct {
		who  domain.Visitor
		same bool
	}{
		"a later version":       {domain.Visitor{UserAgent: "Chrome/141.2 (Linux)", From: chrome.From}, true},
		"its network":           {domain.Visitor{UserAgent: chrome.UserAgent, From: "2001:db8:0:0:ffff::1"}, true},
		"another network":       {domain.Visitor{UserAgent: chrome.UserAgent, From: "2001:db8:0:1::7"}, false},
		"another browser":       {domain.Visitor{UserAgent: "Firefox/140.0 (Linux)", From: chrome.From}, false},
		"through a proxy":       {domain.Visitor{UserAgent: chrome.UserAgent, From: chrome.From, Relayed: true}, false},
		"from nowhere in sight": {domain.Visitor{UserAgent: chrome.UserAgent}, false},
	} {
		if got := c.who.Client() == chrome.Client(); got != c.same {
			t.Errorf("%s is the same: %v", name, got)
		}
	}
	if (domain.Visitor{From: "192.168.1.7"}).Client() == (domain.Visitor{From: "192.168.1.8"}).Client() {
		t.Error("two addresses are one")
	}
}

// A use elsewhere is told once, outlives its session, and is gone when it was seen; the
// same again gives nothing. Erased it is told all the same.
func TestUsedElsewhere(t *testing.T) {
	rules := accountRules(t)
	known := &domain.Accounts{}
	home := domain.Visitor{UserAgent: "Chrome", From: domain.ThisMachine}
	key := domain.HashSecret("key")
	happens := func(event any) { known = rules.Evolve(known, happened{morning, event}) }
	happens(known.LogIn(secretA, key, home, morning))
	if _, told := known.Elsewhere(secretA, domain.Keyed, domain.Visitor{UserAgent: "curl"}, nil); told {
		t.Error("a use with the key is told")
	}
	if _, told := known.Elsewhere(secretA, domain.Passing, home, nil); told {
		t.Error("an image in its own browser is told")
	}
	moved := domain.Visitor{UserAgent: "Chrome", From: "192.168.1.7"}
	if _, told := known.Elsewhere(secretA, domain.Opening, moved, nil); told {
		t.Error("a page that its own browser opens in another network is told")
	}
	if _, told := known.Elsewhere(secretA, domain.Passing, moved, nil); !told {
		t.Error("an image from elsewhere isn't told")
	}
	if _, told := known.Elsewhere(secretA, domain.Passing, moved, []domain.Client{moved.Client()}); told {
		t.Error("an image from where the key was shown is told")
	}
	if _, told := known.Elsewhere(secretB, domain.Alone, home, nil); told {
		t.Error("a use of no session is told")
	}
	for n := range domain.MaxElsewhere {
		used, told := known.Elsewhere(secretA, domain.Alone, domain.Visitor{UserAgent: fmt.Sprintf("%c", 'a'+n)}, nil)
		if !told {
			t.Fatalf("client %d isn't told", n)
		}
		happens(used)
		if _, again := known.Elsewhere(secretA, domain.Alone, domain.Visitor{UserAgent: used.UserAgent}, nil); again {
			t.Fatalf("client %d is told twice", n)
		}
	}
	if _, told := known.Elsewhere(secretA, domain.Alone, domain.Visitor{UserAgent: "z"}, nil); told {
		t.Error("the log grows without a bound")
	}
	out, _ := known.LogOut(secretA)
	happens(out)
	if len(known.Unseen) != domain.MaxElsewhere || len(known.Sessions) != 0 {
		t.Fatalf("after the end %d are told of", len(known.Unseen))
	}
	seen, err := known.SeeElsewhere(known.Unseen[3].EnvelopeID)
	if err != nil {
		t.Fatal(err)
	}
	happens(seen)
	if _, err := known.SeeElsewhere(seen.EnvelopeID); domain.CategoryOf(err) != domain.NotFound || len(known.Unseen) != domain.MaxElsewhere-1 {
		t.Errorf("seen twice: %v, %d left", err, len(known.Unseen))
	}
	ids := domaintest.NewIDs(domaintest.NewClock(), 9)
	rec := recordOf(t, ids, known.Through+1, happened{morning, domain.SessionUsedElsewhere{SessionHash: secretA.String()}})
	rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if err := known.Evolve(rec); err != nil || known.Unseen[len(known.Unseen)-1].Session != secretA {
		t.Errorf("an erased one: %v, %+v", err, known.Unseen)
	}
	rec = recordOf(t, ids, known.Through+1, happened{morning, domain.SessionElsewhereSeen{EnvelopeID: rec.Envelope.ID}})
	rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if err := known.Evolve(rec); err != nil || len(known.Unseen) != domain.MaxElsewhere-1 {
		t.Errorf("an erased end: %v, %+v", err, known.Unseen)
	}
}
