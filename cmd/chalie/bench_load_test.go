package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"chalie/domain"
)

// sendSignals sends n signals over one connection, each when the one before was
// answered, evenly within a time; 0 is as fast as can be. It is little more than a
// prepared text written to the connection: the sender has the same two cores.
func (p *benched) sendSignals(ctx context.Context, n int, within time.Duration, name string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.app.Addr())
	if err != nil {
		return err
	}
	defer conn.Close()
	answers := bufio.NewReaderSize(conn, 4<<10)
	begun := time.Now()
	for i := range n {
		if within > 0 {
			due := begun.Add(within * time.Duration(i) / time.Duration(n))
			select {
			case <-time.After(time.Until(due)):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		body := fmt.Sprintf(`{"signal_type":"news","content":"%s: delays of %d minutes around platform %d this evening","source":"city-news","topic":"traffic","activation_energy":0.4}`,
			name, 5+i%50, i)
		if _, err := fmt.Fprintf(conn, "POST /api/signals HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			p.app.Addr(), p.token, len(body), body); err != nil {
			return err
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusAccepted {
			return fmt.Errorf("a signal was answered %s %s (%w)", resp.Status, text, err)
		}
	}
	return nil
}

// The words of what is planned and heard: names that repeat now and then, each with
// another that doesn't, so that most of it is related to nothing.
var (
	benchNames   = []string{"Luigi's", "Marco Bellini", "Kastanienallee", "Dr. Nowak", "Harbour Lane Dental", "LH454", "Anna", "Bistro Verde", "Ostrava Central", "Pieter"}
	benchPlanned = []string{"dinner reservation at %s tomorrow", "call %s about the invoice", "pick up the parcel near %s before 18:00", "buy flowers for %s"}
	benchHeard   = []string{"%s is closed tonight because of a broken pipe, says the owner", "Delays of up to 40 minutes around %s from Friday morning on", "New opening hours for %s announced this week, with a new menu"}
)

func benchText(forms []string, i int) string {
	name := benchNames[i%len(benchNames)]
	if i%3 != 0 {
		name = fmt.Sprintf("%s %coru%dx", name, 'A'+i%26, i%89)
	}
	return fmt.Sprintf(forms[i%len(forms)], name)
}

// plan makes n tasks.
func (p *benched) plan(n int) {
	p.b.Helper()
	p.record(n, func(lin domain.Lineage, id domain.ID, now domain.Millis, i int) (domain.Entry, error) {
		return domain.New(lin, id, now, "bench", domain.TaskCreated{Text: benchText(benchPlanned, i), Zone: "UTC"})
	})
}

// hear takes in n signals.
func (p *benched) hear(n int) {
	p.b.Helper()
	p.record(n, func(lin domain.Lineage, id domain.ID, now domain.Millis, i int) (domain.Entry, error) {
		return domain.New(lin, id, now, "bench", domain.SignalReceived{
			SignalType: "news", Content: benchText(benchHeard, i), Source: "city-news", ActivationEnergy: 0.4,
		})
	})
}

// record appends n envelopes, each a trace of its own, and waits until they count.
func (p *benched) record(n int, entry func(domain.Lineage, domain.ID, domain.Millis, int) (domain.Entry, error)) {
	p.b.Helper()
	var batch domain.Batch
	for i := range n {
		id := p.app.cfg.IDs.NewID()
		e, err := entry(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(time.Now()), i)
		if err != nil {
			p.b.Fatal(err)
		}
		batch.Entries = append(batch.Entries, e)
	}
	receipt, err := p.app.bus.Append(p.b.Context(), batch)
	if err != nil {
		p.b.Fatal(err)
	}
	if err := p.app.folds.Group.WaitFor(p.b.Context(), receipt.Positions[n-1]); err != nil {
		p.b.Fatal(err)
	}
}
