package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// connections send signals at once, each the next when the one before is
// answered.
const connections = 64

// postSignals sends signals for a while and returns how long each took, and all
// of them. The client shares the machine with the server, so it is no more than
// a prepared text written to a connection.
func postSignals(ctx context.Context, address, token string, while time.Duration) ([]time.Duration, time.Duration, error) {
	request := prepared(address, token)
	perConnection := make([][]time.Duration, connections)
	failures := make([]error, connections)
	var sending sync.WaitGroup
	begun := time.Now()
	for c := range connections {
		sending.Go(func() {
			perConnection[c], failures[c] = send(ctx, address, request, begun.Add(while))
		})
	}
	sending.Wait()
	return slices.Concat(perConnection...), time.Since(begun), errors.Join(failures...)
}

func send(ctx context.Context, address string, request []byte, until time.Time) (_ []time.Duration, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	answers := bufio.NewReaderSize(conn, 4096)
	var took []time.Duration
	for now := time.Now(); now.Before(until) && ctx.Err() == nil; {
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		if err := readAccepted(answers); err != nil {
			return nil, err
		}
		end := time.Now()
		took = append(took, end.Sub(now))
		now = end
	}
	return took, ctx.Err()
}

// readAccepted reads one answer, which must be 202.
func readAccepted(from *bufio.Reader) error {
	status, err := from.ReadString('\n')
	if err != nil {
		return err
	}
	length := 0
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return err
		}
		if line == "\r\n" {
			break
		}
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return fmt.Errorf("the answer's length %q can't be read: %w", value, err)
			}
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(from, body); err != nil {
		return err
	}
	if !strings.Contains(status, " 202 ") {
		return fmt.Errorf("the answer was %s: %s", strings.TrimSpace(status), body)
	}
	return nil
}

func prepared(address, token string) []byte {
	const body = `{"signal_type":"weather_forecast","content":"Heavy rain expected this evening, 80% chance",` +
		`"source":"weather-service","topic":"weather","activation_energy":0.4,` +
		`"metadata":{"precipitation_chance":0.8,"temperature_high":18,"temperature_low":12}}`
	return fmt.Appendf(nil, "POST /api/signals HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", address, token, len(body), body)
}

// rateOf is requests a second.
func rateOf(took []time.Duration, all time.Duration) float64 {
	return float64(len(took)) / all.Seconds()
}

// slowestPercentOf is the 99th percentile in milliseconds.
func slowestPercentOf(took []time.Duration, _ time.Duration) float64 {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return float64(took[len(took)*99/100]) / float64(time.Millisecond)
}
